import Foundation
import Testing
import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineTestSupport
import VitrineViews

@testable import VitrineDiagnostics
@testable import VitrineHosting

@Suite("Replayed input shows the same frames")
struct ReplayTests {
  /// Returns a harness that has recorded random wheel and key input with pauses.
  private func recordInput(seed: UInt64) -> ReplayHarness {
    let harness = ReplayHarness()
    var random = SeededGenerator(seed: seed)
    var time = FrameInstant.zero
    for _ in 0..<25 {
      time = time + .microseconds(Double.random(in: 1_000...150_000, using: &random))
      let location = Point(x: 200, y: 150)
      switch Int.random(in: 0...4, using: &random) {
      case 0: harness.liveInput.append(.keyDown(.pageDown, modifiers: [], isRepeat: false), at: time)
      case 1: harness.liveInput.append(.keyDown(.up, modifiers: [], isRepeat: false), at: time)
      default:
        let notches = Double(Int.random(in: -3...1, using: &random))
        harness.liveInput.append(.wheel(WheelInput(location: location, deltaX: 0, deltaY: notches)), at: time)
      }
    }
    // The loop does not know when live input arrives, so the clock advances from event to event.
    while let next = harness.liveInput.nextEventTime {
      harness.run(milliseconds: max(0.001, (next - harness.clock.now()).milliseconds + 0.001))
    }
    harness.run(milliseconds: 700)
    return harness
  }

  private func replay(_ events: [RecordedEvent], for duration: FrameDuration, interval: Double = 10) -> ReplayHarness {
    let harness = ReplayHarness(replaying: events, interval: interval)
    harness.run(milliseconds: duration.milliseconds)
    return harness
  }

  @Test(
    "Twenty replays have the same digest, and a recording of a replay equals that replay",
    arguments: 1...3 as ClosedRange<UInt64>)
  func repeatedReplays(seed: UInt64) {
    let first = recordInput(seed: seed)
    #expect(first.recordedEvents.count == 25)
    let duration = first.clock.now() - FrameInstant.zero
    let replays = (0..<20).map { _ in replay(first.recordedEvents, for: duration) }
    #expect(Set(replays.map(\.digest)).count == 1)
    #expect(replays[0].shown == replays[19].shown && replays[0].frames > 20)
    let again = replays[0].recordedEvents
    #expect(
      again.map(\.kind) == first.recordedEvents.map(\.kind) && again.map(\.time) == first.recordedEvents.map(\.time))
    #expect(replay(again, for: duration).digest == replays[0].digest)
    #expect(replay(Array(first.recordedEvents.dropLast(20)), for: duration).digest != replays[0].digest)
  }

  @Test("At twice the refresh rate the content comes to rest at the same offset")
  func otherRefresh() throws {
    let first = recordInput(seed: 7)
    let duration = first.clock.now() - FrameInstant.zero + .seconds(1)
    let (slow, fast) = (
      replay(first.recordedEvents, for: duration), replay(first.recordedEvents, for: duration, interval: 5)
    )
    #expect(fast.frames > slow.frames && fast.digest != slow.digest)
    #expect(fast.recordedEvents.map(\.time) == slow.recordedEvents.map(\.time))
    #expect(try abs(#require(fast.shown.last).offset - #require(slow.shown.last).offset) < 1)
  }

  @Test("An idle simulated clock advances to the next input, and not past it")
  func idleClock() {
    let wheel = InputEvent.Kind.wheel(WheelInput(location: Point(x: 200, y: 150), deltaX: 0, deltaY: -1))
    let events = [1.0, 30, 30.5].map { RecordedEvent(time: .seconds($0), frame: 0, kind: wheel) }
    let harness = replay(events, for: .seconds(60))
    #expect(harness.recordedEvents.map(\.time) == events.map(\.time))
    #expect(harness.scrollView.contentOffset == 3 * harness.scrollView.notchDistance)
    #expect(harness.frames < 300)
    #expect(harness.clock.now() == .zero + .seconds(60))
  }

  @Test("The window has the recorded sizes, and live input is ignored")
  func sizes() {
    let harness = ReplayHarness(
      replaying: [
        RecordedEvent(time: .seconds(1), frame: 0, kind: .resized, size: Size(width: 320, height: 500)),
        RecordedEvent(time: .seconds(2), frame: 0, kind: .quit),
      ])
    harness.liveInput.append(.quit, at: .zero)
    harness.run(milliseconds: 5_000)
    #expect(harness.scrollView.frame.size == Size(width: 320, height: 500))
    #expect(harness.recordedEvents.map(\.kind) == [.resized, .quit])
    #expect(harness.recordedEvents.first?.size == Size(width: 320, height: 500))
    #expect(harness.clock.now() < .zero + .seconds(3))
  }

  @Test("No recording makes the program trap", arguments: 1...6 as ClosedRange<UInt64>)
  func randomEvents(seed: UInt64) {
    var input = RandomInput(seed: seed)
    let events = (0..<200).map { number in
      var event = input.event()
      event.time = .milliseconds(Double(number * 5))
      event.kind = input.kind(number % (RandomInput.kindCount - 1))
      return event
    }
    let harnesses = (0..<2).map { _ in replay(events, for: .seconds(2)) }
    #expect(harnesses[0].recordedEvents.count == 200 && harnesses[0].digest == harnesses[1].digest)
  }
}

