import GalleryUI
import Geometry
import Hosting
import ImageMetadata
import ImagePipeline
import PhotoLibrary
import SampleLibrary
import Synchronization

/// Fills the gallery with painted photographs, in a window as each is done.
final class SampleFeed: LibraryFeed {
  let title = "Sample photographs"
  private let library: SampleLibrary
  private let album: SceneAlbum
  private let total: Int
  private let isSimulated: Bool
  private let isTemporary: Bool
  private let news: News
  private var waiting: [SampleFile] = []
  private var taken = 0
  private(set) var isComplete = false
  /// Photographs that a frame of a simulation takes.
  private static let simulatedPortion = 1_000

  /// A flag that painting threads raise and the main thread lowers.
  private final class News: Sendable {
    let isRaised = Atomic(true)
  }

  /// Starts painting.
  ///
  /// - Parameters:
  ///   - configuration: which photographs, and where they are kept.
  ///   - isSimulated: whether a frame takes a fixed portion.
  ///   - isTemporary: whether the files are removed in the end.
  ///   - interrupt: ends the wait for a cache folder whose file system does not answer.
  ///   - wake: called from other threads when there is something to take.
  init(
    _ configuration: SampleConfiguration, isSimulated: Bool, isTemporary: Bool, interrupt: Interrupt,
    wake: @escaping @Sendable () -> Void
  ) throws {
    let news = News()
    self.news = news
    self.isSimulated = isSimulated
    self.isTemporary = isTemporary
    total = configuration.count
    album = SceneAlbum(seed: configuration.seed)
    library = SampleLibrary(
      configuration,
      makeEncoder: { try EncodingProcess.forSamples() },
      wake: {
        news.isRaised.store(true, ordering: .releasing)
        wake()
      })
    let library = library
    try interrupt.run { Result { () throws(SampleLibraryError) in try library.start() } }?.get()
  }

  /// Waits until all are painted or a signal comes, with a progress bar where standard error is a terminal.
  ///
  /// - Throws: `SampleLibraryError` where they cannot be painted.
  func paintAll(interrupt: Interrupt) throws(SampleLibraryError) {
    let library = library
    let call = interrupt.whenRaised { library.cancel() }
    defer { interrupt.forget(call) }
    var output = ProgressOutput(bar: ProgressBar(label: "Painting sample photographs"))
    do throws(SampleLibraryError) {
      try library.waitUntilDone { output.show($0) }
    } catch {
      output.interrupt()
      guard error == .cancelled else { throw error }
    }
  }

  var hasPending: Bool {
    !isComplete && (isSimulated || !waiting.isEmpty || news.isRaised.load(ordering: .acquiring))
  }

  var activity: String? {
    if let failure = library.failure { return failure.description }
    return isComplete ? nil : "Painting \(taken + 1) of \(total)"
  }

  var progress: Double? { isComplete ? nil : Double(taken) / Double(max(1, total)) }

  var emptyTexts: (headline: String, hint: String) {
    ("No sample photographs", library.failure?.description ?? "None were asked for.")
  }

  func take() -> [LibraryEvent] {
    guard !isComplete else { return [] }
    news.isRaised.store(false, ordering: .releasing)
    waiting += library.takeFinished()
    let portion = Array(waiting.prefix(SampleFeed.simulatedPortion))
    waiting.removeFirst(portion.count)
    let first = taken
    taken += portion.count
    var events: [LibraryEvent] = []
    let photos = portion.enumerated().compactMap { place, file in
      FoundPhoto(lookingAt: PhotoPath(file.path), ordinal: UInt32(first + place))
    }
    if !photos.isEmpty {
      events.append(.found(photos))
      events.append(.headers(photos.map(header)))
    }
    if taken == total || library.failure != nil {
      isComplete = true
      var summary = ScanSummary()
      summary.found = taken
      events.append(.finished(summary))
    }
    return events
  }

  /// What the file's header says is what was painted: it need not be read again.
  private func header(_ photo: FoundPhoto) -> HeaderFact {
    let scene = album.scene(at: Int(photo.ordinal))
    return HeaderFact(
      ordinal: photo.ordinal, identity: photo.identity,
      header: ImageHeader(
        format: .jpeg, storedSize: scene.orientation.isTransposed ? scene.size.transposed : scene.size,
        orientation: scene.orientation, captureTime: scene.captureTime))
  }

  /// Painted photographs are as they were painted.
  func rescan() -> Bool { false }

  func end() {
    if isTemporary { library.removeFiles() } else { library.close(within: .milliseconds(300)) }
  }
}
