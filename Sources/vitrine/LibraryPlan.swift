import DataStructures
import GalleryUI
import Hosting
import ImagePipeline
import PhotoLibrary
import Rendering
import SampleLibrary

/// Which photographs a run is to show, settled before anything is opened.
struct LibraryConfiguration {
  /// Where they come from.
  enum Source {
    /// Folders and pictures of the user's.
    case roots([LibraryRoot])
    /// The files that a recording lists, in the places in which they lay.
    case recorded([ListedFile], places: [PhotoPath])
    /// Lists of pictures, and pictures, on the web.
    case manifests([ManifestLocation])
    /// So many painted ones.
    case samples(Int)
    /// So many that have no files.
    case synthetic(Int)
  }

  /// Where the photographs come from.
  private(set) var source: Source
  /// The photograph to bring into view: a single picture opens its folder.
  private(set) var wantedPath: PhotoPath?

  private let cache: PhotoPath?
  /// Where things are kept unless the user says where.
  private let defaultCache: PhotoPath?
  /// Whether the user said where to keep things.
  private let hasExplicitCache: Bool
  private let sharedThumbnails: PhotoPath?
  private let isCacheDisabled: Bool
  private let seed: UInt64
  /// What the command line gave that is no option.
  private(set) var givenOperands: [[UInt8]] = []
  /// The sample library where there are no pictures and none were asked for.
  private static let defaultSampleCount = 60

  /// Settles the source by the command line.
  ///
  /// - Throws: `LibraryError` for a path that no library can be made of, `ManifestPlaceError` for an address that is none,
  ///   `UsageError` for what does not go together.
  init(_ options: GalleryOptions, operands: [[UInt8]], interrupt: Interrupt) throws {
    let folders = UserEnvironment.folders
    cache = options.cacheFolder.map { PhotoPath($0).absolute } ?? folders.cache
    defaultCache = folders.cache
    sharedThumbnails = folders.thumbnails
    hasExplicitCache = options.cacheFolder != nil
    // Whoever made a recording does not fill somebody else's cache.
    let isOthers = options.hosting.loadedReplay != nil && !hasExplicitCache
    isCacheDisabled = options.isCacheDisabled || isOthers
    seed = options.hosting.seed
    if let count = options.sampleCount {
      source = .samples(count)
      wantedPath = nil
      return
    }
    if let count = options.syntheticCount {
      source = .synthetic(count)
      wantedPath = nil
      return
    }
    var operands = operands
    var recordedPicture: PhotoPath?
    if operands.isEmpty, let replay = options.hosting.loadedReplay {
      if let recorded = RecordedListing(replay) {
        source = .recorded(recorded.files, places: recorded.roots)
        wantedPath = recorded.wantedPath
        return
      }
      operands = try RecordedListing.operands(of: replay)
      recordedPicture = replay.recording.header.wanted.flatMap(PercentEncoding.bytes(of:)).map {
        RecordedListing.path($0, in: replay)
      }
    }
    givenOperands = operands
    let lists = try operands.map { operand throws(ManifestLocationError) in try ManifestLocation.parse(operand) }
    if lists.contains(where: { $0 != nil }) {
      let places = lists.compactMap { $0 }
      guard places.count == operands.count else {
        throw UsageError("addresses and lists are shown by themselves; give either them or folders and pictures")
      }
      source = .manifests(places)
      wantedPath = nil
      return
    }
    let paths = operands
    guard
      let checked = try interrupt.runInterruptibly({
        Result { () throws(LibraryError) in try LibraryRoots(checking: paths) }
      }),
      let pictures = try interrupt.runInterruptibly({ folders.pictures.flatMap { try? LibraryRoot(checking: $0) } })
    else {
      // The run that follows ends at once, with its report.
      source = .roots([])
      wantedPath = nil
      return
    }
    let places = try checked.get()
    var roots = places.roots
    wantedPath = places.wantedPath ?? recordedPicture
    if roots.isEmpty, let pictures, try LibraryConfiguration.containsImages(pictures, interrupt) { roots = [pictures] }
    source = roots.isEmpty ? .samples(LibraryConfiguration.defaultSampleCount) : .roots(roots)
  }

  /// Settles the source by what was dropped on the window of a run.
  init(dropped places: LibraryRoots, replacing plan: LibraryConfiguration) {
    self = plan
    source = .roots(places.roots)
    wantedPath = places.wantedPath
  }

  /// Whether something may be dropped on the run's window.
  ///
  /// - Throws: `UsageError` where the run's pictures are painted as they are seen, so that nobody decodes files.
  func validateAcceptsDrops() throws(UsageError) {
    if case .synthetic = source { throw UsageError("Pictures without files are shown; start without --synthetic") }
  }

  /// Where previews of the photographs are kept; nothing where nothing is to be kept, or there is nothing to keep of.
  ///
  /// A simulation reads what earlier runs have left only where it is told to.
  func previewFolder(isSimulated: Bool) -> [UInt8]? {
    if case .synthetic = source { return nil }
    return isCacheDisabled || (isSimulated && !hasExplicitCache) ? nil : cache?.bytes
  }

