import BenchmarkSupport
import CollectionLayout
import CollectionUI
import DiffableData
import FramePacing
import Geometry
import Rendering
import ScrollPhysics
import Views

/// A collection view of modelled cells on the virtual clock: equal scripts make equal frames on any machine.
@MainActor
final class ModelStage {
  /// The view.
  let view: CollectionView
  /// Makes the frames.
  let loop: CommitLoop
  private let clock = SimulatedClock(kind: .virtual)
  private let source: DiffableDataSource<Int, Int>

  static let size = Size(width: 1_280, height: 800)

  /// Puts items into a view.
  ///
  /// - Parameters:
  ///   - columns: in how many columns.
  ///   - rowHeight: from one row to the next, in points.
  ///   - fixedWork: what every commit takes besides cells.
  ///   - model: what cells take.
  init(columns: Int, rowHeight: Double, count: Int, fixedWork: FrameDuration, model: CellModel) {
    let clock = clock
    let display = NullDisplay(size: ModelStage.size)
    let view = CollectionView(
      layout: GridLayout(columns: .count(columns), heightRatio: 0, captionHeight: rowHeight))
    let window = Window(root: view, resources: RenderResources(display: display, text: BlockTextRasterizer()))
    loop = CommitLoop(
      window: window, display: display, events: ScriptedEventSource(now: { clock.now() }), clock: clock,
      pacing: LoopPacing(kind: .virtual, interval: .seconds(1.0 / 60), isMeasured: false, reason: "a benchmark"))
    window.addParticipant(FixedWork(fixedWork, on: clock))
    window.addParticipant(view)
    window.resize(to: ModelStage.size)
    let registrations = model.kinds.map { work in
      CellRegistration<ModelCell, Int> { cell, _, _ in cell.configure(work, clock) }
    }
    source = DiffableDataSource(collectionView: view) { view, path, item in
      view.dequeueConfiguredReusableCell(using: registrations[model.kind(of: item)], for: path, item: item)
    }
    var snapshot = DiffableDataSourceSnapshot<Int, Int>()
    snapshot.appendSections([0])
    snapshot.appendItems(Array(0..<count), toSection: 0)
    source.applySnapshotUsingReloadData(snapshot)
    self.view = view
  }
}
