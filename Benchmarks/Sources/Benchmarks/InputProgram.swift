import BenchmarkSupport
import CollectionUI
import VitrineCollectionEngine
import VitrineDataStructures
import VitrineDiffableData
import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineScrollPhysics
import VitrineViews

/// `bench input`: measures whether random jumps of the scroll bar's thumb are in time, the number of layouts for a
/// burst of events in one frame, the input latency, and the most expensive frame while items are reordered.
@MainActor
struct InputProgram {
  private let options: InputOptions
  private let recorder: FigureRecorder
  private static let runs = 3
  private static let warmUp = 240
  private static let seed: UInt64 = 11
  /// The maximum cost of the worst jump relative to a screen of a steady scroll, both to its worst and to its median
  /// frame.
  private static let maximumOverScreen = 2.0

  init(_ options: InputOptions, recorder: FigureRecorder) {
    self.options = options
    self.recorder = recorder
  }

  /// Measures and prints.
  func run() throws {
    Output.line(
      """
      Input on the cpu clock, \(FigureText.count(options.items)) items, 1280 x 800 points, \(options.refreshRate) Hz; of each \
      frame the least of \(InputProgram.runs) equal runs. What is late in one run alone is the machine's doing.
      """)
    try jumps()
    try burst()
    try latency()
    try ReorderMeasurement(options, recorder: recorder).run(makeFixture)
  }

  private func makeFixture() throws -> ScrollFixture {
    try ScrollFixture(
      count: options.items, refreshRate: options.refreshRate, clock: SimulatedClock(kind: .cpu),
      meter: FrameMeter(callgrindOutput: nil))
  }

  // MARK: Jumps

  private func jumps() throws {
    var (jumps, screens, steady) = (RepeatedCosts(), RepeatedCosts(), RepeatedCosts())
    var repeated = RepeatedRuns()
    var tracked = FrameDuration.zero
    for _ in 0..<InputProgram.runs {
      steady.add(try recordScroll(by: 2_000, prefetches: true).commits)
      // The work that a jump also has to do: a screen of items whose cells are not prepared.
      let screen = ScrollFixture.size.height * Double(options.refreshRate)
      screens.add(try recordScroll(by: screen, prefetches: false).commits)
      let run = try dragThumb()
      jumps.add(run.costs.commits)
      repeated.add(run.costs.late)
      tracked = run.tracked
    }
    var table = TextTable([("commit of a frame", .left), ("median", .right), ("99 in 100", .right), ("worst", .right)])
    for (name, costs) in [
      ("random jump of the thumb", jumps), ("a screen further each, none prepared", screens),
      ("2,000 points a second", steady),
    ] {
      table.add([name] + [0.5, 0.99, 1].map { costs.cost(at: $0).map { FigureText.time($0) } ?? "-" })
    }
    Output.line("\n\(FigureText.count(options.jumps)) jumps")
    for line in table.lines { Output.line("  " + line) }
    let late = repeated.confirmedFrames
    let hitches = late.reduce(0) { $0 + $1.hitch } / 1e6
    let ratio = tracked > .zero ? hitches / tracked.seconds : 0
    Output.line(
      "  hitch ratio \(FigureText.tenths(ratio)) ms/s, late in two of three runs: "
        + Aim(.count, 0).verdict(on: Double(late.count)) + " (\(FigureText.count(late.count)))")
    for frame in late.prefix(5) {
      Output.line("    jump \(frame.refresh): \(FigureText.time(frame.hitch)) late: \(frame.cause)")
    }
    recorder.add(["input", "jump", "late"], Double(late.count), .frames, .related)
    recorder.add(["input", "jump", "median"], jumps.cost(at: 0.5), .nanoseconds, .measured)
    recorder.add(["input", "jump", "worst"], jumps.cost(at: 1), .nanoseconds, .measured)
    guard let worst = jumps.cost(at: 1), let like = screens.cost(at: 1), let usual = screens.cost(at: 0.5) else {
      return
    }
    recorder.add(["input", "jump", "over-screen"], worst / like, .ratio, .related)
    recorder.add(["input", "jump", "over-median-screen"], worst / usual, .ratio, .related)
    func text(_ ratio: Double) -> String {
      "\(FigureText.ratio(ratio)) (\(DecodeFigure.verdict(ratio, atMost: InputProgram.maximumOverScreen)))"
    }
    Output.line(
      "  worst jump over the worst screen of a steady scroll: \(text(worst / like)), over the median one: "
        + text(worst / usual))
  }

