import FramePacing
import Geometry
import Rendering
import ScrollPhysics
import TestSupport
import Testing
import Views

@Suite("Input that comes once a frame is drawn is answered by it, if it does no more than move content")
struct LateAnswerLoopTests {
  private let notch = InputEvent.Kind.wheel(WheelInput(location: Point(x: 10, y: 10), deltaX: 0, deltaY: -1))

  /// A stage on which a wheel was turned, at the beginning of a frame.
  private func turning(_ kind: ClockKind = .timer) -> (TimerWindowHarness, ScrollView) {
    let view = ScrollView()
    let stage = TimerWindowHarness(root: view, kind: kind)
    view.setContentLength(100_000)
    stage.window.addParticipant(view)
    stage.window.firstResponder = view
    stage.run(frames: 2)
    stage.events.append(notch, at: stage.clock.now())
    stage.run(frames: 3)
    return (stage, view)
  }

  @Test(
    "A notch in the midst of a refresh is in the frame that is shown at its end", arguments: [ClockKind.timer, .cpu])
  func midst(kind: ClockKind) {
    let (stage, view) = turning(kind)
    let shown = stage.loop.history.record(atAge: 0).shown
    let time = shown + .milliseconds(8)
    var expected = view.scroll
    stage.events.append(notch, at: time)
    stage.run(frames: 1)
    let record = stage.loop.history.record(atAge: 0)
    expected.handle(.wheel(distance: view.notchDistance, kind: .notch), at: time)
    #expect(view.contentOffset == view.displayScale.snapped(expected.offset(at: record.target)))
    #expect(record.inputInstant == time && record.inputToPresent == record.shown - time)
    #expect(record.shown == shown + .milliseconds(16) && record.hitch == .zero)
    #expect(record.isInputResampled && record.resamplingStart > time)
    #expect(stage.display.frames.last?.commands == drawn(view, in: stage))
  }

  /// What the window draws now, in a frame of its own.
  private func drawn(_ view: ScrollView, in stage: TimerWindowHarness) -> [DrawCommand] {
    let list = DisplayList(capacity: 64)
    view.render(in: DrawContext(list: list, resources: stage.window.resources))
    return Array(list.commands)
  }

