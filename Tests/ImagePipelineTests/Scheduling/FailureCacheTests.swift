import Glibc
import Testing
import VitrineDecodingProtocol
import VitrineFramePacing
@testable import VitrineImagePipeline
import VitrineTestSupport

@Suite("Failure cache")
struct FailureCacheTests {
  /// Returns the times, in seconds, at which a file that always fails is attempted if it is requested every second.
  private func attempts(_ failure: ImageFailure, seconds: Int) -> [Int] {
    var cache = FailureCache()
    var attempts: [Int] = []
    for second in 0...seconds where cache.canAttempt(key(1), at: at(Double(second) * 1_000)) {
      attempts.append(second)
      cache.recordFailure(failure, for: key(1), at: at(Double(second) * 1_000))
    }
    return attempts
  }

  @Test(
    "A permanent failure of the file is attempted once",
    arguments: [
      ImageFailure.notAFile, .refused(.notAPicture), .refused(.damaged), .refused(.unsupportedFormat),
      .tooLarge(.pixels(nil)), .tooLarge(.metadata(bytes: 1)), .unsupportedSource,
    ])
  func permanent(failure: ImageFailure) { #expect(attempts(failure, seconds: 10_000) == [0]) }

  @Test(
    "A transient failure is retried every second at first, and then after pauses that grow to a minute",
    arguments: [
      ImageFailure.cannotOpen(EMFILE), .cannotOpen(ENOENT), .decoderUnavailable, .outOfMemory, .refused(.unreadable),
    ])
  func transient(failure: ImageFailure) {
    #expect(attempts(failure, seconds: 300) == Array(0...16) + [18, 22, 30, 46, 78, 142, 206, 270])
  }

  @Test("A failed download is retried after pauses that grow to a minute")
  func download() {
    #expect(
      attempts(.download(reason: "server", isTransient: true), seconds: 300) == [0, 2, 6, 14, 30, 62, 126, 190, 254])
  }

  @Test(
    "A failure that may be caused by the file is attempted three times in all",
    arguments: [ImageFailure.decoderCrashed, .decoderTimedOut, .invalidDecoderReply])
  func uncertain(failure: ImageFailure) { #expect(attempts(failure, seconds: 10_000) == [0, 2, 6]) }

  @Test("Failures that are not caused by the file do not count as its own")
  func mixed() {
    var cache = FailureCache()
    for _ in 0..<5 { cache.recordFailure(.decoderUnavailable, for: key(1), at: at(0)) }
    #expect(!cache.isSuspect(key(1)))
    cache.recordFailure(.decoderCrashed, for: key(1), at: at(0))
    #expect(cache.isSuspect(key(1)))
    #expect(!cache.canAttempt(key(1), at: at(63_000)))
    #expect(cache.canAttempt(key(1), at: at(64_000)))
    cache.recordFailure(.refused(.damaged), for: key(1), at: at(64_000))
    #expect(!cache.canAttempt(key(1), at: at(1e9)))
  }

  @Test("The end of all pauses lets temporary failures and those of servers be tried again, and no others")
  func endedPauses() {
    var cache = FailureCache()
    cache.recordFailure(.cannotOpen(ENOENT), for: key(1), at: at(0))
    cache.recordFailure(.refused(.damaged), for: key(2), at: at(0))
    cache.recordFailure(.download(reason: "not found", isTransient: false), for: key(3), at: at(0))
    #expect(!cache.canAttempt(key(3), at: .distantFuture))
    cache.endPauses(at: at(100))
    #expect(cache.canAttempt(key(3), at: at(100)))
    #expect(cache.canAttempt(key(1), at: at(100)) && !cache.canAttempt(key(2), at: at(100)))
    cache.recordFailure(.cannotOpen(ENOENT), for: key(1), at: at(101))
    #expect(!cache.canAttempt(key(1), at: at(102)), "a later failure has a pause of its own")
  }

  @Test("The pause is that of the latest failure, of the file or of one size")
  func latestFailure() {
    var cache = FailureCache()
    cache.recordFailure(.cannotOpen(ENOENT), for: key(1), at: at(0))
    cache.recordFailure(.outOfMemory, for: key(1), at: at(5_000))
    #expect(cache.failure(for: key(1)) == .outOfMemory)
    #expect(!cache.canAttempt(key(1), at: at(5_100)) && cache.canAttempt(key(1), at: at(5_500)))
    cache.recordFailure(.cannotOpen(ENOENT), for: key(1), at: at(6_000))
    #expect(cache.failure(for: key(1)) == .cannotOpen(ENOENT) && !cache.canAttempt(key(1), at: at(6_100)))
  }

  @Test("A success resets the failures")
  func forgets() {
    var cache = FailureCache()
    cache.recordFailure(.decoderCrashed, for: key(1), at: at(0))
    cache.recordFailure(.outOfMemory, for: key(1), at: at(0))
    cache.removeFailure(key(1))
    #expect(cache.failure(for: key(1)) == nil)
    cache.recordFailure(.decoderCrashed, for: key(1), at: at(0))
    #expect(cache.canAttempt(key(1), at: at(2_000)))
  }

  @Test("The pause does not overflow for any number of failures", arguments: [1, 6, 17, 64, 65, 100_000, Int.max])
  func pauses(failures: Int) {
    let policy = FailureCache.retryPolicy
    let pause = policy.pause(after: failures)
    #expect(pause >= policy.firstPause && pause <= policy.maximumPause)
  }

  @Test("The oldest failures are evicted at the limit")
  func bounded() {
    var cache = FailureCache()
    for source in 0...(1 << 16) { cache.recordFailure(.notAFile, for: key(source), at: at(0)) }
    #expect(cache.failure(for: key(0)) == nil)
    #expect(cache.failure(for: key(1)) == .notAFile)
    #expect(cache.failure(for: key(1 << 16)) == .notAFile)
  }
}
