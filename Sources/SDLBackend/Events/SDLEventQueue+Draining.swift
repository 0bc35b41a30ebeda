import CSDL2
import FramePacing
import Rendering

extension SDLEventQueue {
  /// Empties SDL's queue: translates what means something, tells the observer, and appends it with the time of reading.
  ///
  /// - Parameters:
  ///   - wakeKind: the number of events that only wake the loop; they are passed over.
  ///   - drop: the names of files that are being dropped, which come one by one.
  ///   - events: what is appended to.
  ///   - observer: is told of each.
  /// - Complexity: O(queued events).
  @MainActor
  static func drain(
    wakeKind: UInt32?, drop: DropCollection, into events: inout [InputEvent], observer: ((InputEvent.Kind) -> Void)?
  ) {
    takeAll { event in
      if event.type == wakeKind { return }
      guard let kind = drop.take(event) ?? InputEvent.Kind(event, held: modifiers) else { return }
      observer?(kind)
      events.append(InputEvent(time: MonotonicTime.now, kind: kind))
    }
  }
}
