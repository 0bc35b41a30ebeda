import CollectionEngine
import CollectionUI
import DiffableData
import FramePacing
import TestSupport
import Views

/// Two kinds of cells that take turns or come now and then, in rows of 50 points on a stage of 400 by 300.
final class MixedGrid {
  let view = CollectionView(layout: WordGrid.layout(columns: 1))
  let stage: WindowHarness
  let source: DiffableDataSource<Int, Int>
  private(set) var mostSeen = 0
  /// Cells on screen that show what another item is to show.
  private(set) var mismatches = 0

  private let heavyEvery: Int

  /// - Parameters:
  ///   - heavyEvery: every how many items there is a cell of the second kind.
  ///   - cheap: what configuring one of the first kind takes.
  ///   - heavy: what configuring one of the second kind takes.
  init(count: Int = 400, heavyEvery: Int = 2, cheap: FrameDuration = .zero, heavy: FrameDuration = .zero) {
    self.heavyEvery = heavyEvery
    stage = WindowHarness(root: view)
    stage.window.addParticipant(view)
    let even = CellRegistration<WordCell, Int>(declaredCosts: DeclaredCosts(configure: cheap)) { cell, _, item in
      cell.word = "even \(item)"
    }
    let odd = CellRegistration<WordCell, Int>(declaredCosts: DeclaredCosts(configure: heavy)) { cell, _, item in
      cell.word = "odd \(item)"
    }
    source = DiffableDataSource(collectionView: view) { view, path, item in
      view.dequeueConfiguredReusableCell(using: item % heavyEvery != heavyEvery - 1 ? even : odd, for: path, item: item)
    }
    var snapshot = source.snapshot()
    snapshot.appendSections([0])
    snapshot.appendItems(Array(0..<count))
    source.apply(snapshot)
    stage.runUntilIdle()
  }

  func scroll(to offset: Double) {
    view.scroll(to: offset, animated: false)
    stage.run(frames: 1)
    mostSeen = max(mostSeen, view.visibleCells.count)
    for case let cell as WordCell in view.visibleCells {
      guard let item = cell.itemIndex else { continue }
      if cell.word != (item % heavyEvery != heavyEvery - 1 ? "even" : "odd") + " \(item)" { mismatches += 1 }
    }
  }
}
