import Testing
import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineTestSupport

@testable import VitrineViews

@Suite("TouchRecognizer")
struct TouchRecognizerTests {
  private func moment(_ milliseconds: Double) -> FrameInstant { .zero + .milliseconds(milliseconds) }

  private func touch(_ finger: Int64, _ phase: TouchInput.Phase, _ x: Double, _ y: Double) -> TouchInput {
    TouchInput(finger: finger, phase: phase, location: Point(x: x, y: y))
  }

  @Test("A short touch is a tap, a second one nearby soon after is a double tap, and a third one starts over")
  func taps() {
    var recognizer = TouchRecognizer()
    var counts: [Int] = []
    for (start, x) in [(0.0, 50.0), (150, 58), (300, 50), (450, 250), (1_000, 250)] {
      #expect(recognizer.handle(touch(1, .began, x, 50), at: moment(start)) == [.touched(Point(x: x, y: 50))])
      #expect(recognizer.handle(touch(1, .moved, x + 3, 50), at: moment(start + 10)).isEmpty)
      for gesture in recognizer.handle(touch(1, .ended, x + 3, 50), at: moment(start + 60)) {
        if case .tap(_, let count) = gesture { counts.append(count) } else { #expect(gesture == .lifted) }
      }
    }
    #expect(counts == [1, 2, 1, 1, 1])
    #expect(!recognizer.isTouched && !recognizer.isAwaitingLongPress)
  }

  @Test("A stationary touch is one long press after 500 ms and not a tap")
  func longPress() {
    var recognizer = TouchRecognizer()
    _ = recognizer.handle(touch(1, .began, 50, 50), at: moment(0))
    #expect(recognizer.isAwaitingLongPress)
    #expect(recognizer.advance(to: moment(499)).isEmpty)
    #expect(recognizer.advance(to: moment(500)) == [.longPress(Point(x: 50, y: 50))])
    #expect(recognizer.advance(to: moment(900)).isEmpty && !recognizer.isAwaitingLongPress)
    #expect(recognizer.handle(touch(1, .moved, 90, 50), at: moment(950)).isEmpty)
    #expect(recognizer.handle(touch(1, .ended, 90, 50), at: moment(1_000)) == [.lifted])
    // Without a frame in between, the end of the touch reports the long press.
    _ = recognizer.handle(touch(1, .began, 50, 50), at: moment(2_000))
    #expect(
      recognizer.handle(touch(1, .ended, 50, 50), at: moment(2_600)) == [.lifted, .longPress(Point(x: 50, y: 50))])
  }

  @Test("A finger that moves more than eight points pans from there without a jump")
  func pan() {
    var recognizer = TouchRecognizer()
    _ = recognizer.handle(touch(1, .began, 50, 50), at: moment(0))
    #expect(recognizer.handle(touch(1, .moved, 50, 57), at: moment(8)).isEmpty)
    let began = PanInput(
      phase: .began, start: Point(x: 50, y: 50), location: Point(x: 50, y: 60), translation: Point(x: 0, y: 10))
    #expect(recognizer.handle(touch(1, .moved, 50, 60), at: moment(16)) == [.pan(began)])
    let moved = PanInput(
      phase: .moved, start: Point(x: 50, y: 50), location: Point(x: 53, y: 80), translation: Point(x: 3, y: 20))
    #expect(recognizer.handle(touch(1, .moved, 53, 80), at: moment(24)) == [.pan(moved)])
    #expect(recognizer.handle(touch(1, .moved, 53, 80), at: moment(30)).isEmpty)
    let ended = PanInput(
      phase: .ended, start: Point(x: 50, y: 50), location: Point(x: 53, y: 80), translation: .zero)
    #expect(recognizer.handle(touch(1, .ended, 53, 80), at: moment(32)) == [.pan(ended)])
  }

  @Test("Two fingers pan by their midpoint and pinch by their distance, without a jump when one is lifted")
  func pinch() {
    var recognizer = TouchRecognizer()
    _ = recognizer.handle(touch(1, .began, 100, 100), at: moment(0))
    let second = recognizer.handle(touch(2, .began, 200, 100), at: moment(5))
    #expect(second.count == 1, "two fingers pan immediately")
    #expect(recognizer.handle(touch(1, .moved, 100, 110), at: moment(8)).count == 1)
    #expect(recognizer.handle(touch(2, .moved, 200, 110), at: moment(8)).count == 1)
    var scales: [Double] = []
    var translation = Point.zero
    func record(_ gestures: [TouchGesture]) {
      for gesture in gestures {
        switch gesture {
        case .pinch(let pinch): scales.append(pinch.scale)
        case .pan(let pan):
          translation = Point(x: translation.x + pan.translation.x, y: translation.y + pan.translation.y)
        default: Issue.record("\(gesture)")
        }
      }
    }
    record(recognizer.handle(touch(2, .moved, 220, 110), at: moment(16)))
    record(recognizer.handle(touch(2, .moved, 340, 110), at: moment(24)))
    #expect(scales == [1, 2] && translation == Point(x: 70, y: 0))
    record(recognizer.handle(touch(3, .began, 10, 10), at: moment(30)))
    record(recognizer.handle(touch(3, .moved, 90, 10), at: moment(31)))
    record(recognizer.handle(touch(3, .ended, 90, 10), at: moment(32)))
    #expect(scales == [1, 2] && translation == Point(x: 70, y: 0), "a third finger is ignored")
    record(recognizer.handle(touch(1, .ended, 100, 110), at: moment(40)))
    #expect(scales == [1, 2, 2])
    record(recognizer.handle(touch(2, .moved, 350, 110), at: moment(48)))
    #expect(translation == Point(x: 80, y: 0) && scales.count == 3)
  }

