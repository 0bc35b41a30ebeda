/// The only source of time of a frame loop.
///
/// Used by the thread that runs the loop and by no other.
public protocol FrameClock: AnyObject {
  /// Which line of time this is.
  var kind: ClockKind { get }

  /// Presenting turned out to be paced otherwise; only a clock in real time takes that in.
  func setKind(_ kind: ClockKind)

  /// The moment on this clock's line.
  func now() -> FrameInstant

  /// The moment in the thread's work, between which and a later one lies what the work took.
  func workTimestamp() -> WorkTimestamp

  /// Lets a modelled cost pass: really spent on a real clock, added on a simulated one.
  func spend(_ cost: FrameDuration)

  /// Lets time pass on a simulated line that stands for no cost, as where work is cut into steps by counting.
  func advance(by duration: FrameDuration)

  /// Whether costs were let pass: on the virtual clock the run then has costs to be seen.
  var hasSpentCosts: Bool { get }

  /// Lets time pass until a moment: an absolute sleep on a real clock, a jump on a simulated one. A moment that has
  /// passed is no wait.
  func wait(until instant: FrameInstant)

  /// Runs a body whose time does not count on a simulated line, such as waiting for a result that is due.
  func performUncounted<Result>(_ body: () throws -> Result) rethrows -> Result
}

extension FrameClock {
  /// As much as a cost.
  public func advance(by duration: FrameDuration) { spend(duration) }
  /// Costs of which nothing is known may have been let pass.
  public var hasSpentCosts: Bool { true }
  /// A simulated line is what it was made as.
  public func setKind(_ kind: ClockKind) {}
  /// The moment alone: a simulated line knows nothing that takes the thread's time but its work.
  public func workTimestamp() -> WorkTimestamp { WorkTimestamp(at: now()) }
}