// MARK: - Harness

/// A scroll view on a virtual clock whose live or replayed input is recorded.
private final class ReplayHarness {
  /// The content offset in a frame.
  struct ShownFrame: Hashable {
    var target: FrameInstant
    var offset: Double
  }

  let scrollView = ScrollView()
  let clock = SimulatedClock(kind: .virtual)
  let display = RecordingDisplay(size: Size(width: 400, height: 300), frameLimit: 1)
  /// The live input, to which tests append events.
  let liveInput: ScriptedEventSource
  private(set) var shown: [ShownFrame] = []
  private let recorder: RecordingEventSource
  private let loop: CommitLoop

  /// Creates a harness.
  ///
  /// - Parameters:
  ///   - events: The recorded input to replay in place of live input. Default: nil.
  ///   - milliseconds: The refresh interval in milliseconds. Default: 10.
  init(replaying events: [RecordedEvent]? = nil, interval milliseconds: Double = 10) {
    let clock = clock
    let display = display
    let liveInput = ScriptedEventSource(now: { clock.now() })
    self.liveInput = liveInput
    let replay = events.map {
      ReplayEventSource($0, wrapping: liveInput, clock: clock, from: clock.now()) { display.resize(to: $0) }
    }
    recorder = RecordingEventSource(replay ?? liveInput, clock: clock, from: clock.now()) { display.info.size }
    let window = Window(
      rootView: scrollView, resources: RenderResources(display: display, text: BlockTextRasterizer()))
    loop = CommitLoop(
      window: window, display: display, events: recorder, clock: clock,
      pacing: LoopPacing(
        kind: .virtual, interval: .milliseconds(milliseconds), isMeasured: false, reason: "test"))
    loop.digestsFrames = true
    recorder.frameCount = { [weak loop] in loop?.history.count ?? 0 }
    window.resize(to: display.info.size)
    scrollView.layoutIfNeeded()
    scrollView.setContentLength(20_000)
    window.addParticipant(scrollView)
    window.addParticipant(self)
  }

  var recordedEvents: [RecordedEvent] { recorder.recordedEvents }
  var digest: String { loop.frameDigest.text }
  var frames: Int { loop.history.count }

  /// Runs the loop for a time.
  ///
  /// A frame is made only where something changes.
  func run(milliseconds: Double) { _ = loop.run(LoopLimits(duration: .milliseconds(milliseconds))) }
}

extension ReplayHarness: FrameParticipant {
  func frameDidEnd(_ record: FrameRecord) {
    shown.append(ShownFrame(target: record.target, offset: scrollView.contentOffset))
  }
}

// MARK: - Recorded options

@Suite("A recording's settings are applied before those of the command line")
struct RecordedOptionsTests {
  static let table = OptionTable(DiagnosticOptions.table)

  /// Parses a command line that replays a recording from a temporary file.
  private func parse(
    _ words: [String], replaying recording: Recording, of program: String = "test"
  ) throws -> DiagnosticOptions {
    let path = NSTemporaryDirectory() + "recording-\(UUID().uuidString)"
    try RecordingWriter.bytes(of: recording).write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try Self.table.parse(
      (["--replay", path] + words).map { Array($0.utf8) }, into: DiagnosticOptions(), common: \.self, of: program
    ).settings
  }

