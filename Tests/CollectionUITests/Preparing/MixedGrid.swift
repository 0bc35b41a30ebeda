import CollectionUI
import DiffableData
import TestSupport
import Views

/// Two kinds of cells that take turns, in rows of 50 points on a stage of 400 by 300.
final class MixedGrid {
  let view = CollectionView(layout: WordGrid.layout(columns: 1))
  let stage: Stage
  let source: DiffableDataSource<Int, Int>
  private(set) var mostSeen = 0
  /// Cells on screen that show what another item is to show.
  private(set) var mismatches = 0

  init(count: Int = 400) {
    stage = Stage(root: view)
    stage.window.addParticipant(view)
    let even = CellRegistration<WordCell, Int> { cell, _, item in cell.word = "even \(item)" }
    let odd = CellRegistration<WordCell, Int> { cell, _, item in cell.word = "odd \(item)" }
    source = DiffableDataSource(collectionView: view) { view, path, item in
      view.dequeueConfiguredReusableCell(using: item % 2 == 0 ? even : odd, for: path, item: item)
    }
    var snapshot = source.snapshot()
    snapshot.appendSections([0])
    snapshot.appendItems(Array(0..<count))
    source.apply(snapshot)
    stage.settle()
  }

  func scroll(to offset: Double) {
    view.scroll(to: offset, animated: false)
    stage.run(frames: 1)
    mostSeen = max(mostSeen, view.visibleCells.count)
    for case let cell as WordCell in view.visibleCells {
      guard let item = cell.itemIndex else { continue }
      if cell.word != (item % 2 == 0 ? "even" : "odd") + " \(item)" { mismatches += 1 }
    }
  }
}
