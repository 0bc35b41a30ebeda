import CollectionUI
import Foundation
import VitrineDiffableData
import VitrineFramePacing
import VitrineGeometry
import VitrineImageMetadata
import VitrineImagePipeline
import VitrineImageStore
import VitrinePhotoLibrary
import VitrineRendering
import VitrineTestSupport
import VitrineViews

@testable import VitrineGalleryUI

/// A gallery in a window, with a feed and a decoder that the test controls, on a simulated clock.
final class GalleryFixture {
  let feed: FakeFeed
  let library: LibraryModel
  let decoder: GatedDecoder
  let pipeline: ImagePipeline
  let screen: GalleryScreen
  let harness: WindowHarness

  init(
    _ feed: FakeFeed, size: Size = Size(width: 640, height: 480), workers: Int = 2,
    decodeDelay: FrameDuration = .milliseconds(10), layout: GalleryLayoutKind = .grid,
    grouping: GalleryGrouping = .none, pathToReveal: PhotoPath? = nil,
    isCellPrefetchingEnabled: Bool = false, archive: PreviewArchive? = nil, cacheBytes: Int = 64 << 20,
    arrangementThread: ArrangementThread? = nil, theme: Theme = .dark,
    makeOutcome: @escaping @Sendable (ImageRequest) -> ImageOutcome = { GatedDecoder.generatedImage(for: $0.key) },
    makeFrames: @escaping @Sendable (ImageRequest) -> [AnimationFrame] = { _ in [] }
  ) throws {
    self.feed = feed
    library = LibraryModel(
      feed: feed, grouping: grouping, pathToReveal: pathToReveal, archive: archive, arrangementThread: arrangementThread
    )
    decoder = GatedDecoder(isOpen: true, makeOutcome: makeOutcome, makeFrames: makeFrames)
    pipeline = try ImagePipeline(
      ImagePipelineConfiguration(
        workers: workers, mode: .modelled, cacheBytes: cacheBytes, decodeDelay: decodeDelay),
      decoders: decoder, waker: TestWaker())
    screen = GalleryScreen(
      library: library, pipeline: pipeline, layout: layout, columns: nil, theme: theme)
    // Prefetching of cells has tests of its own.
    DemonstrationSwitches(screen.grid).isCellPrefetchingEnabled = isCellPrefetchingEnabled
    harness = WindowHarness(root: screen, size: size)
    screen.attach(to: harness.window)
  }

  isolated deinit { pipeline.shutdown() }

  /// Sends events, and runs until nothing changes.
  func send(_ kinds: [InputEvent.Kind]) {
    for kind in kinds { harness.sendEvent(kind) }
    harness.runUntilIdle()
  }

  /// Presses a key, and runs until nothing changes.
  func press(_ key: Key, _ modifiers: KeyModifiers = []) {
    send([.keyDown(key, modifiers: modifiers, isRepeat: false)])
  }

  /// Types a character, whose text follows its key, and runs until nothing changes.
  func typeCharacter(_ text: Character) {
    send([.keyDown(.character(text), modifiers: [], isRepeat: false), .text(String(text))])
  }

  /// Types a text on a US keyboard: sends the key as labeled without Shift, then the text.
  ///
  /// - Parameter milliseconds: The time per key. If it is zero, all keys are sent in one frame.
  func type(_ text: String, milliseconds: Double = 400) {
    let shifted: [Character: Character] = ["_": "-", "?": "/", "+": "=", "(": "9", "!": "1"]
    for letter in text {
      let key = Character(letter.lowercased())
      let modifiers: KeyModifiers = shifted[letter] != nil || letter.isUppercase ? .shift : []
      let symbol: Key = letter == " " ? .space : .character(shifted[letter] ?? key)
      harness.sendEvent(.keyDown(symbol, modifiers: modifiers, isRepeat: false))
      harness.sendEvent(.text(String(letter)))
      harness.sendEvent(.keyUp(symbol, modifiers: modifiers))
      if milliseconds > 0 { harness.run(milliseconds: milliseconds) }
    }
  }

  /// The visible photo cells.
  var cells: [PhotoCell] { screen.grid.visibleCells.compactMap { $0 as? PhotoCell } }

  /// All visible cells of photos, of any layout.
  var pictureCells: [PictureCell] { screen.grid.visibleCells.compactMap { $0 as? PictureCell } }

  /// The titles of the visible section headers, from top to bottom.
  var headers: [String] {
    let titles = screen.dataSource.displayedSnapshot().sectionIdentifiers.map { $0.title(library.folderTitles) }
    return harness.drawnTexts(titles, in: Theme.sectionStyle).map(\.text)
  }

