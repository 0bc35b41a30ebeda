import FramePacing
import Geometry
import Rendering
import TestSupport
import Testing

@testable import Views

@Suite("What fingers on a screen mean")
struct TouchRecognizerTests {
  private func moment(_ milliseconds: Double) -> FrameInstant { .zero + .milliseconds(milliseconds) }

  private func touch(_ finger: Int64, _ phase: TouchInput.Phase, _ x: Double, _ y: Double) -> TouchInput {
    TouchInput(finger: finger, phase: phase, location: Point(x: x, y: y))
  }

  @Test("A short touch taps, a second one soon and near is its second, and a third is a first again")
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

  @Test("A finger that stays is a long press after half a second, once, and no tap")
  func longPress() {
    var recognizer = TouchRecognizer()
    _ = recognizer.handle(touch(1, .began, 50, 50), at: moment(0))
    #expect(recognizer.isAwaitingLongPress)
    #expect(recognizer.advance(to: moment(499)).isEmpty)
    #expect(recognizer.advance(to: moment(500)) == [.longPress(Point(x: 50, y: 50))])
    #expect(recognizer.advance(to: moment(900)).isEmpty && !recognizer.isAwaitingLongPress)
    #expect(recognizer.handle(touch(1, .moved, 90, 50), at: moment(950)).isEmpty)
    #expect(recognizer.handle(touch(1, .ended, 90, 50), at: moment(1_000)) == [.lifted])
    // Where no frame came in between, its end says so.
    _ = recognizer.handle(touch(1, .began, 50, 50), at: moment(2_000))
    #expect(
      recognizer.handle(touch(1, .ended, 50, 50), at: moment(2_600)) == [.lifted, .longPress(Point(x: 50, y: 50))])
  }

  @Test("A finger that goes more than eight points pans from there: nothing leaps")
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

  @Test("Two fingers pan by their middle and pinch by their distance; one that leaves makes nothing leap")
  func pinch() {
    var recognizer = TouchRecognizer()
    _ = recognizer.handle(touch(1, .began, 100, 100), at: moment(0))
    let second = recognizer.handle(touch(2, .began, 200, 100), at: moment(5))
    #expect(second.count == 1, "they pan at once")
    #expect(recognizer.handle(touch(1, .moved, 100, 110), at: moment(8)).count == 1)
    #expect(recognizer.handle(touch(2, .moved, 200, 110), at: moment(8)).count == 1)
    var scales: [Double] = []
    var way = Point.zero
    func note(_ gestures: [TouchGesture]) {
      for gesture in gestures {
        switch gesture {
        case .pinch(let pinch): scales.append(pinch.scale)
        case .pan(let pan): way = Point(x: way.x + pan.translation.x, y: way.y + pan.translation.y)
        default: Issue.record("\(gesture)")
        }
      }
    }
    note(recognizer.handle(touch(2, .moved, 220, 110), at: moment(16)))
    note(recognizer.handle(touch(2, .moved, 340, 110), at: moment(24)))
    #expect(scales == [1, 2] && way == Point(x: 70, y: 0))
    note(recognizer.handle(touch(3, .began, 10, 10), at: moment(30)))
    note(recognizer.handle(touch(3, .moved, 90, 10), at: moment(31)))
    note(recognizer.handle(touch(3, .ended, 90, 10), at: moment(32)))
    #expect(scales == [1, 2] && way == Point(x: 70, y: 0), "a third finger means nothing")
    note(recognizer.handle(touch(1, .ended, 100, 110), at: moment(40)))
    #expect(scales == [1, 2, 2])
    note(recognizer.handle(touch(2, .moved, 350, 110), at: moment(48)))
    #expect(way == Point(x: 80, y: 0) && scales.count == 3)
  }

  @Test("What is taken away or lost ends what it began; touches of nobody and of nowhere mean nothing")
  func lost() {
    var recognizer = TouchRecognizer()
    #expect(recognizer.handle(touch(9, .moved, 1, 1), at: moment(0)).isEmpty)
    #expect(recognizer.handle(touch(9, .ended, 1, 1), at: moment(0)).isEmpty)
    #expect(recognizer.handle(touch(9, .began, .nan, 1), at: moment(0)).isEmpty && !recognizer.isTouched)
    _ = recognizer.handle(touch(1, .began, 50, 50), at: moment(0))
    #expect(recognizer.handle(touch(1, .cancelled, 50, 50), at: moment(5)) == [.lifted])
    _ = recognizer.handle(touch(1, .began, 50, 50), at: moment(10))
    _ = recognizer.handle(touch(1, .moved, 50, 90), at: moment(20))
    let again = recognizer.handle(touch(1, .began, 10, 10), at: moment(30))
    #expect(again.count == 2 && again.last == .touched(Point(x: 10, y: 10)))
    if case .pan(let pan)? = again.first { #expect(pan.phase == .cancelled) } else { Issue.record("no end") }
  }

  @Test("Fingers whose end was lost stand in nobody's way, and an end is one wherever it is")
  func ghosts() {
    var recognizer = TouchRecognizer()
    for finger: Int64 in 0..<3 { _ = recognizer.handle(touch(finger, .began, 50, 50), at: moment(0)) }
    // Nothing more was heard of them: a gesture of the compositor's took them.
    let began = recognizer.handle(touch(3, .began, 90, 90), at: moment(2_000))
    #expect(began.last == .touched(Point(x: 90, y: 90)))
    let ended = recognizer.handle(touch(3, .ended, 90, 90), at: moment(2_050))
    #expect(ended == [.lifted, .tap(Point(x: 90, y: 90), count: 1)])
    // Two that are heard of are two, however long they are there.
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

  @Test("Whatever fingers do, gestures begin before they go on, end once, and have numbers")
  func laws() {
    var random = SeededGenerator(seed: 31)
    for _ in 0..<300 {
      var recognizer = TouchRecognizer()
      var (pans, pinches) = (false, false)
      var now = 0.0
      for _ in 0..<120 {
        now += .random(in: 0...120, using: &random)
        let hostile = EdgeCaseNumbers.doubles.randomElement(using: &random) ?? 0
        let place = random.chance(oneIn: 12) ? hostile : .random(in: 0...400, using: &random)
        let phase: TouchInput.Phase = [.began, .moved, .moved, .moved, .ended, .cancelled][
          Int.random(in: 0..<6, using: &random)]
        let input = touch(.random(in: 0..<4, using: &random), phase, place, .random(in: 0...400, using: &random))
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
