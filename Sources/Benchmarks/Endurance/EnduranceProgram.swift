import BenchmarkSupport
import CollectionEngine
import CollectionUI
import FramePacing
import ScrollPhysics
import Views

/// Many frames of wild scrolling on the cpu clock, in three equal runs that are compared frame by frame.
@MainActor
struct EnduranceProgram {
  private let options: EnduranceOptions
  private static let runs = 3
  private static let seed: UInt64 = 5
  private static let shownCauses = 10

  init(_ options: EnduranceOptions) { self.options = options }

  /// Measures and prints size by size and rate by rate.
  func run() throws {
    Output.line(
      """
      Endurance: flicks of up to 200,000 points a second, flips, jumps, glides, pages; \
      \(FigureText.count(options.frames)) frames on the cpu clock, three equal runs. What is late in one of them alone is \
      the machine's doing.
      """)
    for count in options.sizes {
      for rate in options.refreshRates { try block(count, rate) }
    }
  }

  private struct Run {
    var log: FrameLog
    var statistics: CellStatistics
    var overruns: Int
    var tracked: FrameDuration
    var nanosecondsAFrame: Double
  }

  private func block(_ count: Int, _ rate: Int) throws {
    Output.line("\n\(FigureText.count(count)) items, \(rate) Hz")
    // More refreshes than frames: what is late by more than one skips some.
    let script = GestureScript.endurance(seed: EnduranceProgram.seed, length: options.frames * 2)
    var equal = EqualRuns()
    var last: Run?
    var table = TextTable([
      ("run", .right), ("late", .right), ("slackOverrun", .right), ("steps past their limit", .right),
      ("created", .right), ("visible + keep", .right), ("forced", .right), ("in slack", .right), ("processor", .right),
    ])
    for number in 1...EnduranceProgram.runs {
      let run = try once(script, count, rate)
      equal.add(run.log.late)
      let bound = run.log.mostVisible + KeepExtent.standard.maximumCells(visible: run.log.mostVisible)
      table.add([
        FigureText.count(number), FigureText.count(run.log.late.count),
        FigureText.count(run.log.late.count { $0.isSlackOverrun }), FigureText.count(run.overruns),
        FigureText.count(run.statistics.created), FigureText.count(bound),
        FigureText.count(run.statistics.preparedForced), FigureText.count(run.statistics.preparedInSlack),
        FigureText.time(run.nanosecondsAFrame) + " a frame",
      ])
      last = run
      if run.statistics.created > bound { Output.line("  created cells: MISSED") }
    }
    for line in table.lines { Output.line("  " + line) }
    summarize(equal, tracked: last?.tracked ?? .zero)
  }

  private func summarize(_ equal: EqualRuns, tracked: FrameDuration) {
    let agreed = equal.agreed
    let hitches = agreed.reduce(0) { $0 + $1.hitch } / 1e6
    let ratio = tracked > .zero ? hitches / tracked.seconds : 0
    let overruns = agreed.count { $0.isSlackOverrun }
    let none = Aim(.count, 0)
    Output.line(
      """
        late in two of three runs: \(none.verdict(on: Double(agreed.count))) (\(FigureText.count(agreed.count))), \
      hitch ratio \(FigureText.tenths(ratio)) ms/s, slackOverrun: \(none.verdict(on: Double(overruns))) \
      (\(FigureText.count(overruns))); peak memory \
      \(ProcessMemory.peak.map { FigureText.tenths(Double($0) / 1_048_576) + " MB" } ?? "-")
      """)
    for frame in agreed.prefix(EnduranceProgram.shownCauses) {
      Output.line("    refresh \(frame.refresh): \(FigureText.time(frame.hitch)) late: \(frame.cause)")
    }
  }

  private func once(_ script: GestureScript, _ count: Int, _ rate: Int) throws -> Run {
    let clock = SimulatedClock(kind: .cpu)
    let stage = try ScrollStage(
      count: count, refreshRate: rate, clock: clock, meter: StretchMeter(callgrindOutput: nil))
    let player = ScriptPlayer(script, on: stage.view, interval: stage.loop.interval)
    let log = FrameLog(stage.view, player)
    stage.loop.window.addFirstParticipant(player)
    stage.loop.window.addParticipant(log)
    let start = ThreadTime.now()
    _ = stage.loop.run(LoopLimits(frames: options.frames))
    return Run(
      log: log, statistics: stage.view.statistics, overruns: stage.view.slackStatistics.overruns,
      tracked: stage.loop.history.trackedTime,
      nanosecondsAFrame: Double((ThreadTime.now() - start).nanoseconds) / Double(options.frames))
  }
}