  /// Returns the number of small previews that a frame scales up.
  static func previewCount(in frame: RecordedFrame) -> Int {
    frame.commands.count { command in
      let (source, target) = (command.source, command.destination)
      return command.kind == .texture && max(source.width, source.height) == 32 && target.width > source.width
    }
  }

  /// Returns the number of commands in a frame that fill with a color.
  static func fillCount(_ color: Color, in frame: RecordedFrame) -> Int {
    frame.commands.count { $0.kind == .fill && $0.color == color }
  }
}

// MARK: - Feed and opener

/// A feed whose events a test supplies batch by batch.
final class FakeFeed: LibraryFeed {
  var title = "Holiday"
  var activity: String?
  var problem: String?
  var progress: Double?
  var emptyTexts = (headline: "No pictures here", hint: "Put some in")
  /// An album of pictures without files, which replaces the photos, or nil by default.
  var album: (any PictureAlbum)?
  /// Whether the library is a list of pictures on the web.
  var isList = false
  var roots: [PhotoPath] = []
  var hasReachedWatchLimit = false
  var readsWholeFileSystem = false
  private(set) var stopCount = 0

  func stopReading() { stopCount += 1 }

  /// The library as an earlier run knew it, and a part of it that is read before.
  var restored: PhotoCatalogue?
  var restoredPart: PhotoCatalogue?
  /// A picture that is known before its folder is listed, or nil.
  var picture: OpenedPicture?
  private(set) var needsRescan = false
  private(set) var isComplete = false
  private var batches: [[LibraryEvent]] = []
  private var foundCount: UInt32 = 0

  var hasPendingEvents: Bool { !batches.isEmpty || restored != nil || restoredPart != nil }

  func takePendingEvents() -> [LibraryEvent] {
    guard !batches.isEmpty else { return [] }
    let events = batches.removeFirst()
    for case .finished in events { isComplete = true }
    return events
  }

  func makeRecords(datesByFile: Bool) -> any PhotoRecords {
    var catalogue = PhotoCatalogue()
    catalogue.datesByFile = datesByFile
    if let picture { catalogue.insert(picture) }
    if isList { return ManifestRecords() }
    return album.map { AlbumRecords($0) } ?? catalogue
  }

  func takeRestoredRecords() -> (any PhotoRecords)? {
    if let part = restoredPart {
      restoredPart = nil
      return part
    }
    guard let records = restored else { return nil }
    restored = nil
    (isComplete, needsRescan) = (true, true)
    return records
  }

  func end() {}

  /// Whether the library can be scanned again, true by default.
  var canRescan = true
  private(set) var rescanCount = 0

  func rescan() -> Bool {
    rescanCount += 1
    needsRescan = false
    guard canRescan else { return false }
    isComplete = false
    foundCount = 0
    return true
  }

  /// Appends a batch of events.
  func appendBatch(_ events: LibraryEvent...) { batches.append(events) }

  /// Returns an event with photos that follow the previous ones in the order of the scan.
  func photos(
    _ count: Int, failing failure: PhotoFailure? = nil, byteCount: Int64 = 0,
    name: (UInt32) -> String = { "IMG_\($0).JPG" }
  ) -> LibraryEvent {
    let photos = (0..<count).map { _ in
      defer { foundCount += 1 }
      return FoundPhoto(
        ordinal: foundCount, folder: PhotoPath("/pictures"), name: Array(name(foundCount).utf8),
        identity: FakeFeed.identity(foundCount, byteCount: byteCount), failure: failure)
    }
    return .found(photos)
  }

  static func identity(_ number: UInt32, version: Int64 = 1, byteCount: Int64 = 0) -> FileIdentity {
    FileIdentity(device: 1, inode: UInt64(number) + 1, byteCount: byteCount, modificationNanoseconds: version)
  }

  /// Returns an event with the headers of photos, from the given ordinal on.
  static func headers(_ firstOrdinal: UInt32, _ headers: [ImageHeader]) -> LibraryEvent {
    .headers(
      headers.enumerated().map { offset, header in
        HeaderResult(
          ordinal: firstOrdinal + UInt32(offset), identity: identity(firstOrdinal + UInt32(offset)), header: header)
      })
  }

  static var end: LibraryEvent { .finished(ScanSummary()) }
}

/// An opener whose results a test supplies.
final class FakeOpener: LibraryOpener {
  /// The dropped paths, per drop.
  private(set) var openedPaths: [[[UInt8]]] = []
  /// The result of the last drop, or nil while it is being opened.
  var result: LibraryOpenResult?

  func open(_ paths: [[UInt8]]) {
    openedPaths.append(paths)
    result = nil
  }

  /// The number of cancellations.
  private(set) var cancelCount = 0

  func cancel() {
    cancelCount += 1
    result = nil
  }

  var hasPendingResult: Bool { result != nil }

  func takeResult() -> LibraryOpenResult? {
    defer { result = nil }
    return result
  }
}
