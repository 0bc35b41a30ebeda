import FramePacing
import Geometry
import Rendering
import SDLBackend
import Views

/// What a script changes around a host's window.
final class HostStagehand: ScriptStagehand {
  private let window: SDLDisplay
  private weak var loop: CommitLoop?
  private let staged: StagedSurroundings?
  private let onShuffle: (() -> Void)?

  init(_ window: SDLDisplay, _ loop: CommitLoop, _ staged: StagedSurroundings?, onShuffle: (() -> Void)?) {
    self.window = window
    self.loop = loop
    self.staged = staged
    self.onShuffle = onShuffle
  }

  func resize(to size: Size) {
    window.resize(to: size)
    // Without a window system nobody tells.
    loop?.displaySizeDidChange()
  }

  func changeRefresh(to hertz: Double) {
    staged?.display.refreshHz = hertz
    loop?.displayRateDidChange()
  }

  func fail(_ fault: ScriptFault) {
    switch fault {
    case .stop(let milliseconds): staged?.clock.lose(.milliseconds(milliseconds))
    case .present(let milliseconds): staged?.display.heldUp = .milliseconds(milliseconds)
    case .wake(let milliseconds): staged?.clock.sleepIn(by: .milliseconds(milliseconds))
    case .cost(let milliseconds): staged?.clock.exceedNextCost(by: .milliseconds(milliseconds))
    }
  }

  func shuffle() { onShuffle?() }
}
