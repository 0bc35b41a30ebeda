import GalleryUI
import PhotoLibrary
import Threads

/// Fills the gallery from lists of pictures, and single pictures, on the web.
final class ManifestFeed: LibraryFeed {
  let title: String
  private let makeScan: () -> ManifestScan
  private var scan: ManifestScan
  private let isSimulated: Bool
  private(set) var isComplete = false
  /// Why the lists could not be read again.
  private var failure: String?
  /// Pictures that a frame takes.
  private static let batchSize = 1_000

  /// Starts reading.
  ///
  /// - Parameters:
  ///   - isSimulated: whether all is waited for, so that equal runs take equal portions.
  ///   - makeScan: makes what reads, each time the lists are to be read.
  init(title: String, isSimulated: Bool, makeScan: @escaping () -> ManifestScan) throws {
    self.title = title
    self.isSimulated = isSimulated
    self.makeScan = makeScan
    scan = makeScan()
    try scan.start()
  }

  func makeRecords(datesByFile: Bool) -> any PhotoRecords { ManifestRecords() }

  var hasPendingEvents: Bool { isSimulated ? !isComplete : scan.hasEvents }

  var activity: String? { isComplete ? failure ?? problem : "Reading the list…" }

  var progress: Double? { nil }

  var emptyTexts: (headline: String, hint: String) {
    ("No pictures", problem ?? "The list is empty.")
  }

  /// What was wrong, in a line; nothing where nothing was.
  private var problem: String? {
    let problems = scan.problems
    return problems.count > 1 ? "\(problems[0]), and \(problems.count - 1) more" : problems.first
  }

  func takePendingEvents() -> [LibraryEvent] {
    guard !isComplete else { return [] }
    let events = scan.takeEvents(atMost: ManifestFeed.batchSize, waitsUntilRead: isSimulated)
    if case .finished? = events.last { isComplete = true }
    return events
  }

  func rescan() -> Bool {
    let next = makeScan()
    do throws(ThreadError) {
      try next.start()
    } catch {
      failure = "The lists could not be read again: \(error)"
      return false
    }
    scan = next
    failure = nil
    isComplete = false
    return true
  }

  func end() { scan.cancel() }
}
