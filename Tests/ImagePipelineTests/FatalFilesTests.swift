import TestSupport
import Testing

@testable import ImagePipeline

@Suite("Files that end decoding processes")
struct FatalFilesTests {
  private func file(_ node: Int, bytes: Int = 100, modified: Int = 7) -> FileIdentity {
    FileIdentity(device: 1, node: UInt64(node), byteCount: bytes, modifiedSeconds: modified, modifiedNanoseconds: 5)
  }

  @Test("a file is refused after its second death, with the reason of the last")
  func twice() {
    var files = CrashingFiles()
    #expect(files.refusal(of: file(1)) == nil)
    files.recordDeath(of: file(1), .decoderCrashed)
    #expect(files.refusal(of: file(1)) == nil)
    files.recordDeath(of: file(1), .decoderTimedOut)
    #expect(files.refusal(of: file(1)) == .decoderTimedOut)
    #expect(files.refusal(of: file(2)) == nil)
  }

  @Test("a file that was changed in any way is another file")
  func changed() {
    var files = CrashingFiles()
    for _ in 0..<2 { files.recordDeath(of: file(1), .decoderCrashed) }
    #expect(files.refusal(of: file(1, bytes: 101)) == nil)
    #expect(files.refusal(of: file(1, modified: 8)) == nil)
    var other = file(1)
    other.device = 2
    #expect(files.refusal(of: other) == nil)
    other = file(1)
    other.modifiedNanoseconds = 6
    #expect(files.refusal(of: other) == nil)
  }

  @Test("a picture clears a file of its first death")
  func cleared() {
    var files = CrashingFiles()
    for _ in 0..<5 {
      files.recordDeath(of: file(1), .decoderCrashed)
      files.recordSuccess(of: file(1))
      #expect(files.refusal(of: file(1)) == nil)
    }
  }

  @Test("against a plain table, over thousands of deaths and pictures")
  func model() {
    var random = SeededGenerator(seed: 18)
    var files = CrashingFiles()
    var deaths: [FileIdentity: (count: Int, failure: ImageFailure)] = [:]
    let reasons: [ImageFailure] = [.decoderCrashed, .invalidDecoderReply, .decoderTimedOut]
    for _ in 0..<5_000 {
      let one = file(Int.random(in: 0..<30, using: &random), modified: Int.random(in: 0..<3, using: &random))
      if Int.random(in: 0..<3, using: &random) == 0 {
        files.recordSuccess(of: one)
        deaths[one] = nil
      } else {
        let failure = reasons[Int.random(in: 0..<3, using: &random)]
        files.recordDeath(of: one, failure)
        deaths[one] = ((deaths[one]?.count ?? 0) + 1, failure)
      }
      let asked = file(Int.random(in: 0..<30, using: &random), modified: Int.random(in: 0..<3, using: &random))
      let known = deaths[asked].flatMap { $0.count >= 2 ? $0.failure : nil }
      #expect(files.refusal(of: asked) == known)
    }
  }

  @Test("forgets the file asked for least recently when it knows too many")
  func bounded() {
    var files = CrashingFiles()
    for number in 0...65_536 {
      for _ in 0..<2 { files.recordDeath(of: file(number), .decoderCrashed) }
      #expect(number % 1_000 > 0 || files.refusal(of: file(0)) == .decoderCrashed)
    }
    #expect(files.refusal(of: file(0)) == .decoderCrashed)
    #expect(files.refusal(of: file(1)) == nil)
    #expect(files.refusal(of: file(2)) == .decoderCrashed)
  }
}
