import FramePacing
import Geometry
import Rendering
import SDLBackend
import Views

/// What a script changes around a host's window.
final class HostScriptEnvironment: ScriptEnvironment {
  private let window: SDLDisplay
  private weak var loop: CommitLoop?
  private let faultInjector: FaultInjector?
  private let onShuffle: (() -> Void)?

  init(_ window: SDLDisplay, _ loop: CommitLoop, _ staged: FaultInjector?, onShuffle: (() -> Void)?) {
    self.window = window
    self.loop = loop
    self.faultInjector = staged
    self.onShuffle = onShuffle
  }

  func resize(to size: Size) {
    window.resize(to: size)
    // Without a window system nobody tells.
    loop?.displaySizeDidChange()
  }

  func changeRefreshRate(to hertz: Double) {
    faultInjector?.display.refreshHz = hertz
    loop?.displayRateDidChange()
  }

  func injectFault(_ fault: ScriptFault) {
    switch fault {
    case .stop(let milliseconds): faultInjector?.clock.stall(for: .milliseconds(milliseconds))
    case .present(let milliseconds): faultInjector?.display.presentDelay = .milliseconds(milliseconds)
    case .wake(let milliseconds): faultInjector?.clock.delayNextWake(by: .milliseconds(milliseconds))
    case .cost(let milliseconds): faultInjector?.clock.exceedNextCost(by: .milliseconds(milliseconds))
    }
  }

  func shuffleItems() { onShuffle?() }
}
