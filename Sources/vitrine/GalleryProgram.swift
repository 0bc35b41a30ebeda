import CollectionUI
import Glibc
import VitrineDiagnostics
import VitrineFramePacing
import VitrineGalleryUI
import VitrineGeometry
import VitrineHosting
import VitrineImagePipeline
import VitrineImageStore
import VitrinePhotoLibrary
import VitrineRemoteImages
import VitrineRendering
import VitrineThreads

/// A run of the gallery, from its arguments to its exit status.
struct GalleryProgram {
  /// The name of the desktop file.
  static let identifier = "io.github.vitrine.Vitrine"

  /// The time at which the process started, on the monotonic clock.
  let launch: FrameInstant
  private let interrupt = Interrupt()
  private let console = Console(program: "vitrine")

  init(launch: FrameInstant) { self.launch = launch }

  /// Runs the gallery.
  ///
  /// - Returns: 0, 1 if the run fails, 2 if the command line is invalid, or 130 after a signal.
  func run(_ arguments: [[UInt8]]) -> Int32 {
    do {
      if let (demo, rest) = try DemoProgram.requestedDemo(in: arguments) { throw demo.replaceProcess(rest) }
      // Before any access to files, which may be on an unresponsive file system.
      try interrupt.start()
      let parsed = try GalleryOptions.table.parse(
        arguments, into: GalleryOptions(), common: \.common, of: "vitrine", modes: GalleryOptions.modes,
        replacedNames: GalleryOptions.replacedOptionNames)
      var options = parsed.settings
      if options.isHelpRequested {
        try console.print(GalleryProgram.help, for: "--help")
        return 0
      }
      if options.isVersionRequested {
        try console.print("vitrine \(Version.number)\n", for: "--version")
        return 0
      }
      if options.isAboutRequested {
        if let path = parsed.operands.first {
          throw UsageError("--about shows no pictures; leave out \(String(decoding: path, as: UTF8.self))")
        }
        try options.common.validate()
        let text = AboutReport(options.hosting, launch: launch, interrupt: interrupt).text
        try console.print(text, for: "--about")
        return 0
      }
      try options.validate(operandCount: parsed.operands.count)
      try options.common.validateDestinations()
      if !parsed.operands.isEmpty { options.common.loadedReplay?.overridden.append("folder") }
      try ResourceLimits.current().validate()
      let libraryConfiguration = try LibraryConfiguration(options, operands: parsed.operands, interrupt: interrupt)
      return try options.verdictsPath.map {
        try VerdictReport(options, libraryConfiguration, file: $0, interrupt: interrupt).run()
      }
        ?? showGallery(options, libraryConfiguration)
    } catch let error as UsageError {
      console.printError(error.description)
      return 2
    } catch let error as LibraryError {
      console.printError(error.description)
      return 2
    } catch let error as ManifestLocationError {
      console.printError(error.description)
      return 2
    } catch {
      console.printError("\(error)")
      return 1
    }
  }

  private static var help: String {
    GalleryOptions.table.help(
      usage: "vitrine [options] [folder | image | URL]...",
      summary: """
        Shows the photographs in folders, or those of a list on the web: the address of a JSON document, {"items": [{"id", \
        "url", "title", "width", "height", "date", "likes"}]}, a local file of this kind whose name ends in .json, or the \
        address of an image. Default: the pictures folder, or generated sample photographs if it contains no images.
        """,
      sections: [("Keys and gestures", GalleryScreen.keyHelp.map { HelpRow($0.input, $0.effect) })],
      notes: [
        """
        Folders and images that are dropped on the window are opened. F3 shows the frame rate and hitches; pressed again, a \
        bar for each frame; then commit times, cells and the decoding queue; then memory and a legend; then no overlay.
        """,
        """
        At rest, thumbnails of photographs that were shown are written to ~/.cache/thumbnails, where file managers find \
        them. Not with --no-cache or --headless.
        """,
      ], columns: Console.columns)
  }

