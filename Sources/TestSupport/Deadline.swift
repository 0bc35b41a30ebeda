import Glibc
public import VitrineFramePacing
public import VitrineThreads

/// A time limit of a test.
public struct Deadline: Sendable {
  /// The maximum time that a test waits for an event.
  ///
  /// It is so long that only a hang exceeds it, however busy the machine is.
  public static let defaultTimeout: Duration = .seconds(600)

  private let end: ContinuousClock.Instant

  /// Creates a deadline that ends after the given time.
  public init(_ limit: Duration = Deadline.defaultTimeout) { end = .now + limit }

  /// Whether the deadline has passed.
  public var hasPassed: Bool { ContinuousClock.now >= end }

  /// The remaining time in milliseconds, for `poll`.
  public var millisecondsLeft: Int32 {
    let (seconds, attoseconds) = max(.zero, end - .now).components
    return Int32(clamping: seconds * 1_000 + attoseconds / 1_000_000_000_000_000 + 1)
  }

  /// Polls a condition until it returns a value.
  ///
  /// - Parameters:
  ///   - description: The event, for the error. Evaluated only after the deadline has passed.
  ///   - condition: A closure that is called every few milliseconds.
  /// - Throws: ``WaitTimeoutError``, or the error of the condition.
  public func wait<Result>(
    for description: @autoclosure () throws -> String, _ condition: () throws -> Result?
  ) throws -> Result {
    while true {
      if let result = try condition() { return result }
      if hasPassed { throw WaitTimeoutError(event: try description()) }
      // Not a delay that the test depends on: it only yields the processor between two calls.
      poll(nil, 0, 8)
    }
  }
}

/// An error that is thrown if an event did not occur in time.
public struct WaitTimeoutError: Error, CustomStringConvertible {
  private let event: String

  /// Creates an error.
  ///
  /// - Parameter event: The event that was waited for.
  public init(event: String) { self.event = event }

  /// A sentence that names the event.
  public var description: String { "waited in vain for \(event)" }
}

extension Lock {
  /// Waits until the closure returns a value, at most for the default timeout of tests.
  ///
  /// - Parameter what: The event, for the error.
  /// - Throws: ``WaitTimeoutError``.
  public func wait<Result>(for what: String, until body: (inout State) -> sending Result?) throws -> sending Result {
    guard let result = wait(atMost: Deadline.defaultTimeout, until: body) else { throw WaitTimeoutError(event: what) }
    return result
  }
}

/// A waker that a test can wait for.
public final class TestWaker: LoopWaker {
  private let wakes = Lock(0)

  /// Creates a waker that was not woken.
  public init() {}

  /// The number of wakes since the last wait.
  public var pendingWakes: Int { wakes.withLock { $0 } }

  /// Wakes a waiting test.
  public func wake() {
    wakes.withLock { $0 += 1 }
    wakes.wakeAll()
  }

  /// Waits until the waker is woken, and resets the number of wakes.
  ///
  /// - Parameter what: The event, for the error.
  /// - Throws: ``WaitTimeoutError``.
  public func wait(for what: String) throws {
    try wakes.wait(for: what) { count -> Void? in
      guard count > 0 else { return nil }
      count = 0
      return ()
    }
  }
}

/// A waker without effect, for loops on simulated clocks, which query the time of the next result.
public struct SilentWaker: LoopWaker {
  /// Creates a waker.
  public init() {}

  /// Does nothing.
  public func wake() {}
}
