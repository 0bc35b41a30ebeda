import VitrineDataStructures
import VitrineDiagnostics
import VitrineFileReading
import VitrineFramePacing
import VitrineGalleryUI
import VitrineGeometry
import VitrineHosting
import VitrineImagePipeline
import VitrineImageStore
import VitrinePhotoLibrary
import VitrineRemoteImages
import VitrineRendering
import VitrineSampleLibrary

/// The configuration of a run's library, which is determined before anything is opened.
struct LibraryConfiguration {
  /// The source of the photographs.
  enum Source {
    /// Folders and images on disk.
    case roots([LibraryRoot])
    /// The files that a recording lists, and their folders.
    case recorded([ListedFile], roots: [PhotoPath])
    /// Manifests and images on the web.
    case manifests([ManifestLocation])
    /// A number of sample photographs.
    case samples(Int)
    /// A number of synthetic images without files.
    case synthetic(Int)
  }

  /// The source of the photographs.
  private(set) var source: Source
  /// The photograph to scroll to.
  ///
  /// A single image on the command line opens its folder.
  private(set) var pathToReveal: PhotoPath?
  /// What is known of a picture that the user opened before its folder is listed, or nil.
  private var picture: OpenedPicture?

  private let cache: PhotoPath?
  /// The cache folder if the user specifies none.
  private let defaultCache: PhotoPath?
  /// Whether the user specified a cache folder.
  private let hasExplicitCache: Bool
  private let sharedThumbnails: PhotoPath?
  private let isCacheDisabled: Bool
  /// The catalogue on disk, shared by all libraries of the run, or nil if nothing is kept.
  let catalogue: CatalogueStore?
  /// The reader of the files of the run's libraries.
  private(set) var reader = FileReader()
  private let seed: UInt64
  /// The operands of the command line.
  private(set) var originalOperands: [[UInt8]] = []
  /// The number of sample photographs if no images are found and no source is requested.
  private static let defaultSampleCount = 60

  /// Determines the source from the command line.
  ///
  /// - Throws: `LibraryError` for an invalid path, `ManifestLocationError` for an invalid address, or `UsageError` for
  ///   incompatible operands.
  init(_ options: GalleryOptions, operands: [[UInt8]], interrupt: Interrupt) throws {
    let folders = UserEnvironment.folders
    cache = options.cacheFolder.map { PhotoPath($0).absolute } ?? folders.cache
    defaultCache = folders.cache
    sharedThumbnails = folders.thumbnails
    hasExplicitCache = options.cacheFolder != nil
    // A recording, which may come from another user, must not fill this user's cache.
    let isReplay = options.common.loadedReplay != nil && !hasExplicitCache
    isCacheDisabled = options.isCacheDisabled || isReplay
    catalogue = isCacheDisabled ? nil : cache.map { CatalogueStore(directory: $0.bytes) }
    seed = options.hosting.seed
    if let count = options.sampleCount {
      source = .samples(count)
      pathToReveal = nil
      return
    }
    if let count = options.syntheticCount {
      source = .synthetic(count)
      pathToReveal = nil
      return
    }
    var operands = operands
    var recordedPicture: PhotoPath?
    if operands.isEmpty, let replay = options.common.loadedReplay {
      if let recorded = RecordedListing(replay) {
        source = .recorded(recorded.files, roots: recorded.roots)
        pathToReveal = recorded.pathToReveal
        return
      }
      operands = try RecordedListing.operands(of: replay)
      recordedPicture = replay.recording.header.wanted.flatMap(PercentEncoding.bytes(of:)).map {
        RecordedListing.path($0, in: replay)
      }
    }
    operands = try operands.map { operand in
      let text = String(decoding: operand, as: UTF8.self)
      guard text.hasPrefix("file:") else { return operand }
      guard let path = FileAddress.path(of: text) else {
        throw UsageError("\(text): not the address of a file on this computer, such as file:///home/me/picture.jpg")
      }
      return path
    }
    originalOperands = operands
    let locations = try operands.map { operand throws(ManifestLocationError) in try ManifestLocation.parse(operand) }
    if locations.contains(where: { $0 != nil }) {
      let manifests = locations.compactMap { $0 }
      guard manifests.count == operands.count else {
        throw UsageError("addresses and lists are shown by themselves; give either them or folders and pictures")
      }
      source = .manifests(manifests)
      pathToReveal = nil
      return
    }
    let (paths, reader) = (operands, reader)
    guard
      let checked = try interrupt.runInterruptibly({
        Result { () throws(LibraryError) in try LibraryRoots(checking: paths, reader: reader) }
      }),
      let pictures = try interrupt.runInterruptibly({
        folders.pictures.flatMap { try? LibraryRoot(checking: $0, reader: reader) }
      })
    else {
      // The run ends immediately and writes its report.
      source = .roots([])
      pathToReveal = nil
      return
    }
    let checkedRoots = try checked.get()
    var roots = checkedRoots.roots
    picture = checkedRoots.picture
    pathToReveal = checkedRoots.pathToReveal ?? recordedPicture
    if roots.isEmpty, let pictures, try LibraryConfiguration.containsImages(pictures, interrupt, reader) {
      roots = [pictures]
    }
    source = roots.isEmpty ? .samples(LibraryConfiguration.defaultSampleCount) : .roots(roots)
  }