  private func showGallery(_ options: GalleryOptions, _ libraryConfiguration: LibraryConfiguration) throws -> Int32 {
    // Before there are other threads, which read the environment.
    Host.prepareEnvironment(options.hosting, identifier: GalleryProgram.identifier)
    // Before the window opens, so that previews are loaded when its first frame is drawn.
    let isSimulated = options.hosting.clock.isSimulated
    let shutdownBudget = ShutdownBudget()
    let archive = libraryConfiguration.previewFolder(isSimulated: isSimulated).flatMap {
      try? PreviewArchive(directory: $0)
    }
    defer { archive?.close(within: shutdownBudget) }
    defer { if let catalogue = libraryConfiguration.catalogue { shutdownBudget.perform { catalogue.close() } } }
    if isSimulated, let archive { _ = try interrupt.runInterruptibly { archive.waitUntilLoaded() } }
    let restoresWindowFrame = !options.isCacheDisabled && !options.hosting.isHeadless
    // A recording would not replay what was restored.
    let remembersSettings = restoresWindowFrame && options.common.record == nil && options.common.loadedReplay == nil
    let savedFrame =
      restoresWindowFrame
      ? try interrupt.runInterruptibly { SavedWindowFrame(in: UserEnvironment.folders.state)?.frame } ?? nil : nil
    // Everything but the window is made before it opens: meanwhile the first pictures are found and decoded.
    let waker = WakerRelay()
    archive?.notifyWhenLoaded { waker.wake() }
    let themes = Mailbox<Theme>()
    let appearance = options.followsDesktopAppearance ? DesktopAppearance.ofSettingsFiles : DesktopAppearance()
    // The portal usually answers while the rest is prepared, so that its answer is drawn in the first frame.
    let themeSettings = options.theme
    let monitor =
      options.followsDesktopAppearance
      ? DesktopAppearanceMonitor { next in
        themes.post(themeSettings.theme(for: next.replacingMissingPreferences(by: appearance)))
        waker.wake()
      } : nil
    defer { monitor?.stop() }
    let folderChoices = Mailbox<FolderChoice>()
    // A replay opens nothing that was not recorded.
    let folderChooser =
      options.hosting.isHeadless
      ? nil
      : FolderChooser { outcome in
        folderChoices.post(FolderChoice(outcome))
        waker.wake()
      }
    defer { folderChooser?.stop() }
    let unopenedAddresses = Mailbox<String>()
    // A replay opens no browser.
    let addressOpener =
      options.hosting.isHeadless || options.common.loadedReplay != nil
      ? nil
      : AddressOpener { address in
        unopenedAddresses.post(address)
        waker.wake()
      }
    defer { addressOpener?.stop() }
    let transfers = try libraryConfiguration.makeTransfers(isSimulated: isSimulated)
    defer { transfers?.shutdown(within: shutdownBudget) }
    var configuration = options.decoding.configuration(isSimulated: isSimulated)
    configuration.cacheBytes = UserEnvironment.cacheBytes(isSimulated: isSimulated)
    configuration.storage = libraryConfiguration.storageConfiguration(
      isSimulated: isSimulated, isHeadless: options.hosting.isHeadless
    ).map { .disk($0) }
    configuration.downloader = transfers
    // The usual order in a window, until it is known.
    configuration.pixels.order = options.hosting.isHeadless ? .redFirst : .blueFirst
    if let notice = ResourceLimits.current().reduceToFit(&configuration) { console.printError(notice) }
    configuration.journal = options.common.trace == nil && options.common.record == nil ? nil : DecodeJournal()
    let pipeline =
      try libraryConfiguration.makeDecoderFactory(storage: configuration.pixels).map {
        try ImagePipeline(configuration, decoders: $0, waker: waker)
      }
      ?? ImagePipeline(configuration, waker: waker)
    defer { pipeline.shutdown(within: shutdownBudget) }
    let feed = try libraryConfiguration.makeFeed(
      isSimulated: isSimulated, isHeadless: options.hosting.isHeadless, transfers: transfers, interrupt: interrupt
    ) { waker.wake() }
    for line in (feed as? RecordedFeed)?.warnings ?? [] { console.printError(line) }
    let screen = GalleryScreen(
      library: LibraryModel(
        feed: feed, grouping: options.grouping ?? .none, sorting: options.sorting,
        datesByFile: options.hosting.clock != .virtual,
        pathToReveal: libraryConfiguration.pathToReveal,
        archive: archive, arrangementThread: ArrangementThread(waitsForResults: isSimulated) { waker.wake() },
        reader: libraryConfiguration.reader),
      pipeline: pipeline,
      layout: options.layout ?? .grid, columns: options.columns, theme: themeSettings.theme(for: appearance))
    if !isSimulated {
      screen.prepareOpenedPicture(for: options.hosting.size ?? savedFrame?.size ?? HostingOptions.defaultSize)
    }
    if !isSimulated { screen.missingStorage = libraryConfiguration.missingCache }
    if monitor != nil { screen.themeUpdates = themes }
    if folderChooser != nil { screen.folderChoices = folderChoices }
    if addressOpener != nil { screen.unopenedAddresses = unopenedAddresses }
    defer {
      screen.library.writePreviews()
      screen.library.end()
    }
    screen.makesLibraryThumbnails =
      options.makesLibraryThumbnails ?? (configuration.storage != nil && !isSimulated && !options.hosting.isHeadless)
    screen.places =
      try interrupt.runInterruptibly {
        [UserEnvironment.folders.pictures].compactMap { $0 }.filter { AtomicFile.folderExists(at: $0) }
      } ?? []
    let diagnostics = RunDiagnostics(options.common)
    let host = try Host(
      options: options.hosting, title: "Vitrine", identifier: GalleryProgram.identifier, version: Version.number,
      icon: AppIcon.bitmap, windowFrame: savedFrame, launch: launch, interrupt: interrupt, observer: diagnostics)
    waker.connect(to: host.waker)
    configuration.pixels.order = host.preferredChannelOrder
    host.addInterruptHandler { [weak pipeline] in pipeline?.stopWaiting() }
    // The separator is ASCII, because SDL drops titles that it cannot convert in the C locale.
    host.setTitle("\(feed.title) - Vitrine")
    // A run without a window remembers nothing.
    let settings = remembersSettings ? SettingsFile { UserEnvironment.folders.state } : nil
    if let settings {
      let hasChoice =
        options.layout != nil || options.grouping != nil || options.sorting != nil || options.columns != nil
      screen.remember(
        try interrupt.runInterruptibly { settings.load() } ?? GallerySettings(), in: settings,
        restoresFolder: !hasChoice)
    }
    defer {
      screen.saveSettings()
      shutdownBudget.perform { settings?.finish() }
    }
    screen.onCopy = { host.setClipboardText($0) }
    let opener = DroppedLibraryOpener(replacing: libraryConfiguration, host, interrupt: interrupt)
    screen.opener = opener
    var figures = GalleryFigures.makeRunFigures(screen, pipeline, host)
    let workers = ParsedOption("--workers", "\(configuration.workers)")
    figures.recordedLibrary = {
      libraryConfiguration.makeRecordedLibrary(settled: [workers], opener.hasOpened ? nil : screen.library)
    }
    figures.replayedFiles = { (feed as? RecordedFeed)?.files }
    diagnostics.figures = figures
    diagnostics.onShuffle = { [weak screen] in screen?.shuffle(seed: options.hosting.seed) }
    diagnostics.overlayTop = GalleryScreen.barHeight
    diagnostics.tracePrefix = { options.isCacheDisabled ? nil : UserEnvironment.makeTracePrefix() }
    // The archive is loaded by now, unless the disk is slow. The first frame then has no previews.
    archive?.waitUntilLoaded(atMost: .milliseconds(30))
    let status = try host.run(root: screen, scrollView: screen.grid) { window, _ in
      screen.attach(to: window)
      var actions = GalleryProgram.windowActions(of: host, folderChooser, addressOpener)
      // A recording is replayed on other displays.
      if options.common.record == nil, options.common.loadedReplay == nil {
        actions.colorProfile = { [unowned host] in host.colorProfile }
      }
      screen.windowActions = actions
    }
    if restoresWindowFrame, let windowFrame = host.restorableWindowFrame.flatMap(SavedWindowFrame.init(frame:)) {
      shutdownBudget.perform {
        // Evaluated again, because the home folder may have been removed and must not be created.
        if let folder = UserEnvironment.folders.state { windowFrame.save(in: folder) }
      }
    }
    if let warning = host.textWarning { console.printError(warning) }
    if let fault = pipeline.storageStatus?.fault ?? screen.missingStorage {
      console.printError("thumbnails are not kept: \(fault); another folder is chosen with --cache-dir")
    }
    if let fault = pipeline.storageStatus?.sharingFault { console.printError("thumbnails are not shared: \(fault)") }
    host.close()
    return status
  }
}

