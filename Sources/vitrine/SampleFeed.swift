import Glibc
import Synchronization
import VitrineDataStructures
import VitrineGalleryUI
import VitrineGeometry
import VitrineHosting
import VitrineImageMetadata
import VitrineImagePipeline
import VitrinePhotoLibrary
import VitrineSampleLibrary

/// A feed that fills the gallery with generated photographs, in a window as each is finished.
final class SampleFeed: LibraryFeed {
  let title = "Sample photographs"
  private let library: SampleLibrary
  private let total: Int
  private let isSimulated: Bool
  private let isTemporary: Bool
  private let updateFlag: UpdateFlag
  private var pendingFiles: [PhotoPath] = []
  private var deliveredCount = 0
  private(set) var isComplete = false
  /// The number of photographs that a frame of a simulation receives.
  private static let simulatedBatchSize = 1_000

  /// A flag that painting threads raise and the main thread lowers.
  private final class UpdateFlag: Sendable {
    let isRaised = Atomic(true)
  }

  /// Starts painting.
  ///
  /// - Parameters:
  ///   - count: The number of photographs.
  ///   - seed: The seed.
  ///   - folder: The folder of the files.
  ///   - threads: The number of painting threads.
  ///   - isLowPriority: Whether the threads yield to those that draw.
  ///   - isSimulated: Whether a frame receives a batch of fixed size.
  ///   - isTemporary: Whether the files are removed at the end.
  ///   - interrupt: Ends the wait for a cache folder whose file system does not respond.
  ///   - wake: Called on other threads when there are pending events.
  init(
    count: Int, seed: UInt64, folder: PhotoPath, threads: Int, isLowPriority: Bool, isSimulated: Bool,
    isTemporary: Bool, interrupt: Interrupt, wake: @escaping @Sendable () -> Void
  ) throws {
    let updateFlag = UpdateFlag()
    self.updateFlag = updateFlag
    self.isSimulated = isSimulated
    self.isTemporary = isTemporary
    total = count
    library = SampleLibrary(
      count: count, seed: seed, folder: folder, threads: threads, isLowPriority: isLowPriority,
      makeEncoder: {
        let process = try EncodingProcess.forSamples()
        return { bitmap, quality in try process.encode(bitmap, quality: quality) }
      },
      wake: {
        updateFlag.isRaised.store(true, ordering: .releasing)
        wake()
      })
    let library = library
    try interrupt.runInterruptibly { Result { () throws(SampleLibraryError) in try library.start() } }?.get()
  }

  /// Waits until all photographs are painted or a signal arrives, with a progress bar if standard error is a terminal.
  ///
  /// - Throws: `SampleLibraryError` if they cannot be painted.
  func generateAll(interrupt: Interrupt) throws(SampleLibraryError) {
    let library = library
    let call = interrupt.addHandler { library.cancel() }
    defer { interrupt.removeHandler(call) }
    let bar = ProgressBar(label: "Generating sample photographs", total: total)
    do throws(SampleLibraryError) {
      try library.waitUntilDone { bar.show($0) }
    } catch {
      bar.end()
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
    ("No sample photographs", library.failure?.description ?? "None were requested.")
  }

  func takePendingEvents() -> [LibraryEvent] {
    guard !isComplete else { return [] }
    updateFlag.isRaised.store(false, ordering: .releasing)
    pendingFiles += library.takeFinished()
    let batch = pendingFiles.prefix(SampleFeed.simulatedBatchSize)
    pendingFiles.removeFirst(batch.count)
    let photos = batch.enumerated().compactMap { offset, path in
      FoundPhoto(statusOf: path, ordinal: UInt32(deliveredCount + offset))
    }
    deliveredCount += batch.count
    var events: [LibraryEvent] = []
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

  /// Returns the header of a photograph's file, which need not be read: its contents are known.
  private func header(_ photo: FoundPhoto) -> HeaderResult {
    let index = Int(photo.ordinal)
    return HeaderResult(
      ordinal: photo.ordinal, identity: photo.identity,
      header: ImageHeader(
        format: .jpeg, storedSize: library.album.size(at: index), orientation: .up,
        captureTime: library.album.captureTime(at: index)))
  }

  /// Returns false: generated photographs do not change.
  func rescan() -> Bool { false }

  func end() {
    if isTemporary { library.removeFiles() } else { library.close(within: .milliseconds(300)) }
  }
}

/// A line on standard error that shows progress: a bar that is redrawn on a terminal, a single line elsewhere.
private final class ProgressBar {
  private let label: String
  private let total: Int
  /// The columns of the terminal, or nil if standard error is none.
  private let columns: Int?
  private var hasStarted = false

  /// Creates a bar.
  ///
  /// The C functions are `isatty` and `ioctl`.
  init(label: String, total: Int) {
    self.label = label
    self.total = total
    var size = winsize()
    let isTerminal = isatty(STDERR_FILENO) == 1
    let hasSize = isTerminal && ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    columns = isTerminal ? hasSize ? Int(size.ws_col) : 80 : nil
  }

  /// Shows a number of finished items.
  func show(_ done: Int) {
    defer { hasStarted = true }
    if let columns {
      // A line that fills the last column may wrap.
      write("\r" + line(done, columns: columns - 1) + "\u{1B}[K" + (done >= total ? "\n" : ""))
    } else if !hasStarted {
      write(line(done, columns: 60) + "\n")
    }
  }

  /// Ends a bar that is not complete.
  func end() { if columns != nil, hasStarted { write("\n") } }

  /// Returns the line: the bar is left out first if there is little space, then the label.
  private func line(_ done: Int, columns: Int) -> String {
    let count = "\(done) of \(total)"
    let text = "\(label)  \(count)"
    guard columns > text.count else { return columns > count.count ? count : "" }
    let width = min(40, columns - text.count - 4)
    guard width >= 8 else { return text }
    let filled = total > 0 ? min(done, total) * width / total : width
    return "\(label)  " + String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled)
      + "  \(count)"
  }

  private func write(_ text: String) {
    var text = text
    _ = text.withUTF8 { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
