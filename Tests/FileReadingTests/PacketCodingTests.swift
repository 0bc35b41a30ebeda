import Testing
import VitrineDecodingProtocol
import VitrineGeometry
import VitrineImageMetadata
import VitrineReadingProtocol
import VitrineTestSupport

@Suite("Values in packets")
struct PacketCodingTests {
  private enum Value: Hashable {
    case number(UInt32)
    case bytes([UInt8])
    case optionalNumber(Int64?)
    case optionalText(String?)

    static func random(_ random: inout SeededGenerator) -> Value {
      let isNil = Bool.random(using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0: return .number(.random(in: .min ... .max, using: &random))
      case 1: return .bytes((0..<Int.random(in: 0...9, using: &random)).map { UInt8($0 * 31) })
      case 2: return .optionalNumber(isNil ? nil : .random(in: .min ... .max, using: &random))
      default: return .optionalText(isNil ? nil : String(repeating: "é\0", count: .random(in: 0...4, using: &random)))
      }
    }

    func write(to writer: inout PacketWriter) {
      switch self {
      case .number(let number): writer.append(number)
      case .bytes(let bytes): writer.append(bytes: bytes)
      case .optionalNumber(let number): writer.append(optional: number)
      case .optionalText(let text): writer.append(text)
      }
    }

    /// Returns the value of the same kind that a reader has next, or nil if there is none.
    func read(from reader: inout PacketReader) -> Value? {
      switch self {
      case .number: reader.number(UInt32.self).map { .number($0) }
      case .bytes: reader.text().map { .bytes(Array($0)) }
      case .optionalNumber: reader.optionalNumber(Int64.self).map { .optionalNumber($0) }
      case .optionalText: reader.optionalString().map { .optionalText($0) }
      }
    }
  }

  @Test("What was written is read, and a part of it is not", arguments: 0..<4)
  func values(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    for _ in 0..<200 {
      let values = (0..<Int.random(in: 1...6, using: &random)).map { _ in Value.random(&random) }
      var writer = PacketWriter()
      for value in values { value.write(to: &writer) }
      func read(_ count: Int) -> (values: [Value], isAtEnd: Bool) {
        writer.bytes.prefix(count).withUnsafeBytes { bytes in
          var reader = PacketReader(bytes)
          var read: [Value] = []
          for value in values {
            guard let next = value.read(from: &reader) else { break }
            read.append(next)
          }
          return (read, reader.isAtEnd)
        }
      }
      #expect(read(.max) == (values, true))
      for count in 0..<writer.bytes.count {
        let part = read(count).values
        #expect(part.count < values.count && part[...] == values.prefix(part.count))
      }
    }
  }

  @Test("A mark other than that of a value or none is invalid, and long bytes are cut")
  func invalid() {
    [UInt8](repeating: 2, count: 20).withUnsafeBytes { bytes in
      var reader = PacketReader(bytes)
      #expect(reader.optionalNumber(Int64.self) == nil)
      #expect(reader.optionalString() == nil)
    }
    var writer = PacketWriter()
    writer.append(bytes: [UInt8](repeating: 7, count: 70_000))
    writer.append(contentsOf: [1])
    #expect(writer.bytes.count == 2 + 65_535 + 1)
    writer.bytes.withUnsafeBytes { bytes in
      var reader = PacketReader(bytes)
      #expect(reader.text()?.count == 65_535 && !reader.isAtEnd)
    }
  }

  @Test("A reply answers only requests of its kind, with a preview within the file")
  func kinds() throws {
    func operations(_ reply: ReadingReply, fileBytes: UInt64 = 100) -> Set<ReadingRequest.Operation> {
      Set(
        ReadingRequest.Operation.allCases.filter { operation in
          let request = ReadingRequest(operation, fileBytes: fileBytes, id: 3)
          #expect(reply.bytes(id: 4).withUnsafeBytes { ReadingReply($0, answering: request) } == nil)
          return reply.bytes(id: 3).withUnsafeBytes { ReadingReply($0, answering: request) } == reply
        })
    }
    #expect(operations(.unreadable(5)) == Set(ReadingRequest.Operation.allCases))
    #expect(operations(.notRecognized) == [.header, .photograph, .texts])
    #expect(operations(.listEnd(ListEnd())) == [.list])
    let header = ImageHeader(format: .jpeg, embeddedThumbnail: 60..<100)
    #expect(operations(.contents(ReadingContents(header: header))) == [.header, .photograph])
    #expect(operations(.contents(ReadingContents(header: header)), fileBytes: 99).isEmpty)
    let settings = CaptureSettings()
    #expect(operations(.contents(ReadingContents(header: header, settings: settings))) == [.photograph])
    #expect(operations(.contents(ReadingContents(settings: settings))).isEmpty)
    let texts = PNGDescription(size: try #require(PixelSize(width: 1, height: 1)), texts: [])
    #expect(operations(.contents(ReadingContents(texts: texts))) == [.texts])
    #expect(operations(.contents(ReadingContents(header: header, texts: texts))).isEmpty)
    #expect(operations(.contents(ReadingContents(settings: settings, texts: texts))).isEmpty)
    #expect(operations(.contents(ReadingContents())).isEmpty)
  }

  @Test("Each value of a list's entry and end has bounds, whatever is written")
  func bounds() {
    func isValid(_ change: (inout ListEntry) -> Void) -> Bool {
      var entry = ListEntry()
      change(&entry)
      let batch = ListBatch([entry])
      return batch.bytes(id: 1).withUnsafeBytes { ListBatch($0, id: 1) } == batch
    }
    #expect(isValid { $0.id = String(repeating: "a", count: ListEntry.maximumTextBytes) })
    #expect(!isValid { $0.id = String(repeating: "a", count: ListEntry.maximumTextBytes + 1) })
    #expect(isValid { $0.address = String(repeating: "a", count: ListEntry.maximumTextBytes) })
    #expect(!isValid { $0.address = String(repeating: "a", count: ListEntry.maximumTextBytes + 1) })
    #expect(isValid { $0.title = String(repeating: "a", count: ListEntry.maximumTitleBytes) })
    #expect(!isValid { $0.title = String(repeating: "a", count: ListEntry.maximumTitleBytes + 1) })
    #expect(isValid { ($0.width, $0.height) = (1, .max) })
    #expect(!isValid { $0.width = 0 } && !isValid { $0.height = 0 })
    #expect(isValid { $0.date = ListEntry.dates.lowerBound } && isValid { $0.date = ListEntry.dates.upperBound })
    #expect(!isValid { $0.date = ListEntry.dates.lowerBound - 1 })
    #expect(!isValid { $0.date = ListEntry.dates.upperBound + 1 })
    #expect(isValid { $0.likes = .max } && !isValid { $0.likes = -1 })
    #expect(!isValid { $0.flaws = ListEntry.Flaws(rawValue: 8) })
    #expect(ListBatch([]).bytes(id: 1).withUnsafeBytes { ListBatch($0, id: 1) } == nil)
    for (count, isValid) in [(0, true), (1 << 40, true), (1 << 40 + 1, false), (-1, false)] {
      for path in [\ListEnd.notObjects, \.tooLong, \.surplus] {
        var end = ListEnd(.noItems)
        end[keyPath: path] = count
        let reply = ReadingReply.listEnd(end)
        #expect((reply.bytes(id: 1).withUnsafeBytes { ReadingReply($0, id: 1) } == reply) == isValid)
      }
    }
  }
}
