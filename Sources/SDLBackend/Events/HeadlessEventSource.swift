import VitrineFramePacing
import VitrineRendering

/// An event source without a window system, for injected events and events in SDL's queue.
///
/// It waits on an event file descriptor rather than in SDL, whose dummy driver polls every millisecond. So there is no
/// wake-up at rest.
final class HeadlessEventSource: DisplayEventSource {
  /// Called for each event before it is delivered, so that the display can handle it.
  var observer: ((InputEvent.Kind) -> Void)?
  private let counter: EventFileDescriptor
  private var watch: SignalWatch?
  private let coalescingWaker: CoalescingWaker
  private var injected: [InputEvent.Kind] = []
  private let dropCollector = FileDropCollector()
  private let textFilter = TextInputFilter()

  /// Creates an event source.
  ///
  /// SDL must be running.
  /// - Throws: ``DisplayError`` if the process has no file descriptor left.
  init() throws(DisplayError) {
    let counter = try EventFileDescriptor()
    let descriptor = counter.descriptor
    self.counter = counter
    coalescingWaker = CoalescingWaker { EventFileDescriptor.signal(descriptor) }
  }

  /// Appends an event to the injected ones.
  ///
  /// It gets its time when it is read.
  func injectEvent(_ kind: InputEvent.Kind) { injected.append(kind) }

  /// Appends SDL's events and then the injected ones, both in order.
  func poll(into events: inout [InputEvent]) {
    acknowledgeWake()
    SDLEventQueue.drainEvents(
      wakeKind: nil, dropCollector: dropCollector, textFilter: textFilter, into: &events, observer: observer)
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
    // Reset here as well, because a thread may signal late, after its flag was cleared.
    if counter.wait(nanoseconds: duration?.nanoseconds, orSignalOf: watch) { counter.reset() }
  }

  /// Marks the loop as awake: resets the descriptor first and clears the flag second.
  ///
  /// In this order, a wake-up in between is cleared together with its flag, before the caller looks for work. In the
  /// other order its flag would remain set and suppress all later wake-ups.
  private func acknowledgeWake() {
    guard coalescingWaker.isPending else { return }
    counter.reset()
    coalescingWaker.acknowledgeWake()
  }

  var hasPendingEvents: Bool { !injected.isEmpty || SDLEventQueue.hasEvents }

  var waker: any LoopWaker { coalescingWaker }

  func wakeLoop(whenSignalled descriptor: Int32) { watch = SignalWatch(of: descriptor) }

  func close() { coalescingWaker.close() }
}