  /// Replaces the source of a configuration by folders and images that were dropped on the window.
  init(dropped roots: LibraryRoots, replacing libraryConfiguration: LibraryConfiguration) {
    self = libraryConfiguration
    source = .roots(roots.roots)
    picture = roots.picture
    pathToReveal = roots.pathToReveal
  }

  // MARK: - Caches

  /// Checks that files may be dropped on the window.
  ///
  /// - Throws: `UsageError` if the images are synthetic, because the run then has no decoder of files.
  func validateAcceptsDrops() throws(UsageError) {
    if case .synthetic = source { throw UsageError("Pictures without files are shown; start without --synthetic") }
  }

  /// Returns the folder for previews, or nil if they are not cached.
  ///
  /// A simulation uses the previews of earlier runs only in a folder that the user specified.
  func previewFolder(isSimulated: Bool) -> [UInt8]? {
    if case .synthetic = source { return nil }
    return isCacheDisabled || (isSimulated && !hasExplicitCache) ? nil : cache?.bytes
  }

  /// Returns whether a folder contains an image at any depth.
  ///
  /// The scan ends at the first one.
  ///
  /// Returns true after a signal, because the following run then ends immediately and writes its report.
  private static func containsImages(
    _ root: LibraryRoot, _ interrupt: Interrupt, _ reader: FileReader
  ) throws -> Bool {
    let scan = FolderScan(roots: [root], options: ScanOptions(batches: .bySize, reader: reader)) {}
    try scan.start()
    defer { scan.cancel() }
    let call = interrupt.addHandler { scan.cancel() }
    defer { interrupt.removeHandler(call) }
    let events = scan.takeBatch(count: 1)
    if interrupt.isRaised { return true }
    return events.contains { event in
      if case .found(let photos) = event { return !photos.isEmpty }
      return false
    }
  }

  /// Returns the configuration of the disk cache, or nil if it is disabled or there is no home folder.
  ///
  /// A simulation uses it only in a folder that the user specified, because other runs on the machine must not affect
  /// it.
  ///
  /// - Parameters:
  ///   - isSimulated: Whether the run's clock is simulated.
  ///   - isHeadless: Whether the run is headless. Such a run is a measurement or a test and shares no thumbnails.
  func storageConfiguration(isSimulated: Bool, isHeadless: Bool) -> StorageConfiguration? {
    guard !isCacheDisabled, hasExplicitCache || !isSimulated else { return nil }
    return cache.map {
      StorageConfiguration(
        directory: $0.bytes, sharedThumbnails: isSimulated ? nil : sharedThumbnails?.bytes,
        sharesThumbnails: !isSimulated && !isHeadless, unsharedFolders: [defaultCache?.bytes].compactMap { $0 })
    }
  }

  /// Why there is no cache folder, or nil if there is one or nothing is stored.
  var missingCache: String? {
    if case .synthetic = source { return nil }
    return isCacheDisabled || cache != nil ? nil : UserEnvironment.missingCache
  }

  // MARK: - Feeds

  /// Returns the factory of decoders for synthetic images, or nil if decoding processes are used.
  ///
  /// - Parameter storage: The pixel format of the images.
  func makeDecoderFactory(storage: PixelStorage) -> (any DecoderFactory)? {
    guard case .synthetic(let count) = source else { return nil }
    return SketchPainter(SketchAlbum(count: count, seed: seed), storage: storage)
  }

