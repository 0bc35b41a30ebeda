import CollectionUI
import struct FoundationEssentials.IndexPath
import VitrineDiffableData
import VitrineGeometry
import VitrineRendering
import VitrineTestSupport
import VitrineViews

/// A harness for dragging words in rows of 50 points, which reads the displayed frames.
final class MovementHarness {
  typealias Transaction = DiffableDataSourceTransaction<Int, String>

  let motion: MotionHarness
  let log = MovementLog()
  /// The reported transactions.
  private(set) var transactions: [Transaction] = []
  /// The words that cannot be dragged.
  var fixedWords: Set<String> = []

  var grid: WordGrid { motion.grid }
  var view: CollectionView { motion.grid.view }
  var source: WordGrid.Source { motion.grid.source }
  var harness: WindowHarness { motion.grid.harness }

  init(_ words: [String] = WordGrid.words(0..<100), columns: Int = 1) {
    motion = MotionHarness(words, columns: columns)
    view.delegate = log
    source.reorderingHandlers.canReorderItem = { [weak self] in !(self?.fixedWords.contains($0) ?? true) }
    source.reorderingHandlers.didReorder = { [weak self] in self?.transactions.append($0) }
  }

  /// Creates rows of words in sections.
  init(sections: [[String]]) {
    motion = MotionHarness([])
    view.delegate = log
    source.reorderingHandlers.canReorderItem = { _ in true }
    source.reorderingHandlers.didReorder = { [weak self] in self?.transactions.append($0) }
    var snapshot = WordGrid.Source.Snapshot()
    for (section, words) in sections.enumerated() {
      snapshot.appendSections([section])
      snapshot.appendItems(words, toSection: section)
      for word in words { motion.registerColor(of: word) }
    }
    source.apply(snapshot, animatingDifferences: false)
    harness.runUntilIdle()
    grid.clearLog()
  }

  func press(_ x: Double, _ y: Double) {
    send(.pointerDown(Point(x: x, y: y), button: .primary, clicks: 1, modifiers: []))
  }
  func move(_ x: Double, _ y: Double) { send(.pointerMoved(Point(x: x, y: y))) }
  func release(_ x: Double, _ y: Double) { send(.pointerUp(Point(x: x, y: y), button: .primary, modifiers: [])) }
  func key(_ key: Key, _ modifiers: KeyModifiers = []) { send(.keyDown(key, modifiers: modifiers, isRepeat: false)) }

  /// Sends an event to the window, and produces the frame that handles it.
  func send(_ kind: InputEvent.Kind) {
    harness.sendEvent(kind)
    motion.run(1)
  }

  /// The items of the applied snapshot.
  var order: [String] { source.snapshot().itemIdentifiers }
}

/// A delegate that returns the target of a movement that a test specifies, and counts displayed cells.
final class MovementLog: CollectionViewDelegate {
  /// Returns the target of a movement from its original, current and proposed index paths.
  var target: (_ original: IndexPath, _ current: IndexPath, _ proposed: IndexPath) -> IndexPath = { $2 }
  private(set) var targetRequests = 0
  private(set) var displayedCount = 0
  private(set) var selectionCount = 0

  func collectionView(_ view: CollectionView, willDisplay cell: CollectionViewCell, at indexPath: IndexPath) {
    displayedCount += 1
  }

  func collectionView(
    _ view: CollectionView, didEndDisplaying cell: CollectionViewCell, at indexPath: IndexPath
  ) { displayedCount -= 1 }

  func collectionView(_ view: CollectionView, didSelectItemAt indexPath: IndexPath) { selectionCount += 1 }

  func collectionView(
    _ view: CollectionView, targetIndexPathForMoveOfItemFromOriginalIndexPath originalIndexPath: IndexPath,
    atCurrentIndexPath currentIndexPath: IndexPath, toProposedIndexPath proposedIndexPath: IndexPath
  ) -> IndexPath {
    targetRequests += 1
    return target(originalIndexPath, currentIndexPath, proposedIndexPath)
  }
}
