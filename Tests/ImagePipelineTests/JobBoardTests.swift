import Testing
import Threads

@testable import ImagePipeline

@Suite("Workers take a job before all else, and rest once where they are told to")
struct JobBoardTests {
  @Test("A job comes first, each worker rests once, and the last of them has the work that was told")
  func rests() throws {
    let board = JobDispatcher(workers: 3)
    let done = Lock(0)
    board.postJob(ImageJob(number: 1, request: request(1)), to: 1)
    board.postIdleWork { done.withLock { $0 += 1 } }
    guard case .job(let job) = board.takeWorkItem(1) else {
      Issue.record("worker 1 rested before its job")
      return
    }
    #expect(job.number == 1)
    for worker in [1, 0, 2] {
      guard case .idle(let work) = board.takeWorkItem(worker) else {
        Issue.record("worker \(worker) was not told to rest")
        return
      }
      #expect((work != nil) == (worker == 2))
      work?()
    }
    #expect(done.withLock { $0 } == 1)
    board.postJob(ImageJob(number: 2, request: request(2)), to: 0)
    if case .idle = board.takeWorkItem(0) { Issue.record("told once, it was to rest twice") }
    board.close()
    if board.takeWorkItem(0) != nil { Issue.record("a closed board gave something") }
  }
}
