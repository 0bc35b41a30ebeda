import CollectionUI
import struct FoundationEssentials.IndexPath
import VitrineCollectionEngine
import VitrineDiffableData
import VitrineGeometry
import VitrineRendering
import VitrineTestSupport
import VitrineViews

/// A grid of words that receives pointer and key events.
final class InteractiveGrid {
  let wordGrid: WordGrid
  let log = InteractionLog()
  var view: CollectionView { wordGrid.view }
  var harness: WindowHarness { wordGrid.harness }

  init(_ count: Int = 100, columns: Int = 4, allowsMultipleSelection: Bool = true) {
    wordGrid = WordGrid(WordGrid.words(0..<count), columns: columns)
    log.word = { [source = wordGrid.source] in source.itemIdentifier(for: $0) ?? "?" }
    wordGrid.view.delegate = log
    wordGrid.view.allowsMultipleSelection = allowsMultipleSelection
  }

  /// The selected words, in display order.
  var selected: [String] { view.indexPathsForSelectedItems.map(log.word) }

  /// The center of a word's cell in window coordinates, or a point outside the window if the word is not visible.
  func middle(of word: String) -> Point {
    wordGrid.cell(of: word).map { cell in
      let corner = view.origin(of: cell)
      return Point(x: corner.x + cell.frame.width / 2, y: corner.y + cell.frame.height / 2)
    } ?? Point(x: -100, y: -100)
  }

  func press(_ word: String, _ modifiers: KeyModifiers = [], clicks: Int = 1, button: PointerButton = .primary) {
    press(at: middle(of: word), modifiers, clicks: clicks, button: button)
  }

  func press(at point: Point, _ modifiers: KeyModifiers = [], clicks: Int = 1, button: PointerButton = .primary) {
    harness.sendEvent(.pointerDown(point, button: button, clicks: clicks, modifiers: modifiers))
    harness.run(frames: 1)
  }

  func release(at point: Point, _ modifiers: KeyModifiers = []) {
    harness.sendEvent(.pointerUp(point, button: .primary, modifiers: modifiers))
    harness.run(frames: 1)
  }

  func move(to point: Point) {
    harness.sendEvent(.pointerMoved(point))
    harness.run(frames: 1)
  }

  func click(_ word: String, _ modifiers: KeyModifiers = [], clicks: Int = 1) {
    press(word, modifiers, clicks: clicks)
    release(at: middle(of: word), modifiers)
  }

  func key(_ key: Key, _ modifiers: KeyModifiers = []) {
    harness.sendEvent(.keyDown(key, modifiers: modifiers, isRepeat: false))
    harness.run(frames: 1)
  }
}

/// A delegate that records its calls and returns the values that a test specifies.
final class InteractionLog: CollectionViewDelegate {
  private(set) var lines: [String] = []
  /// Returns the word at an index path.
  var word: (IndexPath) -> String = { _ in "?" }
  /// The recorded calls that return false.
  var refused: Set<String> = []
  /// Called after each recorded line.
  var onLine: ((String) -> Void)?

  func clearLog() { lines = [] }

  private func record(_ line: String) {
    lines.append(line)
    onLine?(line)
  }

  private func answer(_ call: String, _ path: IndexPath) -> Bool {
    let line = call + " " + word(path)
    record(line)
    return !refused.contains(line)
  }

  func collectionViewDidChangeSelection(_ view: CollectionView) {
    record("selected \(view.indexPathsForSelectedItems.count)")
  }

  func collectionView(_ view: CollectionView, shouldHighlightItemAt indexPath: IndexPath) -> Bool {
    answer("highlight?", indexPath)
  }
  func collectionView(_ view: CollectionView, didHighlightItemAt indexPath: IndexPath) {
    record("highlight " + word(indexPath))
  }
  func collectionView(_ view: CollectionView, didUnhighlightItemAt indexPath: IndexPath) {
    record("unhighlight " + word(indexPath))
  }
  func collectionView(_ view: CollectionView, shouldSelectItemAt indexPath: IndexPath) -> Bool {
    answer("select?", indexPath)
  }
  func collectionView(_ view: CollectionView, didSelectItemAt indexPath: IndexPath) {
    record("select " + word(indexPath))
  }
  func collectionView(_ view: CollectionView, shouldDeselectItemAt indexPath: IndexPath) -> Bool {
    answer("deselect?", indexPath)
  }
  func collectionView(_ view: CollectionView, didDeselectItemAt indexPath: IndexPath) {
    record("deselect " + word(indexPath))
  }
  func collectionView(_ view: CollectionView, canPerformPrimaryActionForItemAt indexPath: IndexPath) -> Bool {
    answer("open?", indexPath)
  }
  func collectionView(_ view: CollectionView, performPrimaryActionForItemAt indexPath: IndexPath) {
    record("open " + word(indexPath))
  }
  func collectionView(
    _ view: CollectionView, showContextMenuForItemsAt indexPaths: IndexPathRuns, at point: Point
  ) -> Bool {
    record("menu " + indexPaths.map(word).joined(separator: ",") + " at \(Int(point.x)),\(Int(point.y))")
    return true
  }
}
