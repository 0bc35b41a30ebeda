import CollectionEngine
import CollectionUI
import DiffableData
import FramePacing
import ScrollPhysics
import TestSupport
import Views

/// Numbers in a grid of heavy cells: rows of 50 points in a window of 400 by 300, a frame every 16 ms.
final class HeavyGrid {
  /// Spends time in each commit.
  final class Busy: FrameParticipant {
    let clock: SimulatedClock
    var cost = FrameDuration.zero
    init(_ clock: SimulatedClock) { self.clock = clock }
    func commit(_ record: inout FrameRecord) { clock.spend(cost) }
  }

  let view = CollectionView(layout: WordGrid.layout(columns: 1))
  let stage: WindowHarness
  let registration: CellRegistration<HeavyCell, Int>
  let source: DiffableDataSource<Int, Int>
  let log = HeavyCell.Log()
  let busy: Busy

  init(count: Int = 400, columns: Int = 1, parts: Int = 0, costs: DeclaredCosts = .none, preparesAhead: Bool = true) {
    view.collectionViewLayout = WordGrid.layout(columns: columns)
    view.isCellPrefetchingEnabled = preparesAhead
    stage = WindowHarness(root: view)
    busy = Busy(stage.clock)
    stage.window.addParticipant(busy)
    stage.window.addParticipant(view)
    log.parts = parts
    let log = log
    let registration = CellRegistration<HeavyCell, Int>(declaredCosts: costs) { cell, _, item in
      cell.log = log
      cell.item = item
      log.lines.append("configure \(item)")
      log.onConfigure?(item)
    }
    self.registration = registration
    source = DiffableDataSource(collectionView: view) { view, path, item in
      view.dequeueConfiguredReusableCell(using: registration, for: path, item: item)
    }
    var snapshot = source.snapshot()
    snapshot.appendSections([0])
    snapshot.appendItems(Array(0..<count))
    source.apply(snapshot)
  }

  /// The late frames so far.
  var late: [FrameRecord] {
    let history = stage.loop.history
    return (0..<history.availableCount).map { history.record(atAge: $0) }.filter { $0.hitch > .zero }.reversed()
  }

  /// Scrolls at a steady speed for so many frames.
  func scroll(at velocity: Double, frames: Int) {
    view.applyScrollEvent(.steady(velocity: velocity), at: stage.clock.now())
    stage.run(frames: frames)
  }
}
