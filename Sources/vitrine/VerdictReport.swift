import VitrineDataStructures
import VitrineFramePacing
import VitrineGalleryUI
import VitrineGeometry
import VitrineHosting
import VitrineImageMetadata
import VitrineImagePipeline
import VitrinePhotoLibrary
import VitrineThreads

/// A report that prepares each item once at cell size and writes one line per item.
///
/// The columns are separated by tabs: path (percent-escaped), ok or error, width and height after orientation,
/// orientation, reason.
struct VerdictReport {
  private static let size = (width: 256, height: 192)
  /// The maximum number of concurrent requests, enough for all workers.
  private static let requestLimit = 256

  private let options: GalleryOptions
  private let libraryConfiguration: LibraryConfiguration
  private let file: String
  private let interrupt: Interrupt

  init(_ options: GalleryOptions, _ libraryConfiguration: LibraryConfiguration, file: String, interrupt: Interrupt) {
    self.interrupt = interrupt
    self.options = options
    self.libraryConfiguration = libraryConfiguration
    self.file = file
  }

  /// Runs until all items are prepared or a signal arrives.
  ///
  /// After a signal, the lines up to then are written, unless that would replace a file.
  ///
  /// - Returns: The exit status: 0, or 130 after a signal.
  /// - Throws: An error if the scan, the decoders or the file are unavailable.
  func run() throws -> Int32 {
    if case .manifests = libraryConfiguration.source {
      throw UsageError("--verdicts accepts folders and images, not URLs")
    }
    let waker = BlockingWaker()
    let writer: OutputFile
    do throws(OutputError) {
      writer = try OutputFile(file)
    } catch {
      throw UsageError(unwritable: file, of: "--verdicts", error)
    }
    if case .roots(let roots) = libraryConfiguration.source, roots.contains(where: \.isWholeFileSystem) {
      Console(program: "vitrine").printError(
        "everything on this computer is read, except for what belongs to the system; Ctrl+C stops")
    }
    var configuration = options.decoding.configuration(isSimulated: false)
    configuration.cacheBytes = 8 << 20
    if let notice = ResourceLimits.current().reduceToFit(&configuration) {
      Console(program: "vitrine").printError(notice)
    }
    let pipeline = try ImagePipeline(configuration, waker: waker)
    defer { pipeline.shutdown(within: ShutdownBudget()) }
    let feed = try libraryConfiguration.makeFeed(
      isSimulated: false, isHeadless: true, isShown: false, transfers: nil, interrupt: interrupt
    ) {
      waker.wake()
    }
    defer { feed.end() }
    interrupt.addHandler { waker.wake() }
    var catalogue = PhotoCatalogue()
    var order: [PhotoID] = []
    while !feed.isComplete, !interrupt.isRaised {
      let events = feed.takePendingEvents()
      if events.isEmpty { waker.wait() }
      for event in events {
        order += catalogue.apply(event).added
        if case .problem(let problem) = event { Console(program: "vitrine").printError("\(problem)") }
      }
    }
    var lines = ReorderBuffer<String>()
    do {
      try prepareItems(order, catalogue, pipeline, waker, isInterrupted: { interrupt.isRaised }) { place, line in
        for line in lines.insert(line, at: place) { try writer.write((line + "\n").utf8) }
      }
      // The verdicts of an earlier run are worth more than a part of new ones.
      if interrupt.isRaised, writer.replacesFile {
        Console(program: "vitrine").printError("--verdicts \(file): interrupted; the file that was there remains")
      } else {
        try writer.close()
      }
    } catch let error as OutputError {
      throw HostError("--verdicts \(file): \(error)")
    }
    return interrupt.isRaised ? 130 : 0
  }

  private func prepareItems(
    _ order: [PhotoID], _ catalogue: PhotoCatalogue, _ pipeline: ImagePipeline, _ waker: BlockingWaker,
    isInterrupted: () -> Bool, report: (Int, String?) throws -> Void
  ) throws {
    guard let size = PixelSize(width: VerdictReport.size.width, height: VerdictReport.size.height) else { return }
    var places: [ImageKey: Int] = [:]
    var next = 0
    while next < order.count || !places.isEmpty, !isInterrupted() {
      while next < order.count, places.count < VerdictReport.requestLimit {
        let place = next
        next += 1
        guard let photo = catalogue[order[place]] else {
          // The photograph no longer exists. Without a result, it would hold back the following lines.
          try report(place, nil)
          continue
        }
        if let failure = photo.failure {
          try report(place, VerdictLine.text(photo, failure: failure.description))
          continue
        }
        let key = ImageKey(source: UInt64(place), size: size)
        places[key] = place
        pipeline.request(
          ImageRequest(
            key: key, source: .file(path: photo.path.bytes), fileBytes: Int(photo.identity.byteCount)),
          deadline: FrameInstant(nanoseconds: Int64(place)))
      }
      let arrivals = pipeline.collect(at: MonotonicClock.now())
      if arrivals.isEmpty, !places.isEmpty { waker.wait() }
      for arrival in arrivals {
        guard let place = places.removeValue(forKey: arrival.key) else { continue }
        let line = catalogue[order[place]].map { photo in
          switch arrival.outcome {
          case .success(let image): VerdictLine.text(photo, image)
          case .failure(let failure): VerdictLine.text(photo, failure: failure.description)
          }
        }
        try report(place, line)
      }
    }
  }
}

/// A namespace for functions that format lines of the report.
private enum VerdictLine {
  /// Returns the line of an image that was prepared.
  static func text(_ photo: Photo, _ image: DecodedImage) -> String {
    let size = image.sourceSize ?? photo.header?.size
    return line(
      photo, "ok", size.map { String($0.width) } ?? "", size.map { String($0.height) } ?? "",
      image.isDamaged ? "damaged, shown in part" : "")
  }

  /// Returns the line of an item that failed.
  static func text(_ photo: Photo, failure: String) -> String {
    let size = photo.header?.size
    return line(
      photo, "error", size.map { String($0.width) } ?? "", size.map { String($0.height) } ?? "", failure)
  }

  private static func line(
    _ photo: Photo, _ verdict: String, _ width: String, _ height: String, _ reason: String
  ) -> String {
    let orientation = photo.header.map { String($0.orientation.rawValue) } ?? ""
    return [photo.path.escaped, verdict, width, height, orientation, reason].joined(separator: "\t")
  }
}

/// A waker that blocks a thread without an event loop until another thread wakes it.
private final class BlockingWaker: LoopWaker, Sendable {
  private let isSignaled = Lock(false)

  nonisolated init() {}

  /// Wakes the waiting thread, or the next one that waits.
  nonisolated func wake() {
    isSignaled.withLock { $0 = true }
    isSignaled.wakeAll()
  }

  /// Waits until a wake-up since the last wait.
  nonisolated func wait() {
    isSignaled.wait { isSignaled -> Void? in
      guard isSignaled else { return nil }
      isSignaled = false
      return ()
    }
  }
}
