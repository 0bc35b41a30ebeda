/// The only source of time of a frame loop.
///
/// Used by the thread that runs the loop and by no other.
public protocol FrameClock: AnyObject {
  /// Which line of time this is.
  var kind: ClockKind { get }

  /// The moment on this clock's line.
  func now() -> FrameInstant

  /// Lets a modelled cost pass: really spent on a real clock, added on a simulated one.
  func spend(_ cost: FrameDuration)

  /// Lets time pass until a moment: an absolute sleep on a real clock, a jump on a simulated one. A moment that has
  /// passed is no wait.
  func wait(until instant: FrameInstant)

  /// Runs a body whose time does not count on a simulated line, such as waiting for a result that is due.
  func uncounted<Result>(_ body: () throws -> Result) rethrows -> Result
}
