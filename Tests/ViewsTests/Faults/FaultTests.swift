import FramePacing
import Geometry
import Rendering
import ScrollPhysics
import TestSupport
import Testing
import Views

@Suite("A frame that a fault made late says which, and the frames behind it are in time")
struct FaultTests {
  @Test(
    "A stop of the process within a frame's work is not ours",
    arguments: [FaultStage.Place.update, .commit, .slack, .wait],
    [50.0, 400, 5_000])
  func stopped(place: FaultStage.Place, milliseconds: Double) {
    let stage = FaultStage()
    let late = stage.fail(.milliseconds(milliseconds), in: place)
    // Asleep a short one looks like a system that wakes late.
    let isTold = place != .wait || milliseconds >= 100
    #expect(late.hitchClass == (isTold ? .external : .wakeLate) && late.hitch >= .milliseconds(milliseconds - 17))
    #expect(late.cause?.hasPrefix(isTold ? "others ran for" : "woken") == true)
    #expect(stage.recover() == 0)
  }

  @Test("A stop between two frames makes the second late, and that is not ours")
  func stoppedBetween() {
    let stage = FaultStage()
    _ = stage.fail(.milliseconds(300), in: .between)
    #expect(stage.last.hitch == .zero)
    stage.stage.run(frames: 1)
    #expect(stage.last.hitchClass == .external && stage.last.hitch >= .milliseconds(280))
    #expect(stage.recover() == 0)
  }

  @Test("Whoever sleeps into his time was woken late")
  func oversleeping() {
    let stage = FaultStage()
    stage.stage.clock.oversleep = .milliseconds(70)
    stage.stage.run(frames: 1)
    #expect(stage.last.hitchClass == .wakeLate && stage.last.cause?.hasPrefix("woken") == true)
    #expect(stage.recover() == 0)
  }

  @Test("A present that is held up is late by it, and none of those behind it", arguments: [ClockKind.timer, .vsync])
  func blockedPresent(kind: ClockKind) {
    let stage = FaultStage(kind)
    let late = stage.fail(.milliseconds(100), in: .present)
    #expect(late.hitchClass == .presentLate && late.cause?.hasPrefix("presenting took 1") == true)
    #expect(late.hitch >= .milliseconds(80) && stage.recover() == 0)
    #expect(stage.stage.loop.pacing.kind == kind && !stage.stage.loop.isOccluded)
  }

  @Test(
    "A commit that is too long is ours, for as many frames as it is too long in", arguments: [ClockKind.timer, .vsync])
  func slowCommit(kind: ClockKind) {
    let stage = FaultStage(kind)
    stage.actor.cost = .milliseconds(40)
    for _ in 0..<5 {
      stage.stage.run(frames: 1)
      #expect(stage.last.hitchClass == .commitLate)
    }
    stage.actor.cost = .milliseconds(1)
    #expect(stage.recover() <= 1)
  }

  @Test("A processor that others use up: frames that are late for it are late for them")
  func hog() {
    let stage = FaultStage()
    var random = SeededGenerator(seed: 7)
    for _ in 0..<200 {
      let lost = Double(random.next() % 40_000) / 1_000
      let record = stage.fail(.milliseconds(lost), in: .commit)
      #expect(record.hitch == .zero || record.hitchClass == .external)
    }
    #expect(stage.recover() == 0)
  }

  @Test("Motion goes on from where it was shown last, however long the process was stopped", arguments: [200.0, 5_000])
  func noLeap(milliseconds: Double) {
    for place in FaultStage.Place.allCases {
      let stage = FaultStage()
      stage.actor.view = stage.view
      _ = stage.fail(.milliseconds(milliseconds), in: place)
      stage.stage.run(frames: 4)
      // A thousand points a second: 16 a frame, twice that where a refresh was left out.
      #expect(stage.steps(4).allSatisfy { $0 > 0 && $0 <= 64 }, "\(place): \(stage.steps(5))")
    }
  }

  @Test("What was done while the process was stopped is done to what was shown last")
  func caught() {
    let stage = FaultStage()
    let (shown, time) = (stage.view.contentOffset, stage.stage.clock.now() + .milliseconds(2))
    stage.actor.fault = (.between, .seconds(1))
    // Read in the wait for presenting, before the stop; a hand that holds a flick.
    stage.stage.events.append(.wheel(WheelInput(location: Point(x: 5, y: 5), deltaX: 0, deltaY: -1)), at: time)
    stage.stage.run(frames: 3)
    #expect(stage.view.contentOffset >= shown && stage.view.contentOffset < shown + 200)
  }

  @Test("What our own work takes is no lapse: motion is where it is to be by then")
  func ownWork() {
    let stage = FaultStage()
    stage.actor.view = stage.view
    stage.actor.cost = .milliseconds(400)
    stage.stage.run(frames: 1)
    stage.actor.cost = .milliseconds(1)
    stage.stage.run(frames: 2)
    #expect(stage.steps(3).max() ?? 0 >= 380)
  }

  @Test(
    "Another refresh amid a flick: its first frame at most is late, and the content goes on",
    arguments: [144.0, 30, 75])
  func refreshChange(rate: Double) {
    let stage = FaultStage()
    stage.actor.view = stage.view
    stage.stage.display.moveToDisplay(refreshHz: rate)
    stage.stage.events.append(.displayChanged, at: stage.stage.clock.now())
    stage.stage.run(frames: 1)
    #expect(stage.last.hitch == .zero || stage.last.hitchClass == .external)
    #expect(stage.recover() == 0)
    let step = 1_000 / rate
    stage.stage.run(frames: 10)
    #expect(stage.steps(10).allSatisfy { ($0 - step).magnitude <= 1 })
  }

  @Test("A seeded storm of faults: each is told by its name, and three frames later all is well")
  func storm() {
    let stage = FaultStage()
    var random = SeededGenerator(seed: 42)
    for _ in 0..<300 {
      let length = FrameDuration.milliseconds(20 + Double(random.next() % 200))
      let place = FaultStage.Place.allCases[Int(random.next() % 6)]
      let record = stage.fail(length, in: place)
      switch place {
      case .update, .commit, .slack: #expect(record.hitch == .zero || record.hitchClass == .external)
      case .present: #expect(record.hitchClass == .presentLate)
      case .wait: #expect(record.hitchClass == (length >= FramePacer.minimumStall ? .external : .wakeLate))
      case .between: #expect(record.hitch == .zero)
      }
      // What lies between two frames is the second one's.
      let expected = place == .between ? HitchClass.external : record.hitchClass
      for number in 0..<3 {
        stage.stage.run(frames: 1)
        #expect(stage.last.hitch == .zero || number < 2 && stage.last.hitchClass == expected)
      }
    }
  }
}
