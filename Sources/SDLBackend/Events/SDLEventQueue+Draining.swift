import CSDL2
import FramePacing
import Rendering

extension SDLEventQueue {
  /// Empties SDL's queue: translates what means something, tells the observer, and appends it with the time at which SDL
  /// read it.
  ///
  /// SDL knows milliseconds: a time is never later than now, nor before that of the event that was appended before.
  ///
  /// - Parameters:
  ///   - wakeKind: the number of events that only wake the loop; they are passed over.
  ///   - drop: the names of files that are being dropped, which come one by one.
  ///   - typing: what is held while text is typed.
  ///   - events: what is appended to.
  ///   - observer: is told of each.
  /// - Complexity: O(queued events).
  @MainActor
  static func drainEvents(
    wakeKind: UInt32?, drop: FileDropCollector, typing: TextInputFilter, into events: inout [InputEvent],
    observer: ((InputEvent.Kind) -> Void)?
  ) {
    let (now, ticks) = (MonotonicTime.now, ticks)
    forEachPendingEvent { event in
      if event.type == wakeKind { return }
      let kind =
        drop.handleEvent(event) ?? typing.handleEvent(event)
        ?? InputEvent.Kind(event, held: modifiers, isPressed: { isButtonPressed }, windowSize: size(ofWindow:))
      guard let kind else { return }
      observer?(kind)
      let age = Int64(Int32(bitPattern: ticks &- event.common.timestamp))
      let read = (0...maximumEventAge).contains(age) ? now - .milliseconds(Double(age)) : now
      events.append(InputEvent(time: max(read, events.last?.time ?? read), kind: kind))
    }
  }

  /// An event that says that it is older than this, in milliseconds, was stamped by another clock.
  private static var maximumEventAge: Int64 { 10_000 }
}
