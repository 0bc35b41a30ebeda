import Foundation
import FramePacing
import Glibc
import PictureServer
import TestSupport
import Testing

@testable import vitrine_destinations

@Suite("Where the system has not enough to give, what was started is ended")
struct PictureSupplyTests {
  /// Numbers of descriptors that are open.
  private nonisolated static var descriptors: Set<Int32> {
    Set((0..<Int32(4_096)).filter { fcntl($0, F_GETFD) >= 0 })
  }

  private static func make(_ shelf: PictureShelf) throws -> DestinationsExample {
    try DestinationsExample(
      DestinationsSettings(), clock: MonotonicClock(kind: .timer), waker: SilentWaker(), shelf: shelf)
  }

  /// Makes the example with no descriptor to spare, with one and so on, until it can be made.
  fileprivate static func starve() throws {
    let shelf = PictureShelf([("one", [1, 2, 3])])
    // What is made once for a process is made now.
    try make(shelf).end()
    let before = descriptors
    let free = (0..<Int32(4_096)).filter { !before.contains($0) }
    var limit = rlimit()
    try #require(getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
    var usual = limit
    var failures: Set<String> = []
    var isMade = false
    for number in free.prefix(128) where !isMade {
      // So many are free as there are before this one.
      limit.rlim_cur = rlim_t(number)
      try #require(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
      var example: DestinationsExample?
      do { example = try make(shelf) } catch { failures.insert("\(error)") }
      try #require(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &usual) == 0)
      isMade = example != nil
      for name in isMade ? [] : ["picture server", "transfers", "likes", "decode 0"] {
        try OwnThreads.waitForNone(named: name)
      }
      example?.end()
      example = nil
      try Deadline().wait(for: "descriptors to be closed") { descriptors == before ? () : nil }
    }
    // The server itself, and what follows it.
    #expect(isMade && failures.count >= 2, "\(failures)")
  }

  @Test("With however few descriptors, it is all there or nothing is")
  func scarce() async throws {
    await #expect(processExitsWith: .success) {
      try await MainActor.run { try PictureSupplyTests.starve() }
    }
  }
}
