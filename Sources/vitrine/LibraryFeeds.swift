import VitrineFileReading
import VitrineGalleryUI
import VitrineGeometry
import VitrineHosting
import VitrineImagePipeline
import VitrinePhotoLibrary
import VitrineRendering
import VitrineSampleLibrary
import VitrineThreads

/// A feed that fills the gallery from a scan of folders, and then with what changes in them.
///
/// A library that is known from an earlier run is restored first, and then read again. Of folders that change afterwards
/// only these are listed. At any time there is at most one scan or update.
final class FolderFeed: LibraryFeed {
  /// What makes a library known between runs and up to date.
  struct Services {
    /// The stored catalogue, or nil.
    var catalogue: CatalogueStore?
    /// The watcher of the folders, or nil.
    var watcher: FolderWatcher?
    /// The reader of the photographs' headers.
    var reader = FileReader()
  }

  let title: String
  let roots: [PhotoPath]
  /// The picture that the user opened, or nil.
  private let picture: OpenedPicture?
  let readsWholeFileSystem: Bool
  private let services: Services
  private let makeScan: (_ changes: [FolderChange]?) -> FolderScan
  private var restoration: CatalogueRestoration?
  private var scan: FolderScan?
  /// The scan of folders that changed, or nil.
  private var update: FolderScan?
  /// The scan or update that an interrupt cancels.
  private let running = Lock<[FolderScan]>([])
  private let isSimulated: Bool
  private(set) var isComplete = false
  private(set) var needsRescan = false
  private var latestProgress = ScanProgress()
  /// Whether the library was restored and is now compared with the folders.
  private var isChecking = false
  /// The reason why the folders could not be read again.
  private var failure: String?
  /// The maximum number of events per call in a live run.
  ///
  /// The caller continues while the frame has time.
  private static let liveBatchSize = 250
  /// The number of names per frame in a simulation.
  private static let simulatedBatchSize = 1_000

  /// Starts to restore the library, or to scan it if nothing is known about it.
  ///
  /// - Parameters:
  ///   - roots: The folders and images to scan.
  ///   - picture: The picture that the user opened, which is known before its folder is listed, or nil.
  ///   - isSimulated: Whether to wait for each batch, so that equal runs receive equal batches.
  ///   - excluded: The program's own folders, which are skipped.
  ///   - services: What makes the library known between runs and up to date; not used by simulations.
  ///   - interrupt: The interrupt that cancels the scan.
  ///   - wake: A closure that is called on other threads when events are available.
  init(
    roots: [LibraryRoot], picture: OpenedPicture? = nil, isSimulated: Bool, excluded: [PhotoPath],
    services: Services = Services(),
    interrupt: Interrupt, wake: @escaping @Sendable () -> Void
  ) throws {
    self.isSimulated = isSimulated
    self.services = services
    self.picture = picture
    readsWholeFileSystem = roots.contains(where: \.isWholeFileSystem)
    self.roots = roots.map { $0.kind == .folder ? $0.path : $0.path.parent }
    title =
      roots.count == 1
      ? roots[0].path.libraryTitle : "\(roots.count) places"
    let options = ScanOptions(
      excludedFolders: excluded, batches: isSimulated ? .bySize : .bySizeAndAge, catalogue: services.catalogue,
      watcher: services.watcher, reader: services.reader)
    makeScan = { changes in
      changes.map { FolderScan(of: $0, within: roots, options: options, wake: wake) }
        ?? FolderScan(roots: roots, options: options, wake: wake)
    }
    interrupt.addHandler { [running] in running.withLock { scans in for scan in scans { scan.cancel() } } }
    restoration = services.catalogue.flatMap {
      try? CatalogueRestoration($0, roots: roots, picture: picture, wake: wake)
    }
    if restoration == nil {
      do throws(ThreadError) {
        try startScan()
      } catch {
        services.watcher?.close()
        throw error
      }
    }
  }

  func makeRecords(datesByFile: Bool) -> any PhotoRecords {
    var catalogue = PhotoCatalogue()
    catalogue.datesByFile = datesByFile
    if let picture { catalogue.insert(picture) }
    return catalogue
  }

  private func startScan() throws(ThreadError) {
    scan = try start(makeScan(nil))
  }

  private func start(_ scan: FolderScan) throws(ThreadError) -> FolderScan {
    try scan.start()
    running.withLock { $0 = [scan] }
    return scan
  }

