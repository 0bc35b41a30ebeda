import CSDL2
import FramePacing
import Rendering

extension SDLEventQueue {
  /// Empties SDL's queue: translates what means something, tells the observer, and appends it with the time of reading.
  ///
  /// - Parameter wakeKind: the number of events that only wake the loop; they are dropped.
  /// - Complexity: O(queued events).
  @MainActor
  static func drain(wakeKind: UInt32?, into events: inout [InputEvent], observer: ((InputEvent.Kind) -> Void)?) {
    takeAll { event in
      if event.type == wakeKind { return }
      if event.type == SDL_DROPFILE.rawValue || event.type == SDL_DROPTEXT.rawValue {
        freeDroppedName(event)
        return
      }
      guard let kind = InputEvent.Kind(event, held: modifiers) else { return }
      observer?(kind)
      events.append(InputEvent(time: MonotonicTime.now, kind: kind))
    }
  }
}
