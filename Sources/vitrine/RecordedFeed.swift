import GalleryUI
import Hosting
import PhotoLibrary

/// Fills the gallery with the files of a recording, as far as they are there.
final class RecordedFeed: LibraryFeed {
  let title: String
  /// How the files compare with what was recorded.
  let replay: ListingReplay
  private var next = 0
  private var latest = ScanProgress()
  /// Names that a frame takes, as in the run that was recorded.
  private static let portion = 1_000

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
    let roots = try interrupt.run { places.compactMap { try? LibraryRoot(checking: $0) } } ?? []
    var scanned: [[LibraryEvent]] = []
    if !roots.isEmpty {
      let scan = FolderScan(roots: roots, options: ScanOptions(excludedFolders: excluded, isWaitedFor: true))
      try scan.start()
      let call = interrupt.whenRaised { scan.cancel() }
      defer { interrupt.forget(call) }
      var isOver = false
      while !isOver {
        let batch = scan.takeBatch(count: RecordedFeed.portion)
        scanned.append(batch)
        isOver = batch.isEmpty
        if case .finished? = batch.last { isOver = true }
      }
    }
    replay = ListingReplay(listing, scanned: scanned, portion: RecordedFeed.portion)
  }

  /// The figures of the comparison.
  var files: ReplayedFiles { ReplayedFiles(missing: replay.missing.count, changed: replay.changed.count) }

  /// What is not as it was recorded, a line each.
  var complaints: [String] {
    let kinds = [
      (replay.missing, "missing, shown as placeholders"), (replay.changed, "changed since, shown as they are now"),
      (replay.added, "new, left out"),
    ]
    return kinds.compactMap { paths, state in
      paths.first.map { "files of the recording that are \(state): \(paths.count), the first \($0.printable)" }
    }
  }

  var hasPending: Bool { !isComplete }

  var isComplete: Bool { next == replay.batches.count }

  var activity: String? { isComplete ? nil : "Reading…" }

  var progress: Double? {
    guard !isComplete, latest.foldersKnown > 1 else { return nil }
    return Double(latest.foldersRead) / Double(latest.foldersKnown)
  }

  var emptyTexts: (headline: String, hint: String) { FolderFeed.emptyTexts(of: title) }

  func take() -> [LibraryEvent] {
    guard !isComplete else { return [] }
    let batch = replay.batches[next]
    next += 1
    for case .progress(let progress) in batch { latest = progress }
    return batch
  }

  /// The recorded files are those that they were.
  func rescan() -> Bool {
    next = 0
    latest = ScanProgress()
    return true
  }

  func end() {}
}