  /// Creates the transfers of images from the web, or returns nil if there are none.
  ///
  /// A simulation uses a fixed seed, and caches only in a folder that the user specified. Other runs use a random seed,
  /// so that two instances neither retry at the same time nor use the same file names.
  ///
  /// - Throws: `RemoteFailure`, `ThreadError`.
  func makeTransfers(isSimulated: Bool) throws -> RemoteTransfers? {
    guard case .manifests = source else { return nil }
    let isStored = !isCacheDisabled && (!isSimulated || hasExplicitCache)
    return try RemoteTransfers(
      RemoteConfiguration(
        folder: isStored ? cache?.appending("downloads").bytes : nil,
        seed: isSimulated ? seed : .random(in: .min ... .max)))
  }

  /// The number of threads that generate samples, each with a process, within the system's limits.
  private static var generatorThreadCount: Int {
    var configuration = DecodingOptions().configuration(isSimulated: false)
    _ = ResourceLimits.current().reduceToFit(&configuration)
    return configuration.workers
  }

  /// Creates and starts the feed that fills the gallery.
  ///
  /// In a headless run, sample photographs are generated before the method returns, so that the run measures only their
  /// display. After a signal, the method returns early, and the following run ends immediately and writes its report.
  ///
  /// - Parameters:
  ///   - isSimulated: Whether the run's clock is simulated: its frames must depend on the files only.
  ///   - isHeadless: Whether the run is headless.
  ///   - isShown: Whether the library is shown, so that it is restored and kept up to date. Default: true.
  ///   - transfers: The transfers of images from the web.
  ///   - interrupt: The interrupt that ends the feed.
  ///   - wake: A closure that is called on other threads when events are available.
  func makeFeed(
    isSimulated: Bool, isHeadless: Bool, isShown: Bool = true, transfers: RemoteTransfers?, interrupt: Interrupt,
    wake: @escaping @Sendable () -> Void
  ) throws -> any LibraryFeed {
    switch source {
    case .manifests(let locations):
      guard let transfers else { failPrecondition("lists were to be shown without transfers") }
      let title = locations.count == 1 ? locations[0].title : "\(locations.count) lists"
      return try ManifestFeed(title: title, isSimulated: isSimulated) {
        let scan = ManifestScan(locations: locations, transfers: transfers, reader: reader, wake: wake)
        if isSimulated { interrupt.addHandler { [weak scan] in scan?.cancel() } }
        return scan
      }
    case .roots(let roots):
      // Cached files are not photographs of the user, unless the user specifies their folder.
      let excluded = [cache].compactMap { $0 }.filter { own in
        !roots.contains { $0.path.absolute.bytes.starts(with: own.bytes) }
      }
      let isLive = isShown && !isSimulated && ResourceLimits.current().allowOptionalServices
      let services = FolderFeed.Services(
        catalogue: isLive ? catalogue : nil, watcher: isLive ? try? FolderWatcher(wake: wake) : nil,
        reader: reader)
      return try FolderFeed(
        roots: roots, picture: picture, isSimulated: isSimulated, excluded: excluded, services: services,
        interrupt: interrupt, wake: wake)
    case .recorded(let files, let roots):
      let excluded = [cache].compactMap { $0 }.filter { own in
        !roots.contains { $0.absolute.bytes.starts(with: own.bytes) }
      }
      return try RecordedFeed(files, in: roots, excluded: excluded, reader: reader, interrupt: interrupt)
    case .synthetic(let count):
      return SyntheticFeed(SketchAlbum(count: count, seed: seed), count: count)
    case .samples(let count):
      let isTemporary = isCacheDisabled || cache == nil
      let temporaryName = "vitrine-samples-" + String(UInt64.random(in: .min ... .max), radix: 36)
      // The name includes the version of the painter.
      let folder =
        isTemporary
        ? PhotoPath(UserEnvironment.temporaryFolder).appending(temporaryName)
        : cache?.appending("samples-2-seed-\(seed)") ?? PhotoPath("")
      let feed = try SampleFeed(
        count: count, seed: seed, folder: folder, threads: LibraryConfiguration.generatorThreadCount,
        isLowPriority: !isHeadless, isSimulated: isSimulated, isTemporary: isTemporary, interrupt: interrupt,
        wake: wake)
      if isHeadless || isSimulated {
        do throws(SampleLibraryError) {
          try feed.generateAll(interrupt: interrupt)
        } catch {
          feed.end()
          throw error
        }
      }
      return feed
    }
  }
}

// MARK: - Recording

