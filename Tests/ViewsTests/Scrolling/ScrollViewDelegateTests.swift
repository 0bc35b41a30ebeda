import Testing
import VitrineGeometry
import VitrineRendering
import VitrineScrollPhysics
import VitrineTestSupport
import VitrineViews

@Suite("ScrollViewDelegate is notified of scrolling in order")
struct ScrollViewDelegateTests {
  /// A delegate that records its calls; consecutive equal calls are one line.
  final class Log: ScrollViewDelegate {
    var lines: [String] = []
    var onScroll: ((ScrollView) -> Void)?
    private func record(_ line: String) { if lines.last != line { lines.append(line) } }
    func scrollViewDidScroll(_ view: ScrollView) {
      record("scroll")
      onScroll?(view)
    }
    func scrollViewWillBeginDragging(_ view: ScrollView) { record("drag") }
    func scrollViewDidEndDragging(_ view: ScrollView, willDecelerate: Bool) { record("end drag \(willDecelerate)") }
    func scrollViewWillBeginDecelerating(_ view: ScrollView) { record("decelerate") }
    func scrollViewDidEndDecelerating(_ view: ScrollView) { record("end decelerate") }
    func scrollViewWillBeginScrollingAnimation(_ view: ScrollView) { record("animate") }
    func scrollViewDidEndScrollingAnimation(_ view: ScrollView) { record("end animate") }
  }

  private func makeHarness() -> (WindowHarness, ScrollView, Log) {
    let (harness, view) = ScrollViewTests.makeHarness()
    let log = Log()
    view.scrollDelegate = log
    return (harness, view, log)
  }

  @Test("Notches, keys and animated scrolls are animations, a jump only scrolls, and no change is not reported")
  func animations() {
    let (harness, view, log) = makeHarness()
    harness.sendEvent(.wheel(WheelInput(location: Point(x: 10, y: 10), deltaX: 0, deltaY: -1)))
    harness.runUntilIdle()
    #expect(log.lines == ["animate", "scroll", "end animate"])
    log.lines = []
    view.setContentOffset(500, animated: true)
    harness.runUntilIdle()
    #expect(log.lines == ["animate", "scroll", "end animate"])
    log.lines = []
    view.contentOffset = 900
    harness.runUntilIdle()
    #expect(log.lines == ["scroll"] && view.contentOffset == 900)
    log.lines = []
    view.contentOffset = 900
    harness.run(frames: 3)
    #expect(log.lines.isEmpty)
  }

  @Test("A trackpad drags the content, which decelerates after the release")
  func trackpad() {
    let (harness, view, log) = makeHarness()
    for _ in 0..<12 {
      harness.sendEvent(.wheel(WheelInput(location: Point(x: 10, y: 10), deltaX: 0.03, deltaY: -3.37)))
      harness.run(frames: 1)
    }
    harness.runUntilIdle()
    #expect(log.lines == ["drag", "scroll", "end drag true", "decelerate", "scroll", "end decelerate"])
    #expect(view.contentOffset > 400)
  }

  @Test("A drag of the thumb does not decelerate")
  func thumb() {
    let (harness, _, log) = makeHarness()
    harness.sendEvent(.pointerDown(Point(x: 392, y: 10), button: .primary, clicks: 1, modifiers: []))
    harness.run(frames: 2)
    harness.sendEvent(.pointerMoved(Point(x: 392, y: 80)))
    harness.run(frames: 2)
    harness.sendEvent(.pointerUp(Point(x: 392, y: 80), button: .primary, modifiers: []))
    harness.runUntilIdle()
    #expect(log.lines == ["drag", "scroll", "end drag false"])
  }

  @Test("A delegate may scroll the content when it is notified, which is reported in the next frame")
  func scrollingInCallback() {
    let (harness, view, log) = makeHarness()
    log.onScroll = { view in if view.contentOffset < 300 { view.contentOffset += 100 } }
    view.contentOffset = 50
    harness.runUntilIdle()
    #expect(view.contentOffset == 350 && log.lines == ["scroll"])
  }

  @Test("A programmatic scroll after idle is animated unless other input replaces it before it starts")
  func motionAfterIdle() {
    let (harness, view, log) = makeHarness()
    view.contentOffset = 100
    harness.runUntilIdle()
    log.lines = []
    var offsets: Set<Double> = []
    log.onScroll = { offsets.insert($0.contentOffset) }
    view.scroll(to: 300, animated: true)
    view.setContentLength(12_000, adjustingOffsetBy: 50)
    #expect(view.contentOffset == 150)
    harness.runUntilIdle()
    #expect(view.contentOffset == 350, "the target is adjusted too")
    #expect(offsets.count > 10)
    view.scroll(to: 5_000, animated: true)
    view.applyScrollEvent(.jump(to: 900))
    harness.runUntilIdle()
    #expect(view.contentOffset == 900)
  }
}
