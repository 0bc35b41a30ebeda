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
    var event = SDL_Event()
    while next(&event) {
      if event.type == wakeKind { continue }
      if event.type == SDL_DROPFILE.rawValue || event.type == SDL_DROPTEXT.rawValue {
        freeDroppedName(event)
        continue
      }
      guard let kind = InputEvent.Kind(event, held: modifiers) else { continue }
      observer?(kind)
      events.append(InputEvent(time: MonotonicTime.now, kind: kind))
    }
  }
}
