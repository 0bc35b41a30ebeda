import DecodingProtocol
import Glibc
import Testing

@Suite("Every decoder in the box")
struct ConfinedDecodingTests {
  /// A file of every format, and one with a profile of colours.
  private static func files() throws -> [(name: String, file: [UInt8])] {
    var profiled = PNGWriter(width: 16, height: 16)
    let profile = ProfileWriter(primaries: ProfileWriter.exchanged).bytes
    profiled.chunks = [PNGWriter.chunk("iCCP", Array("p\0\0".utf8) + PNGWriter.stored(profile))]
    return InterruptionTests.files() + [
      ("jpeg", try JPEGFixture.file(.corners(width: 64, height: 32))),
      ("webp", WebPFixture.still(WebPFixture.lossyCorners)),
      ("webp without loss", WebPFixture.still(WebPFixture.losslessCorners)),
      ("avif", ISOMediaFixture.corners), ("avif of ten bits", ISOMediaFixture.deep),
      ("avif with alpha", ISOMediaFixture.alpha), ("heic", ISOMediaFixture.heic),
      ("png with a profile", profiled.file(.corners(width: 16, height: 16))),
    ]
  }

  @Test("a process's first picture may be of any format: nothing is left to be set up that the box forbids")
  func firstPicture() throws {
    for (name, file) in try ConfinedDecodingTests.files() {
      let process = try DecodingProcess()
      guard process.layers.isSandbox else { return }
      let reply = try process.decode(file, width: 16, height: 12)
      #expect(reply?.status == .ok, "\(name): \(String(describing: reply == nil ? process.wait() : nil))")
    }
  }

  @Test("a file cut off anywhere, of any format, ends no process")
  func prefixes() throws {
    let process = try DecodingProcess()
    for (name, file) in try ConfinedDecodingTests.files() {
      // Of long files not every prefix, but the whole header and then some.
      let step = max(1, file.count / 400)
      for count in Array(1..<min(200, file.count)) + Array(stride(from: 200, to: file.count, by: step)) {
        let reply = try process.decode(Array(file.prefix(count)), width: 16, height: 12)
        try #require(reply != nil, "\(count) bytes of \(name): \(String(describing: process.wait()))")
      }
    }
  }
}
