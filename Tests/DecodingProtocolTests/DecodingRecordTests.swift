import Glibc
import Testing
import VitrineDecodingProtocol
import VitrineGeometry
import VitrineImageMetadata

@Suite("The records of the decoding protocol")
struct DecodingRecordTests {
  private func request() throws -> DecodingRequest {
    DecodingRequest(
      id: 0xFFFF_FFFF, operation: .decode, slot: 3, size: try #require(PixelSize(width: 65_535, height: 1)), fit: .fit,
      background: 0x00AB_CDEF, secondBackground: 0xFF12_3456, fileBytes: 0x1_2345_6789, quality: 100,
      delayMicroseconds: 17,
      representation: .embedded,
      limits: ImageLimits(
        longestSide: 65_535, maximumPixels: 0x1_0000_0001, maximumPixelsPerByte: 3, ratioCheckThreshold: 0x2_0000_0002,
        maximumFileBytes: 0x3_0000_0003),
      region: PixelRect(x: 1, y: 2, width: 65_535, height: 4), startsAnimation: true)
  }

  private let reply = DecodingReply(
    id: 9, status: .outOfMemory, width: 1, height: 2, sourceWidth: 3, sourceHeight: 4, orientation: 8, isDamaged: true,
    byteCount: 5, frameMilliseconds: 7, workMicroseconds: 6, layers: [.files, .systemCalls], formatBits: 0b101,
    version: 65_535)

  @Test("A record is a packet of 128 bytes")
  func size() {
    #expect(MemoryLayout<WireWords>.size == WireFormat.byteCount)
    #expect(WireFormat.byteCount == 128)
  }

  @Test("Written records are read back unchanged")
  func roundTrip() throws {
    #expect(DecodingRequest(words: try request().words) == (try request()))
    #expect(DecodingReply(words: reply.words) == reply)
    #expect(DecodingReply(id: 0, status: .ok).words[14] == UInt32(DecodingVersion.current))
    for status in DecodingStatus.allCases {
      #expect(DecodingReply(words: DecodingReply(id: 1, status: status).words)?.status == status)
    }
  }

  @Test("A request with an invalid word is nil", arguments: [0, 1, 4, 5, 6, 10, 12])
  func invalidRequests(word: Int) throws {
    for value in [UInt32(0), 0xFFFF_FFFF] {
      var words = try request().words
      words[word] = value
      #expect(DecodingRequest(words: words) == nil)
    }
  }

  @Test("A request whose part, or whose start of an animation, is impossible is nil", arguments: [19, 22, 23, 24, 25])
  func impossibleParts(word: Int) throws {
    for value in [UInt32(0x8000_0000), 65_536, 0xFFFF_FFFF] {
      var words = try request().words
      words[word] = value
      #expect(DecodingRequest(words: words) == nil)
    }
  }

  @Test("A reply with an invalid word is nil", arguments: [0, 2, 7, 8])
  func invalidReplies(word: Int) {
    var words = reply.words
    words[word] = 0xFFFF_FFFF
    #expect(DecodingReply(words: words) == nil)
  }

  @Test("Limits are clamped to the ranges of their words")
  func limits() throws {
    var request = try request()
    request.limits = ImageLimits(
      longestSide: -1, maximumPixels: .max, maximumPixelsPerByte: .max, ratioCheckThreshold: .min)
    let read = try #require(DecodingRequest(words: request.words)).limits
    #expect(read.longestSide == 0)
    #expect(read.maximumPixels == .max)
    #expect(read.maximumPixelsPerByte == 0xFFFF_FFFF)
    #expect(read.ratioCheckThreshold == 0)
    request.limits.maximumPixelsPerByte = 0
    #expect(DecodingRequest(words: request.words) == nil)
  }

  @Test("The records for the process of a picture are read as they were written, and others are refused")
  func pictureProcessRecords() {
    let request = PictureProcessRequest(id: 7)
    #expect(PictureProcessRequest(words: request.words) == request)
    let replies = [PictureProcessReply(id: 7, process: 1234), PictureProcessReply(id: 8, process: 0, error: 11)]
    for reply in replies { #expect(PictureProcessReply(words: reply.words) == reply) }
    for index in 0...1 {
      var words = request.words
      words[index] ^= 1
      #expect(PictureProcessRequest(words: words) == nil)
    }
    // Another protocol, a negative process, a process and an error, neither.
    for (index, word) in [(0, 1), (2, 0x8000_0000), (3, 5), (2, 0)] as [(Int, UInt32)] {
      var words = replies[0].words
      words[index] = word
      #expect(PictureProcessReply(words: words) == nil)
    }
    let size = PixelSize(width: 1, height: 1)
    #expect(
      size.map { PictureProcessRequest(words: DecodingRequest(id: 1, operation: .decode, slot: 0, size: $0).words) }
        == .some(nil))
  }

