import VitrineFramePacing
import VitrineRendering

/// A clock and a display that wrap those of a run and can simulate faults.
final class FaultInjector {
  let clock: FaultyClock
  let display: FaultyDisplay

  /// Wraps a display and a clock.
  ///
  /// - Parameters:
  ///   - display: The display of the run.
  ///   - clock: The clock of the run.
  ///   - refreshHz: The refresh rate until a script changes it.
  init(_ display: any Display, _ clock: any FrameClock, refreshHz: Double) {
    self.clock = FaultyClock(clock)
    self.display = FaultyDisplay(display, clock: self.clock)
    self.display.refreshHz = refreshHz
  }
}

/// A clock that can lose time, as if the process were stopped or woken late.
final class FaultyClock: FrameClock {
  private let base: any FrameClock
  /// The time during which the thread did not run, on a simulated clock.
  private var stalledTime = FrameDuration.zero
  /// The delay of the next wake-up.
  private var oversleep = FrameDuration.zero
  /// The amount by which the next cost exceeds its estimate.
  private var extraCost = FrameDuration.zero

  /// Returns whether the program has been asked to end.
  ///
  /// Called while time is lost.
  var isInterrupted: () -> Bool = { false }

  init(_ base: any FrameClock) { self.base = base }

  var kind: ClockKind { base.kind }
  func setKind(_ kind: ClockKind) { base.setKind(kind) }
  func now() -> FrameInstant { base.now() }
  func spend(_ cost: FrameDuration) {
    // Only costs that occur can exceed their estimates.
    guard cost > .zero else { return }
    base.spend(cost + extraCost)
    extraCost = .zero
  }
  func advance(by duration: FrameDuration) { base.advance(by: duration) }
  var hasSpentCosts: Bool { base.hasSpentCosts }
  func performUncounted<Result>(_ body: () throws -> Result) rethrows -> Result { try base.performUncounted(body) }

  func workTimestamp() -> WorkTimestamp {
    var mark = base.workTimestamp()
    mark.processor = mark.processor - stalledTime
    return mark
  }

  func wait(until instant: FrameInstant) {
    base.wait(until: instant)
    sleep(until: instant + oversleep)
    oversleep = .zero
  }

  /// Sleeps until an instant, and ends within 50 ms after an interrupt.
  private func sleep(until instant: FrameInstant) {
    while base.now() < instant, !isInterrupted() { base.wait(until: min(instant, base.now() + .milliseconds(50))) }
  }

  /// Simulates a stopped thread.
  ///
  /// On a real clock, the thread sleeps.
  func stall(for duration: FrameDuration) {
    if base.kind.isSimulated {
      base.spend(duration)
      stalledTime += duration
    } else {
      sleep(until: base.now() + duration)
    }
  }

  /// Makes the next cost exceed its estimate.
  func exceedNextCost(by duration: FrameDuration) { extraCost = duration }

  /// Makes the next wait end late.
  func delayNextWake(by duration: FrameDuration) { oversleep = duration }
}

/// A display that can delay its next present and report another refresh rate.
final class FaultyDisplay: Display {
  /// The delay of the next present.
  var presentDelay = FrameDuration.zero
  /// The reported refresh rate in hertz, or nil for the display's own.
  var refreshHz: Double?
  private let base: any Display
  private let clock: FaultyClock

  init(_ base: any Display, clock: FaultyClock) {
    self.base = base
    self.clock = clock
  }

  var info: DisplayInfo {
    var info = base.info
    if let refreshHz { info.refreshHz = refreshHz }
    return info
  }

  func present() {
    if presentDelay > .zero { clock.stall(for: presentDelay) }
    presentDelay = .zero
    base.present()
  }

  func makeTexture(from bitmap: Bitmap) throws(DisplayError) -> TextureID { try base.makeTexture(from: bitmap) }
  func releaseTexture(_ texture: TextureID) { base.releaseTexture(texture) }
  func draw(_ list: DisplayList, background: Color) { base.draw(list, background: background) }
  func readPixels() throws(DisplayError) -> Bitmap { try base.readPixels() }
  var textureBytes: Int { base.textureBytes }
  var preferredChannelOrder: ChannelOrder { base.preferredChannelOrder }

  func endFrame() { base.endFrame() }
  func trimCaches() { base.trimCaches() }
}
