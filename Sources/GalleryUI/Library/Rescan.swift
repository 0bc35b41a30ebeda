import VitrineCollectionLayout
import VitrineDiffableData
import VitrinePhotoLibrary

/// A rescan of the library, compared with the current snapshot.
nonisolated struct Rescan: Sendable {
  typealias Snapshot = DiffableDataSourceSnapshot<GallerySection, PhotoID>

  private var diff: RescanDiff?
  private var listing: RescanListing?

  /// Creates a rescan.
  ///
  /// - Parameters:
  ///   - base: The current snapshot.
  ///   - keepsListedOrder: Whether the snapshot is in the order of the scan.
  init(of base: Snapshot, keepsListedOrder: Bool) {
    if keepsListedOrder { diff = RescanDiff(of: base) } else { listing = RescanListing(of: base) }
  }

  /// Adds the next photograph that the scan lists.
  mutating func addListed(_ item: PhotoID) {
    diff?.addListed(item)
    listing?.addListed(item)
  }

  /// Returns the changes at the end of the scan.
  ///
  /// - Parameters:
  ///   - arrangement: The current arrangement, which is updated.
  ///   - catalogue: The records of the photographs.
  ///   - isOffline: Returns whether a photograph that was not listed is in a folder or a list that the scan could not read.
  ///     Such photographs stay.
  func outcome(
    in arrangement: inout LibraryArrangement, using catalogue: any PhotoRecords, isOffline: (PhotoID) -> Bool
  ) -> RescanDiff.Outcome? {
    if let diff {
      let currentArrangement = arrangement
      return diff.outcome(isOffline: isOffline) { item, other in
        if let list = catalogue.list(of: item), let next = catalogue.list(of: other) { return list < next }
        guard let folder = catalogue.folder(of: item), let next = catalogue.folder(of: other) else { return false }
        return folder.listingKey.lexicographicallyPrecedes(next.listingKey)
      } section: {
        currentArrangement.section(of: $0, using: catalogue)
      }
    }
    guard let listing else { return nil }
    // Those whose date or size has changed are moved by the arrangement.
    var outcome = RescanDiff.Outcome(
      snapshot: listing.base, arrived: listing.arrived, removed: listing.unlisted.filter { !isOffline($0) },
      hasMoved: arrangement.hasChanges)
    arrangement.arrange(
      &outcome.snapshot, adding: outcome.arrived, removing: outcome.removed, using: catalogue)
    return outcome
  }
}

// MARK: - Diff in listed order

