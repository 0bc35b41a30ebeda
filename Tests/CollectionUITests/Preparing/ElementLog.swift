import CollectionEngine
import CollectionUI
import struct FoundationEssentials.IndexPath
import Testing

/// Writes down which headers come and go, and checks at once that the two alternate for each of them.
final class ElementLog: CollectionViewDelegate {
  private(set) var displayed: Set<ObjectIdentifier> = []
  /// What came and went: `+section` and `-section`.
  private(set) var lines: [String] = []

  /// Begins to write where views are on screen already.
  init(displayed: [CollectionReusableView]) { self.displayed = Set(displayed.map { ObjectIdentifier($0) }) }

  func collectionView(
    _ view: CollectionView, willDisplaySupplementaryView supplementaryView: CollectionReusableView,
    forElementKind elementKind: String, at indexPath: IndexPath
  ) {
    #expect(elementKind == "header")
    #expect(displayed.insert(ObjectIdentifier(supplementaryView)).inserted, "\(indexPath) comes twice")
    lines.append("+\(indexPath.section)")
  }

  func collectionView(
    _ view: CollectionView, didEndDisplayingSupplementaryView supplementaryView: CollectionReusableView,
    forElementOfKind elementKind: String, at indexPath: IndexPath
  ) {
    #expect(displayed.remove(ObjectIdentifier(supplementaryView)) != nil, "\(indexPath) goes and never came")
    lines.append("-\(indexPath.section)")
  }
}
