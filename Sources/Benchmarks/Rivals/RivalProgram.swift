import BenchmarkSupport
import CollectionEngine
import CollectionUI
import FramePacing
import Views

/// Compares our policy of working ahead with one as Android's RecyclerView has it, on the same scripts and the virtual
/// clock.
@MainActor
struct RivalProgram {
  private static let restFrames = 60

  /// Measures and prints script by script.
  func run() {
    Output.line(
      """
      A rival: whole cells, their cost by a mean of 3/4 and 1/4, of the next row alone, within the frame unless the next
      one needs it, nothing let go of at a turn. 60 Hz on the virtual clock; each commit takes 1 ms besides cells.
      """)
    var table = TextTable(RivalFigure.columns)
    for test in RivalCase.all {
      let figure = RivalFigure(test, ours: outcome(of: test, .stepwise), rival: outcome(of: test, .wholeCells))
      table.add(figure.row)
    }
    for line in table.lines { Output.line("  " + line) }
  }

  private func outcome(of test: RivalCase, _ policy: PreparationPolicy) -> PolicyOutcome {
    let stage = ModelStage(
      columns: test.columns, rowHeight: test.rowHeight, count: test.columns * 2_000, fixedWork: .milliseconds(1),
      model: test.model)
    let (view, loop) = (stage.view, stage.loop)
    view.preparationPolicy = policy
    // Whoever prepares at rest has time to.
    _ = loop.run(LoopLimits(frames: RivalProgram.restFrames))
    loop.window.addFirstParticipant(ScriptPlayer(test.script, on: view, interval: loop.interval))
    _ = loop.run(LoopLimits(duration: loop.interval * Double(test.script.length)))
    return PolicyOutcome(
      hitchRatio: loop.history.hitchRatio ?? 0, late: loop.history.hitchCount,
      slackOverruns: loop.history.hitchCount(of: .slackOverrun), forced: view.statistics.preparedForced)
  }
}
