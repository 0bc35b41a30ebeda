import FramePacing

/// A clock on which time can be lost, as where the process is stopped or woken late: for showing what frames make of it.
final class FaultyClock: FrameClock {
  private let base: any FrameClock
  /// For how long nothing ran, on a simulated line.
  private var stalledTime = FrameDuration.zero
  /// How late the next wait ends.
  private var oversleep = FrameDuration.zero
  /// What the next cost takes on top.
  private var extraCost = FrameDuration.zero

  /// Asked while time is lost: whether the program was told to end.
  var isInterrupted: () -> Bool = { false }

  init(_ base: any FrameClock) { self.base = base }

  var kind: ClockKind { base.kind }
  func setKind(_ kind: ClockKind) { base.setKind(kind) }
  func now() -> FrameInstant { base.now() }
  func spend(_ cost: FrameDuration) {
    // What costs nothing cannot cost more.
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

  /// Sleeps, but not for long over a program that was told to end.
  private func sleep(until instant: FrameInstant) {
    while base.now() < instant, !isInterrupted() { base.wait(until: min(instant, base.now() + .milliseconds(50))) }
  }

  /// Lets time pass in which the thread does not run: slept through in real time.
  func stall(for duration: FrameDuration) {
    if base.kind.isSimulated {
      base.spend(duration)
      stalledTime += duration
    } else {
      sleep(until: base.now() + duration)
    }
  }

  /// The next cost that is spent takes more than it was known to.
  func exceedNextCost(by duration: FrameDuration) { extraCost = duration }

  /// The next wait ends late.
  func delayNextWake(by duration: FrameDuration) { oversleep = duration }
}
