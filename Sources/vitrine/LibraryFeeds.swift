import GalleryUI
import Geometry
import Hosting
import ImagePipeline
import PhotoLibrary
import SampleLibrary
import Threads

/// A feed that fills the gallery from a scan of folders.
final class FolderFeed: LibraryFeed {
  let title: String
  private let makeScan: () -> FolderScan
  private var scan: FolderScan
  private let isSimulated: Bool
  private(set) var isComplete = false
  private var latestProgress = ScanProgress()
  /// The reason why the folders could not be read again.
  private var failure: String?
  /// The maximum number of events per call in a live run.
  ///
  /// The caller continues while the frame has time.
  private static let liveBatchSize = 250
  /// The number of names per frame in a simulation.
  private static let simulatedBatchSize = 1_000

  /// Starts a scan.
  ///
  /// - Parameters:
  ///   - roots: The folders and images to scan.
  ///   - isSimulated: Whether to wait for each batch, so that equal runs receive equal batches.
  ///   - excluded: The program's own folders, which are skipped.
  ///   - interrupt: The interrupt that cancels the scan.
  ///   - wake: A closure that is called on other threads when events are available.
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
        roots: roots, options: ScanOptions(excludedFolders: excluded, batches: isSimulated ? .bySize : .bySizeAndAge),
        wake: wake)
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

  /// Returns the texts of an empty window.
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

// MARK: - Manifests

/// A feed that fills the gallery from manifests and images on the web.
final class ManifestFeed: LibraryFeed {
  let title: String
  private let makeScan: () -> ManifestScan
  private var scan: ManifestScan
  private let isSimulated: Bool
  private(set) var isComplete = false
  /// The reason why the manifests could not be read again.
  private var failure: String?
  /// The number of images per frame.
  private static let batchSize = 1_000

  /// Starts to read the manifests.
  ///
  /// - Parameters:
  ///   - title: The title of the library.
  ///   - isSimulated: Whether to wait for the manifests, so that equal runs receive equal batches.
  ///   - makeScan: Returns a new scan. Called each time the manifests are read.
  init(title: String, isSimulated: Bool, makeScan: @escaping () -> ManifestScan) throws {
    self.title = title
    self.isSimulated = isSimulated
    self.makeScan = makeScan
    scan = makeScan()
    try scan.start()
  }

  func makeRecords(datesByFile: Bool) -> any PhotoRecords { ManifestRecords() }

  var hasPendingEvents: Bool { isSimulated ? !isComplete : scan.hasEvents }

  var activity: String? { isComplete ? failure ?? problem : "Reading the list…" }

  var progress: Double? { nil }

  var emptyTexts: (headline: String, hint: String) {
    ("No pictures", problem ?? "The list is empty.")
  }

  /// The problems with the manifests in one line, or nil if there are none.
  private var problem: String? {
    let problems = scan.problems
    return problems.count > 1 ? "\(problems[0]), and \(problems.count - 1) more" : problems.first
  }

  func takePendingEvents() -> [LibraryEvent] {
    guard !isComplete else { return [] }
    let events = scan.takeEvents(atMost: ManifestFeed.batchSize, waitsUntilRead: isSimulated)
    if case .finished? = events.last { isComplete = true }
    return events
  }

  func rescan() -> Bool {
    let next = makeScan()
    do throws(ThreadError) {
      try next.start()
    } catch {
      failure = "The lists could not be read again: \(error)"
      return false
    }
    scan = next
    failure = nil
    isComplete = false
    return true
  }

  func end() { scan.cancel() }
}

// MARK: - Synthetic Images

/// A feed of synthetic images without files, which are all available immediately.
final class SyntheticFeed: LibraryFeed {
  let title = "Synthetic pictures"
  private let album: SketchAlbum
  private let count: Int
  private(set) var isComplete = false

  /// Creates a feed of the first images of an album.
  init(_ album: SketchAlbum, count: Int) {
    self.album = album
    self.count = count
  }

  func makeRecords(datesByFile: Bool) -> any PhotoRecords { AlbumRecords(SketchAlbumAdapter(album: album)) }

  var hasPendingEvents: Bool { !isComplete }

  var activity: String? { nil }

  var progress: Double? { nil }

  var emptyTexts: (headline: String, hint: String) { ("No pictures", "None were requested.") }

  func takePendingEvents() -> [LibraryEvent] {
    guard !isComplete else { return [] }
    isComplete = true
    var summary = ScanSummary()
    summary.found = count
    return [.listed(upTo: count), .finished(summary)]
  }

  /// Synthetic images do not change.
  func rescan() -> Bool { false }

  func end() {}
}

/// An adapter that provides a synthetic album to the library.
private nonisolated struct SketchAlbumAdapter: PictureAlbum {
  let album: SketchAlbum

  func title(at number: Int) -> String { album.title(at: number) }

  func size(at number: Int) -> PixelSize { album.size(at: number) }

  func captureTime(at number: Int) -> Int64 { album.captureTime(at: number) }

  func tinyPreview(at number: Int) -> TinyPreview? { album.tinyPreview(at: number) }
}
