import BenchmarkSupport
import CollectionUI
import VitrineCollectionEngine
import VitrineFramePacing
import VitrineScrollPhysics
import VitrineViews

/// Measures many frames of erratic scrolling on the cpu clock in three equal runs that are compared frame by frame.
@MainActor
struct EnduranceProgram {
  private let options: EnduranceOptions
  private static let runs = 3
  private static let seed: UInt64 = 5
  private static let maximumCauses = 10

  init(_ options: EnduranceOptions) { self.options = options }

  /// Measures and prints by size and refresh rate.
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
    var nanosecondsPerFrame: Double
  }

  private func block(_ count: Int, _ rate: Int) throws {
    Output.line("\n\(FigureText.count(count)) items, \(rate) Hz")
    // More refreshes than frames, because a frame that is late by more than one refresh skips some.
    let script = GestureScript.endurance(seed: EnduranceProgram.seed, length: options.frames * 2)
    var repeated = RepeatedRuns()
    var last: Run?
    var table = TextTable([
      ("run", .right), ("late", .right), ("slackOverrun", .right), ("steps past their limit", .right),
      ("created", .right), ("visible + keep", .right), ("forced", .right), ("in slack", .right), ("processor", .right),
    ])
    for number in 1...EnduranceProgram.runs {
      let run = try measure(script, count, rate)
      repeated.add(run.log.late)
      let bound = run.log.maximumVisible + KeepExtent.standard.maximumCells(visible: run.log.maximumVisible)
      table.add([
        FigureText.count(number), FigureText.count(run.log.late.count),
        FigureText.count(run.log.late.count { $0.isSlackOverrun }), FigureText.count(run.overruns),
        FigureText.count(run.statistics.created), FigureText.count(bound),
        FigureText.count(run.statistics.preparedForced), FigureText.count(run.statistics.preparedInSlack),
        FigureText.time(run.nanosecondsPerFrame) + " a frame",
      ])
      last = run
      if run.statistics.created > bound { Output.line("  created cells: MISSED") }
    }
    for line in table.lines { Output.line("  " + line) }
    summarize(repeated, tracked: last?.tracked ?? .zero)
  }

  private func summarize(_ repeated: RepeatedRuns, tracked: FrameDuration) {
    let confirmed = repeated.confirmedFrames
    let hitches = confirmed.reduce(0) { $0 + $1.hitch } / 1e6
    let ratio = tracked > .zero ? hitches / tracked.seconds : 0
    let overruns = confirmed.count { $0.isSlackOverrun }
    let none = Aim(.count, 0)
    Output.line(
      """
        late in two of three runs: \(none.verdict(on: Double(confirmed.count))) (\(FigureText.count(confirmed.count))), \
      hitch ratio \(FigureText.tenths(ratio)) ms/s, slackOverrun: \(none.verdict(on: Double(overruns))) \
      (\(FigureText.count(overruns))); peak memory \
      \(ProcessMemory.peak.map { FigureText.tenths(Double($0) / 1_048_576) + " MB" } ?? "-")
      """)
    for frame in confirmed.prefix(EnduranceProgram.maximumCauses) {
      Output.line("    refresh \(frame.refresh): \(FigureText.time(frame.hitch)) late: \(frame.cause)")
    }
  }

  private func measure(_ script: GestureScript, _ count: Int, _ rate: Int) throws -> Run {
    let clock = SimulatedClock(kind: .cpu)
    let fixture = try ScrollFixture(
      count: count, refreshRate: rate, clock: clock, meter: FrameMeter(callgrindOutput: nil))
    let player = ScriptPlayer(script, on: fixture.view, interval: fixture.loop.interval)
    let log = FrameLog(fixture.view, player)
    fixture.loop.window.addFirstParticipant(player)
    fixture.loop.window.addParticipant(log)
    let start = ThreadTime.now()
    _ = fixture.loop.run(LoopLimits(frames: options.frames))
    return Run(
      log: log, statistics: fixture.view.statistics, overruns: fixture.view.slackStatistics.overruns,
      tracked: fixture.loop.history.trackedTime,
      nanosecondsPerFrame: Double((ThreadTime.now() - start).nanoseconds) / Double(options.frames))
  }
}

/// Records the late frames of a run with their causes, and the maximum number of visible cells.
@MainActor
private final class FrameLog: FrameParticipant {
  /// The late frames, in order.
  private(set) var late: [LateFrame] = []
  /// The maximum number of visible cells after a frame.
  private(set) var maximumVisible = 0
  private let player: ScriptPlayer
  private let view: CollectionView

  init(_ view: CollectionView, _ player: ScriptPlayer) { (self.view, self.player) = (view, player) }

  func frameDidEnd(_ record: FrameRecord) {
    maximumVisible = max(maximumVisible, view.statistics.visible)
    guard record.hitch > .zero else { return }
    late.append(
      LateFrame(
        refresh: player.refresh, hitch: Double(record.hitch.nanoseconds),
        isSlackOverrun: record.hitchClass == .slackOverrun, cause: FrameLog.cause(of: record)))
  }

  private static func cause(of record: FrameRecord) -> String {
    let longest = FramePhase.allCases.max { record.duration(of: $0) < record.duration(of: $1) } ?? .commit
    return
      "\(record.hitchClass.name), \(longest.name) took \(FigureText.time(Double(record.duration(of: longest).nanoseconds)))"
      + ", \(record.cellsEntered) cells entered, \(record.cellsForced) of them not prepared"
      + (record.cause.map { "; " + $0 } ?? "")
  }
}
