internal import FramePacing

/// Picks the spring for a wheel notch from the rhythm of the notches before it.
///
/// The first notch answers faster than the ones amid a run, and when the run slows down the content should come to rest
/// with the finger, not after it.
struct WheelCadence: Hashable, Sendable {
  /// A pause this long begins a new run.
  static let pause = FrameDuration.milliseconds(120)
  /// Notches closer than this say nothing about slowing.
  static let shortestSlowing = FrameDuration.milliseconds(12)
  /// A gap this many times the one before is slowing.
  static let slowingFactor = 1.3

  private var last: FrameInstant?
  private var gap: FrameDuration?

  /// Takes a notch and returns the spring to pull with.
  mutating func spring(at instant: FrameInstant) -> SpringParameters {
    defer { last = instant }
    guard let last, instant - last < WheelCadence.pause else {
      gap = nil
      return .wheelBegin
    }
    let current = instant - last
    defer { gap = current }
    guard let gap, current >= WheelCadence.shortestSlowing else { return .wheel }
    return current.seconds >= WheelCadence.slowingFactor * gap.seconds ? .wheelSlowing : .wheel
  }
}