  @Test("Cancelled and repeated touches end their gestures, and unknown or invalid touches are ignored")
  func cancellation() {
    var recognizer = TouchRecognizer()
    #expect(recognizer.handle(touch(9, .moved, 1, 1), at: moment(0)).isEmpty)
    #expect(recognizer.handle(touch(9, .ended, 1, 1), at: moment(0)).isEmpty)
    #expect(recognizer.handle(touch(9, .began, .nan, 1), at: moment(0)).isEmpty && !recognizer.isTouched)
    _ = recognizer.handle(touch(1, .began, 50, 50), at: moment(0))
    #expect(recognizer.handle(touch(1, .cancelled, 50, 50), at: moment(5)) == [.lifted])
    _ = recognizer.handle(touch(1, .began, 50, 50), at: moment(10))
    _ = recognizer.handle(touch(1, .moved, 50, 90), at: moment(20))
    let restarted = recognizer.handle(touch(1, .began, 10, 10), at: moment(30))
    #expect(restarted.count == 2 && restarted.last == .touched(Point(x: 10, y: 10)))
    if case .pan(let pan)? = restarted.first {
      #expect(pan.phase == .cancelled)
    } else {
      Issue.record("the pan was not cancelled")
    }
  }

  @Test("Fingers without an end event do not affect others, and a touch may end at any location")
  func lostFingers() {
    var recognizer = TouchRecognizer()
    for finger: Int64 in 0..<3 { _ = recognizer.handle(touch(finger, .began, 50, 50), at: moment(0)) }
    // No further events arrive because a gesture of the compositor consumed them.
    let began = recognizer.handle(touch(3, .began, 90, 90), at: moment(2_000))
    #expect(began.last == .touched(Point(x: 90, y: 90)))
    let ended = recognizer.handle(touch(3, .ended, 90, 90), at: moment(2_050))
    #expect(ended == [.lifted, .tap(Point(x: 90, y: 90), count: 1)])
    // Fingers with recent events count as present for any length of time.
    _ = recognizer.handle(touch(1, .began, 50, 50), at: moment(3_000))
    for time in stride(from: 3_100.0, through: 6_000, by: 100) {
      _ = recognizer.handle(touch(1, .moved, 50, 50 + time / 100), at: moment(time))
    }
    _ = recognizer.handle(touch(2, .began, 150, 110), at: moment(6_050))
    let pinched = recognizer.handle(touch(2, .moved, 250, 110), at: moment(6_060))
    #expect(pinched.contains { if case .pinch = $0 { true } else { false } })
    #expect(!recognizer.handle(touch(1, .ended, .nan, 0), at: moment(6_070)).isEmpty)
    #expect(recognizer.handle(touch(2, .cancelled, .infinity, 0), at: moment(6_080)).count == 1)
    #expect(!recognizer.isTouched)
  }

  @Test("Random touches produce gestures that start before they change, end once and have finite values")
  func invariants() {
    var random = SeededGenerator(seed: 31)
    for _ in 0..<300 {
      var recognizer = TouchRecognizer()
      var (pans, pinches) = (false, false)
      var now = 0.0
      for _ in 0..<120 {
        now += .random(in: 0...120, using: &random)
        let extreme = EdgeCaseNumbers.doubles.randomElement(using: &random) ?? 0
        let x = random.chance(oneIn: 12) ? extreme : .random(in: 0...400, using: &random)
        let phase: TouchInput.Phase = [.began, .moved, .moved, .moved, .ended, .cancelled][
          Int.random(in: 0..<6, using: &random)]
        let input = touch(.random(in: 0..<4, using: &random), phase, x, .random(in: 0...400, using: &random))
        for gesture in recognizer.handle(input, at: moment(now)) + recognizer.advance(to: moment(now)) {
          switch gesture {
          case .pan(let pan):
            #expect((pan.phase == .began) != pans)
            pans = pan.phase == .began || pan.phase == .moved
            #expect(pan.translation.x.isFinite && pan.translation.y.isFinite && pan.location.x.isFinite)
          case .pinch(let pinch):
            #expect((pinch.phase == .began) != pinches)
            pinches = pinch.phase == .began || pinch.phase == .moved
            #expect(pinch.scale > 0 && pinch.scale.isFinite)
          case .touched, .lifted, .tap, .longPress: break
          }
        }
        if !recognizer.isTouched { #expect(!pans && !pinches && !recognizer.isAwaitingLongPress) }
      }
    }
  }
}
