import VitrineDiagnostics
import VitrineFileReading
import VitrineGalleryUI
import VitrineGeometry
import VitrineHosting
import VitrinePhotoLibrary

/// A feed that fills the gallery with the files of a recording that still exist.
final class RecordedFeed: LibraryFeed {
  let title: String
  /// The comparison of the files with the recorded ones.
  let listingReplay: ListingReplay
  private var nextBatchIndex = 0
  private var latestProgress = ScanProgress()
  /// The number of names per frame, as in the recorded run.
  private static let batchSize = 1_000

  /// Scans the folders to the end.
  ///
  /// - Parameters:
  ///   - listing: The recorded files.
  ///   - roots: The recorded folders and images.
  ///   - excluded: The program's own folders, which are skipped.
  ///   - reader: The reader of the photographs' headers.
  ///   - interrupt: The interrupt that ends the scan. Files that were not found until then count as missing.
  init(
    _ listing: [ListedFile], in roots: [PhotoPath], excluded: [PhotoPath], reader: FileReader, interrupt: Interrupt
  ) throws {
    title = roots.count == 1 ? roots[0].libraryTitle : "\(roots.count) places"
    let existingRoots =
      try interrupt.runInterruptibly { roots.compactMap { try? LibraryRoot(checking: $0, reader: reader) } } ?? []
    var scanned: [[LibraryEvent]] = []
    if !existingRoots.isEmpty {
      let scan = FolderScan(
        roots: existingRoots, options: ScanOptions(excludedFolders: excluded, batches: .bySize, reader: reader))
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

  /// The differences from the recording, one per line.
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

  /// The recorded files do not change.
  func rescan() -> Bool {
    nextBatchIndex = 0
    latestProgress = ScanProgress()
    return true
  }

  func end() {}
}

/// The files that a recording lists, and their folders.
///
/// Relative paths refer to the recorded working folder.
struct RecordedListing {
  let files: [ListedFile]
  let roots: [PhotoPath]
  let pathToReveal: PhotoPath?

  /// Creates a listing from a replay, or returns nil if its recording lists no files.
  init?(_ replay: Replay) {
    let header = replay.recording.header
    guard header.listsFiles else { return nil }
    func path(_ bytes: [UInt8]) -> PhotoPath { RecordedListing.path(bytes, in: replay) }
    files = replay.recording.files.compactMap { file in
      PercentEncoding.bytes(of: file.path).map { bytes in
        ListedFile(
          path: path(bytes), byteCount: file.bytes, modificationNanoseconds: file.modified,
          size: file.width.flatMap { width in file.height.flatMap { PixelSize(width: width, height: $0) } },
          captureTime: file.taken)
      }
    }
    roots = replay.operands.map(path)
    pathToReveal = header.wanted.flatMap(PercentEncoding.bytes(of:)).map(path)
  }

  /// Returns an absolute path for a path that is relative to the recorded working folder.
  static func path(_ bytes: [UInt8], in replay: Replay) -> PhotoPath {
    let path = PhotoPath(bytes)
    let folder = replay.recording.header.workingFolder.flatMap(PercentEncoding.bytes(of:)).map { PhotoPath($0) }
    // In the same working folder, the path remains as given, because it is displayed.
    guard let folder, folder != PhotoPath(".").absolute else { return path }
    return path.absolute(from: folder)
  }

  /// Returns the operands of a recording without a listing, with paths relative to the recorded working folder.
  static func operands(of replay: Replay) throws(ManifestLocationError) -> [[UInt8]] {
    try replay.operands.map { operand throws(ManifestLocationError) in
      if case .web? = try ManifestLocation.parse(operand) { return operand }
      return path(operand, in: replay).bytes
    }
  }
}
