import BenchmarkSupport
import CollectionUI
import FramePacing
import ScrollPhysics
import Views

/// Finds the largest cost of a cell that a steady scroll bears, with and without working ahead, on the virtual clock.
@MainActor
struct HeadroomProgram {
  /// How long a scroll is measured, in seconds of the virtual clock.
  let seconds: Int
  /// Takes in what it finds out.
  let recorder: FigureRecorder
  /// How near to the largest cost the answer is, in nanoseconds.
  private static let resolution: Int64 = 20_000
  /// How long a scroll goes on before it is measured, in seconds.
  private static let warmUp = 20

  /// Measures and prints case by case.
  func run() {
    Output.line(
      """
      Headroom: the largest cost of a cell with at most 5 ms of hitches a second, on the virtual clock at 60 Hz,
      \(Int(HeadroomCase.speed)) points a second, \(seconds) s after \(HeadroomProgram.warmUp) that begin with nothing \
      prepared. Each commit takes 1 ms besides cells; drawing 0.5 ms.
      """)
    var table = TextTable(HeadroomFigure.columns)
    for test in HeadroomCase.all {
      let figure = figure(test)
      table.add(figure.row)
      let words = ["scroll", "headroom", "\(test.columns)-columns", test.cell.key]
      recorder.add(words + ["on-over-off"], figure.ratio, .speedup, .counted)
      recorder.add(words + ["of-bound"], figure.share, .share, .counted)
    }
    for line in table.lines { Output.line("  " + line) }
  }

  private func figure(_ test: HeadroomCase) -> HeadroomFigure {
    func largest(_ preparesAhead: Bool) -> Double {
      let most = Int64(test.bound * 1.5)
      return LargestCost.find(in: 10_000...most, resolution: HeadroomProgram.resolution) { cost in
        hitches(test, cost, preparesAhead: preparesAhead) <= HeadroomCase.mostHitches
      }.map(Double.init) ?? 0
    }
    return HeadroomFigure(test, off: largest(false), on: largest(true))
  }

  /// Milliseconds of hitches a second.
  private func hitches(_ test: HeadroomCase, _ cost: Int64, preparesAhead: Bool) -> Double {
    let rows = Int(HeadroomCase.speed * Double(2 * seconds + 2 * HeadroomProgram.warmUp) / test.rowHeight)
    let stage = ModelStage(
      columns: test.columns, rowHeight: test.rowHeight, count: test.columns * rows,
      fixedWork: FrameDuration(nanoseconds: Int64(HeadroomCase.fixedWork)),
      model: CellModel(test.cell.work(total: cost)))
    let (view, loop) = (stage.view, stage.loop)
    view.isCellPrefetchingEnabled = false
    _ = loop.run(LoopLimits(frames: 2))
    view.isCellPrefetchingEnabled = preparesAhead
    view.applyScrollEvent(.steady(velocity: HeadroomCase.speed), at: loop.clock.now())
    _ = loop.run(LoopLimits(duration: .seconds(Double(HeadroomProgram.warmUp))))
    let (late, time) = (loop.history.hitchTime, loop.history.trackedTime)
    _ = loop.run(LoopLimits(duration: .seconds(Double(seconds))))
    let tracked = loop.history.trackedTime - time
    return tracked > .zero ? (loop.history.hitchTime - late).milliseconds / tracked.seconds : .infinity
  }
}