  /// Scrolls with a constant speed, for as many frames as there are jumps.
  ///
  /// - Parameters:
  ///   - speed: The speed, in points per second.
  ///   - prefetches: Whether cells are prefetched.
  private func recordScroll(by speed: Double, prefetches: Bool) throws -> CommitRecorder {
    let fixture = try makeFixture()
    DemonstrationSwitches(fixture.view).isCellPrefetchingEnabled = prefetches
    let costs = CommitRecorder()
    fixture.loop.window.addParticipant(costs)
    fixture.view.applyScrollEvent(.steady(velocity: speed), at: fixture.loop.clock.now())
    _ = fixture.loop.run(LoopLimits(frames: InputProgram.warmUp))
    costs.isRecording = true
    _ = fixture.loop.run(LoopLimits(frames: options.jumps))
    return costs
  }

  /// Drags the thumb to a random position in every frame.
  private func dragThumb() throws -> (costs: CommitRecorder, tracked: FrameDuration) {
    let fixture = try makeFixture()
    let costs = CommitRecorder()
    fixture.loop.window.addParticipant(costs)
    let (events, clock) = (fixture.events, fixture.loop.clock)
    var random = SplitMix64(seed: InputProgram.seed)
    let (x, height) = (ScrollFixture.size.width - 8, ScrollFixture.size.height)
    _ = fixture.loop.run(LoopLimits(frames: 2))
    events.append(.pointerDown(Point(x: x, y: 10), button: .primary, clicks: 1, modifiers: []), at: clock.now())
    costs.onFrameEnd = { _ in
      events.append(.pointerMoved(Point(x: x, y: .random(in: 0...height, using: &random))), at: clock.now())
    }
    _ = fixture.loop.run(LoopLimits(frames: InputProgram.warmUp))
    costs.isRecording = true
    let before = fixture.loop.history.trackedTime
    _ = fixture.loop.run(LoopLimits(frames: options.jumps))
    return (costs, fixture.loop.history.trackedTime - before)
  }

  // MARK: Bursts

  private func burst() throws {
    let fixture = try makeFixture()
    _ = fixture.loop.run(LoopLimits(frames: InputProgram.warmUp))
    let now = fixture.loop.clock.now()
    for number in 0..<1_000 {
      let location = Point(x: 600, y: 400)
      switch number % 3 {
      case 0: fixture.events.append(.wheel(WheelInput(location: location, deltaX: 0, deltaY: -1)), at: now)
      case 1: fixture.events.append(.pointerMoved(Point(x: Double(number), y: 300)), at: now)
      default: fixture.events.append(.keyDown(.down, modifiers: [], isRepeat: true), at: now)
      }
    }
    let before = fixture.view.layoutCounts
    _ = fixture.loop.run(LoopLimits(frames: 1))
    let after = fixture.view.layoutCounts
    // The number of planned layouts and of new solutions.
    let layouts = after.queries - before.queries + after.solutions - before.solutions
    let record = fixture.loop.history.record(atAge: 0)
    recorder.add(["input", "burst", "layouts"], Double(layouts), .layouts, .counted)
    recorder.add(["input", "burst", "commit"], Double(record.commit.nanoseconds), .nanoseconds, .measured)
    Output.line(
      "\n1,000 events in one frame: \(FigureText.count(layouts)) layout (one " + (layouts == 1 ? "reached)" : "MISSED)")
        + "; events took \(FigureText.time(Double(record.duration(of: .events).nanoseconds))), the commit "
        + FigureText.time(Double(record.commit.nanoseconds)))
  }

  // MARK: Latency

  private func latency() throws {
    var table = TextTable([
      ("input to present, in refreshes", .left), ("median", .right), ("95 in 100", .right), ("", .left),
    ])
    for (name, key, pauses, resamples) in [
      ("single notches, each after a rest", "notch", 1_600.0...2_400, true),
      ("a wheel that is turned", "wheel", 30...90, true),
      ("the same, without late answers", "wheel-without-late-answers", 30...90, false),
    ] as [(String, String, ClosedRange<Double>, Bool)] {
      let fixture = try makeFixture()
      fixture.loop.resamplesInput = resamples
      fixture.loop.window.addParticipant(EventTimer(fixture.events))
      _ = fixture.loop.run(LoopLimits(frames: 2))
      var random = SplitMix64(seed: InputProgram.seed)
      var now = fixture.loop.clock.now()
      let location = Point(x: 600, y: 400)
      for number in 0..<options.notches {
        now = now + .milliseconds(.random(in: pauses, using: &random))
        let direction = (number / 40).isMultiple(of: 2) ? -1.0 : 1
        fixture.events.append(.wheel(WheelInput(location: location, deltaX: 0, deltaY: direction)), at: now)
      }
      _ = fixture.loop.run(LoopLimits(duration: now + .seconds(1) - fixture.loop.clock.now()))
      guard let latency = fixture.loop.history.inputToPresent else { continue }
      let (middle, high) = (latency.p50.seconds, latency.p95.seconds)
      let rate = Double(options.refreshRate)
      recorder.add(["input", key, "median"], middle * rate, .refreshes, .related)
      recorder.add(["input", key, "p95"], high * rate, .refreshes, .related)
      table.add([
        name, FigureText.ratio(middle * rate), FigureText.ratio(high * rate),
        resamples
          ? "<= 1.00x " + (middle * rate <= 1 ? "reached" : "MISSED") + ", <= 2.00x "
            + (high * rate <= 2 ? "reached" : "MISSED") : "for comparison",
      ])
    }
    Output.line("")
    for line in table.lines { Output.line("  " + line) }
  }
}