  @Test("Each layer has a name, and unknown layers have none")
  func layers() {
    #expect(SandboxLayers.all.names.count == 13)
    #expect(Set(SandboxLayers.all.names).count == 13)
    #expect(SandboxLayers(rawValue: .max).names == SandboxLayers.all.names)
    #expect(SandboxLayers([.files, .systemCalls]).names == ["files", "system calls"])
    #expect(SandboxLayers.all.isSandbox)
    #expect(!SandboxLayers.all.subtracting(.systemCalls).isSandbox)
    #expect(reply.formats == [.jpeg, .webp])
  }

  @Test("Every status has its own description")
  func descriptions() {
    #expect(Set(DecodingStatus.allCases.map(\.description)).count == DecodingStatus.allCases.count)
  }

  @Test("Every limit that an image exceeds has a caption with its amount")
  func exceededLimits() {
    for (limit, amount) in [
      (.pixels(PixelSize(width: 3, height: 2)), "3 x 2 pixels"), (.pixels(nil), "65535 pixels on a side"),
      (.file(bytes: (5 << 20) + 1), "6 MB"), (.metadata(bytes: 16 << 20), "16 MB"), (.passes(100), "100 passes"),
    ] as [(ExceededLimit, String)] {
      #expect(limit.description.hasPrefix("too large to show here (") && limit.description.contains(amount))
    }
  }

  @Test("A launch is determined by its arguments alone")
  func launch() throws {
    let launch = try #require(DecodingLaunch(slotCount: 4, slotBytes: 1 << 20))
    #expect(launch.arguments == ["vitrine-decode", "4", "1048576", "fail"])
    #expect(DecodingLaunch(arguments: launch.arguments) == launch)
    #expect(launch.interruptionOffset == 4 << 20)
    // Whole pages.
    #expect(launch.sharedBytes == 4 << 20 + Int(getpagesize()))
    #expect(DecodingLaunch(slotCount: 1, slotBytes: 5)?.interruptionOffset == 8)
    for forbidden in ForbiddenCallAction.allCases {
      #expect(DecodingLaunch(arguments: ["x", "1", "4", forbidden.rawValue])?.forbiddenCalls == forbidden)
    }
    for arguments in [
      [], ["x", "4"], ["x", "4", "1"], ["x", "4", "8", "fail", "2"], ["x", "four", "4096", "fail"],
      ["x", "-1", "4096", "fail"], ["x", "1", "4096", ""],
    ] {
      #expect(DecodingLaunch(arguments: arguments) == nil)
    }
  }

  @Test(
    "A launch with invalid numbers is nil",
    arguments: [(0, 4096), (65, 4096), (1, 3), (-1, -1), (2, 1 << 31), (64, Int.max), (Int.min, Int.max)])
  func invalidLaunch(slotCount: Int, slotBytes: Int) {
    #expect(DecodingLaunch(slotCount: slotCount, slotBytes: slotBytes) == nil)
  }
}

@Suite("Texts of a PNG file")
struct PNGTextsTests {
  @Test("Written texts are read back unchanged")
  func roundTrip() throws {
    var texts = PNGTexts()
    #expect(texts.entries.isEmpty && PNGTexts([]) == texts)
    texts.append("Thumb::URI", "file:///a%20b")
    texts.append("Comment", "")
    let read = try #require(PNGTexts(texts.bytes))
    #expect(read == texts)
    #expect(
      read.entries.map { [$0.keyword, $0.text] }
        == [["Thumb::URI", "file:///a%20b"], ["Comment", ""]].map { $0.map { Array($0.utf8) } })
  }

  @Test("Incomplete texts are nil", arguments: [[1], [1, 0], [1, 0, 2], [0, 0, 0]] as [[UInt8]])
  func incomplete(bytes: [UInt8]) { #expect(PNGTexts(bytes) == nil) }
}
