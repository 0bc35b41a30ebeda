import Geometry
import Rendering
import ScrollPhysics
import TestSupport
import Testing
import Views

@Suite("Content has room before and behind it, and keys and the thumb keep to what that leaves")
struct ContentInsetTests {
  private final class Counting: ScrollView {
    var refused = 0
    override func didRejectInvalidNumber() { refused += 1 }
  }

  private func stage(contentLength: Double = 10_000, _ inset: Insets) -> (WindowHarness, Counting) {
    let view = Counting()
    let stage = WindowHarness(root: view, size: Size(width: 400, height: 300))
    view.setContentLength(contentLength)
    stage.window.addParticipant(view)
    stage.window.firstResponder = view
    view.contentInset = inset
    stage.run(frames: 1)
    return (stage, view)
  }

  private func press(_ key: Key, on stage: WindowHarness) {
    stage.sendEvent(.keyDown(key, modifiers: [], isRepeat: false))
    stage.runUntilIdle()
  }

  @Test("The ends are beside it; a page is of what it leaves")
  func keys() {
    let (stage, view) = stage(Insets(top: 40, left: 7, bottom: 60, right: 9))
    #expect(view.contentOffset == -40 && view.unobscuredLength == 200)
    press(.space, on: stage)
    #expect(view.contentOffset == 140)
    press(.end, on: stage)
    #expect(view.contentOffset == 9_760)
    press(.pageUp, on: stage)
    #expect(view.contentOffset == 9_580)
    press(.home, on: stage)
    #expect(view.contentOffset == -40)
  }

  @Test("What stands at the beginning stays there, anything else where it is as far as it reaches")
  func change() {
    let (stage, view) = stage(.zero)
    view.contentInset.top = 30
    stage.run(frames: 1)
    #expect(view.contentOffset == -30)
    view.contentInset.top = 0
    #expect(view.contentOffset == 0)
    view.contentOffset = 500
    view.contentInset = Insets(top: 50, bottom: 100)
    stage.run(frames: 1)
    #expect(view.contentOffset == 500)
    view.contentOffset = 20_000
    #expect(view.contentOffset == 9_800)
    view.contentInset.bottom = 0
    stage.run(frames: 1)
    #expect(view.contentOffset == 9_700)
  }

  @Test("Content that fits rests at its beginning, below the room")
  func fits() {
    let (_, view) = stage(contentLength: 100, Insets(top: 40, bottom: 40))
    view.contentOffset = 80
    #expect(view.contentOffset == -40)
  }

  @Test("The thumb moves within what the room leaves, and reaches both ends")
  func thumb() throws {
    let (stage, view) = stage(Insets(top: 50, bottom: 50))
    #expect(view.indicator.frame == Rect(x: 382, y: 50, width: 18, height: 200))
    stage.sendEvent(.pointerDown(Point(x: 392, y: 60), button: .primary, clicks: 1, modifiers: []))
    stage.sendEvent(.pointerMoved(Point(x: 392, y: 290)))
    stage.run(frames: 2)
    #expect(view.contentOffset == 9_750)
    stage.sendEvent(.pointerMoved(Point(x: 392, y: 0)))
    stage.run(frames: 2)
    #expect(view.contentOffset == -50)
  }

  @Test("Content that moves to the side has its room at the left and right")
  func horizontal() {
    let (stage, view) = stage(Insets(top: 5, left: 20, bottom: 5, right: 30))
    view.scrollAxis = .horizontal
    view.setContentLength(1_000)
    stage.run(frames: 1)
    press(.end, on: stage)
    #expect(view.contentOffset == 630)
    press(.home, on: stage)
    #expect(view.contentOffset == -20)
    #expect(view.indicator.frame == Rect(x: 20, y: 282, width: 350, height: 18))
  }

  @Test("Room and offsets that cannot be meant are refused")
  func hostile() {
    for number in EdgeCaseNumbers.doubles {
      let (_, view) = stage(.zero)
      view.contentInset = Insets(top: number, left: 0, bottom: number, right: 0)
      #expect(view.refused == (number.isFinite && number >= 0 ? 0 : 1), "\(number)")
      view.contentOffset = number
      view.setContentOffset(number, animated: true)
      #expect(view.contentOffset.isFinite && view.scroll.range.contains(view.contentOffset), "\(number)")
    }
    let (_, view) = stage(.zero)
    view.contentOffset = 100
    view.contentOffset = .nan
    #expect(view.contentOffset == 100 && view.refused == 1)
    view.contentOffset = .infinity
    #expect(view.contentOffset == 9_700 && view.refused == 2)
  }
}
