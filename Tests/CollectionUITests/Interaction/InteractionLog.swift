import CollectionEngine
import CollectionUI
import struct FoundationEssentials.IndexPath
import Geometry

/// Writes down what a delegate is asked and told, and answers as a test says.
final class InteractionLog: CollectionViewDelegate, CollectionViewInteractionDelegate {
  private(set) var lines: [String] = []
  /// The word at a path.
  var word: (IndexPath) -> String = { _ in "?" }
  /// Questions that are answered with no, as they are written down.
  var refused: Set<String> = []
  /// Called after each line.
  var onLine: ((String) -> Void)?

  func forget() { lines = [] }

  private func add(_ line: String) {
    lines.append(line)
    onLine?(line)
  }

  private func ask(_ question: String, _ path: IndexPath) -> Bool {
    let line = question + " " + word(path)
    add(line)
    return !refused.contains(line)
  }

  func collectionViewDidChangeSelection(_ view: CollectionView) {
    add("selected \(view.indexPathsForSelectedItems.count)")
  }

  func collectionView(_ view: CollectionView, shouldHighlightItemAt indexPath: IndexPath) -> Bool {
    ask("highlight?", indexPath)
  }
  func collectionView(_ view: CollectionView, didHighlightItemAt indexPath: IndexPath) {
    add("highlight " + word(indexPath))
  }
  func collectionView(_ view: CollectionView, didUnhighlightItemAt indexPath: IndexPath) {
    add("unhighlight " + word(indexPath))
  }
  func collectionView(_ view: CollectionView, shouldSelectItemAt indexPath: IndexPath) -> Bool {
    ask("select?", indexPath)
  }
  func collectionView(_ view: CollectionView, didSelectItemAt indexPath: IndexPath) { add("select " + word(indexPath)) }
  func collectionView(_ view: CollectionView, shouldDeselectItemAt indexPath: IndexPath) -> Bool {
    ask("deselect?", indexPath)
  }
  func collectionView(_ view: CollectionView, didDeselectItemAt indexPath: IndexPath) {
    add("deselect " + word(indexPath))
  }
  func collectionView(_ view: CollectionView, canPerformPrimaryActionForItemAt indexPath: IndexPath) -> Bool {
    ask("open?", indexPath)
  }
  func collectionView(_ view: CollectionView, performPrimaryActionForItemAt indexPath: IndexPath) {
    add("open " + word(indexPath))
  }
  func collectionView(
    _ view: CollectionView, showContextMenuForItemsAt indexPaths: IndexPathRuns, at point: Point
  ) -> Bool {
    add("menu " + indexPaths.map(word).joined(separator: ",") + " at \(Int(point.x)),\(Int(point.y))")
    return true
  }
}
