import DecodingProtocol
import Geometry
import Glibc
import ImageMetadata
import Testing

@Suite(
  "Odd and hostile pictures of public test suites",
  .enabled(if: Corpus.isThere, "SKIPPED: there is no ../shared/images beside the package")
)
struct CorpusTests {
  @Test("Every file gets an answer, and the one that its manifest names")
  func everyFile() throws {
    var process = try DecodingProcess()
    var good = 0
    var deaths = 0
    for entry in try Corpus.entries() {
      let descriptor = open(entry.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
      try #require(descriptor >= 0)
      defer { close(descriptor) }
      guard let reply = try process.decode(descriptor, fileBytes: entry.bytes, width: 40, height: 40, fit: .fit)
      else {
        deaths += 1
        Issue.record("\(entry.path) ended the decoding process: \(String(describing: process.wait()))")
        process = try DecodingProcess()
        continue
      }
      #expect(Int(reply.byteCount) == (reply.status == .ok ? Int(reply.width * reply.height * 4) : 0))
      guard !entry.isException else { continue }
      switch (entry.isDecodedHere, entry.verdict) {
      case (true, .ok):
        good += 1
        #expect(reply.status == .ok, "\(entry.path)")
        #expect(Int(reply.sourceWidth) == entry.width && Int(reply.sourceHeight) == entry.height, "\(entry.path)")
        #expect(Int(reply.orientation) == entry.orientation, "\(entry.path)")
      case (true, .error): #expect(reply.status != .ok || reply.isDamaged, "\(entry.path)")
      case (true, .bomb): #expect(reply.status == .tooLarge, "\(entry.path)")
      case (true, .either): break
      case (false, _): #expect(reply.status != .ok, "\(entry.path)")
      }
    }
    #expect(deaths == 0)
    #expect(good > 940)
  }

  @Test("Headers of every file are read without decoding")
  func headers() throws {
    for entry in try Corpus.entries() where entry.isDecodedHere && entry.verdict == .ok && !entry.isException {
      let bytes = try Corpus.contents(entry)
      var reads = 0
      let header = ImageHeader.read(fileBytes: bytes.count) { offset, count in
        reads += 1
        return Array(bytes[offset..<offset + count])
      }
      #expect(header?.size == PixelSize(width: entry.width, height: entry.height), "\(entry.path)")
      #expect(header?.orientation.rawValue == UInt8(entry.orientation), "\(entry.path)")
      #expect(reads <= 20, "\(entry.path)")
    }
  }
}