// MARK: - Reordering

/// Measures the most expensive frame while all items are reordered, by the number of selected items.
@MainActor
private struct ReorderMeasurement {
  private let options: InputOptions
  private let recorder: FigureRecorder
  private static let runs = 3
  /// The number of frames after the one that shows the new order.
  private static let trailingFrames = 60
  /// The maximum number of frames of a run.
  ///
  /// The frames do not take time from the background thread, however busy the machine is.
  private static let maximumFrames = 200_000

  /// The progress of a run.
  @MainActor
  private final class Progress {
    var isStarted = false
    var shownFrame = 0
  }

  init(_ options: InputOptions, recorder: FigureRecorder) {
    self.options = options
    self.recorder = recorder
  }

  /// Measures and prints.
  ///
  /// - Parameter makeFixture: A closure that creates a view of the items.
  func run(_ makeFixture: () throws -> ScrollFixture) throws {
    let count = options.items
    var random = SplitMix64(seed: 3)
    var snapshot = DiffableDataSourceSnapshot<Int, Int>()
    snapshot.appendSections([0])
    snapshot.appendItems(Array(0..<count).shuffled(using: &random), toSection: 0)
    let tenth = IndexRuns(Array(stride(from: 0, to: count, by: 10)))
    var table = TextTable([
      ("an applied order of \(FigureText.count(count)), selected", .left), ("worst frame", .right),
      ("frames until shown", .right),
    ])
    for (name, key, selected) in [
      ("none", "none", IndexRuns()), ("1", "one", IndexRuns(7..<8)), (FigureText.count(tenth.count), "tenth", tenth),
      ("all", "all", IndexRuns(0..<count)),
    ] {
      var worst = Double.infinity
      var frames = 0
      for _ in 0..<ReorderMeasurement.runs {
        let fixture = try makeFixture()
        fixture.view.allowsMultipleSelection = true
        let costs = CommitRecorder()
        fixture.loop.window.addParticipant(costs)
        _ = fixture.loop.run(LoopLimits(frames: 60))
        fixture.view.select(.replace(selected))
        _ = fixture.loop.run(LoopLimits(frames: 2))
        costs.isRecording = true
        let progress = Progress()
        // Within a run of the loop, because without further frames the whole order is shown immediately.
        costs.onFrameEnd = { _ in
          if progress.shownFrame > 0, costs.commits.count >= progress.shownFrame + ReorderMeasurement.trailingFrames {
            fixture.loop.quit()
          }
          guard !progress.isStarted else { return }
          progress.isStarted = true
          fixture.source.apply(snapshot, animatingDifferences: false) { progress.shownFrame = costs.commits.count }
        }
        _ = fixture.loop.run(LoopLimits(frames: ReorderMeasurement.maximumFrames))
        checkPrecondition(
          progress.shownFrame > 0 && fixture.view.selection.items.count == selected.count,
          "the order is shown, and what is selected stays so")
        worst = min(worst, costs.commits.max() ?? .infinity)
        frames = progress.shownFrame
      }
      table.add([name, FigureText.time(worst), FigureText.count(frames)])
      recorder.add(["input", "order", key, "worst"], worst, .nanoseconds, .measured)
    }
    Output.line("")
    for line in table.lines { Output.line("  " + line) }
  }
}

// MARK: - Participants

/// Lets a loop on a simulated clock sleep until a script's next event, as a window system wakes up a program.
@MainActor
private final class EventTimer: FrameParticipant {
  private let events: ScriptedEventSource

  init(_ events: ScriptedEventSource) { self.events = events }

  var nextArrival: FrameInstant? { events.nextEventTime }
}

/// Records the cost of each frame's commit and the late frames, and calls a closure after each frame.
@MainActor
private final class CommitRecorder: FrameParticipant {
  /// The costs of the commits, in nanoseconds.
  private(set) var commits: [Double] = []
  /// The late frames.
  private(set) var late: [LateFrame] = []
  /// Whether frames are recorded.
  var isRecording = false
  /// Called after each frame with the number of recorded frames.
  var onFrameEnd: (Int) -> Void = { _ in }

  var needsFrames: Bool { true }

  func frameDidEnd(_ record: FrameRecord) {
    if isRecording {
      commits.append(Double(record.commit.nanoseconds))
      if record.hitch > .zero {
        late.append(
          LateFrame(
            refresh: commits.count - 1, hitch: Double(record.hitch.nanoseconds),
            isSlackOverrun: record.hitchClass == .slackOverrun, cause: record.cause ?? "unknown"))
      }
    }
    onFrameEnd(commits.count)
  }
}
