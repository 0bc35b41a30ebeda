import GalleryUI
import Hosting
import PhotoLibrary
import Threads

/// Fills the gallery from a scan of folders.
final class FolderFeed: LibraryFeed {
  let title: String
  private let makeScan: () -> FolderScan
  private var scan: FolderScan
  private let isSimulated: Bool
  private(set) var isComplete = false
  private var latestProgress = ScanProgress()
  /// Why the folders could not be read again.
  private var failure: String?
  /// Events that are taken at a time beside a live window, which asks again while the frame has time for it.
  private static let liveBatchSize = 250
  /// Names that a frame of a simulation takes.
  private static let simulatedBatchSize = 1_000

  /// Starts a scan.
  ///
  /// - Parameters:
  ///   - roots: the places to scan.
  ///   - isSimulated: whether every portion is waited for, so that equal runs take equal ones.
  ///   - excluded: folders of our own that are left out.
  ///   - interrupt: ends the scan, so that no portion is waited for.
  ///   - wake: called from other threads when there is something to take.
  init(
    roots: [LibraryRoot], isSimulated: Bool, excluded: [PhotoPath], interrupt: Interrupt,
    wake: @escaping @Sendable () -> Void
  ) throws {
    self.isSimulated = isSimulated
    title =
      roots.count == 1
      ? roots[0].path.absolute.label : "\(roots.count) places"
    makeScan = {
      let scan = FolderScan(
        roots: roots, options: ScanOptions(excludedFolders: excluded, isDeterministic: isSimulated), wake: wake)
      interrupt.addHandler { [weak scan] in scan?.cancel() }
      return scan
    }
    scan = makeScan()
    try scan.start()
  }

  var hasPendingEvents: Bool { isSimulated ? !isComplete : scan.hasEvents }

  var activity: String? { isComplete ? failure : "Reading…" }

  var progress: Double? {
    guard !isComplete, latestProgress.foldersKnown > 1 else { return nil }
    return Double(latestProgress.foldersRead) / Double(latestProgress.foldersKnown)
  }

  var emptyTexts: (headline: String, hint: String) { FolderFeed.emptyTexts(of: title) }

  /// What an empty window says of folders.
  static func emptyTexts(of title: String) -> (headline: String, hint: String) {
    (
      "No pictures in “\(title)”",
      "JPEG, PNG, WebP, HEIC, AVIF, TIFF and GIF files are shown here, from this folder and those within."
    )
  }

  func takePendingEvents() -> [LibraryEvent] {
    guard !isComplete else { return [] }
    let events =
      isSimulated
      ? scan.takeBatch(count: FolderFeed.simulatedBatchSize) : scan.takeEvents(atMost: FolderFeed.liveBatchSize)
    for event in events {
      switch event {
      case .progress(let progress): latestProgress = progress
      case .finished: isComplete = true
      default: break
      }
    }
    return events
  }

  func rescan() -> Bool {
    let next = makeScan()
    do throws(ThreadError) {
      try next.start()
    } catch {
      failure = "The folders could not be read again: \(error)"
      return false
    }
    scan = next
    failure = nil
    latestProgress = ScanProgress()
    isComplete = false
    return true
  }

  func end() { scan.cancel() }
}