extension LibraryConfiguration {
  /// Returns the description of the library for a recording.
  ///
  /// - Parameters:
  ///   - settled: Options for settings that the program derived.
  ///   - library: The library that was shown, or nil if the run switched to another one.
  func makeRecordedLibrary(settled: [ParsedOption], _ library: LibraryModel?) -> RecordedLibrary {
    var recorded = RecordedLibrary()
    recorded.options = settled
    recorded.workingFolder = PercentEncoding.text(of: PhotoPath(".").absolute.bytes)
    recorded.pathToReveal = pathToReveal.map { PercentEncoding.text(of: $0.bytes) }
    switch source {
    case .roots(let roots): recorded.operands = roots.map { PercentEncoding.text(of: $0.path.bytes) }
    case .recorded(_, let roots): recorded.operands = roots.map { PercentEncoding.text(of: $0.bytes) }
    case .manifests: recorded.operands = originalOperands.map { PercentEncoding.text(of: $0) }
    case .samples(let count): recorded.options.append(ParsedOption("--sample", "\(count)"))
    case .synthetic(let count): recorded.options.append(ParsedOption("--synthetic", "\(count)"))
    }
    // Without a completed scan, the catalogue may list files that no longer exist.
    guard listsFiles else { return recorded }
    guard let library, library.isComplete, let catalogue = library.catalogue as? PhotoCatalogue,
      library.count == catalogue.count
    else {
      Console(program: "vitrine").printError(
        "--record: not all photographs were read, or others were shown; the recording names the folder, and no files")
      return recorded
    }
    recorded.files = catalogue.listing.map { file in
      RecordedFile(
        path: PercentEncoding.text(of: file.path.bytes), bytes: file.byteCount, modified: file.modificationNanoseconds,
        width: file.size?.width, height: file.size?.height, taken: file.captureTime)
    }
    return recorded
  }

  /// Whether the photographs are files on disk.
  private var listsFiles: Bool {
    switch source {
    case .roots, .recorded: true
    default: false
    }
  }
}

// MARK: - Dropped Files

/// An opener of files that are dropped on the gallery's window, as if they were operands of the command line.
final class DroppedLibraryOpener: LibraryOpener {
  private let libraryConfiguration: LibraryConfiguration
  private let host: Host
  private let interrupt: Interrupt
  private var pathCheck: LibraryPathCheck?
  /// The result on a simulated clock, on which paths are checked synchronously.
  private var outcome: Result<LibraryRoots, LibraryError>?
  /// Whether another library was opened.
  private(set) var hasOpened = false
  private var refusal: String?

  /// Creates an opener for a run.
  init(replacing libraryConfiguration: LibraryConfiguration, _ host: Host, interrupt: Interrupt) {
    self.libraryConfiguration = libraryConfiguration
    self.host = host
    self.interrupt = interrupt
  }

  func open(_ paths: [[UInt8]]) {
    let waker = host.waker
    (pathCheck, outcome, refusal) = (nil, nil, nil)
    do {
      try libraryConfiguration.validateAcceptsDrops()
      if host.clock.kind.isSimulated {
        // A simulation waits, so that equal runs open the library in the same frame.
        outcome = Result { () throws(LibraryError) in
          try LibraryRoots(checking: paths, reader: libraryConfiguration.reader)
        }
        return
      }
      pathCheck = try LibraryPathCheck(paths, reader: libraryConfiguration.reader) { waker.wake() }
    } catch {
      refusal = "\(error)"
    }
  }

  func cancel() { (pathCheck, outcome, refusal) = (nil, nil, nil) }

  var hasPendingResult: Bool { refusal != nil || outcome != nil || pathCheck?.result != nil }

  func takeResult() -> LibraryOpenResult? {
    if let refusal {
      self.refusal = nil
      return .failure(refusal)
    }
    guard let result = outcome ?? pathCheck?.result else { return nil }
    (pathCheck, outcome) = (nil, nil)
    let waker = host.waker
    do {
      let next = LibraryConfiguration(dropped: try result.get(), replacing: libraryConfiguration)
      let feed = try next.makeFeed(
        isSimulated: host.clock.kind.isSimulated, isHeadless: host.options.isHeadless, transfers: nil,
        interrupt: interrupt
      ) { waker.wake() }
      host.setTitle("\(feed.title) - Vitrine")
      hasOpened = true
      return .success(feed, pathToReveal: next.pathToReveal)
    } catch {
      return .failure("\(error)")
    }
  }
}