/// A comparison of the order of a rescan with the current snapshot, computed while photographs are listed.
///
/// The snapshot is traversed in parallel with the scan, so that no second list of the library is needed, and the new
/// snapshot is derived from the old one: one new file among a hundred thousand is a single edit. The order is that
/// across all sections, which is also the order of the scan, because it lists the photographs of a folder
/// consecutively.
nonisolated struct RescanDiff: Sendable {
  typealias Snapshot = DiffableDataSourceSnapshot<GallerySection, PhotoID>

  /// The changes of a rescan.
  struct Outcome: Sendable {
    /// The new snapshot.
    var snapshot: Snapshot
    /// The photographs that were not shown before, or at another position.
    var arrived: [PhotoID] = []
    /// The photographs that no longer exist.
    var removed: [PhotoID] = []
    /// Whether photographs may have moved that were shown before.
    var hasMoved = false

    /// Whether the snapshot may differ from the one before.
    var hasChanges: Bool { hasMoved || !arrived.isEmpty || !removed.isEmpty }
  }

  private let base: Snapshot
  private let counts: ItemCounts
  /// The first index of the base that the scan has not reached.
  private var cursor = 0
  /// The indices before the cursor that the scan skipped.
  private var skipped = IndexRuns()
  /// The photograph that was listed last.
  private var previousItem: PhotoID?
  /// Runs of photographs to insert after another one, or at the beginning if the anchor is nil.
  private var runs: [(anchor: PhotoID?, items: [PhotoID])] = []
  private var insertedItems: Set<PhotoID> = []

  /// Creates a diff with the current snapshot.
  init(of base: Snapshot) {
    self.base = base
    counts = ItemCounts(base.itemCounts)
  }

  /// Adds the next photograph that the scan lists.
  ///
  /// A photograph that is listed twice stays at its first position.
  ///
  /// - Complexity: O(log *n*) if it is the next one of the snapshot, otherwise that of `position(ofItem:)`.
  mutating func addListed(_ item: PhotoID) {
    if self.item(at: cursor) == item {
      cursor += 1
    } else if let index = index(of: item), index >= cursor {
      skipped.append(contentsOf: cursor..<index)
      cursor = index + 1
    } else {
      if let index = index(of: item), !skipped.contains(index) { return }
      guard insertedItems.insert(item).inserted else { return }
      if let last = runs.last, last.items.last == previousItem {
        runs[runs.count - 1].items.append(item)
      } else {
        runs.append((previousItem, [item]))
      }
    }
    previousItem = item
  }

  private func item(at index: Int) -> PhotoID? {
    counts.position(of: index).flatMap { base.itemIdentifier(section: $0.section, item: $0.item) }
  }

  private func index(of item: PhotoID) -> Int? {
    base.position(ofItem: item).flatMap { counts.index(section: $0.section, item: $0.item) }
  }

  /// Returns the changes at the end of the scan.
  ///
  /// - Parameters:
  ///   - isOffline: Returns whether a photograph that was not listed is in a folder that the scan could not read. Such
  ///     photographs stay.
  ///   - precedes: Returns whether a scan lists the folder of a photograph before that of another one. Default: never.
  ///   - section: Returns the section of a photograph.
  /// - Complexity: O(*k* log *n* + *n* / 512) per run of *k* photographs that differ, and O(log *n*) per photograph that stays
  ///   between new ones.
  func outcome(
    isOffline: (PhotoID) -> Bool, precedes: (PhotoID, PhotoID) -> Bool = { _, _ in false },
    section: (PhotoID) -> GallerySection = { _ in .all }
  ) -> Outcome {
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
        // Photographs that stay, although the scan could not list them, may come before the new ones of a folder.
        anchor = RescanDiff.lastItem(behind: anchor, in: outcome.snapshot) { isOffline($0) && precedes($0, first) }
        let target = section(first)
        let run = Array(rest.prefix { section($0) == target && !precedes(first, $0) })
        RescanDiff.insertItems(run, of: target, behind: anchor, into: &outcome.snapshot)
        anchor = run.last
        rest = rest.dropFirst(run.count)
      }
    }
    let empty = outcome.snapshot.sectionIdentifiers.filter { outcome.snapshot.numberOfItems(inSection: $0) == 0 }
    if !empty.isEmpty { outcome.snapshot.deleteSections(empty) }
    return outcome
  }

  /// Returns the last of the photographs that directly follow another one, or the beginning, and satisfy a predicate; the other
  /// one if none does.
  private static func lastItem(
    behind anchor: PhotoID?, in snapshot: Snapshot, while predicate: (PhotoID) -> Bool
  ) -> PhotoID? {
    var last = anchor
    var (section, index) = anchor.flatMap { snapshot.position(ofItem: $0) }.map { ($0.section, $0.item + 1) } ?? (0, 0)
    while section < snapshot.numberOfSections {
      guard let item = snapshot.itemIdentifier(section: section, item: index) else {
        (section, index) = (section + 1, 0)
        continue
      }
      guard predicate(item) else { break }
      last = item
      index += 1
    }
    return last
  }

  /// Inserts photographs of a section after another photograph, or at the start of the section if that one is in
  /// another section.
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

// MARK: - Listing in another order

/// A record of the photographs that a rescan lists, if the snapshot is not in the order of the scan.
private nonisolated struct RescanListing: Sendable {
  typealias Snapshot = DiffableDataSourceSnapshot<GallerySection, PhotoID>

  /// The current snapshot.
  let base: Snapshot
  private var isListed = PhotoColumn<Bool>(unset: false)
  private var knownCount = 0
  /// The listed photographs that are not shown, in the order of the scan.
  private(set) var arrived: [PhotoID] = []

  /// Creates an empty record.
  init(of base: Snapshot) { self.base = base }

  /// Adds the next photograph that the scan lists.
  ///
  /// - Complexity: That of the snapshot's `contains(_:)`.
  mutating func addListed(_ item: PhotoID) {
    guard !isListed[item] else { return }
    isListed[item] = true
    if base.contains(item) { knownCount += 1 } else { arrived.append(item) }
  }

  /// The shown photographs that were not listed.
  ///
  /// - Complexity: O(1) if all were listed, otherwise O(*n*).
  var unlisted: [PhotoID] {
    knownCount == base.numberOfItems ? [] : base.itemIdentifiers.filter { !isListed[$0] }
  }
}
