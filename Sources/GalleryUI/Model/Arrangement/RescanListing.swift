import DiffableData
import PhotoLibrary

/// Notes what another scan lists where the order of what is shown is not the scan's.
nonisolated struct RescanListing: Sendable {
  typealias Snapshot = DiffableDataSourceSnapshot<GallerySection, PhotoID>

  /// What is shown.
  let base: Snapshot
  private var isListed = PhotoColumn<Bool>(unset: false)
  private var knownCount = 0
  /// Listed photographs that are not shown, in the scan's order.
  private(set) var arrived: [PhotoID] = []

  /// Begins with what is shown.
  init(of base: Snapshot) { self.base = base }

  /// The scan lists a photograph.
  ///
  /// - Complexity: that of the snapshot's `contains(_:)`.
  mutating func addListed(_ item: PhotoID) {
    guard !isListed[item] else { return }
    isListed[item] = true
    if base.contains(item) { knownCount += 1 } else { arrived.append(item) }
  }

  /// The shown photographs that were not listed.
  ///
  /// - Complexity: O(1) where all were; O(n) otherwise.
  var unlisted: [PhotoID] {
    knownCount == base.numberOfItems ? [] : base.itemIdentifiers.filter { !isListed[$0] }
  }
}
