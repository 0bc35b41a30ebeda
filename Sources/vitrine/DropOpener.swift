import FramePacing
import GalleryUI
import Hosting
import PhotoLibrary

/// Opens what is dropped on the gallery's window, as if it had been on the command line.
final class DropOpener: LibraryOpener {
  private let plan: LibraryPlan
  private let host: Host
  private let interrupt: Interrupt
  private var check: PlaceCheck?
  /// What was found out at once, on a simulated clock.
  private var outcome: Result<GivenPlaces, LibraryError>?
  /// Whether another library was opened.
  private(set) var hasOpened = false
  private var refusal: String?

  /// Makes one for a run.
  init(instead plan: LibraryPlan, _ host: Host, interrupt: Interrupt) {
    self.plan = plan
    self.host = host
    self.interrupt = interrupt
  }

  func open(_ paths: [[UInt8]]) {
    let waker = host.waker
    (check, outcome, refusal) = (nil, nil, nil)
    do {
      try plan.checkDrops()
      if host.clock.kind.isSimulated {
        // A simulation waits: equal runs open it in equal frames.
        outcome = Result { () throws(LibraryError) in try GivenPlaces(checking: paths) }
        return
      }
      check = try PlaceCheck(paths) { waker.wake() }
    } catch {
      refusal = "\(error)"
    }
  }

  func giveUp() { (check, outcome, refusal) = (nil, nil, nil) }

  var hasPending: Bool { refusal != nil || outcome != nil || check?.result != nil }

  func take() -> LibraryOpening? {
    if let refusal {
      self.refusal = nil
      return .refused(refusal)
    }
    guard let result = outcome ?? check?.result else { return nil }
    (check, outcome) = (nil, nil)
    let waker = host.waker
    do {
      let next = LibraryPlan(dropped: try result.get(), instead: plan)
      let feed = try next.makeFeed(
        isSimulated: host.clock.kind.isSimulated, isHeadless: host.options.isHeadless, transfers: nil,
        interrupt: interrupt
      ) { waker.wake() }
      host.setTitle("\(feed.title) - Vitrine")
      hasOpened = true
      return .opened(feed, wanted: next.wanted)
    } catch {
      return .refused("\(error)")
    }
  }
}