extension GalleryProgram {
  /// Returns what the commands of the gallery do with its window.
  private static func windowActions(
    of host: Host, _ folderChooser: FolderChooser?, _ addressOpener: AddressOpener?
  ) -> WindowActions {
    var actions = WindowActions()
    if let addressOpener { actions.openAddress = { addressOpener.open($0) } }
    if let folderChooser { actions.chooseFolder = { folderChooser.open(title: "Open folder") } }
    actions.toggleFullScreen = { [unowned host] in host.toggleFullScreen() }
    actions.isFullScreen = { [unowned host] in host.isFullScreen }
    actions.setScreenSaverDisabled = { [unowned host] in host.setScreenSaverDisabled($0) }
    actions.setPointerHidden = { [unowned host] in host.setPointerHidden($0) }
    actions.showFigures = { [unowned host] in host.showNextOverlay() }
    actions.about = ["Version \(Version.number)", "A gallery for large folders. It never changes your photographs."]
    actions.quit = { [unowned host] in host.quit() }
    return actions
  }
}

extension FolderChoice {
  /// Creates the choice that a dialog ended with.
  fileprivate nonisolated init(_ outcome: FolderChooser.Outcome) {
    self =
      switch outcome {
      case .chosen(let path): .folder(path)
      case .cancelled: .none
      case .unavailable: .unavailable
      }
  }
}

