import BenchmarkSupport
import CollectionUI
import DataStructures
import FramePacing
import Geometry
import Rendering
import ScrollPhysics
import Views

/// `bench input`: that any jump of the thumb is in time at any size, that events of one frame make one layout, how soon
/// input is answered, and what a frame costs at most while items are put into another order.
@MainActor
struct InputProgram {
  private let options: InputOptions
  private let recorder: FigureRecorder
  private static let runs = 3
  private static let warmUp = 240
  private static let seed: UInt64 = 11
  /// The most that the worst jump may take of what a screen of a steady scroll takes, the worst one and the median one.
  private static let mostOverScreen = 2.0

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
    try AppliedOrder(options, recorder: recorder).run(stage)
  }

  private func stage() throws -> ScrollStage {
    try ScrollStage(
      count: options.items, refreshRate: options.refreshRate, clock: SimulatedClock(kind: .cpu),
      meter: StretchMeter(callgrindOutput: nil))
  }

  // MARK: Jumps

  private func jumps() throws {
    var (jumps, screens, steady) = (RepeatedCosts(), RepeatedCosts(), RepeatedCosts())
    var equal = EqualRuns()
    var tracked = FrameDuration.zero
    for _ in 0..<InputProgram.runs {
      steady.add(try scrolled(by: 2_000, preparesAhead: true).commits)
      // What a jump has to do as well: a screen of items of which no cell is prepared.
      let screen = ScrollStage.size.height * Double(options.refreshRate)
      screens.add(try scrolled(by: screen, preparesAhead: false).commits)
      let run = try jumped()
      jumps.add(run.costs.commits)
      equal.add(run.costs.late)
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
    let late = equal.agreed
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
      "\(FigureText.ratio(ratio)) (\(DecodeFigure.verdict(ratio, atMost: InputProgram.mostOverScreen)))"
    }
    Output.line(
      "  worst jump over the worst screen of a steady scroll: \(text(worst / like)), over the median one: "
        + text(worst / usual))
  }

  /// Scrolls with a constant speed, as many frames as there are jumps.
  ///
  /// - Parameters:
  ///   - speed: points a second.
  ///   - preparesAhead: whether cells are prepared before they are seen.
  private func scrolled(by speed: Double, preparesAhead: Bool) throws -> FrameCosts {
    let stage = try stage()
    stage.view.isCellPrefetchingEnabled = preparesAhead
    let costs = FrameCosts()
    stage.loop.window.addParticipant(costs)
    stage.view.applyScrollEvent(.steady(velocity: speed), at: stage.loop.clock.now())
    _ = stage.loop.run(LoopLimits(frames: InputProgram.warmUp))
    costs.isNoting = true
    _ = stage.loop.run(LoopLimits(frames: options.jumps))
    return costs
  }

  /// Drags the thumb to a place drawn by lot in every frame.
  private func jumped() throws -> (costs: FrameCosts, tracked: FrameDuration) {
    let stage = try stage()
    let costs = FrameCosts()
    stage.loop.window.addParticipant(costs)
    let (events, clock) = (stage.events, stage.loop.clock)
    var random = SplitMix64(seed: InputProgram.seed)
    let (x, height) = (ScrollStage.size.width - 8, ScrollStage.size.height)
    _ = stage.loop.run(LoopLimits(frames: 2))
    events.append(.pointerDown(Point(x: x, y: 10), button: .primary, clicks: 1, modifiers: []), at: clock.now())
    costs.next = { _ in
      events.append(.pointerMoved(Point(x: x, y: .random(in: 0...height, using: &random))), at: clock.now())
    }
    _ = stage.loop.run(LoopLimits(frames: InputProgram.warmUp))
    costs.isNoting = true
    let before = stage.loop.history.trackedTime
    _ = stage.loop.run(LoopLimits(frames: options.jumps))
    return (costs, stage.loop.history.trackedTime - before)
  }

  // MARK: Bursts

  private func burst() throws {
    let stage = try stage()
    _ = stage.loop.run(LoopLimits(frames: InputProgram.warmUp))
    let now = stage.loop.clock.now()
    for number in 0..<1_000 {
      let place = Point(x: 600, y: 400)
      switch number % 3 {
      case 0: stage.events.append(.wheel(WheelInput(location: place, deltaX: 0, deltaY: -1)), at: now)
      case 1: stage.events.append(.pointerMoved(Point(x: Double(number), y: 300)), at: now)
      default: stage.events.append(.keyDown(.down, modifiers: [], isRepeat: true), at: now)
      }
    }
    let before = stage.view.layoutState
    _ = stage.loop.run(LoopLimits(frames: 1))
    let after = stage.view.layoutState
    // What the layout was asked to plan, and what it was made to solve anew.
    let made = after.plans - before.plans + after.solutions - before.solutions
    let record = stage.loop.history.record(atAge: 0)
    recorder.add(["input", "burst", "layouts"], Double(made), .layouts, .counted)
    recorder.add(["input", "burst", "commit"], Double(record.commit.nanoseconds), .nanoseconds, .measured)
    Output.line(
      "\n1,000 events in one frame: \(FigureText.count(made)) layout (one " + (made == 1 ? "reached)" : "MISSED)")
        + "; events took \(FigureText.time(Double(record.duration(of: .events).nanoseconds))), the commit "
        + FigureText.time(Double(record.commit.nanoseconds)))
  }

  // MARK: Latency

  private func latency() throws {
    var table = TextTable([
      ("input to present, in refreshes", .left), ("median", .right), ("95 in 100", .right), ("", .left),
    ])
    for (name, key, pauses, answersLate) in [
      ("single notches, each after a rest", "notch", 1_600.0...2_400, true),
      ("a wheel that is turned", "wheel", 30...90, true),
      ("the same, without late answers", "wheel-without-late-answers", 30...90, false),
    ] as [(String, String, ClosedRange<Double>, Bool)] {
      let stage = try stage()
      stage.loop.resamplesInput = answersLate
      stage.loop.window.addParticipant(EventAlarm(stage.events))
      _ = stage.loop.run(LoopLimits(frames: 2))
      var random = SplitMix64(seed: InputProgram.seed)
      var now = stage.loop.clock.now()
      let place = Point(x: 600, y: 400)
      for number in 0..<options.notches {
        now = now + .milliseconds(.random(in: pauses, using: &random))
        let way = (number / 40).isMultiple(of: 2) ? -1.0 : 1
        stage.events.append(.wheel(WheelInput(location: place, deltaX: 0, deltaY: way)), at: now)
      }
      _ = stage.loop.run(LoopLimits(duration: now + .seconds(1) - stage.loop.clock.now()))
      guard let latency = stage.loop.history.inputToPresent else { continue }
      let (middle, high) = (latency.p50.seconds, latency.p95.seconds)
      let rate = Double(options.refreshRate)
      recorder.add(["input", key, "median"], middle * rate, .refreshes, .related)
      recorder.add(["input", key, "p95"], high * rate, .refreshes, .related)
      table.add([
        name, FigureText.ratio(middle * rate), FigureText.ratio(high * rate),
        answersLate
          ? "<= 1.00x " + (middle * rate <= 1 ? "reached" : "MISSED") + ", <= 2.00x "
            + (high * rate <= 2 ? "reached" : "MISSED") : "for comparison",
      ])
    }
    Output.line("")
    for line in table.lines { Output.line("  " + line) }
  }
}
