import CPlatform
import FramePacing
import Glibc
import Rendering

/// An event source without a window system, for injected events and events in SDL's queue.
///
/// It waits on an event file descriptor rather than in SDL, whose dummy driver polls every millisecond. So there is no
/// wake-up at rest.
final class HeadlessEventSource: DisplayEventSource {
  /// Called for each event before it is delivered, so that the display can handle it.
  var observer: ((InputEvent.Kind) -> Void)?
  private let counter: EventFileDescriptor
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
    if counter.wait(nanoseconds: duration?.nanoseconds) { counter.reset() }
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

  func close() { coalescingWaker.close() }
}

/// An owner of an event file descriptor (`eventfd`) that one thread waits for and any thread can signal.
private nonisolated struct EventFileDescriptor: ~Copyable {
  /// The descriptor.
  ///
  /// It can be signalled on any thread while the owner exists.
  let descriptor: Int32

  /// Creates an unsignalled descriptor.
  /// - Throws: ``DisplayError`` if the process has no descriptor left.
  init() throws(DisplayError) {
    descriptor = platform_eventfd()
    guard descriptor >= 0 else {
      throw DisplayError(action: "make an event counter", reason: String(cString: strerror(errno)))
    }
  }

  deinit { close(descriptor) }

  /// Signals a descriptor, using `write`.
  static func signal(_ descriptor: Int32) {
    var one: UInt64 = 1
    // This fails only if the counter is at its maximum, when it is signalled already.
    _ = write(descriptor, &one, 8)
  }

  /// Clears the signal, using `read`.
  func reset() {
    var count: UInt64 = 0
    _ = read(descriptor, &count, 8)
  }

  /// Blocks until the descriptor is signalled or the time is up, without using the processor.
  ///
  /// The C functions are `poll`, which has a resolution of a millisecond, and `clock_nanosleep` for shorter times.
  /// - Returns: Whether the descriptor is signalled.
  func wait(nanoseconds: Int64?) -> Bool {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard let nanoseconds else { return poll(&request, 1, -1) == 1 }
    guard nanoseconds > 0 else { return poll(&request, 1, 0) == 1 }
    let milliseconds = nanoseconds / 1_000_000
    if milliseconds > 0 { return poll(&request, 1, Int32(min(milliseconds, Int64(Int32.max)))) == 1 }
    MonotonicTime.sleep(nanoseconds: nanoseconds)
    return poll(&request, 1, 0) == 1
  }
}
