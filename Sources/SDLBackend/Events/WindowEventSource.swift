import CSDL2
package import FramePacing
package import Rendering

/// Input from a window system: waiting blocks on its connection and uses no processor.
package final class WindowEventSource: DisplayEventSource {
  /// How stale ``hasPendingEvents`` may be.
  ///
  /// Letting SDL look at the connection costs some ten microseconds, as much as a small slack step. Input that comes in
  /// during a frame is answered in the next one whenever it is noticed; it is to stop work ahead before that takes long,
  /// and the rest behind it, while nothing moves, as soon.
  private static let maximumPumpInterval = FrameDuration.milliseconds(2)

  /// Called for each event before it is handed out, for what the display itself must do about it.
  var observer: ((InputEvent.Kind) -> Void)?
  private let wakeKind: UInt32
  /// How many of the units in which SDL tells places a point has.
  private let unitsPerPoint: Double
  private let coalescingWaker: CoalescingWaker
  private var lastPump = FrameInstant.distantPast
  private let dropCollector = FileDropCollector()
  private let textFilter = TextInputFilter()

  /// Makes the source; SDL must be running.
  ///
  /// - Parameter unitsPerPoint: how many of the units in which SDL tells places a point has.
  package init(unitsPerPoint: Double = 1) {
    self.unitsPerPoint = unitsPerPoint
    let kind = SDLEventQueue.registerWakeKind()
    wakeKind = kind
    coalescingWaker = CoalescingWaker { SDLEventQueue.pushWake(kind: kind) }
  }

  package func poll(into events: inout [InputEvent]) {
    let first = events.count
    SDLEventQueue.drainEvents(
      wakeKind: wakeKind, drop: dropCollector, typing: textFilter, into: &events, observer: observer)
    if unitsPerPoint != 1 {
      for place in first..<events.count {
        events[place].kind = events[place].kind.convertedToPoints(unitsPerPoint: unitsPerPoint)
      }
    }
    // After the queue: a wake-up that came meanwhile is taken with its flag, before the caller looks for work. The other
    // way round its event would be dropped above while its flag stayed raised and stopped all later ones.
    coalescingWaker.acknowledgeWake()
    lastPump = MonotonicTime.now
  }

  package func wait(atMost duration: FrameDuration?) { SDLEventQueue.wait(atMost: duration) }

  package var hasPendingEvents: Bool {
    if SDLEventQueue.hasEvents { return true }
    let now = MonotonicTime.now
    guard now - lastPump > WindowEventSource.maximumPumpInterval else { return false }
    lastPump = now
    SDLEventQueue.pump()
    return SDLEventQueue.hasEvents
  }

  package var waker: any LoopWaker { coalescingWaker }

  package func close() { coalescingWaker.close() }
}
