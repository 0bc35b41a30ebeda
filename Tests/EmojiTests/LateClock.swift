import FramePacing

/// A virtual clock that is another one, once that is there.
nonisolated final class LateClock: FrameClock {
  var clock: (any FrameClock)?

  let kind = ClockKind.virtual

  func now() -> FrameInstant { clock?.now() ?? .zero }
  func spend(_ cost: FrameDuration) { clock?.spend(cost) }
  func wait(until instant: FrameInstant) { clock?.wait(until: instant) }

  func performUncounted<Result>(_ body: () throws -> Result) rethrows -> Result {
    try clock.map { try $0.performUncounted(body) } ?? body()
  }
}
