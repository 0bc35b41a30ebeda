import FramePacing
import Rendering
import Views

/// Lets a loop on a simulated clock rest until a script's next event, as a window system would wake it.
@MainActor
final class EventAlarm: FrameParticipant {
  private let events: ScriptedEventSource

  init(_ events: ScriptedEventSource) { self.events = events }

  var nextArrival: FrameInstant? { events.nextEventTime }
}
