import Glibc

/// A moment by which something must have happened.
public struct Deadline: Sendable {
  /// The longest that a test waits for an event: so long that only a hang reaches it, however busy the machine is.
  public static let defaultTimeout: Duration = .seconds(600)

  private let end: ContinuousClock.Instant

  /// Makes a deadline that is so far away.
  public init(_ limit: Duration = Deadline.defaultTimeout) { end = .now + limit }

  /// Whether it has passed.
  public var hasPassed: Bool { ContinuousClock.now >= end }

  /// Milliseconds that are left, for `poll`.
  public var millisecondsLeft: Int32 {
    let (seconds, attoseconds) = max(.zero, end - .now).components
    return Int32(clamping: seconds * 1_000 + attoseconds / 1_000_000_000_000_000 + 1)
  }

  /// Looks again and again until there is an answer.
  ///
  /// - Parameters:
  ///   - what: what is waited for, for the error: asked for when the time has passed.
  ///   - look: asked every few milliseconds.
  /// - Throws: ``TookTooLong``, and what the look throws.
  public func wait<Answer>(for what: @autoclosure () throws -> String, _ look: () throws -> Answer?) throws -> Answer {
    while true {
      if let answer = try look() { return answer }
      if hasPassed { throw WaitTimeoutError(what: try what()) }
      // Not a wait for a time: a breath between two looks, for the others on this machine.
      poll(nil, 0, 8)
    }
  }
}