// MARK: - Waker

/// A waker for threads that are started before the loop exists.
///
/// Wake-ups until then need no forwarding, because a loop begins awake.
private nonisolated final class WakerRelay: LoopWaker {
  private let target = Lock<(any LoopWaker)?>(nil)

  /// Forwards all further wake-ups to the loop's waker.
  func connect(to waker: any LoopWaker) { target.withLock { $0 = waker } }

  func wake() { target.withLock { $0 }?.wake() }
}

// MARK: - Entry Point

/// The entry point of the program.
///
/// It is synchronous, so that the loop runs on the process's first thread, as window systems require.
@main
struct Main {
  static func main() {
    let launch = ProcessFigures.launchInstant()
    // Before any thread is started, because threads inherit the signal mask.
    Interrupt.blockSignals()
    ProcessFigures.limitHeapRetention()
    exit(GalleryProgram(launch: launch).run(CommandLineArguments.current))
  }
}

// MARK: - Figures

/// A namespace for the gallery's contribution to a run's report.
private enum GalleryFigures {
  static func makeRunFigures(_ screen: GalleryScreen, _ pipeline: ImagePipeline, _ host: Host) -> RunFigures {
    var figures = RunFigures(of: screen.grid)
    figures.library = {
      LibraryFigures(items: screen.library.count, sections: screen.sectionCount, failed: screen.failedCount)
    }
    figures.images = {
      var images = ImageFigures(of: pipeline, in: host.resources)
      images.placeholderCellMs = screen.placeholderCellMilliseconds
      images.blankCellMs = screen.blankCellMilliseconds
      return images
    }
    figures.journal = pipeline.journal
    figures.workerTime = { pipeline.decodingProcessorTime }
    figures.bitmapBytes = { pipeline.statistics.cacheBytes }
    figures.catalogueBytesPerItem = { screen.library.bytesPerItem.map(Double.init) }
    figures.overlay = {
      var overlay = OverlayFigures(of: screen.grid)
      overlay.add(pipeline)
      overlay.visibleCellsWithoutImage = screen.pendingPictureCount
      return overlay
    }
    figures.allocationCount = GalleryFigures.preloadedAllocationCounter()
    figures.isFullyShown = { screen.isFullyShown }
    return figures
  }

  /// Returns a counter of the calling thread's allocations if a library that counts them is preloaded
  /// (scripts/observe), nil otherwise.
  ///
  /// The C function is `dlsym`.
  private static func preloadedAllocationCounter() -> (() -> UInt64)? {
    typealias Counter = @convention(c) () -> UInt64
    return dlsym(nil, "allocations_of_this_thread").map { symbol in
      let counter = unsafeBitCast(symbol, to: Counter.self)
      return { counter() }
    }
  }
}
