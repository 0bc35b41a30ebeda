import FramePacing
import ImagePipeline
import Testing

@testable import Hosting

@Suite("Who decodes, and how fast")
struct DecodingOptionsTests {
  private func parse(_ words: String...) throws -> DecodingOptions {
    try OptionTable(DecodingOptions.table).parse(words.map { Array($0.utf8) }, into: DecodingOptions()).settings
  }

  @Test("Unless told as many processes as cores, and the same on every machine where time is simulated")
  func usual() throws {
    let live = try parse().configuration(isSimulated: false)
    #expect(live.mode == .live && live.workers >= 2 && live.decodeDelay == .zero)
    let modelled = try parse().configuration(isSimulated: true)
    #expect(modelled.mode == .modelled && modelled.workers == 2)
  }

  @Test("What is told holds on every clock", arguments: [true, false])
  func told(isSimulated: Bool) throws {
    let configuration = try parse("--workers", "5", "--decode-delay", "12.5").configuration(isSimulated: isSimulated)
    #expect(configuration.workers == 5 && configuration.decodeDelay == .milliseconds(12.5))
  }

  @Test("What makes no sense is refused")
  func refused() {
    for words in [("--workers", "0"), ("--workers", "65"), ("--decode-delay", "-1"), ("--decode-delay", "nan")] {
      #expect(throws: UsageError.self) { try parse(words.0, words.1) }
    }
  }
}
