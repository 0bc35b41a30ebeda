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
  private let updateFlag: UpdateFlag
  private var pendingFiles: [SampleFile] = []
  private var deliveredCount = 0
  private(set) var isComplete = false
  /// Photographs that a frame of a simulation takes.
  private static let simulatedBatchSize = 1_000

  /// A flag that painting threads raise and the main thread lowers.
  private final class UpdateFlag: Sendable {
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
    let news = UpdateFlag()
    self.updateFlag = news
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
    try interrupt.runInterruptibly { Result { () throws(SampleLibraryError) in try library.start() } }?.get()
  }

  /// Waits until all are painted or a signal comes, with a progress bar where standard error is a terminal.
  ///
  /// - Throws: `SampleLibraryError` where they cannot be painted.
  func generateAll(interrupt: Interrupt) throws(SampleLibraryError) {
    let library = library
    let call = interrupt.addHandler { library.cancel() }
    defer { interrupt.removeHandler(call) }
    var output = ProgressOutput(bar: ProgressBar(label: "Painting sample photographs"))
    do throws(SampleLibraryError) {
      try library.waitUntilDone { output.show($0) }
    } catch {
      output.interrupt()
      guard error == .cancelled else { throw error }
    }
  }

  var hasPendingEvents: Bool {
    !isComplete && (isSimulated || !pendingFiles.isEmpty || updateFlag.isRaised.load(ordering: .acquiring))
  }

  var activity: String? {
    if let failure = library.failure { return failure.description }
    return isComplete ? nil : "Painting \(deliveredCount + 1) of \(total)"
  }

  var progress: Double? { isComplete ? nil : Double(deliveredCount) / Double(max(1, total)) }

  var emptyTexts: (headline: String, hint: String) {
    ("No sample photographs", library.failure?.description ?? "None were asked for.")
  }

  func takePendingEvents() -> [LibraryEvent] {
    guard !isComplete else { return [] }
    updateFlag.isRaised.store(false, ordering: .releasing)
    pendingFiles += library.takeFinished()
    let portion = Array(pendingFiles.prefix(SampleFeed.simulatedBatchSize))
    pendingFiles.removeFirst(portion.count)
    let first = deliveredCount
    deliveredCount += portion.count
    var events: [LibraryEvent] = []
    let photos = portion.enumerated().compactMap { place, file in
      FoundPhoto(statusOf: PhotoPath(file.path), ordinal: UInt32(first + place))
    }
    if !photos.isEmpty {
      events.append(.found(photos))
      events.append(.headers(photos.map(header)))
    }
    if deliveredCount == total || library.failure != nil {
      isComplete = true
      var summary = ScanSummary()
      summary.found = deliveredCount
      events.append(.finished(summary))
    }
    return events
  }

  /// What the file's header says is what was painted: it need not be read again.
  private func header(_ photo: FoundPhoto) -> HeaderResult {
    let scene = album.scene(at: Int(photo.ordinal))
    return HeaderResult(
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
