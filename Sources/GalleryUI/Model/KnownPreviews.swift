import ImagePipeline

/// The small previews of all photographs that were ever seen, in this run or, where an archive keeps them, in others.
///
/// By file, so that a photograph has its preview under another name too, and none once its file is another one.
final class PhotoPreviewCache {
  /// What was kept of other runs, which is never written to: a table of a million grows in more than a frame.
  private var archivedPreviews = PreviewTable()
  /// What was seen in this one.
  private var newPreviews = PreviewTable()
  private var unwrittenRecords: [PreviewRecord] = []
  private let archive: PreviewArchive?
  /// So many previews are worth a write while pictures keep coming.
  private static let writeThreshold = 128

  /// Makes one that knows nothing yet.
  ///
  /// - Parameter archive: what keeps previews beyond the run; nobody unless told.
  init(archive: PreviewArchive? = nil) { self.archive = archive }

  /// The preview of a photograph; nothing where it was never seen.
  /// - Complexity: O(1) on average.
  subscript(file: FileFingerprint) -> TinyPreview? {
    (newPreviews[file] ?? archivedPreviews[file]).map(TinyPreview.init)
  }

  /// Remembers what a photograph looks like.
  func recordPreview(_ preview: TinyPreview, of file: FileFingerprint) {
    let record = PreviewRecord(file: file, preview: preview.payload)
    guard newPreviews.insert(record), archive != nil, archivedPreviews[file] != record.preview else { return }
    unwrittenRecords.append(record)
    if unwrittenRecords.count >= PhotoPreviewCache.writeThreshold { writePreviews() }
  }

  /// Whether there is something that no write was begun for.
  var hasUnwrittenPreviews: Bool { !unwrittenRecords.isEmpty }

  /// Has the archive write what is new.
  func writePreviews() {
    archive?.append(unwrittenRecords)
    unwrittenRecords = []
  }

  /// Whether previews of other runs are there to be taken.
  var hasLoadedArchive: Bool { archive?.hasLoaded ?? false }

  /// Takes the previews of other runs.
  ///
  /// - Returns: whether there are any.
  func takeLoadedArchive() -> Bool {
    guard let table = archive?.takeLoadedTable() else { return false }
    archivedPreviews = table
    return table.count > 0
  }

  /// The bytes of memory that they take.
  var memoryBytes: Int { archivedPreviews.byteCount + newPreviews.byteCount }
}
