import DiffableData
import PhotoLibrary

/// Another scan beside what is shown: in the same order, or where photographs stand by their dates.
nonisolated struct Rescan: Sendable {
  typealias Snapshot = DiffableDataSourceSnapshot<GallerySection, PhotoID>

  private var edits: RescanDiff?
  private var listing: RescanListing?

  /// Begins with what is shown.
  ///
  /// - Parameter keepsListedOrder: whether it stands in the scan's order.
  init(of base: Snapshot, keepsListedOrder: Bool) {
    if keepsListedOrder { edits = RescanDiff(of: base) } else { listing = RescanListing(of: base) }
  }

  /// The scan lists a photograph.
  mutating func addListed(_ item: PhotoID) {
    edits?.addListed(item)
    listing?.addListed(item)
  }

  /// The scan is over.
  ///
  /// - Parameters:
  ///   - arrangement: where photographs stand, with what it has learnt since.
  ///   - catalogue: what is known of them.
  ///   - isOffline: whether a photograph that was not listed lies where the scan could not look; it stays.
  func outcome(
    in arrangement: inout LibraryArrangement, by catalogue: any PhotoRecords, isOffline: (PhotoID) -> Bool
  ) -> RescanDiff.Outcome? {
    if let edits {
      let standing = arrangement
      return edits.outcome(isOffline: isOffline) { standing.section(of: $0, by: catalogue) }
    }
    guard let listing else { return nil }
    var outcome = RescanDiff.Outcome(
      snapshot: listing.base, arrived: listing.arrived, removed: listing.unlisted.filter { !isOffline($0) })
    arrangement.arrange(
      &outcome.snapshot, adding: outcome.arrived, removing: outcome.removed, by: catalogue)
    return outcome
  }
}
