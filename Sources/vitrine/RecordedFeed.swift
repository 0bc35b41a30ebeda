import GalleryUI
import Hosting
import PhotoLibrary

/// Fills the gallery with the files of a recording, as far as they are there.
final class RecordedFeed: LibraryFeed {
  let title: String
  /// How the files compare with what was recorded.
  let listingReplay: ListingReplay
  private var nextBatchIndex = 0
  private var latestProgress = ScanProgress()
  /// Names that a frame takes, as in the run that was recorded.
  private static let batchSize = 1_000

  /// Scans what is there, to the end.
  ///
  /// - Parameters:
  ///   - listing: the recorded files.
  ///   - places: the places in which they lay.
  ///   - excluded: folders of our own that are left out.
  ///   - interrupt: ends the scan; what is missing then counts as missing.
  init(
    _ listing: [ListedFile], in places: [PhotoPath], excluded: [PhotoPath], interrupt: Interrupt
  ) throws {
    title = places.count == 1 ? places[0].absolute.label : "\(places.count) places"
    let roots = try interrupt.runInterruptibly { places.compactMap { try? LibraryRoot(checking: $0) } } ?? []
    var scanned: [[LibraryEvent]] = []
    if !roots.isEmpty {
      let scan = FolderScan(roots: roots, options: ScanOptions(excludedFolders: excluded, isDeterministic: true))
      try scan.start()
      let call = interrupt.addHandler { scan.cancel() }
      defer { interrupt.removeHandler(call) }
      var isOver = false
      while !isOver {
        let batch = scan.takeBatch(count: RecordedFeed.batchSize)
        scanned.append(batch)
        isOver = batch.isEmpty
        if case .finished? = batch.last { isOver = true }
      }
    }
    listingReplay = ListingReplay(listing, scanned: scanned, batchSize: RecordedFeed.batchSize)
  }

  /// The figures of the comparison.
  var files: ReplayedFiles { ReplayedFiles(missing: listingReplay.missing.count, changed: listingReplay.changed.count) }

  /// What is not as it was recorded, a line each.
  var warnings: [String] {
    let kinds = [
      (listingReplay.missing, "missing, shown as placeholders"),
      (listingReplay.changed, "changed since, shown as they are now"),
      (listingReplay.added, "new, left out"),
    ]
    return kinds.compactMap { paths, state in
      paths.first.map { "files of the recording that are \(state): \(paths.count), the first \($0.printable)" }
    }
  }

  var hasPendingEvents: Bool { !isComplete }

  var isComplete: Bool { nextBatchIndex == listingReplay.batches.count }

  var activity: String? { isComplete ? nil : "Reading…" }

  var progress: Double? {
    guard !isComplete, latestProgress.foldersKnown > 1 else { return nil }
    return Double(latestProgress.foldersRead) / Double(latestProgress.foldersKnown)
  }

  var emptyTexts: (headline: String, hint: String) { FolderFeed.emptyTexts(of: title) }

  func takePendingEvents() -> [LibraryEvent] {
    guard !isComplete else { return [] }
    let batch = listingReplay.batches[nextBatchIndex]
    nextBatchIndex += 1
    for case .progress(let progress) in batch { latestProgress = progress }
    return batch
  }

  /// The recorded files are those that they were.
  func rescan() -> Bool {
    nextBatchIndex = 0
    latestProgress = ScanProgress()
    return true
  }

  func end() {}
}
