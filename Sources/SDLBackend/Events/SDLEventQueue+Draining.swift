import CSDL2
import FramePacing
import Rendering

extension SDLEventQueue {
  /// Empties SDL's queue: translates what means something, tells the observer, and appends it with the time at which SDL
  /// read it.
  ///
  /// SDL knows milliseconds: a time is never later than now, nor before that of the event that was appended before.
  ///
  /// - Parameter wakeKind: the number of events that only wake the loop; they are dropped.
  /// - Complexity: O(queued events).
  @MainActor
  static func drain(wakeKind: UInt32?, into events: inout [InputEvent], observer: ((InputEvent.Kind) -> Void)?) {
    let (now, ticks) = (MonotonicTime.now, ticks)
    takeAll { event in
      if event.type == wakeKind { return }
      if event.type == SDL_DROPFILE.rawValue || event.type == SDL_DROPTEXT.rawValue {
        freeDroppedName(event)
        return
      }
      guard let kind = InputEvent.Kind(event, held: modifiers, windowSize: size(ofWindow:)) else { return }
      observer?(kind)
      let age = Int64(Int32(bitPattern: ticks &- event.common.timestamp))
      let read = (0...longestAge).contains(age) ? now - .milliseconds(Double(age)) : now
      events.append(InputEvent(time: max(read, events.last?.time ?? read), kind: kind))
    }
  }

  /// An event that says that it is older than this, in milliseconds, was stamped by another clock.
  private static var longestAge: Int64 { 10_000 }
}
