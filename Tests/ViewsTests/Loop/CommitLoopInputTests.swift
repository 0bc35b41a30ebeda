import Testing
import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineScrollPhysics
import VitrineTestSupport
import VitrineViews

@Suite("Input latency")
struct InputLatencyTests {
  private let notch = InputEvent.Kind.wheel(WheelInput(location: Point(x: 10, y: 10), deltaX: 0, deltaY: -1))

  @Test("The latency is measured once, from the oldest event to the present of the frame that shows it")
  func oldestEvent() throws {
    let (harness, _) = ScrollViewTests.makeHarness()
    harness.runUntilIdle()
    let now = harness.clock.now()
    harness.events.append(notch, at: now - .milliseconds(5))
    harness.events.append(notch, at: now)
    harness.run(frames: 3)
    let first = harness.loop.history.record(atAge: 2)
    #expect(first.inputInstant == now - .milliseconds(5))
    #expect(first.inputToPresent == first.shown - now + .milliseconds(5))
    #expect(
      harness.loop.history.record(atAge: 1).inputInstant == nil
        && harness.loop.history.record(atAge: 0).inputInstant == nil
    )
    #expect(harness.loop.history.inputToPresent?.max == first.inputToPresent)
  }

  @Test("Unhandled events, pointer movement and window events do not count")
  func ignoredEvents() {
    let (harness, _) = ScrollViewTests.makeHarness()
    harness.runUntilIdle()
    harness.sendEvent(.keyDown(.character("x"), modifiers: [], isRepeat: false))
    harness.run(milliseconds: 200)
    harness.sendEvent(.pointerMoved(Point(x: 390, y: 10)))
    harness.run(frames: 2)
    harness.sendEvent(.exposed)
    harness.run(frames: 2)
    #expect(harness.loop.history.inputToPresent == nil)
  }

  @Test("An event whose time stamp is in the future counts from the instant at which it was read")
  func otherClock() throws {
    let (harness, _) = ScrollViewTests.makeHarness()
    let source = ScriptedEventSource()
    let loop = CommitLoop(
      window: harness.window, display: harness.display, events: source, clock: harness.clock,
      pacing: LoopPacing(kind: .virtual, interval: .milliseconds(16), isMeasured: false, reason: "test"))
    source.append(notch, at: harness.clock.now() + .seconds(9_000))
    let now = harness.clock.now()
    _ = loop.run(LoopLimits(frames: 1))
    #expect(loop.history.record(atAge: 0).inputInstant == now)
  }

  @Test("Input before the window was hidden does not count when it is shown")
  func hiddenWindow() {
    let (harness, _) = ScrollViewTests.makeHarness()
    harness.runUntilIdle()
    harness.sendEvent(notch)
    harness.sendEvent(.hidden)
    harness.run(milliseconds: 60_000)
    harness.sendEvent(.shown)
    harness.run(frames: 2)
    #expect(harness.loop.history.inputToPresent == nil)
  }

  @Test("Unhandled events do not count in a frame with another reason")
  func unhandledEvents() {
    let (harness, view) = ScrollViewTests.makeHarness()
    view.applyScrollEvent(.steady(velocity: 100))
    harness.run(frames: 4)
    harness.sendEvent(.keyDown(.character("x"), modifiers: [], isRepeat: false))
    harness.sendEvent(.keyUp(.character("x"), modifiers: []))
    harness.run(frames: 2)
    #expect(harness.loop.history.inputToPresent == nil)
  }

  @Test(
    "A window that moves to another display follows its refresh rate unless a rate was specified",
    arguments: [true, false])
  func displayChange(follows: Bool) {
    let view = ScrollView()
    let harness = TimerWindowHarness(
      root: view,
      pacing: LoopPacing(
        kind: .timer, interval: .seconds(1.0 / 60), isMeasured: false, reason: "test", followsDisplay: follows))
    view.setContentLength(100_000)
    harness.window.addParticipant(view)
    view.applyScrollEvent(.steady(velocity: 100))
    harness.run(frames: 3)
    harness.display.moveToDisplay(refreshHz: 144)
    harness.events.append(.displayChanged, at: harness.clock.now())
    harness.run(frames: 4)
    let expected = FrameDuration.seconds(1 / (follows ? 144.0 : 60))
    #expect(harness.loop.interval == expected && harness.loop.pacing.interval == expected)
    let (last, before) = (harness.loop.history.record(atAge: 0), harness.loop.history.record(atAge: 1))
    #expect(last.target - before.target == expected)
    #expect((0..<6).allSatisfy { harness.loop.history.record(atAge: $0).hitch == .zero })
  }
}

// MARK: - Late input resampling

@Suite("Late input resampling")
struct InputResamplingTests {
  private let notch = InputEvent.Kind.wheel(WheelInput(location: Point(x: 10, y: 10), deltaX: 0, deltaY: -1))

