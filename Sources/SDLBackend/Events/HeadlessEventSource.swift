import FramePacing
import Rendering

/// Input without a window system: what the program injects, and what is pushed to SDL's queue.
///
/// Waiting blocks on a counter of the kernel's and not in SDL, whose dummy driver looks for events each millisecond:
/// at rest there is no wake-up at all.
final class HeadlessEventSource: DisplayEventSource {
  /// Called for each event before it is handed out, for what the display itself must do about it.
  var observer: ((InputEvent.Kind) -> Void)?
  private let counter: EventFileDescriptor
  private let coalescingWaker: CoalescingWaker
  private var injected: [InputEvent.Kind] = []
  private let dropCollector = FileDropCollector()
  private let textFilter = TextInputFilter()

  /// Makes the source; SDL must be running.
  /// - Throws: ``DisplayError`` when the process has no file descriptor left.
  init() throws(DisplayError) {
    let counter = try EventFileDescriptor()
    let descriptor = counter.descriptor
    self.counter = counter
    coalescingWaker = CoalescingWaker { EventFileDescriptor.signal(descriptor) }
  }

  /// Puts an event behind those that wait; it is stamped when it is read.
  func injectEvent(_ kind: InputEvent.Kind) { injected.append(kind) }

  /// Appends first what SDL has, then what was injected, each in its order.
  func poll(into events: inout [InputEvent]) {
    acknowledgeWake()
    SDLEventQueue.drainEvents(wakeKind: nil, drop: dropCollector, typing: textFilter, into: &events, observer: observer)
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
    if counter.wait(nanoseconds: duration?.nanoseconds) { counter.reset() }
  }

  /// Notes that the loop is awake, first by the counter and then by the flag.
  ///
  /// In this order a wake-up in between is then lowered with its flag, before the
  /// caller looks for work, where the other way round it would leave a raised flag that stops all later ones.
  private func acknowledgeWake() {
    guard coalescingWaker.isPending else { return }
    counter.reset()
    coalescingWaker.acknowledgeWake()
  }

  var hasPendingEvents: Bool { !injected.isEmpty || SDLEventQueue.hasEvents }

  var waker: any LoopWaker { coalescingWaker }

  func close() { coalescingWaker.close() }
}
