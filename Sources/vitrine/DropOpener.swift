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
  private var refusal: String?

  /// Makes one for a run.
  init(instead plan: LibraryPlan, _ host: Host, interrupt: Interrupt) {
    self.plan = plan
    self.host = host
    self.interrupt = interrupt
  }

  func open(_ paths: [[UInt8]]) {
    let waker = host.waker
    (check, refusal) = (nil, nil)
    do {
      try plan.checkDrops()
      check = try PlaceCheck(paths) { waker.wake() }
    } catch {
      refusal = "\(error)"
    }
  }

  func giveUp() { (check, refusal) = (nil, nil) }

  var hasPending: Bool { refusal != nil || check?.result != nil }

  func take() -> LibraryOpening? {
    if let refusal {
      self.refusal = nil
      return .refused(refusal)
    }
    guard let result = check?.result else { return nil }
    check = nil
    let waker = host.waker
    do {
      let next = LibraryPlan(dropped: try result.get(), instead: plan)
      let feed = try next.makeFeed(
        isSimulated: host.clock.kind.isSimulated, isHeadless: host.options.isHeadless, transfers: nil,
        interrupt: interrupt
      ) { waker.wake() }
      host.setTitle("\(feed.title) - Vitrine")
      return .opened(feed, wanted: next.wanted)
    } catch {
      return .refused("\(error)")
    }
  }
}
