import CollectionLayout
import DiffableData
import PhotoLibrary

/// Compares the order that another scan tells with the one that is shown, as the photographs come, and keeps what differs.
///
/// What is shown is walked along beside the scan, so that no second list of the library is ever held, and the new snapshot
/// is derived from the old one: a file that was added to a hundred thousand is one edit. The order compared is that through
/// all sections, which the scan has too, as it lists a folder's photographs one after the other.
nonisolated struct RescanDiff: Sendable {
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
  private let counts: ItemCounts
  /// The first place of the base that the scan has not come to.
  private var cursor = 0
  /// Places before it that the scan passed over.
  private var skipped = IndexRuns()
  /// What the scan listed last.
  private var previousItem: PhotoID?
  /// Runs of photographs that belong behind another one; behind nothing: at the beginning.
  private var runs: [(anchor: PhotoID?, items: [PhotoID])] = []
  private var insertedItems: Set<PhotoID> = []

  /// Begins with what is shown.
  init(of base: Snapshot) {
    self.base = base
    counts = ItemCounts(base.itemCounts)
  }

  /// The scan lists a photograph.
  ///
  /// One that it listed before stays where it came first.
  ///
  /// - Complexity: that of `position(ofItem:)` where the photograph is not the next one, O(log n) where it is.
  mutating func addListed(_ item: PhotoID) {
    if self.item(at: cursor) == item {
      cursor += 1
    } else if let place = index(of: item), place >= cursor {
      skipped.append(contentsOf: cursor..<place)
      cursor = place + 1
    } else {
      if let place = index(of: item), !skipped.contains(place) { return }
      guard insertedItems.insert(item).inserted else { return }
      if let last = runs.last, last.items.last == previousItem {
        runs[runs.count - 1].items.append(item)
      } else {
        runs.append((previousItem, [item]))
      }
    }
    previousItem = item
  }

  private func item(at place: Int) -> PhotoID? {
    counts.position(of: place).flatMap { base.itemIdentifier(section: $0.section, item: $0.item) }
  }

  private func index(of item: PhotoID) -> Int? {
    base.position(ofItem: item).flatMap { counts.index(section: $0.section, item: $0.item) }
  }

  /// The scan is over.
  ///
  /// - Parameters:
  ///   - isOffline: whether a photograph that was not listed lies where the scan could not look; it stays.
  ///   - section: the section of a photograph.
  /// - Complexity: O(k log n + n / 512) for each of the runs of k photographs that differ.
  func outcome(isOffline: (PhotoID) -> Bool, section: (PhotoID) -> GallerySection = { _ in .all }) -> Outcome {
    var unlisted = skipped
    unlisted.append(contentsOf: cursor..<max(cursor, base.numberOfItems))
    var outcome = Outcome(snapshot: base)
    outcome.removed = unlisted.ranges.joined().compactMap(item(at:)).filter {
      !insertedItems.contains($0) && !isOffline($0)
    }
    if !outcome.removed.isEmpty { outcome.snapshot.deleteItems(outcome.removed) }
    for (anchor, items) in runs {
      outcome.arrived += items
      var anchor = anchor
      var rest = items[...]
      while let first = rest.first {
        let home = section(first)
        let run = Array(rest.prefix { section($0) == home })
        RescanDiff.insertItems(run, of: home, behind: anchor, into: &outcome.snapshot)
        anchor = run.last
        rest = rest.dropFirst(run.count)
      }
    }
    let empty = outcome.snapshot.sectionIdentifiers.filter { outcome.snapshot.numberOfItems(inSection: $0) == 0 }
    if !empty.isEmpty { outcome.snapshot.deleteSections(empty) }
    return outcome
  }

  /// Puts photographs of a section behind another one, or at the section's beginning where that one is of another.
  private static func insertItems(
    _ items: [PhotoID], of section: GallerySection, behind anchor: PhotoID?, into snapshot: inout Snapshot
  ) {
    let before = anchor.flatMap { snapshot.sectionIdentifier(containingItem: $0) }
    if let anchor, before == section {
      snapshot.insertItems(items, afterItem: anchor)
      return
    }
    if let rank = snapshot.indexOfSection(section) {
      if let first = snapshot.itemIdentifier(section: rank, item: 0) {
        snapshot.insertItems(items, beforeItem: first)
        return
      }
    } else if let before {
      snapshot.insertSections([section], afterSection: before)
    } else if let first = snapshot.sectionIdentifier(at: 0) {
      snapshot.insertSections([section], beforeSection: first)
    } else {
      snapshot.appendSections([section])
    }
    snapshot.appendItems(items, toSection: section)
  }
}