  @Test("One that comes after the last moment is the next frame's, and so is all where it is turned off")
  func tooLate() {
    for isOn in [true, false] {
      let (stage, _) = turning()
      stage.loop.resamplesInput = isOn
      let time = stage.loop.history.record(atAge: 0).shown + (isOn ? .milliseconds(15.9) : .milliseconds(8))
      stage.events.append(notch, at: time)
      stage.run(frames: 2)
      #expect(
        stage.loop.history.record(atAge: 1).inputInstant == nil
          && stage.loop.history.record(atAge: 1).isInputResampled == false)
      #expect(stage.loop.history.record(atAge: 0).inputInstant == time)
    }
  }

  @Test("Whoever is woken late, for input or for presenting, was woken late", arguments: [true, false])
  func oversleeping(answersLate: Bool) {
    let (stage, _) = turning()
    stage.loop.resamplesInput = answersLate
    stage.clock.oversleep = .milliseconds(20)
    stage.run(frames: 1)
    let record = stage.loop.history.record(atAge: 0)
    #expect(record.hitch > .zero && record.hitchClass == .wakeLate)
    stage.run(frames: 3)
    #expect(stage.loop.history.hitchCount == 1)
  }

  @Test("Half a second after the last act nothing is waited for, and on the virtual clock never")
  func patience() {
    let (stage, view) = turning()
    view.applyScrollEvent(.steady(velocity: 100))
    stage.run(frames: 40)
    stage.events.append(notch, at: stage.loop.history.record(atAge: 0).shown + .milliseconds(8))
    stage.run(frames: 1)
    #expect(stage.loop.history.record(atAge: 0).inputInstant == nil)
    let (virtual, moved) = ScrollViewTests.stage()
    moved.applyScrollEvent(.steady(velocity: 100))
    virtual.sendEvent(notch)
    virtual.run(frames: 2)
    virtual.events.append(notch, at: virtual.clock.now() + .milliseconds(1))
    virtual.run(frames: 1)
    #expect(virtual.loop.history.record(atAge: 0).isInputResampled == false)
  }

  @Test("No event is lost, doubled or overtaken by later ones, whatever comes when", arguments: 0..<40)
  func order(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let log = EventLog()
    let stage = TimerWindowHarness(root: log)
    stage.window.addParticipant(log)
    var time = stage.clock.now()
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
      stage.events.append(kind, at: time)
    }
    while stage.clock.now() <= time { stage.run(frames: 1) }
    stage.run(frames: 2)
    #expect(log.times.filter { sent.contains($0) } == sent)
    #expect(log.late > 0, "some were answered late")
  }

  @Test("What answering takes makes no frame late but the first that it surprises, and that one says why")
  func surprise() {
    let log = EventLog()
    let stage = TimerWindowHarness(root: log, kind: .cpu)
    stage.window.addParticipant(log)
    stage.run(frames: 8)
    var late = 0
    for number in 0..<200 {
      if number == 100 { log.cost = .milliseconds(2) }
      stage.events.append(notch, at: stage.loop.history.record(atAge: 0).shown + .milliseconds(13))
      stage.run(frames: 1)
      let record = stage.loop.history.record(atAge: 0)
      guard record.hitch > .zero else { continue }
      late += 1
      #expect(record.hitchCause == .inputResampling(.milliseconds(2)))
    }
    #expect(log.late > 150)
    #expect((1...4).contains(late), "the window lets three larger ones pass")
  }

  @Test("Who asks for a frame when input comes gets the next one, though this one was drawn anew")
  func asking() {
    let log = EventLog()
    let stage = TimerWindowHarness(root: log)
    stage.window.addParticipant(log)
    stage.run(frames: 2)
    stage.events.append(notch, at: stage.clock.now())
    stage.run(frames: 2)
    log.onEvent = { stage.window.setNeedsFrame() }
    stage.events.append(notch, at: stage.clock.now() + .milliseconds(8))
    stage.run(frames: 1)
    #expect(stage.loop.history.record(atAge: 0).isInputResampled)
    (log.isMoving, log.onEvent) = (false, {})
    let updates = log.updates
    _ = stage.loop.run(LoopLimits(duration: .milliseconds(100)))
    #expect(log.updates == updates + 1)
  }

  @Test("A finger's move is answered late once it draws content along, and not where it may begin to")
  func fingers() {
    let (stage, view) = turning()
    func touch(_ phase: TouchInput.Phase, y: Double) {
      stage.events.append(
        .touch(TouchInput(finger: 1, phase: phase, location: Point(x: 50, y: y))),
        at: stage.clock.now() + .milliseconds(phase == .began ? 0 : 8))
    }
    touch(.began, y: 200)
    stage.run(frames: 1)
    touch(.moved, y: 170)
    stage.run(frames: 1)
    #expect(!stage.loop.history.record(atAge: 0).isInputResampled, "it begins")
    stage.run(frames: 1)
    let offset = view.contentOffset
    touch(.moved, y: 150)
    stage.run(frames: 1)
    #expect(stage.loop.history.record(atAge: 0).isInputResampled && view.contentOffset == offset + 20)
  }

  @Test("What declines leaves the frame that was drawn, and the next one shows what was done")
  func declined() {
    let (stage, view) = turning()
    let log = EventLog()
    log.declines = true
    stage.window.addParticipant(log)
    let time = stage.loop.history.record(atAge: 0).shown + .milliseconds(8)
    stage.events.append(notch, at: time)
    stage.run(frames: 1)
    #expect(
      stage.loop.history.record(atAge: 0).inputInstant == nil
        && stage.loop.history.record(atAge: 0).isInputResampled == false)
    let offset = view.contentOffset
    stage.run(frames: 1)
    #expect(stage.loop.history.record(atAge: 0).inputInstant == time && view.contentOffset > offset)
  }
}

/// Notes what it is given, moves all the time, and takes so long to answer late.
private final class EventLog: View, FrameParticipant {
  var times: [FrameInstant] = []
  var late = 0
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
    late += 1
    clock?.spend(cost)
    return !declines
  }

  private var clock: (any FrameClock)?

  func collect(_ budget: FrameBudget) { clock = budget.clock }
}
