import CollectionUI
import FramePacing
import GalleryUI
import Geometry
import Glibc
import Hosting
import ImagePipeline
import PhotoLibrary
import Rendering

/// One run of the gallery, from its arguments to its exit status.
struct GalleryProgram {
  /// The name of the desktop file.
  static let identifier = "io.github.vitrine.Vitrine"

  /// When the process was started, on the monotonic clock.
  let launch: FrameInstant
  private let interrupt = Interrupt()
  private let console = Console(program: "vitrine")

  init(launch: FrameInstant) { self.launch = launch }

  /// Runs the gallery.
  ///
  /// - Returns: 0; 1 when something failed while running; 2 when the command line cannot be carried out; 130 after a
  ///   signal.
  func run(_ arguments: [[UInt8]]) -> Int32 {
    do {
      if let (demo, rest) = try DemoProgram.requestedDemo(in: arguments) { throw demo.replaceProcess(rest) }
      // Before any file is looked at, which may be on a file system that does not answer.
      try interrupt.start()
      let parsed = try GalleryOptions.table.parse(
        arguments, into: GalleryOptions(), hosting: \.hosting, of: "vitrine", modes: GalleryOptions.modes,
        replaced: GalleryOptions.replacedOptionNames)
      var options = parsed.settings
      if options.wantsHelp {
        try console.print(GalleryProgram.help, for: "--help")
        return 0
      }
      if options.wantsVersion {
        try console.print("vitrine \(Version.number)\n", for: "--version")
        return 0
      }
      if options.wantsAbout {
        if let path = parsed.operands.first {
          throw UsageError("--about shows no pictures; leave out \(String(decoding: path, as: UTF8.self))")
        }
        try options.hosting.validate()
        let text = AboutReport(options.hosting, launch: launch, interrupt: interrupt).text
        try console.print(text, for: "--about")
        return 0
      }
      try options.validate(operandCount: parsed.operands.count)
      try options.hosting.validateDestinations()
      if !parsed.operands.isEmpty { options.hosting.loadedReplay?.overridden.append("folder") }
      try ResourceLimits.current().validate()
      let plan = try LibraryConfiguration(options, operands: parsed.operands, interrupt: interrupt)
      return try options.verdictsPath.map { try VerdictReport(options, plan, file: $0, interrupt: interrupt).run() }
        ?? showGallery(options, plan)
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
        Shows the photographs in folders, or those that a list on the web names: an address of JSON, \
        {"items": [{"id", "url", "title", "width", "height", "date", "likes"}]}, a file of it that ends in .json, or the \
        address of a picture. With no path: the pictures folder, or painted sample photographs where that is empty.
        """,
      notes: [
        """
        In the window: ? shows all keys. Arrows, Page Up and Down, Home and End go from photograph to photograph and select, with \
        Shift as far as there, with Ctrl without selecting; Tab goes on, Shift+Tab back, neither selects; Ctrl+Space selects \
        one more or less; letters go to a name; Enter or a double click opens a photograph, Escape goes back; a rectangle drawn \
        beside photographs selects them; Ctrl+A selects all; Ctrl+C copies paths, Ctrl+Shift+C addresses; Ctrl+1, 2, 3 sort by name, date, size; the right button or Shift+F10 opens a menu.
        """,
        """
        Wheel, trackpad and Space scroll, and the pointer while the wheel is pressed, by how far it goes; Ctrl with the wheel, + and - change the size of pictures, Ctrl+0 sets it back; F5 \
        reads the folders or lists again; F11 fills the screen; Ctrl+Q leaves. Folders and pictures that are dropped on the \
        window are opened. F3 shows the frames' rate and hitches; again: a bar a frame; \
        again: commit times, cells and queue; again: memory and the colours' names; then none.
        """,
        """
        While nothing moves, thumbnails of what was seen are written to ~/.cache/thumbnails, where file managers find them; not \
        with --no-cache or --headless.
        """,
      ], columns: Console.columns)
  }

  private func showGallery(_ options: GalleryOptions, _ plan: LibraryConfiguration) throws -> Int32 {
    // Before the window, so that previews are there when its first frame is drawn.
    let isSimulated = options.hosting.clock.isSimulated
    let closing = ShutdownBudget()
    let archive = plan.previewFolder(isSimulated: isSimulated).flatMap { try? PreviewArchive(directory: $0) }
    defer { archive?.close(within: closing) }
    if isSimulated, let archive { _ = try interrupt.runInterruptibly { archive.waitUntilLoaded() } }
    let remembers = !options.isCacheDisabled && !options.hosting.isHeadless
    let host = try Host(
      options: options.hosting, title: "Vitrine", identifier: GalleryProgram.identifier, version: Version.number,
      icon: AppIcon.bitmap,
      place: remembers
        ? try interrupt.runInterruptibly { SavedWindowFrame(in: UserEnvironment.folders.state)?.frame } ?? nil : nil,
      launch: launch, interrupt: interrupt)
    let waker = host.waker
    archive?.notifyWhenLoaded { waker.wake() }
    let transfers = try plan.makeTransfers(isSimulated: isSimulated)
    defer { transfers?.shutdown(within: closing) }
    var configuration = options.decoding.configuration(isSimulated: isSimulated)
    configuration.cacheBytes = UserEnvironment.cacheBytes(isSimulated: isSimulated)
    configuration.storage = plan.storageConfiguration(isSimulated: isSimulated, isHeadless: options.hosting.isHeadless)
    configuration.transfers = transfers
    configuration.pixels.order = host.preferredChannelOrder
    if let notice = ResourceLimits.current().reduceToFit(&configuration) { console.printError(notice) }
    configuration.journal = options.hosting.trace == nil && options.hosting.record == nil ? nil : DecodeJournal()
    let pipeline =
      try plan.makeDecoderFactory(storage: configuration.pixels).map {
        try ImagePipeline(configuration, decoders: $0, waker: waker)
      }
      ?? ImagePipeline(configuration, waker: waker)
    defer { pipeline.shutdown(within: closing) }
    host.addInterruptHandler { [weak pipeline] in pipeline?.stopWaiting() }
    let feed = try plan.makeFeed(
      isSimulated: isSimulated, isHeadless: options.hosting.isHeadless, transfers: transfers, interrupt: interrupt
    ) { waker.wake() }
    for line in (feed as? RecordedFeed)?.warnings ?? [] { console.printError(line) }
    // Plain ASCII between the names: in the C locale SDL drops a title that it cannot convert.
    host.setTitle("\(feed.title) - Vitrine")
    let screen = GalleryScreen(
      library: LibraryModel(
        feed: feed, grouping: options.grouping, sorting: options.sorting, datesByFile: host.clock.kind != .virtual,
        wantedPath: plan.wantedPath,
        archive: archive, arrangementThread: ArrangementThread(waitsForResults: isSimulated) { waker.wake() }),
      pipeline: pipeline,
      layout: options.layout, columns: options.columns)
    defer {
      screen.library.writePreviews()
      screen.library.end()
    }
    screen.onCopy = { host.setClipboardText($0) }
    let opener = DroppedLibraryOpener(replacing: plan, host, interrupt: interrupt)
    screen.opener = opener
    var figures = GalleryFigures.makeRunFigures(screen, pipeline, host)
    let workers = ParsedOption("--workers", "\(configuration.workers)")
    figures.recordedLibrary = { plan.makeRecordedLibrary(settled: [workers], opener.hasOpened ? nil : screen.library) }
    figures.replayedFiles = { (feed as? RecordedFeed)?.files }
    host.onShuffle = { [weak screen] in screen?.shuffle(seed: options.hosting.seed) }
    host.overlayTop = GalleryScreen.barHeight
    host.tracePrefix = { options.isCacheDisabled ? nil : UserEnvironment.makeTracePrefix() }
    // Long read by now, unless the disk is slow: then the first frame goes without.
    archive?.waitUntilLoaded(atMost: .milliseconds(30))
    let status = try host.run(
      root: screen, scrollView: screen.grid, figures: figures
    ) { window, _ in screen.attach(to: window) }
    if remembers, let place = host.restorableWindowFrame.flatMap(SavedWindowFrame.init(frame:)) {
      closing.perform {
        // Asked again: the home may have gone meanwhile, and is not to be made.
        if let folder = UserEnvironment.folders.state { place.save(in: folder) }
      }
    }
    if let warning = host.textWarning { console.printError(warning) }
    if let fault = pipeline.storageCondition?.fault { console.printError("thumbnails are not kept: \(fault)") }
    if let fault = pipeline.storageCondition?.sharingFault { console.printError("thumbnails are not shared: \(fault)") }
    host.close()
    return status
  }
}
