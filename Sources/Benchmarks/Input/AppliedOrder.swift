import BenchmarkSupport
import CollectionEngine
import CollectionUI
import DataStructures
import DiffableData
import FramePacing
import Views

/// What a frame costs at most while all items are put into another order, by how many of them are selected.
@MainActor
struct AppliedOrder {
  private let options: InputOptions
  private let recorder: FigureRecorder
  private static let runs = 3
  /// Frames that are made behind the one in which the order is shown.
  private static let framesBehind = 60
  /// The most frames of a run: they take none of the time that the thread beside them needs, however busy the machine is.
  private static let mostFrames = 200_000

  /// How far it is.
  @MainActor
  private final class Progress {
    var isAsked = false
    var shownAt = 0
  }

  init(_ options: InputOptions, recorder: FigureRecorder) {
    self.options = options
    self.recorder = recorder
  }

  /// Measures and prints.
  ///
  /// - Parameter makeStage: makes a view of the items.
  func run(_ makeStage: () throws -> ScrollStage) throws {
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
      for _ in 0..<AppliedOrder.runs {
        let stage = try makeStage()
        stage.view.allowsMultipleSelection = true
        let costs = FrameCosts()
        stage.loop.window.addParticipant(costs)
        _ = stage.loop.run(LoopLimits(frames: 60))
        stage.view.select(.replace(selected))
        _ = stage.loop.run(LoopLimits(frames: 2))
        costs.isNoting = true
        let progress = Progress()
        // Within a run of the loop: where no frames follow all is shown at once.
        costs.next = { _ in
          if progress.shownAt > 0, costs.commits.count >= progress.shownAt + AppliedOrder.framesBehind {
            stage.loop.quit()
          }
          guard !progress.isAsked else { return }
          progress.isAsked = true
          stage.source.apply(snapshot, animatingDifferences: false) { progress.shownAt = costs.commits.count }
        }
        _ = stage.loop.run(LoopLimits(frames: AppliedOrder.mostFrames))
        checkPrecondition(
          progress.shownAt > 0 && stage.view.selection.items.count == selected.count,
          "the order is shown, and what is selected stays so")
        worst = min(worst, costs.commits.max() ?? .infinity)
        frames = progress.shownAt
      }
      table.add([name, FigureText.time(worst), FigureText.count(frames)])
      recorder.add(["input", "order", key, "worst"], worst, .nanoseconds, .measured)
    }
    Output.line("")
    for line in table.lines { Output.line("  " + line) }
  }
}
