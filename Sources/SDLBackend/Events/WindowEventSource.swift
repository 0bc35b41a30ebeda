import CVitrineSDL2
import Glibc
import Synchronization
package import VitrineFramePacing
package import VitrineRendering

/// An event source of a window system.
///
/// It waits on the system's connection without using the processor.
package final class WindowEventSource: DisplayEventSource {
  /// The maximum age of ``hasPendingEvents``.
  ///
  /// Reading from the connection takes some ten microseconds, as much as a small step of idle work. Input that arrives
  /// during a frame is handled in the next frame, whenever it is noticed. It only has to stop idle work before that
  /// takes long.
  private static let maximumPumpInterval = FrameDuration.milliseconds(2)

  /// Called for each event before it is delivered, so that the display can handle it.
  var observer: ((InputEvent.Kind) -> Void)?
  private let wakeKind: UInt32
  /// The number of SDL's units of location per point.
  private let unitsPerPoint: Double
  private let coalescingWaker: CoalescingWaker
  private var watch: SignalWatch?
  private var watcher: SignalWatcher?
  private var lastPump = FrameInstant.distantPast
  private let dropCollector = FileDropCollector()
  private let textFilter = TextInputFilter()

  /// Creates an event source.
  ///
  /// SDL must be running.
  ///
  /// - Parameter unitsPerPoint: The number of SDL's units of location per point. Default: 1.
  package init(unitsPerPoint: Double = 1) {
    self.unitsPerPoint = unitsPerPoint
    let kind = SDLEventQueue.registerWakeKind()
    wakeKind = kind
    coalescingWaker = CoalescingWaker { SDLEventQueue.pushWake(kind: kind) }
  }

  package func poll(into events: inout [InputEvent]) {
    let first = events.count
    SDLEventQueue.drainEvents(
      wakeKind: wakeKind, dropCollector: dropCollector, textFilter: textFilter, into: &events, observer: observer)
    for index in (first..<events.count).reversed() {
      guard case .filesDropped = events[index].kind else { continue }
      let location = SDLEventQueue.pointerLocation(inWindow: dropCollector.window)
      events.insert(
        InputEvent(time: events[index].time, kind: location.map { .pointerMoved($0) } ?? .pointerLeft), at: index)
    }
    if unitsPerPoint != 1 {
      for index in first..<events.count {
        events[index].kind = events[index].kind.convertedToPoints(unitsPerPoint: unitsPerPoint)
      }
    }
    // Acknowledged after reading the queue, so that a wake-up in between is cleared together with its flag, before the
    // caller looks for work. In the other order its event would be dropped above, while its flag would remain set and
    // suppress all later wake-ups.
    coalescingWaker.acknowledgeWake()
    lastPump = MonotonicTime.now
  }

  package func wait(atMost duration: FrameDuration?) {
    // Not before the first wait, so that the first frame is not later.
    if watcher == nil, let watch { watcher = SignalWatcher(watch, waker: coalescingWaker) }
    SDLEventQueue.wait(atMost: duration)
  }

  package var hasPendingEvents: Bool {
    if SDLEventQueue.hasEvents { return true }
    let now = MonotonicTime.now
    guard now - lastPump > WindowEventSource.maximumPumpInterval else { return false }
    lastPump = now
    SDLEventQueue.pump()
    return SDLEventQueue.hasEvents
  }

  package var waker: any LoopWaker { coalescingWaker }

  package func wakeLoop(whenSignalled descriptor: Int32) {
    watcher?.stop()
    watcher = nil
    watch = SignalWatch(of: descriptor)
  }

  package func close() {
    watcher?.stop()
    watcher = nil
    watch = nil
    coalescingWaker.close()
  }
}

/// An event source that belongs to a display and is closed with it.
protocol DisplayEventSource: EventSource {
  /// Called for each event before it is delivered, so that the display can handle it.
  var observer: ((InputEvent.Kind) -> Void)? { get set }

  /// Ends a wait at each signal of an event file descriptor of another owner.
  func wakeLoop(whenSignalled descriptor: Int32)

  /// Makes all later wake-ups do nothing.
  ///
  /// Must be called before SDL quits.
  func close()
}

/// A waker of a loop that combines wake-ups until the loop has acknowledged the first.
///
/// Threads may keep it after the display is closed, when it does nothing.
nonisolated final class CoalescingWaker: LoopWaker {
  private let signal: @Sendable () -> Void
  private let isRaised = Atomic<Bool>(false)
  private let isClosed = Atomic<Bool>(false)
  private let activeCallers = Atomic<Int>(0)

  /// Creates a waker with a closure that ends the loop's wait.
  init(signal: @escaping @Sendable () -> Void) { self.signal = signal }

  /// Ends the loop's current or next wait.
  func wake() {
    activeCallers.wrappingAdd(1, ordering: .sequentiallyConsistent)
    defer { activeCallers.wrappingSubtract(1, ordering: .sequentiallyConsistent) }
    guard !isClosed.load(ordering: .sequentiallyConsistent) else { return }
    if !isRaised.exchange(true, ordering: .acquiringAndReleasing) { signal() }
  }

  /// Marks the loop as awake.
  ///
  /// Must be called after the signal was cleared and before the loop looks for work.
  func acknowledgeWake() { _ = isRaised.exchange(false, ordering: .acquiringAndReleasing) }

  /// Whether a wake-up was not acknowledged yet.
  var isPending: Bool { isRaised.load(ordering: .acquiring) }

  /// Makes all later wake-ups do nothing, and waits for those in progress, which takes microseconds.
  func close() {
    isClosed.store(true, ordering: .sequentiallyConsistent)
    while activeCallers.load(ordering: .sequentiallyConsistent) > 0 { sched_yield() }
  }
}