  /// Returns a harness after a wheel notch, at the start of a frame.
  private func makeScrollingHarness(_ kind: ClockKind = .timer) -> (TimerWindowHarness, ScrollView) {
    let view = ScrollView()
    let harness = TimerWindowHarness(root: view, kind: kind)
    view.setContentLength(100_000)
    harness.window.addParticipant(view)
    harness.window.firstResponder = view
    harness.run(frames: 2)
    harness.events.append(notch, at: harness.clock.now())
    harness.run(frames: 3)
    return (harness, view)
  }

  @Test(
    "A notch during a refresh interval is shown by the frame at its end", arguments: [ClockKind.timer, .cpu])
  func midRefresh(kind: ClockKind) {
    let (harness, view) = makeScrollingHarness(kind)
    let shown = harness.loop.history.record(atAge: 0).shown
    let time = shown + .milliseconds(8)
    var expected = view.scroll
    harness.events.append(notch, at: time)
    harness.run(frames: 1)
    let record = harness.loop.history.record(atAge: 0)
    expected.handle(.wheel(distance: view.notchDistance, kind: .notch), at: time)
    #expect(view.contentOffset == view.displayScale.snapped(expected.offset(at: record.target)))
    #expect(record.inputInstant == time && record.inputToPresent == record.shown - time)
    #expect(record.shown == shown + .milliseconds(16) && record.hitch == .zero)
    #expect(record.isInputResampled && record.resamplingStart > time)
    #expect(harness.display.frames.last?.commands == renderedCommands(view, in: harness))
  }

  /// Returns the commands that the window draws now.
  private func renderedCommands(_ view: ScrollView, in harness: TimerWindowHarness) -> [DrawCommand] {
    let list = DisplayList(capacity: 64)
    view.render(in: DrawContext(list: list, resources: harness.window.resources))
    return Array(list.commands)
  }

