import FramePacing
import Testing

@testable import ImagePipeline

@Suite("Starvation watch")
struct StarvationWatchTests {
  /// What a row of looks said, 40 ms apart: processor time in milliseconds, and whether the process could run.
  private func looks(from first: Double?, _ looks: [(used: Double?, isRunnable: Bool)]) -> [Bool] {
    var watch = StarvationDetector(used: first.map { .milliseconds($0) })
    return looks.enumerated().map { index, look in
      watch.detectStarvation(
        elapsed: .milliseconds(40) * Double(index + 1), used: look.used.map { .milliseconds($0) },
        isRunnable: look.isRunnable)
    }
  }

  @Test("a process that could run and has had less than a fifth of the time is starved")
  func share() {
    #expect(looks(from: 100, [(108, true), (115.9, true), (155, true)]) == [false, true, false])
  }

  @Test("one that waits for something else than a core is not")
  func waits() {
    #expect(looks(from: 0, [(0, false), (0, true)]) == [false, true])
  }

  @Test("where the kernel does not tell, nothing is said")
  func unknown() {
    #expect(looks(from: nil, [(1, true), (nil, true), (1, true), (1, true)]) == [false, false, false, true])
  }
}
