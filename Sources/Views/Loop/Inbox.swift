import FramePacing
import Rendering

/// Input that was read from the system and not given to the window yet, and when the oldest came that no frame answered.
struct PendingInput {
  /// The events, in their order.
  private(set) var events: [InputEvent] = []
  /// When the oldest act was read that no frame has answered.
  private(set) var oldestUnanswered: FrameInstant?

  init() { events.reserveCapacity(64) }

  /// Whether nothing waits.
  var isEmpty: Bool { events.isEmpty }

  /// Whether all that waits can do no more than move content.
  ///
  /// - Parameter isPanning: whether the one finger on the screen draws content along already.
  func containsOnlyMoves(isPanning: Bool) -> Bool {
    events.allSatisfy { $0.kind.canOnlyMoveContent(isPanning: isPanning) }
  }

  /// Takes in what has come.
  ///
  /// - Parameters:
  ///   - source: where from.
  ///   - clock: input that stands on the real line has no place on a simulated one but now.
  mutating func pollEvents(_ source: any EventSource, _ clock: any FrameClock) {
    let first = events.count
    source.poll(into: &events)
    guard clock.kind.isSimulated, events.count > first else { return }
    let now = clock.now()
    for place in first..<events.count { events[place].time = min(events[place].time, now) }
  }

  /// Whether an event does not matter, as the pointer has moved on since.
  func isSuperseded(at place: Int) -> Bool {
    guard case .pointerMoved = events[place].kind, place + 1 < events.count,
      case .pointerMoved = events[place + 1].kind
    else { return false }
    return true
  }

  /// So many events were given to the window.
  mutating func removeFirst(_ count: Int) { events.removeFirst(count) }

  /// Somebody used an act, and a frame will show what came of it.
  mutating func recordAction(_ act: InputEvent) { if oldestUnanswered == nil { oldestUnanswered = act.time } }

  /// Nothing is seen any more: what was done before is not answered by what is seen later.
  mutating func discardUnanswered() { oldestUnanswered = nil }

  /// A frame answers what was done.
  mutating func takeOldestUnanswered() -> FrameInstant? {
    defer { oldestUnanswered = nil }
    return oldestUnanswered
  }
}
