import Testing
import VitrineTestSupport
import VitrineThreads

@testable import VitrineGalleryUI

@Suite("Work of which only the newest result is of interest")
struct LatestTaskTests {
  /// What the work did, and whether it may end.
  private struct Progress {
    var started: [Int] = []
    var isReleased = false
  }

  @Test("One task runs at a time, the newest request follows it, and those between are never done")
  func newest() throws {
    let progress = Lock(Progress())
    let wakes = Mailbox<Int>()
    let task = LatestTask<Int, String>(thread: ArrangementThread(waitsForResults: false) { wakes.post(0) }) { number in
      progress.withLock { $0.started.append(number) }
      progress.wakeAll()
      progress.wait { $0.isReleased ? () : nil }
      return "\(number)"
    }
    #expect(!task.isRunning && !task.hasPendingResult)
    for number in 1...4 { task.setRequest(number) }
    _ = try progress.wait(for: "the work to start") { $0.started.isEmpty ? nil : $0.started }
    #expect(task.value == nil && task.isRunning && !task.hasPendingResult && !task.collect())
    progress.withLock { $0.isReleased = true }
    progress.wakeAll()
    try waitForResult(of: task)
    #expect(!task.collect() && task.value == nil, "the result of an old request is not shown")
    try waitForResult(of: task)
    #expect(task.collect() && task.value == "4" && !task.isRunning)
    #expect(progress.withLock { $0.started } == [1, 4] && !wakes.isEmpty)
    task.setRequest(4)
    #expect(!task.hasPendingResult, "the result is known")
    task.setRequest(nil)
    #expect(task.value == nil && !task.isRunning)
  }

  @Test("Without a thread the work is done at once")
  func immediate() {
    let task = LatestTask<Int, Int?>(thread: nil) { $0 > 1 ? $0 * $0 : nil }
    task.setRequest(5)
    #expect(task.value == 25 && !task.isRunning && !task.hasPendingResult && !task.collect())
    task.setRequest(1)
    #expect(task.value == .some(nil) && !task.isRunning, "no value is a result")
  }

  private func waitForResult(of task: LatestTask<Int, String>) throws {
    try Deadline().wait(for: "a result") { task.hasPendingResult ? () : nil }
  }
}
