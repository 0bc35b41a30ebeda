import DataStructures
import FramePacing
import GalleryUI
import Geometry
import Hosting
import ImagePipeline
import PhotoLibrary
import Threads

/// Prepares every item once at cell size and writes what became of each, a line an item.
///
/// Tab separated: path (percent-escaped), ok or error, width and height after orientation, orientation, reason.
struct VerdictReport {
  private static let size = (width: 256, height: 192)
  /// Requests that are under way at a time: enough for all workers, little enough for memory.
  private static let requestLimit = 256

  private let options: GalleryOptions
  private let libraryConfiguration: LibraryConfiguration
  private let file: String
  private let interrupt: Interrupt

  init(_ options: GalleryOptions, _ plan: LibraryConfiguration, file: String, interrupt: Interrupt) {
    self.interrupt = interrupt
    self.options = options
    self.libraryConfiguration = plan
    self.file = file
  }

  /// Runs to the end, or until a signal; the lines that are there by then are written.
  ///
  /// - Returns: the exit status: 0, or 130 after a signal.
  /// - Throws: when the scan, the decoders or the file cannot be had.
  func run() throws -> Int32 {
    if case .manifests = libraryConfiguration.source {
      throw UsageError("--verdicts tells what becomes of files; give folders or pictures, no addresses")
    }
    let bell = BlockingWaker()
    let writer: OutputFile
    do throws(OutputError) {
      writer = try OutputFile(file)
    } catch {
      throw UsageError(unwritable: file, of: "--verdicts", error)
    }
    var configuration = options.decoding.configuration(isSimulated: false)
    configuration.cacheBytes = 8 << 20
    if let notice = ResourceLimits.current().reduceToFit(&configuration) {
      Console(program: "vitrine").printError(notice)
    }
    let pipeline = try ImagePipeline(configuration, waker: bell)
    defer { pipeline.shutdown(within: ShutdownBudget()) }
    let feed = try libraryConfiguration.makeFeed(
      isSimulated: false, isHeadless: true, transfers: nil, interrupt: interrupt
    ) {
      bell.wake()
    }
    defer { feed.end() }
    interrupt.addHandler { bell.wake() }
    var catalogue = PhotoCatalogue()
    var order: [PhotoID] = []
    while !feed.isComplete, !interrupt.isRaised {
      let events = feed.takePendingEvents()
      if events.isEmpty { bell.wait() }
      for event in events { order += catalogue.apply(event).added }
    }
    var lines = ReorderBuffer<String>()
    do {
      try prepareItems(order, catalogue, pipeline, bell, isInterrupted: { interrupt.isRaised }) { place, line in
        for line in lines.insert(line, at: place) { try writer.write((line + "\n").utf8) }
      }
      try writer.close()
    } catch let error as OutputError {
      throw HostError("--verdicts \(file): \(error)")
    }
    return interrupt.isRaised ? 130 : 0
  }

  private func prepareItems(
    _ order: [PhotoID], _ catalogue: PhotoCatalogue, _ pipeline: ImagePipeline, _ bell: BlockingWaker,
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
          // No longer there, and no reason to hold back the lines of those behind it.
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
      if arrivals.isEmpty, !places.isEmpty { bell.wait() }
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
