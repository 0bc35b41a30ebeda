import VitrineImagePipeline
import VitrineImageStore

/// The tiny previews of all photographs that were shown in this run, and with an archive also in earlier runs.
///
/// The key is the file, so that a renamed photograph keeps its preview and a replaced file has none.
final class PhotoPreviewCache {
  /// The previews of earlier runs.
  ///
  /// This table is never modified, because growing a table of a million takes longer than a frame.
  private var archivedPreviews = PreviewTable()
  /// The previews of this run.
  private var newPreviews = PreviewTable()
  private var unwrittenRecords: [PreviewRecord] = []
  private let archive: PreviewArchive?
  /// The number of new previews that triggers a write while pictures arrive.
  private static let writeThreshold = 128

  /// Creates an empty cache.
  ///
  /// - Parameter archive: The archive that stores previews between runs. Default: none.
  init(archive: PreviewArchive? = nil) { self.archive = archive }

  /// Returns the preview of a file, or nil if it was never shown.
  ///
  /// - Complexity: O(1) on average.
  subscript(file: FileFingerprint) -> TinyPreview? {
    (newPreviews[file] ?? archivedPreviews[file]).map(TinyPreview.init)
  }

  /// Records the preview of a file.
  ///
  /// - Parameters:
  ///   - preview: The preview.
  ///   - file: The file.
  ///   - origin: The decoders that made its pixels; nil for a decoder of the client.
  func recordPreview(_ preview: TinyPreview, of file: FileFingerprint, origin: DecoderOrigin?) {
    let record = PreviewRecord(file: file, preview: preview.payload, origin: origin)
    guard newPreviews.insert(record), archive != nil, archivedPreviews[file] != record.preview else { return }
    unwrittenRecords.append(record)
    if unwrittenRecords.count >= PhotoPreviewCache.writeThreshold { writePreviews() }
  }

  /// Whether there are previews that have not been passed to the archive.
  var hasUnwrittenPreviews: Bool { !unwrittenRecords.isEmpty }

  /// Passes the new previews to the archive for writing.
  func writePreviews() {
    archive?.append(unwrittenRecords)
    unwrittenRecords = []
  }

  /// Whether the previews of earlier runs have been loaded and not yet taken.
  var hasLoadedArchive: Bool { archive?.hasLoaded ?? false }

  /// Takes the loaded previews of earlier runs.
  ///
  /// - Returns: Whether there are any.
  func takeLoadedArchive() -> Bool {
    guard let table = archive?.takeLoadedTable() else { return false }
    archivedPreviews = table
    return table.count > 0
  }

  /// The memory used, in bytes.
  var memoryBytes: Int { archivedPreviews.byteCount + newPreviews.byteCount }
}
