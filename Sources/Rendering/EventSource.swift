public import FramePacing

/// The port to input.
///
/// Everything is called on the main actor but ``waker``, which any thread may use.
@MainActor
public protocol EventSource: AnyObject {
  /// Appends everything that has come in, without waiting.
  func poll(into events: inout [InputEvent])

  /// Blocks until something comes in, somebody wakes the loop, or time is up; without a limit, for ever, using no
  /// processor. May return early.
  func wait(atMost duration: FrameDuration?)

  /// Whether something has come in that ``poll(into:)`` would return; cheap enough to ask before every slack step.
  var hasPendingEvents: Bool { get }

  /// Whether something will have come in by an instant, as far as that is known: a script knows what comes.
  func hasPendingEvents(by instant: FrameInstant) -> Bool

  /// When the next event comes in, where that is settled beforehand: a simulated clock that rests goes on to it.
  var nextScheduledEvent: FrameInstant? { get }

  /// Wakes ``wait(atMost:)`` from any thread.
  var waker: any LoopWaker { get }
}

extension EventSource {
  /// What has come in already: nobody knows what a person does next.
  public func hasPendingEvents(by instant: FrameInstant) -> Bool { hasPendingEvents }

  /// Nothing: nobody knows what a person does next.
  public var nextScheduledEvent: FrameInstant? { nil }
}
