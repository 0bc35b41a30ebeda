import FramePacing
import Rendering

/// Input without a window system: what the program injects, and what is pushed to SDL's queue.
///
/// Waiting blocks on a counter of the kernel's and not in SDL, whose dummy driver looks for events each millisecond:
/// at rest there is no wake-up at all.
final class HeadlessEventSource: DisplayEventSource {
  /// Called for each event before it is handed out, for what the display itself must do about it.
  var observer: ((InputEvent.Kind) -> Void)?
  private let counter: EventCounter
  private let coalescingWaker: CoalescingWaker
  private var injected: [InputEvent.Kind] = []
  private let drop = DropCollection()
  private let typing = TypedText()

  /// Makes the source; SDL must be running.
  /// - Throws: ``DisplayError`` when the process has no file descriptor left.
  init() throws(DisplayError) {
    let counter = try EventCounter()
    let descriptor = counter.descriptor
    self.counter = counter
    coalescingWaker = CoalescingWaker { EventCounter.raise(descriptor) }
  }

  /// Puts an event behind those that wait; it is stamped when it is read.
  func inject(_ kind: InputEvent.Kind) { injected.append(kind) }

  /// Appends first what SDL has, then what was injected, each in its order.
  func poll(into events: inout [InputEvent]) {
    lowerWaker()
    SDLEventQueue.drain(wakeKind: nil, drop: drop, typing: typing, into: &events, observer: observer)
    guard !injected.isEmpty else { return }
    let now = MonotonicTime.now
    for kind in injected {
      observer?(kind)
      events.append(InputEvent(time: now, kind: kind))
    }
    injected.removeAll(keepingCapacity: true)
  }

  func wait(atMost duration: FrameDuration?) {
    guard !hasPendingEvents, !coalescingWaker.isPending else { return }
    // Cleared here as well: a thread may raise the counter late, after the flag that it set was lowered.
    if counter.wait(nanoseconds: duration?.nanoseconds) { counter.clear() }
  }

  /// Notes that the loop is awake, first by the counter and then by the flag.
  ///
  /// In this order a wake-up in between is then lowered with its flag, before the
  /// caller looks for work, where the other way round it would leave a raised flag that stops all later ones.
  private func lowerWaker() {
    guard coalescingWaker.isPending else { return }
    counter.clear()
    coalescingWaker.lower()
  }

  var hasPendingEvents: Bool { !injected.isEmpty || SDLEventQueue.hasEvents }

  var waker: any LoopWaker { coalescingWaker }

  func close() { coalescingWaker.close() }
}