  var hasPendingEvents: Bool {
    if isSimulated { return !isComplete }
    if let restoration { return restoration.hasResult }
    if let update { return update.hasEvents }
    if !isComplete { return scan?.hasEvents ?? false }
    return !needsRescan && services.watcher?.hasChanges ?? false
  }

  var activity: String? {
    if isComplete { return failure }
    return isChecking ? "Checking…" : "Reading…"
  }

  var progress: Double? {
    guard !isComplete, latestProgress.foldersKnown > 1 else { return nil }
    return Double(latestProgress.foldersRead) / Double(latestProgress.foldersKnown)
  }

  func stopReading() {
    guard !isComplete, let scan else { return }
    scan.cancel()
    failure = "Stopped; F5 reads again"
  }

  var hasReachedWatchLimit: Bool { services.watcher?.hasReachedLimit ?? false }

  var emptyTexts: (headline: String, hint: String) { FolderFeed.emptyTexts(of: title) }

  /// Returns the texts of an empty window.
  static func emptyTexts(of title: String) -> (headline: String, hint: String) {
    (
      "No pictures in “\(title)”",
      "JPEG, PNG, WebP, HEIC, AVIF, TIFF and GIF files are shown here, from this folder and those within."
    )
  }

  func takeRestoredRecords() -> (any PhotoRecords)? {
    switch restoration?.takeResult() {
    case .part(let catalogue): return catalogue
    case .whole(let catalogue?):
      restoration = nil
      (isComplete, needsRescan, isChecking) = (true, true, true)
      return catalogue
    case .whole(nil):
      restoration = nil
      do throws(ThreadError) {
        try startScan()
      } catch {
        failure = "The folders cannot be read: \(error)"
        isComplete = true
      }
      return nil
    case nil: return nil
    }
  }

  func takePendingEvents() -> [LibraryEvent] {
    if let update { return take(from: update) }
    guard !isComplete else { return takeChanges() }
    guard let scan else { return [] }
    let events = isSimulated ? scan.takeBatch(count: FolderFeed.simulatedBatchSize) : take(from: scan)
    for event in events {
      switch event {
      case .progress(let progress): latestProgress = progress
      case .finished:
        isComplete = true
        isChecking = false
      default: break
      }
    }
    return events
  }

  private func take(from scan: FolderScan) -> [LibraryEvent] {
    let events = scan.takeEvents(atMost: FolderFeed.liveBatchSize)
    if scan === update, case .finished? = events.last { update = nil }
    return events
  }

  /// Starts to list the folders that changed.
  private func takeChanges() -> [LibraryEvent] {
    guard !needsRescan, let watcher = services.watcher, watcher.hasChanges else { return [] }
    let changes = watcher.takeChanges()
    if changes.needsRescan {
      needsRescan = true
      return []
    }
    var events = changes.unmounted.map { LibraryEvent.problem(ScanProblem(folder: $0, reason: .unmounted)) }
    guard !changes.folders.isEmpty else { return events }
    let next = makeScan(changes.folders)
    do throws(ThreadError) {
      update = try start(next)
      events.append(.updating)
    } catch {
      // The whole library is read when the system has a thread again.
      needsRescan = true
    }
    return events
  }

  func rescan() -> Bool {
    needsRescan = false
    // Its folders are read again anyway.
    update?.cancel()
    update = nil
    do throws(ThreadError) {
      try startScan()
    } catch {
      failure = "The folders could not be read again: \(error)"
      return false
    }
    failure = nil
    latestProgress = ScanProgress()
    isComplete = false
    return true
  }

  func retry(_ folders: Set<PhotoPath>) {
    services.watcher?.retry(folders)
  }

  func end() {
    restoration?.cancel()
    scan?.cancel()
    update?.cancel()
    services.watcher?.close()
  }
}

extension PhotoPath {
  /// The name of the folder or file as the title of a library: in one line, with invalid bytes and controls replaced.
  var libraryTitle: String {
    let path = absolute
    return SanitizedText(bytes: path.lastComponent.isEmpty ? path.bytes[...] : path.lastComponent).string
  }
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

  var activity: String? { isComplete ? failure : "Reading the list…" }

  var progress: Double? { nil }

  var emptyTexts: (headline: String, hint: String) {
    ("No pictures", problem ?? "The list is empty.")
  }

  /// The problems with the manifests in one line, or nil if there are none.
  var problem: String? {
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
