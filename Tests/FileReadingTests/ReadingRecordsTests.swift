import Testing
import VitrineDecodingProtocol
import VitrineGeometry
import VitrineImageMetadata
import VitrineReadingProtocol
import VitrineTestSupport

@Suite("Records of reading processes")
struct ReadingRecordsTests {
  private func replies(_ random: inout SeededGenerator) -> ReadingReply {
    func text() -> String? {
      Bool.random(using: &random) ? nil : String(repeating: "é\0x", count: Int.random(in: 0...20, using: &random))
    }
    switch Int.random(in: 0..<6, using: &random) {
    case 0:
      return .unreadable(Int32.random(in: 1...133, using: &random))
    case 1: return .notRecognized
    case 2:
      var end = ListEnd(ListEnd.Ending.allCases.randomElement(using: &random) ?? .complete)
      end.notObjects = Int.random(in: 0...9, using: &random)
      end.tooLong = Int.random(in: 0...1 << 30, using: &random)
      end.surplus = Int.random(in: 0...9, using: &random)
      return .listEnd(end)
    case 3:
      let texts = (0..<Int.random(in: 0...9, using: &random)).map {
        PNGDescription.Text(keyword: "k\($0)", value: text() ?? "")
      }
      return .contents(
        ReadingContents(texts: PixelSize(width: 7, height: 65_535).map { PNGDescription(size: $0, texts: texts) }))
    default:
      var header = ImageHeader(
        format: ImageFormat.allCases.randomElement(using: &random) ?? .jpeg,
        storedSize: PixelSize(width: Int.random(in: 0...65_535, using: &random), height: 9),
        isOversized: Bool.random(using: &random),
        orientation: Orientation.allCases.randomElement(using: &random) ?? .up,
        captureTime: Bool.random(using: &random) ? nil : Int64.random(in: -99_999_999...99_999_999, using: &random),
        embeddedThumbnail: Bool.random(using: &random) ? nil : 12..<4_000_000_000)
      header.isIncomplete = Bool.random(using: &random)
      header.rating = Bool.random(using: &random) ? nil : UInt8.random(in: 1...5, using: &random)
      header.camera = text()
      header.location = GeographicLocation(
        latitudeUnits: Int32.random(in: -900_000_000...900_000_000, using: &random), longitudeUnits: 5)
      var settings: CaptureSettings?
      if Bool.random(using: &random) {
        settings = CaptureSettings()
        settings?.exposureTime = Bool.random(using: &random) ? nil : 0.004
        settings?.aperture = 2.8
        settings?.sensitivity = Bool.random(using: &random) ? nil : 102_400
        settings?.focalLengthIn35mmFilm = 28
        settings?.lens = text()
      }
      return .contents(ReadingContents(header: header, settings: settings))
    }
  }

  @Test("A reply is the same after the transfer, and no part of it is a reply", arguments: 0..<4)
  func transfer(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    for _ in 0..<100 {
      let reply = replies(&random)
      let id = UInt32.random(in: .min ... .max, using: &random)
      let bytes = reply.bytes(id: id)
      #expect(bytes.count <= ReadingLaunch.maximumPacketBytes)
      #expect(bytes.withUnsafeBytes { ReadingReply($0, id: id) } == reply)
      #expect(bytes.withUnsafeBytes { ReadingReply($0, id: id &+ 1) } == nil)
      for count in 0..<bytes.count { #expect(bytes[..<count].withUnsafeBytes { ReadingReply($0, id: id) } == nil) }
      #expect((bytes + [0]).withUnsafeBytes { ReadingReply($0, id: id) } == nil)
    }
  }

  @Test("What a process may send is within bounds, whatever its bytes are", arguments: 0..<4)
  func lies(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var valid = 0
    for _ in 0..<3_000 {
      var bytes = replies(&random).bytes(id: 7)
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      guard let reply = bytes.withUnsafeBytes({ ReadingReply($0, id: 7) }) else { continue }
      valid += 1
      switch reply {
      case .contents(let contents):
        if let header = contents.header {
          #expect(header.rating.map { (1...5).contains($0) } ?? true)
          #expect((header.captureTime ?? 0).magnitude <= 1 << 40 && (header.embeddedThumbnail?.lowerBound ?? 0) >= 0)
          #expect(header.camera.map { $0.count <= 512 } ?? true)
        }
        if let settings = contents.settings {
          for number in [settings.exposureTime, settings.aperture, settings.focalLength].compactMap({ $0 }) {
            #expect(number.isFinite && number > 0)
          }
        }
      case .unreadable(let code): #expect(code > 0)
      case .listEnd(let end): #expect(min(end.notObjects, end.tooLong, end.surplus) >= 0)
      case .notRecognized: break
      }
    }
    #expect(valid > 100)
  }

  @Test("A request is the same after the transfer, and other records are none")
  func requests() {
    for operation in ReadingRequest.Operation.allCases {
      let request = ReadingRequest(operation, fileBytes: 0x1234_5678_9ABC_DEF0, id: 0xFFFF_FFF0)
      #expect(ReadingRequest(words: request.words) == request)
      var words = request.words
      words[1] = 9
      #expect(ReadingRequest(words: words) == nil)
      words = request.words
      words[0] &+= 1
      #expect(ReadingRequest(words: words) == nil)
    }
    let greeting = ReadingGreeting(layers: [.memory, .systemCalls])
    #expect(greeting.bytes.withUnsafeBytes { ReadingGreeting($0) } == greeting)
    #expect([UInt8](repeating: 7, count: 8).withUnsafeBytes { ReadingGreeting($0) } == nil)
    #expect(greeting.bytes[..<7].withUnsafeBytes { ReadingGreeting($0) } == nil)
  }
}
