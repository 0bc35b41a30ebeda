import Testing
import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineScrollPhysics
import VitrineTestSupport
import VitrineViews

@Suite("Faults are attributed to their causes, and the frames after them are in time")
struct FrameFaultTests {
  @Test(
    "A stall within the work of a frame has an external cause",
    arguments: [FaultHarness.Location.update, .commit, .slack, .wait],
    [50.0, 400, 5_000])
  func stoppedProcess(location: FaultHarness.Location, milliseconds: Double) {
    let harness = FaultHarness()
    let late = harness.runFrame(withFault: .milliseconds(milliseconds), in: location)
    // A short stall during sleep looks like a late wake-up.
    let isStall = location != .wait || milliseconds >= 100
    #expect(late.hitchClass == (isStall ? .external : .wakeLate) && late.hitch >= .milliseconds(milliseconds - 17))
    #expect(late.cause?.hasPrefix(isStall ? "others ran for" : "woken") == true)
    #expect(harness.runUntilOnTime() == 0)
  }

  @Test("A stall between two frames makes the second one late with an external cause")
  func stoppedBetweenFrames() {
    let harness = FaultHarness()
    _ = harness.runFrame(withFault: .milliseconds(300), in: .between)
    #expect(harness.last.hitch == .zero)
    harness.windowHarness.run(frames: 1)
    #expect(harness.last.hitchClass == .external && harness.last.hitch >= .milliseconds(280))
    #expect(harness.runUntilOnTime() == 0)
  }

  @Test("Oversleeping is classified as a late wake-up")
  func oversleeping() {
    let harness = FaultHarness()
    harness.windowHarness.clock.oversleep = .milliseconds(70)
    harness.windowHarness.run(frames: 1)
    #expect(harness.last.hitchClass == .wakeLate && harness.last.cause?.hasPrefix("woken") == true)
    #expect(harness.runUntilOnTime() == 0)
  }

  @Test("A blocked present is late, and the frames after it are in time", arguments: [ClockKind.timer, .vsync])
  func blockedPresent(kind: ClockKind) {
    let harness = FaultHarness(kind)
    let late = harness.runFrame(withFault: .milliseconds(100), in: .present)
    #expect(late.hitchClass == .presentLate && late.cause?.hasPrefix("presenting took 1") == true)
    #expect(late.hitch >= .milliseconds(80) && harness.runUntilOnTime() == 0)
    #expect(harness.windowHarness.loop.pacing.kind == kind && !harness.windowHarness.loop.isOccluded)
  }

  @Test(
    "Each frame with a slow commit is late because of the commit", arguments: [ClockKind.timer, .vsync])
  func slowCommit(kind: ClockKind) {
    let harness = FaultHarness(kind)
    harness.injector.cost = .milliseconds(40)
    for _ in 0..<5 {
      harness.windowHarness.run(frames: 1)
      #expect(harness.last.hitchClass == .commitLate)
    }
    harness.injector.cost = .milliseconds(1)
    #expect(harness.runUntilOnTime() <= 1)
  }

  @Test("Frames that are late because of other processes have an external cause")
  func preemption() {
    let harness = FaultHarness()
    var random = SeededGenerator(seed: 7)
    for _ in 0..<200 {
      let stall = Double(random.next() % 40_000) / 1_000
      let record = harness.runFrame(withFault: .milliseconds(stall), in: .commit)
      #expect(record.hitch == .zero || record.hitchClass == .external)
    }
    #expect(harness.runUntilOnTime() == 0)
  }

  @Test("Content continues from its last displayed offset after a stall", arguments: [200.0, 5_000])
  func noJump(milliseconds: Double) {
    for location in FaultHarness.Location.allCases {
      let harness = FaultHarness()
      harness.injector.view = harness.view
      _ = harness.runFrame(withFault: .milliseconds(milliseconds), in: location)
      harness.windowHarness.run(frames: 4)
      // At 1,000 points per second the content moves 16 points per frame, and twice that if a refresh is skipped.
      #expect(harness.displacements(4).allSatisfy { $0 > 0 && $0 <= 64 }, "\(location): \(harness.displacements(5))")
    }
  }

  @Test("Input during a stall applies to the last displayed offset")
  func inputDuringStall() {
    let harness = FaultHarness()
    let (shown, time) = (harness.view.contentOffset, harness.windowHarness.clock.now() + .milliseconds(2))
    harness.injector.fault = (.between, .seconds(1))
    // The event is read during the wait for presenting, before the stall, and interrupts the steady motion.
    harness.windowHarness.events.append(
      .wheel(WheelInput(location: Point(x: 5, y: 5), deltaX: 0, deltaY: -1)), at: time)
    harness.windowHarness.run(frames: 3)
    #expect(harness.view.contentOffset >= shown && harness.view.contentOffset < shown + 200)
  }

  @Test("Slow own work is not a stall: the content moves as far as the time requires")
  func slowCommitMotion() {
    let harness = FaultHarness()
    harness.injector.view = harness.view
    harness.injector.cost = .milliseconds(400)
    harness.windowHarness.run(frames: 1)
    harness.injector.cost = .milliseconds(1)
    harness.windowHarness.run(frames: 2)
    #expect(harness.displacements(3).max() ?? 0 >= 380)
  }

  @Test(
    "After a change of the refresh rate at most one frame is late, and the content continues",
    arguments: [144.0, 30, 75])
  func refreshChange(rate: Double) {
    let harness = FaultHarness()
    harness.injector.view = harness.view
    harness.windowHarness.display.moveToDisplay(refreshHz: rate)
    harness.windowHarness.events.append(.displayChanged, at: harness.windowHarness.clock.now())
    harness.windowHarness.run(frames: 1)
    #expect(harness.last.hitch == .zero || harness.last.hitchClass == .external)
    #expect(harness.runUntilOnTime() == 0)
    let step = 1_000 / rate
    harness.windowHarness.run(frames: 10)
    #expect(harness.displacements(10).allSatisfy { ($0 - step).magnitude <= 1 })
  }

  @Test("Stress test: random faults are attributed to their causes, and recovery takes at most three frames")
  func stressTest() {
    let harness = FaultHarness()
    var random = SeededGenerator(seed: 42)
    for _ in 0..<300 {
      let length = FrameDuration.milliseconds(20 + Double(random.next() % 200))
      let location = FaultHarness.Location.allCases[Int(random.next() % 6)]
      let record = harness.runFrame(withFault: length, in: location)
      switch location {
      case .update, .commit, .slack: #expect(record.hitch == .zero || record.hitchClass == .external)
      case .present: #expect(record.hitchClass == .presentLate)
      case .wait: #expect(record.hitchClass == (length >= FramePacer.minimumStall ? .external : .wakeLate))
      case .between: #expect(record.hitch == .zero)
      }
      // A stall between two frames makes the second one late.
      let expected = location == .between ? HitchClass.external : record.hitchClass
      for number in 0..<3 {
        harness.windowHarness.run(frames: 1)
        #expect(harness.last.hitch == .zero || number < 2 && harness.last.hitchClass == expected)
      }
    }
  }
}
