import CollectionUI
import DiffableData
import struct FoundationEssentials.IndexPath
import Geometry
import Rendering
import TestSupport
import Views

/// Rows of words of 50 points that a pointer carries, with frames that are read.
final class CarryStage {
  typealias Transaction = DiffableDataSourceTransaction<Int, String>

  let motion: MotionStage
  let log = CarryLog()
  /// The new orders that were told of.
  private(set) var told: [Transaction] = []
  /// Words that may not be carried.
  var fixed: Set<String> = []

  var grid: WordGrid { motion.grid }
  var view: CollectionView { motion.grid.view }
  var source: WordGrid.Source { motion.grid.source }
  var stage: WindowHarness { motion.grid.stage }

  init(_ words: [String] = WordGrid.words(0..<100), columns: Int = 1) {
    motion = MotionStage(words, columns: columns)
    view.delegate = log
    source.reorderingHandlers.canReorderItem = { [weak self] in !(self?.fixed.contains($0) ?? true) }
    source.reorderingHandlers.didReorder = { [weak self] in self?.told.append($0) }
  }

  /// Rows of words in sections.
  init(sections: [[String]]) {
    motion = MotionStage([])
    view.delegate = log
    source.reorderingHandlers.canReorderItem = { _ in true }
    source.reorderingHandlers.didReorder = { [weak self] in self?.told.append($0) }
    var snapshot = WordGrid.Source.Snapshot()
    for (section, words) in sections.enumerated() {
      snapshot.appendSections([section])
      snapshot.appendItems(words, toSection: section)
      for word in words { motion.know(word) }
    }
    source.apply(snapshot, animatingDifferences: false)
    stage.runUntilIdle()
    grid.forget()
  }

  func press(_ x: Double, _ y: Double) {
    send(.pointerDown(Point(x: x, y: y), button: .primary, clicks: 1, modifiers: []))
  }
  func move(_ x: Double, _ y: Double) { send(.pointerMoved(Point(x: x, y: y))) }
  func release(_ x: Double, _ y: Double) { send(.pointerUp(Point(x: x, y: y), button: .primary, modifiers: [])) }
  func key(_ key: Key, _ modifiers: KeyModifiers = []) { send(.keyDown(key, modifiers: modifiers, isRepeat: false)) }

  /// Gives the window an event, and makes the frame that takes it.
  func send(_ kind: InputEvent.Kind) {
    stage.sendEvent(kind)
    motion.run(1)
  }

  /// The items as they were applied.
  var order: [String] { source.snapshot().itemIdentifiers }
}
