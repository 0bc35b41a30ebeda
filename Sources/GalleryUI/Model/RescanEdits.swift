import DiffableData
import PhotoLibrary

/// Compares the order that another scan tells with the one that is shown, as the photographs come, and keeps what differs.
///
/// What is shown is walked along beside the scan, so that no second list of the library is ever held, and the new snapshot
/// is derived from the old one: a file that was added to a hundred thousand is one edit.
nonisolated struct RescanEdits: Sendable {
  typealias Snapshot = DiffableDataSourceSnapshot<GallerySection, PhotoID>

  /// What a scan changed.
  struct Outcome: Sendable {
    /// The photographs that are shown from now on.
    var snapshot: Snapshot
    /// Those of them that were not shown, or stood elsewhere.
    var arrived: [PhotoID] = []
    /// Those that are gone.
    var removed: [PhotoID] = []
  }

  private let base: Snapshot
  /// The first place of the base that the scan has not come to.
  private var cursor = 0
  /// Places before it that the scan passed over.
  private var skipped = IndexRuns()
  /// What the scan listed last.
  private var previous: PhotoID?
  /// Runs of photographs that belong behind another one; behind nothing: at the beginning.
  private var runs: [(anchor: PhotoID?, items: [PhotoID])] = []
  private var placed: Set<PhotoID> = []

  /// Begins with what is shown.
  init(of base: Snapshot) { self.base = base }

  /// The scan lists a photograph.
  ///
  /// One that it listed before stays where it came first.
  ///
  /// - Complexity: that of `position(ofItem:)` where the photograph is not the next one, O(log n) where it is.
  mutating func list(_ item: PhotoID) {
    if base.itemIdentifier(section: 0, item: cursor) == item {
      cursor += 1
    } else if let place = base.position(ofItem: item)?.item, place >= cursor {
      skipped.append(contentsOf: cursor..<place)
      cursor = place + 1
    } else {
      if let place = base.position(ofItem: item)?.item, !skipped.contains(place) { return }
      guard placed.insert(item).inserted else { return }
      if let last = runs.last, last.items.last == previous {
        runs[runs.count - 1].items.append(item)
      } else {
        runs.append((previous, [item]))
      }
    }
    previous = item
  }

  /// The scan is over.
  ///
  /// - Parameter isOffline: whether a photograph that was not listed lies where the scan could not look; it stays.
  /// - Complexity: O(k log n + n / 512) for each of the runs of k photographs that differ.
  func outcome(isOffline: (PhotoID) -> Bool) -> Outcome {
    var unlisted = skipped
    unlisted.append(contentsOf: cursor..<max(cursor, base.numberOfItems))
    var outcome = Outcome(snapshot: base)
    outcome.removed = unlisted.ranges.joined().compactMap { base.itemIdentifier(section: 0, item: $0) }
      .filter { !placed.contains($0) && !isOffline($0) }
    if !outcome.removed.isEmpty { outcome.snapshot.deleteItems(outcome.removed) }
    for (anchor, items) in runs {
      outcome.arrived += items
      if let anchor {
        outcome.snapshot.insertItems(items, afterItem: anchor)
      } else if let first = outcome.snapshot.itemIdentifier(section: 0, item: 0) {
        outcome.snapshot.insertItems(items, beforeItem: first)
      } else {
        outcome.snapshot.appendItems(items, toSection: .all)
      }
    }
    return outcome
  }
}
