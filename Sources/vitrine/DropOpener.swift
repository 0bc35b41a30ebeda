import FramePacing
import GalleryUI
import Hosting
import PhotoLibrary

/// Opens what is dropped on the gallery's window, as if it had been on the command line.
final class DroppedLibraryOpener: LibraryOpener {
  private let libraryConfiguration: LibraryConfiguration
  private let host: Host
  private let interrupt: Interrupt
  private var pathCheck: LibraryPathCheck?
  /// What was found out at once, on a simulated clock.
  private var outcome: Result<LibraryRoots, LibraryError>?
  /// Whether another library was opened.
  private(set) var hasOpened = false
  private var refusal: String?

  /// Makes one for a run.
  init(replacing plan: LibraryConfiguration, _ host: Host, interrupt: Interrupt) {
    self.libraryConfiguration = plan
    self.host = host
    self.interrupt = interrupt
  }

  func open(_ paths: [[UInt8]]) {
    let waker = host.waker
    (pathCheck, outcome, refusal) = (nil, nil, nil)
    do {
      try libraryConfiguration.validateAcceptsDrops()
      if host.clock.kind.isSimulated {
        // A simulation waits: equal runs open it in equal frames.
        outcome = Result { () throws(LibraryError) in try LibraryRoots(checking: paths) }
        return
      }
      pathCheck = try LibraryPathCheck(paths) { waker.wake() }
    } catch {
      refusal = "\(error)"
    }
  }

  func cancel() { (pathCheck, outcome, refusal) = (nil, nil, nil) }

  var hasPendingResult: Bool { refusal != nil || outcome != nil || pathCheck?.result != nil }

  func takeResult() -> LibraryOpenResult? {
    if let refusal {
      self.refusal = nil
      return .failure(refusal)
    }
    guard let result = outcome ?? pathCheck?.result else { return nil }
    (pathCheck, outcome) = (nil, nil)
    let waker = host.waker
    do {
      let next = LibraryConfiguration(dropped: try result.get(), replacing: libraryConfiguration)
      let feed = try next.makeFeed(
        isSimulated: host.clock.kind.isSimulated, isHeadless: host.options.isHeadless, transfers: nil,
        interrupt: interrupt
      ) { waker.wake() }
      host.setTitle("\(feed.title) - Vitrine")
      hasOpened = true
      return .success(feed, wanted: next.wantedPath)
    } catch {
      return .failure("\(error)")
    }
  }
}