  @Test("Without further options everything is as recorded, headless and on the virtual clock")
  func noFurtherOptions() throws {
    let options = try parse(
      [],
      replaying: RecordingFileTests.recording(
        options: [ParsedOption("--seed", "3"), ParsedOption("--reduce-motion"), ParsedOption("--cell-cost", "2.5")]))
    #expect(options.hosting.seed == 3 && options.hosting.reducesMotion && options.cellCost == 2.5)
    #expect(options.hosting.isHeadless && options.hosting.clock == .virtual)
    #expect(options.loadedReplay?.overridden == [])
    #expect(options.loadedReplay?.operands == [Array("a".utf8)])
  }

  @Test("Options that write files are not recorded, nor are options that depend on them")
  func outputOptions() {
    let words = ["--report", "--trace", "--trace-hitch", "--frame-log", "--screenshot", "--record", "--cache-dir"]
    let options = words.map { ParsedOption($0, "8") } + [ParsedOption("--seed", "3")]
    #expect(RecordedOptions.settings(options: options, derived: []) == [ParsedOption("--seed", "3")])
    #expect(RecordedOptions.overrides(options: [ParsedOption("--trace-hitch", "8")], recorded: []).isEmpty)
  }

  @Test("Overridden options are listed once, and equal values and output files are no overrides")
  func overridden() throws {
    let recording = RecordingFileTests.recording()
    let options = try parse(
      ["--seed=3", "--refresh", "120", "--refresh", "144", "--headless", "--report", "-", "--clock", "virtual"],
      replaying: recording)
    #expect(options.hosting.refreshHz == 144 && options.report == "-")
    #expect(options.loadedReplay?.overridden == ["--refresh"])
    #expect(
      try parse(["--seed", "4", "--clock", "cpu"], replaying: recording).loadedReplay?.overridden == [
        "--seed", "--clock",
      ])
    #expect(try parse(["--duration", "1"], replaying: recording).loadedReplay?.overridden == ["--duration"])
  }

  @Test("Recorded settings that a command line replaces are left out")
  func replaced() throws {
    let recording = RecordingFileTests.recording()
    let path = NSTemporaryDirectory() + "recording-\(UUID().uuidString)"
    try RecordingWriter.bytes(of: recording).write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let parsed = try Self.table.parse(
      ["--replay", path, "folder"].map { Array($0.utf8) }, into: DiagnosticOptions(), common: \.self, of: "test"
    ) { $0.operands.isEmpty ? [] : ["--seed"] }
    #expect(parsed.settings.hosting.seed == HostingOptions().seed && parsed.settings.hosting.reducesMotion)
  }

  @Test("A real clock, another program's recording and invalid settings are rejected")
  func refused() {
    #expect(throws: UsageError("--clock timer: --replay runs on virtual (default) or cpu")) {
      try parse(["--clock", "timer"], replaying: RecordingFileTests.recording())
    }
    #expect(throws: UsageError.self) { try parse([], replaying: RecordingFileTests.recording(program: "other")) }
    let invalid = RecordingFileTests.recording(options: [ParsedOption("--seed", "none")])
    #expect(throws: UsageError.self) { try parse([], replaying: invalid) }
    let unknown = RecordingFileTests.recording(options: [ParsedOption("--unknown")])
    #expect(throws: UsageError.self) { try parse([], replaying: unknown) }
  }

  @Test("The last or the derived value of each option is recorded, but not the name of a script file")
  func settings() {
    let options = [
      ParsedOption("--columns", "3"), ParsedOption("--report", "-"), ParsedOption("--size", "20x20"),
      ParsedOption("--columns", "4"), ParsedOption("--scroll", "steps.JSON"), ParsedOption("--headless"),
    ]
    #expect(
      RecordedOptions.settings(options: options, derived: [ParsedOption("--size", "640x480")]) == [
        ParsedOption("--columns", "4"), ParsedOption("--size", "640x480"),
      ])
    #expect(RecordedOptions.isRecorded(ParsedOption("--scroll", "mixed")))
  }
}
