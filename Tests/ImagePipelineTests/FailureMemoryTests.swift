import DecodingProtocol
import FramePacing
import Glibc
import Testing

@testable import ImagePipeline

@Suite("Failures are remembered for as long as they hold")
struct FailureMemoryTests {
  /// The moments, in whole seconds, at which one that asks every second has a file tried that always fails.
  private func tries(_ failure: ImageFailure, seconds: Int) -> [Int] {
    var memory = FailureCache()
    var tries: [Int] = []
    for second in 0...seconds where memory.canAttempt(key(1), at: at(Double(second) * 1_000)) {
      tries.append(second)
      memory.recordFailure(failure, for: key(1), at: at(Double(second) * 1_000))
    }
    return tries
  }

  @Test(
    "what is a fact of the file is tried once",
    arguments: [
      ImageFailure.notAFile, .refused(.notAPicture), .refused(.damaged), .refused(.unsupportedFormat),
      .tooLarge(.pixels(nil)), .tooLarge(.metadata(bytes: 1)), .unsupportedSource,
    ])
  func lasting(failure: ImageFailure) { #expect(tries(failure, seconds: 10_000) == [0]) }

  @Test(
    "what every picture may suffer is tried as long as it is asked for, after pauses that grow to a minute",
    arguments: [
      ImageFailure.cannotOpen(EMFILE), .cannotOpen(ENOENT), .decoderUnavailable, .outOfMemory, .refused(.unreadable),
    ])
  func passing(failure: ImageFailure) {
    #expect(tries(failure, seconds: 300) == [0, 2, 6, 14, 30, 62, 126, 190, 254])
  }

  @Test(
    "what may be the file's fault is tried three times in all",
    arguments: [ImageFailure.decoderCrashed, .decoderTimedOut, .invalidDecoderReply])
  func doubtful(failure: ImageFailure) { #expect(tries(failure, seconds: 10_000) == [0, 2, 6]) }

  @Test("failures that are not the file's do not count as its own")
  func mixed() {
    var memory = FailureCache()
    for _ in 0..<5 { memory.recordFailure(.decoderUnavailable, for: key(1), at: at(0)) }
    #expect(!memory.isSuspect(key(1)))
    memory.recordFailure(.decoderCrashed, for: key(1), at: at(0))
    #expect(memory.isSuspect(key(1)))
    #expect(!memory.canAttempt(key(1), at: at(63_000)))
    #expect(memory.canAttempt(key(1), at: at(64_000)))
    memory.recordFailure(.refused(.damaged), for: key(1), at: at(64_000))
    #expect(!memory.canAttempt(key(1), at: at(1e9)))
  }

  @Test("a picture that was had after all begins anew")
  func forgets() {
    var memory = FailureCache()
    memory.recordFailure(.decoderCrashed, for: key(1), at: at(0))
    memory.recordFailure(.outOfMemory, for: key(1), at: at(0))
    memory.removeFailure(key(1))
    #expect(memory.failure(for: key(1)) == nil)
    memory.recordFailure(.decoderCrashed, for: key(1), at: at(0))
    #expect(memory.canAttempt(key(1), at: at(2_000)))
  }

  @Test("no number of failures makes the pause overflow", arguments: [1, 6, 17, 64, 65, 100_000, Int.max])
  func pauses(failures: Int) {
    let pause = FailureCache.pause(after: failures)
    #expect(pause >= FailureCache.firstPause && pause <= FailureCache.longestPause)
  }

  @Test("failures beyond the bound are forgotten, the oldest first")
  func bounded() {
    var memory = FailureCache()
    for source in 0...(1 << 16) { memory.recordFailure(.notAFile, for: key(source), at: at(0)) }
    #expect(memory.failure(for: key(0)) == nil)
    #expect(memory.failure(for: key(1)) == .notAFile)
    #expect(memory.failure(for: key(1 << 16)) == .notAFile)
  }
}
