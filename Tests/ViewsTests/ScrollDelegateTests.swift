import Geometry
import Rendering
import ScrollPhysics
import TestSupport
import Testing
import Views

@Suite("A scroll view's delegate is told what moves the content, in order")
struct ScrollDelegateTests {
  /// Writes down what it is told; movements in a row are one line.
  final class Log: ScrollViewDelegate {
    var lines: [String] = []
    var onScroll: ((ScrollView) -> Void)?
    private func note(_ line: String) { if lines.last != line { lines.append(line) } }
    func scrollViewDidScroll(_ view: ScrollView) {
      note("scroll")
      onScroll?(view)
    }
    func scrollViewWillBeginDragging(_ view: ScrollView) { note("drag") }
    func scrollViewDidEndDragging(_ view: ScrollView, willDecelerate: Bool) { note("end drag \(willDecelerate)") }
    func scrollViewWillBeginDecelerating(_ view: ScrollView) { note("decelerate") }
    func scrollViewDidEndDecelerating(_ view: ScrollView) { note("end decelerate") }
    func scrollViewWillBeginScrollingAnimation(_ view: ScrollView) { note("animate") }
    func scrollViewDidEndScrollingAnimation(_ view: ScrollView) { note("end animate") }
  }

  private func stage() -> (WindowHarness, ScrollView, Log) {
    let (stage, view) = ScrollViewTests.stage()
    let log = Log()
    view.scrollDelegate = log
    return (stage, view, log)
  }

  @Test("A notch, a key and an animated movement are animations; a jump only scrolls; what rests is told nothing")
  func animations() {
    let (stage, view, log) = stage()
    stage.sendEvent(.wheel(WheelInput(location: Point(x: 10, y: 10), deltaX: 0, deltaY: -1)))
    stage.runUntilIdle()
    #expect(log.lines == ["animate", "scroll", "end animate"])
    log.lines = []
    view.setContentOffset(500, animated: true)
    stage.runUntilIdle()
    #expect(log.lines == ["animate", "scroll", "end animate"])
    log.lines = []
    view.contentOffset = 900
    stage.runUntilIdle()
    #expect(log.lines == ["scroll"] && view.contentOffset == 900)
    log.lines = []
    view.contentOffset = 900
    stage.run(frames: 3)
    #expect(log.lines.isEmpty)
  }

  @Test("Fingers drag; let go in movement the content runs on and comes to rest")
  func trackpad() {
    let (stage, view, log) = stage()
    for _ in 0..<12 {
      stage.sendEvent(.wheel(WheelInput(location: Point(x: 10, y: 10), deltaX: 0.03, deltaY: -3.37)))
      stage.run(frames: 1)
    }
    stage.runUntilIdle()
    #expect(log.lines == ["drag", "scroll", "end drag true", "decelerate", "scroll", "end decelerate"])
    #expect(view.contentOffset > 400)
  }

  @Test("The thumb drags, too, and leaves the content where it is")
  func thumb() {
    let (stage, _, log) = stage()
    stage.sendEvent(.pointerDown(Point(x: 392, y: 10), button: .primary, clicks: 1, modifiers: []))
    stage.run(frames: 2)
    stage.sendEvent(.pointerMoved(Point(x: 392, y: 80)))
    stage.run(frames: 2)
    stage.sendEvent(.pointerUp(Point(x: 392, y: 80), button: .primary, modifiers: []))
    stage.runUntilIdle()
    #expect(log.lines == ["drag", "scroll", "end drag false"])
  }

  @Test("Who is told may move the content: that is told in the next frame, and has an end")
  func reentrant() {
    let (stage, view, log) = stage()
    log.onScroll = { view in if view.contentOffset < 300 { view.contentOffset += 100 } }
    view.contentOffset = 50
    stage.runUntilIdle()
    #expect(view.contentOffset == 350 && log.lines == ["scroll"])
  }

  @Test("A motion that the program asks for after a rest is seen, unless a person takes the content before it began")
  func afterRest() {
    let (stage, view, log) = stage()
    view.contentOffset = 100
    stage.runUntilIdle()
    log.lines = []
    var places: Set<Double> = []
    log.onScroll = { places.insert($0.contentOffset) }
    view.scroll(to: 300, animated: true)
    view.setContentLength(12_000, adjustingOffsetBy: 50)
    #expect(view.contentOffset == 150)
    stage.runUntilIdle()
    #expect(view.contentOffset == 350, "the place moved along")
    #expect(places.count > 10)
    view.scroll(to: 5_000, animated: true)
    view.applyScrollEvent(.jump(to: 900))
    stage.runUntilIdle()
    #expect(view.contentOffset == 900)
  }
}