  @Test("An event after the resampling instant is shown by the next frame, as are all without resampling")
  func tooLate() {
    for isOn in [true, false] {
      let (harness, _) = makeScrollingHarness()
      harness.loop.resamplesInput = isOn
      let time = harness.loop.history.record(atAge: 0).shown + (isOn ? .milliseconds(15.9) : .milliseconds(8))
      harness.events.append(notch, at: time)
      harness.run(frames: 2)
      #expect(
        harness.loop.history.record(atAge: 1).inputInstant == nil
          && harness.loop.history.record(atAge: 1).isInputResampled == false)
      #expect(harness.loop.history.record(atAge: 0).inputInstant == time)
    }
  }

  @Test("A late wake-up for resampling or presenting is classified as a late wake-up", arguments: [true, false])
  func oversleeping(resamplesInput: Bool) {
    let (harness, _) = makeScrollingHarness()
    harness.loop.resamplesInput = resamplesInput
    harness.clock.oversleep = .milliseconds(20)
    harness.run(frames: 1)
    let record = harness.loop.history.record(atAge: 0)
    #expect(record.hitch > .zero && record.hitchClass == .wakeLate)
    harness.run(frames: 3)
    #expect(harness.loop.history.hitchCount == 1)
  }

  @Test("Resampling stops half a second after the last input and never occurs on the virtual clock")
  func inactivity() {
    let (harness, view) = makeScrollingHarness()
    view.applyScrollEvent(.steady(velocity: 100))
    harness.run(frames: 40)
    harness.events.append(notch, at: harness.loop.history.record(atAge: 0).shown + .milliseconds(8))
    harness.run(frames: 1)
    #expect(harness.loop.history.record(atAge: 0).inputInstant == nil)
    let (virtual, moved) = ScrollViewTests.makeHarness()
    moved.applyScrollEvent(.steady(velocity: 100))
    virtual.sendEvent(notch)
    virtual.run(frames: 2)
    virtual.events.append(notch, at: virtual.clock.now() + .milliseconds(1))
    virtual.run(frames: 1)
    #expect(virtual.loop.history.record(atAge: 0).isInputResampled == false)
  }

  @Test("No event is lost, duplicated or reordered", arguments: 0..<40)
  func order(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let log = EventLog()
    let harness = TimerWindowHarness(root: log)
    harness.window.addParticipant(log)
    var time = harness.clock.now()
    let kinds: [InputEvent.Kind] = [
      notch, notch, notch, .pointerMoved(Point(x: 4, y: 4)), .keyDown(.character("a"), modifiers: [], isRepeat: false),
      .keyUp(.character("a"), modifiers: []),
      .pointerDown(Point(x: 4, y: 4), button: .primary, clicks: 1, modifiers: []),
      .pointerUp(Point(x: 4, y: 4), button: .primary, modifiers: []),
      .wheel(WheelInput(location: Point(x: 4, y: 4), deltaX: 1, deltaY: 0)),
    ]
    var sent: [FrameInstant] = []
    for _ in 0..<200 {
      time = time + .milliseconds(.random(in: 0.1...20, using: &random))
      let kind = kinds.randomElement(using: &random) ?? notch
      if case .pointerMoved = kind {} else { sent.append(time) }
      harness.events.append(kind, at: time)
    }
    while harness.clock.now() <= time { harness.run(frames: 1) }
    harness.run(frames: 2)
    #expect(log.times.filter { sent.contains($0) } == sent)
    #expect(log.resampleCount > 0, "some events were resampled")
  }

  @Test("An unexpected cost of resampling makes only the first frames late, with that cause")
  func unexpectedCost() {
    let log = EventLog()
    let harness = TimerWindowHarness(root: log, kind: .cpu)
    harness.window.addParticipant(log)
    harness.run(frames: 8)
    var lateFrames = 0
    for number in 0..<200 {
      if number == 100 { log.cost = .milliseconds(2) }
      harness.events.append(notch, at: harness.loop.history.record(atAge: 0).shown + .milliseconds(13))
      harness.run(frames: 1)
      let record = harness.loop.history.record(atAge: 0)
      guard record.hitch > .zero else { continue }
      lateFrames += 1
      #expect(record.hitchCause == .inputResampling(.milliseconds(2)))
    }
    #expect(log.resampleCount > 150)
    #expect((1...4).contains(lateFrames), "the sample window excludes the three largest values")
  }

  @Test("A frame that is requested during resampling is the next one")
  func frameRequests() {
    let log = EventLog()
    let harness = TimerWindowHarness(root: log)
    harness.window.addParticipant(log)
    harness.run(frames: 2)
    harness.events.append(notch, at: harness.clock.now())
    harness.run(frames: 2)
    log.onEvent = { harness.window.setNeedsFrame() }
    harness.events.append(notch, at: harness.clock.now() + .milliseconds(8))
    harness.run(frames: 1)
    #expect(harness.loop.history.record(atAge: 0).isInputResampled)
    (log.isMoving, log.onEvent) = (false, {})
    let updates = log.updates
    _ = harness.loop.run(LoopLimits(duration: .milliseconds(100)))
    #expect(log.updates == updates + 1)
  }

  @Test("A finger's movement is resampled while it scrolls, not when it may start a pan")
  func fingers() {
    let (harness, view) = makeScrollingHarness()
    func touch(_ phase: TouchInput.Phase, y: Double) {
      harness.events.append(
        .touch(TouchInput(finger: 1, phase: phase, location: Point(x: 50, y: y))),
        at: harness.clock.now() + .milliseconds(phase == .began ? 0 : 8))
    }
    touch(.began, y: 200)
    harness.run(frames: 1)
    touch(.moved, y: 170)
    harness.run(frames: 1)
    #expect(!harness.loop.history.record(atAge: 0).isInputResampled, "the pan begins")
    harness.run(frames: 1)
    let offset = view.contentOffset
    touch(.moved, y: 150)
    harness.run(frames: 1)
    #expect(harness.loop.history.record(atAge: 0).isInputResampled && view.contentOffset == offset + 20)
  }

  @Test("If a participant declines, the frame is unchanged and the next one shows the input")
  func declined() {
    let (harness, view) = makeScrollingHarness()
    let log = EventLog()
    log.declines = true
    harness.window.addParticipant(log)
    let time = harness.loop.history.record(atAge: 0).shown + .milliseconds(8)
    harness.events.append(notch, at: time)
    harness.run(frames: 1)
    #expect(
      harness.loop.history.record(atAge: 0).inputInstant == nil
        && harness.loop.history.record(atAge: 0).isInputResampled == false)
    let offset = view.contentOffset
    harness.run(frames: 1)
    #expect(harness.loop.history.record(atAge: 0).inputInstant == time && view.contentOffset > offset)
  }
}

// MARK: - Event log

/// A view that records events, is always in motion and has a cost of resampling.
private final class EventLog: View, FrameParticipant {
  var times: [FrameInstant] = []
  var resampleCount = 0
  var cost = FrameDuration.zero
  var declines = false

  var isMoving = true
  var onEvent: () -> Void = {}
  private(set) var updates = 0

  var isTracked: Bool { isMoving }
  var needsFrames: Bool { isMoving }

  func update(at target: FrameInstant) { updates += 1 }

  override func handle(_ event: InputEvent) -> Bool {
    times.append(event.time)
    onEvent()
    return true
  }

  func resampleInput(at target: FrameInstant) -> Bool {
    resampleCount += 1
    clock?.spend(cost)
    return !declines
  }

  private var clock: (any FrameClock)?

  func collect(_ budget: FrameBudget) { clock = budget.clock }
}