  /// Whether a folder holds a picture anywhere; ends with the first one.
  ///
  /// After a signal it counts as if: the run that then begins ends at once, with its report.
  private static func containsImages(_ root: LibraryRoot, _ interrupt: Interrupt) throws -> Bool {
    let scan = FolderScan(roots: [root], options: ScanOptions(isDeterministic: true)) {}
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

  /// What is kept of prepared pictures from run to run: nothing where nothing is to be, or there is no home to keep it in.
  ///
  /// On a modelled time line nothing either, unless a folder was named: what is on the disk of one machine must not change
  /// what a simulation shows.
  ///
  /// - Parameter isHeadless: whether there is no window: such a run is a measurement or a test, and leaves nothing with other
  ///   programs.
  func storageConfiguration(isSimulated: Bool, isHeadless: Bool) -> StorageConfiguration? {
    guard !isCacheDisabled, hasExplicitCache || !isSimulated else { return nil }
    return cache.map {
      StorageConfiguration(
        directory: $0.bytes, sharedThumbnails: isSimulated ? nil : sharedThumbnails?.bytes,
        sharesThumbnails: !isSimulated && !isHeadless, unsharedFolders: [defaultCache?.bytes].compactMap { $0 })
    }
  }

  /// What makes the pictures on the pipeline's threads; nothing where decoding processes do.
  ///
  /// - Parameter storage: how their pixels are to stand in memory.
  func makeDecoderFactory(storage: PixelStorage) -> (any DecoderFactory)? {
    guard case .synthetic(let count) = source else { return nil }
    return SketchPainter(SketchAlbum(count: count, seed: seed), storage: storage)
  }

  /// What brings pictures from the web; nothing where there are none on it.
  ///
  /// A simulation keeps nothing of other runs, unless it is told where, and repeats; all else is to do nothing at the same
  /// moment, or under the same name, as another instance.
  ///
  /// - Throws: `RemoteFailure`, `ThreadError`.
  func makeTransfers(isSimulated: Bool) throws -> RemoteTransfers? {
    guard case .manifests = source else { return nil }
    let isKept = !isCacheDisabled && (!isSimulated || hasExplicitCache)
    return try RemoteTransfers(
      RemoteConfiguration(
        folder: isKept ? cache?.appending("downloads").bytes : nil,
        seed: isSimulated ? seed : .random(in: .min ... .max)))
  }

  /// The threads that paint samples, each with a process, as many as the system's limits allow.
  private static var generatorThreadCount: Int {
    var configuration = DecodingOptions().configuration(isSimulated: false)
    _ = ResourceLimits.current().reduceToFit(&configuration)
    return configuration.workers
  }

  /// Starts what fills the gallery.
  ///
  /// Without a window sample photographs are painted before it returns, as a run is to measure showing them; or until a
  /// signal, after which the run that follows ends at once, with its report.
  func makeFeed(
    isSimulated: Bool, isHeadless: Bool, transfers: RemoteTransfers?, interrupt: Interrupt,
    wake: @escaping @Sendable () -> Void
  ) throws -> any LibraryFeed {
    switch source {
    case .manifests(let places):
      guard let transfers else { failPrecondition("lists were to be shown without transfers") }
      let title = places.count == 1 ? places[0].title : "\(places.count) lists"
      return try ManifestFeed(title: title, isSimulated: isSimulated) {
        let scan = ManifestScan(locations: places, transfers: transfers, wake: wake)
        if isSimulated { interrupt.addHandler { [weak scan] in scan?.cancel() } }
        return scan
      }
    case .roots(let roots):
      // Our own files are no photographs of the user's, unless the user asks for them.
      let excluded = [cache].compactMap { $0 }.filter { own in
        !roots.contains { $0.path.absolute.bytes.starts(with: own.bytes) }
      }
      return try FolderFeed(
        roots: roots, isSimulated: isSimulated, excluded: excluded, interrupt: interrupt, wake: wake)
    case .recorded(let files, let places):
      let excluded = [cache].compactMap { $0 }.filter { own in
        !places.contains { $0.absolute.bytes.starts(with: own.bytes) }
      }
      return try RecordedFeed(files, in: places, excluded: excluded, interrupt: interrupt)
    case .synthetic(let count):
      return SyntheticFeed(SketchAlbum(count: count, seed: seed), count: count)
    case .samples(let count):
      let isTemporary = isCacheDisabled || cache == nil
      let folder =
        isTemporary
        ? try SampleLibrary.temporaryFolder(in: UserEnvironment.temporaryFolder)
        : SampleLibrary.folder(within: cache?.bytes ?? [], seed: seed)
      let feed = try SampleFeed(
        SampleConfiguration(
          count: count, seed: seed, folder: folder, threads: LibraryConfiguration.generatorThreadCount,
          isLowPriority: !isHeadless),
        isSimulated: isSimulated, isTemporary: isTemporary, interrupt: interrupt, wake: wake)
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
