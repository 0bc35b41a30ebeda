import FramePacing
import ScrollPhysics

/// A motion that the program asked for while the content stood still, and that no frame has shown yet.
///
/// How long ago the last frame was says nothing of when it is to begin: it begins when the coming frame is shown.
struct PendingMotion {
  /// An event, and when it happened where that is known.
  private typealias Event = (event: ScrollEvent, instant: FrameInstant?)

  /// The position before it.
  var initialState: ScrollState
  private var events: [Event] = []

  /// Nothing has happened yet.
  init(from before: ScrollState) { self.initialState = before }

  /// How many events one motion takes: content that goes on changing while no frame comes is not to be remembered.
  private static let maximumEvents = 256

  /// An event happened, at an instant or whenever the coming frame is shown.
  ///
  /// - Returns: whether the motion still waits. If not, nobody sees it: it counts as begun long ago.
  mutating func append(_ event: ScrollEvent, at instant: FrameInstant?) -> Bool {
    guard events.count < PendingMotion.maximumEvents else { return false }
    events.append((event, instant))
    return true
  }

  /// The position that all events made, where those without an instant happened at one.
  func resolvedState(startingAt instant: FrameInstant) -> ScrollState {
    var scroll = initialState
    for event in events { scroll.handle(event.event, at: event.instant ?? instant) }
    return scroll
  }
}
