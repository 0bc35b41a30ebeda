import CollectionUI
import struct FoundationEssentials.IndexPath
import Testing

/// Writes down which cells come and go, and checks at once that the two alternate for each of them.
final class DisplayLog: CollectionViewDelegate, CollectionViewScrollDelegate {
  private(set) var displayed: [ObjectIdentifier: String] = [:]
  /// What came and went: `+word` and `-word`.
  private(set) var lines: [String] = []
  /// The paths of the same.
  private(set) var paths: [IndexPath] = []
  /// How often the view said that it scrolled.
  private(set) var scrolls = 0
  /// Called at the end of each willDisplay and didEndDisplaying.
  var onChange: (() -> Void)?

  func forget() {
    lines = []
    paths = []
  }

  func collectionViewDidScroll(_ view: CollectionView) { scrolls += 1 }

  func collectionView(_ view: CollectionView, willDisplay cell: CollectionViewCell, at indexPath: IndexPath) {
    let word = (cell as? WordCell)?.word ?? "?"
    #expect(displayed[ObjectIdentifier(cell)] == nil, "\(word) comes twice")
    displayed[ObjectIdentifier(cell)] = word
    lines.append("+" + word)
    paths.append(indexPath)
    onChange?()
  }

  func collectionView(_ view: CollectionView, didEndDisplaying cell: CollectionViewCell, at indexPath: IndexPath) {
    let word = displayed.removeValue(forKey: ObjectIdentifier(cell))
    #expect(word != nil, "a cell goes that never came")
    lines.append("-" + (word ?? "?"))
    paths.append(indexPath)
    onChange?()
  }
}
