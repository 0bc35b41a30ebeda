import FramePacing
import Geometry
import Rendering
import TestSupport
import Testing
import Views

@testable import Hosting

@Suite("Recorded input that is given again shows the same frames")
struct ReplayTests {
  /// A stage on which a hand turns a wheel, presses keys and draws the window larger, between rests.
  private func recorded(seed: UInt64) -> InputStage {
    let stage = InputStage()
    var random = SeededGenerator(seed: seed)
    var time = FrameInstant.zero
    for _ in 0..<25 {
      time = time + .microseconds(Double.random(in: 1_000...150_000, using: &random))
      let place = Point(x: 200, y: 150)
      switch Int.random(in: 0...4, using: &random) {
      case 0: stage.hand.append(.keyDown(.pageDown, modifiers: [], isRepeat: false), at: time)
      case 1: stage.hand.append(.keyDown(.up, modifiers: [], isRepeat: false), at: time)
      default:
        let notches = Double(Int.random(in: -3...1, using: &random))
        stage.hand.append(.wheel(WheelInput(location: place, deltaX: 0, deltaY: notches)), at: time)
      }
    }
    // A hand is waited for where the script of a hand is not known: the clock is led from event to event.
    while let next = stage.hand.nextEventTime {
      stage.run(milliseconds: max(0.001, (next - stage.clock.now()).milliseconds + 0.001))
    }
    stage.run(milliseconds: 700)
    return stage
  }

  private func replay(_ events: [RecordedEvent], for duration: FrameDuration, interval: Double = 10) -> InputStage {
    let stage = InputStage(replaying: events, interval: interval)
    stage.run(milliseconds: duration.milliseconds)
    return stage
  }

  @Test(
    "Twenty replays have one digest, and a recording of a replay is that replay",
    arguments: 1...3 as ClosedRange<UInt64>)
  func twenty(seed: UInt64) {
    let first = recorded(seed: seed)
    #expect(first.recorded.count == 25)
    let duration = first.clock.now() - FrameInstant.zero
    let replays = (0..<20).map { _ in replay(first.recorded, for: duration) }
    #expect(Set(replays.map(\.digest)).count == 1)
    #expect(replays[0].shown == replays[19].shown && replays[0].frames > 20)
    let again = replays[0].recorded
    #expect(again.map(\.kind) == first.recorded.map(\.kind) && again.map(\.time) == first.recorded.map(\.time))
    #expect(replay(again, for: duration).digest == replays[0].digest)
    #expect(replay(Array(first.recorded.dropLast(20)), for: duration).digest != replays[0].digest)
  }

  @Test("At twice the refresh content comes to rest in the same place")
  func otherRefresh() throws {
    let first = recorded(seed: 7)
    let duration = first.clock.now() - FrameInstant.zero + .seconds(1)
    let (slow, fast) = (replay(first.recorded, for: duration), replay(first.recorded, for: duration, interval: 5))
    #expect(fast.frames > slow.frames && fast.digest != slow.digest)
    #expect(fast.recorded.map(\.time) == slow.recorded.map(\.time))
    #expect(try abs(#require(fast.shown.last).offset - #require(slow.shown.last).offset) < 1)
  }

  @Test("A simulated clock that rests goes on to the next input, and not over it")
  func rests() {
    let wheel = InputEvent.Kind.wheel(WheelInput(location: Point(x: 200, y: 150), deltaX: 0, deltaY: -1))
    let events = [1.0, 30, 30.5].map { RecordedEvent(time: .seconds($0), frame: 0, kind: wheel) }
    let stage = replay(events, for: .seconds(60))
    #expect(stage.recorded.map(\.time) == events.map(\.time))
    #expect(stage.scrollView.contentOffset == 3 * stage.scrollView.notchDistance)
    #expect(stage.frames < 300)
    #expect(stage.clock.now() == .zero + .seconds(60))
  }

  @Test("The window has the sizes that were recorded, and input of the machine is let go")
  func sizes() {
    let stage = InputStage(
      replaying: [
        RecordedEvent(time: .seconds(1), frame: 0, kind: .resized, size: Size(width: 320, height: 500)),
        RecordedEvent(time: .seconds(2), frame: 0, kind: .quit),
      ])
    stage.hand.append(.quit, at: .zero)
    stage.run(milliseconds: 5_000)
    #expect(stage.scrollView.frame.size == Size(width: 320, height: 500))
    #expect(stage.recorded.map(\.kind) == [.resized, .quit])
    #expect(stage.recorded.first?.size == Size(width: 320, height: 500))
    #expect(stage.clock.now() < .zero + .seconds(3))
  }

  @Test("Whatever a recording does, it ends no program", arguments: 1...6 as ClosedRange<UInt64>)
  func wild(seed: UInt64) {
    var input = RandomInput(seed: seed)
    let events = (0..<200).map { number in
      var event = input.event()
      event.time = .milliseconds(Double(number * 5))
      event.kind = input.kind(number % (RandomInput.kinds - 1))
      return event
    }
    let stages = (0..<2).map { _ in replay(events, for: .seconds(2)) }
    #expect(stages[0].recorded.count == 200 && stages[0].digest == stages[1].digest)
  }
}
