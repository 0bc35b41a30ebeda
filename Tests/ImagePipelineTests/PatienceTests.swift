import FramePacing
import Testing

@testable import ImagePipeline

@Suite("How long a decoding process is waited for")
struct PatienceTests {
  private func remaining(
    _ elapsed: Double, delayed: Double = 0, used: Double = 0, isRunnable: Bool = false
  ) -> FrameDuration? {
    ProcessTimeout(limit: .seconds(5)).remaining(
      elapsed: .seconds(elapsed), delayed: .seconds(delayed), used: .seconds(used), isRunnable: isRunnable)
  }

  @Test("the limit, and what the process stood in line for a core, up to twelve limits")
  func limits() {
    #expect(remaining(1) == .seconds(4))
    #expect(remaining(5) == nil)
    #expect(remaining(6, delayed: 2) == .seconds(1))
    #expect(remaining(7, delayed: 2) == nil)
    #expect(remaining(59, delayed: 100) == .seconds(1))
    #expect(remaining(60, delayed: 100) == nil)
  }

  @Test("one that stands in line now, which the kernel has not counted yet, is given its limit of processor time")
  func inLine() {
    #expect(remaining(6, used: 1, isRunnable: true) == .seconds(4))
    #expect(remaining(6, used: 5, isRunnable: true) == nil)
    #expect(remaining(58, used: 1, isRunnable: true) == .seconds(2))
    #expect(remaining(60, used: 1, isRunnable: true) == nil)
    // One that sleeps has its own reasons.
    #expect(remaining(6, used: 1, isRunnable: false) == nil)
  }
}
