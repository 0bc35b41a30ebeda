import ImagePipeline

/// The small previews of all photographs that were ever seen, in this run or, where an archive keeps them, in others.
///
/// By file, so that a photograph has its preview under another name too, and none once its file is another one.
final class KnownPreviews {
  /// What was kept of other runs, which is never written to: a table of a million grows in more than a frame.
  private var kept = PreviewTable()
  /// What was seen in this one.
  private var seen = PreviewTable()
  private var unwritten: [PreviewRecord] = []
  private let archive: PreviewArchive?
  /// So many previews are worth a write while pictures keep coming.
  private static let worthWriting = 128

  /// Makes one that knows nothing yet.
  ///
  /// - Parameter archive: what keeps previews beyond the run; nobody unless told.
  init(archive: PreviewArchive? = nil) { self.archive = archive }

  /// The preview of a photograph; nothing where it was never seen.
  /// - Complexity: O(1) on average.
  subscript(file: FileFingerprint) -> TinyPreview? { (seen[file] ?? kept[file]).map(TinyPreview.init) }

  /// Remembers what a photograph looks like.
  func note(_ preview: TinyPreview, of file: FileFingerprint) {
    let record = PreviewRecord(file: file, preview: preview.payload)
    guard seen.insert(record), archive != nil, kept[file] != record.preview else { return }
    unwritten.append(record)
    if unwritten.count >= KnownPreviews.worthWriting { write() }
  }

  /// Whether there is something that no write was begun for.
  var isUnwritten: Bool { !unwritten.isEmpty }

  /// Has the archive write what is new.
  func write() {
    archive?.add(unwritten)
    unwritten = []
  }

  /// Whether previews of other runs are there to be taken.
  var hasPending: Bool { archive?.hasLoaded ?? false }

  /// Takes the previews of other runs.
  ///
  /// - Returns: whether there are any.
  func take() -> Bool {
    guard let table = archive?.takeLoaded() else { return false }
    kept = table
    return table.count > 0
  }

  /// The bytes of memory that they take.
  var heldBytes: Int { kept.byteCount + seen.byteCount }
}
