import CSDL2
import FramePacing
import Geometry
import Glibc

/// The calls on SDL's one event queue.
nonisolated enum SDLEventQueue {
  /// Hands every queued event to a body, in order, and empties the queue.
  ///
  /// The C functions are `SDL_PumpEvents` and `SDL_PeepEvents`. Not `SDL_PollEvent`: it ends at a mark that SDL puts into
  /// the queue, which after a wait may stand before events, so that they would lie there until the next poll.
  /// - Complexity: O(queued events).
  static func forEachPendingEvent(_ body: (SDL_Event) -> Void) {
    pump()
    // So many have room on the stack, where this takes at most 1,024 bytes.
    withUnsafeTemporaryAllocation(of: SDL_Event.self, capacity: 16) { batch in
      while true {
        let count = SDL_PeepEvents(
          batch.baseAddress, Int32(batch.count), SDL_GETEVENT, SDL_FIRSTEVENT.rawValue, SDL_LASTEVENT.rawValue)
        guard count > 0 else { return }
        for event in batch.prefix(Int(count)) { body(event) }
      }
    }
  }

  /// Lets SDL read from the window system, which costs some ten microseconds; the C function is `SDL_PumpEvents`.
  static func pump() { SDL_PumpEvents() }

  /// Whether an event of SDL's own is queued, without reading from the window system; the C function is `SDL_HasEvents`.
  ///
  /// Not counted are SDL's mark for the end of a poll and wake-ups, which nobody is handed.
  static var hasEvents: Bool {
    SDL_HasEvents(SDL_FIRSTEVENT.rawValue, SDL_POLLSENTINEL.rawValue - 1) == SDL_TRUE
  }

  /// Blocks until an event is queued or time is up, and leaves it in the queue.
  ///
  /// The C functions are `SDL_WaitEvent`, `SDL_WaitEventTimeout`, which knows whole milliseconds only, and
  /// `clock_nanosleep` for what is less than one.
  static func wait(atMost duration: FrameDuration?) {
    guard let duration else {
      SDL_WaitEvent(nil)
      return
    }
    guard duration.nanoseconds > 0 else { return }
    let milliseconds = duration.nanoseconds / 1_000_000
    if milliseconds > 0 {
      SDL_WaitEventTimeout(nil, Int32(min(milliseconds, Int64(Int32.max))))
    } else {
      MonotonicTime.sleep(nanoseconds: duration.nanoseconds)
    }
  }

  /// The number of a kind of event that only wakes the loop; the C function is `SDL_RegisterEvents`.
  static func registerWakeKind() -> UInt32 {
    let kind = SDL_RegisterEvents(1)
    // All 32,767 numbers in use: the last one serves, as nobody else uses SDL here.
    return kind == UInt32.max ? SDL_LASTEVENT.rawValue : kind
  }

  /// Queues an event that only wakes the loop; any thread may; the C function is `SDL_PushEvent`.
  ///
  /// - Returns: whether there was room for it.
  @discardableResult
  static func pushWake(kind: UInt32) -> Bool {
    var event = SDL_Event()
    event.type = kind
    return SDL_PushEvent(&event) == 1
  }

  /// Throws away what is queued, such as the events that tell of a new window; the C function is `SDL_FlushEvents`.
  static func flush() { SDL_FlushEvents(SDL_FIRSTEVENT.rawValue, SDL_LASTEVENT.rawValue) }

  /// The bytes of the name that a dropped file's event carries, which is freed; the C functions are `strlen` and `SDL_free`.
  static func consumeDroppedPath(_ event: SDL_Event) -> [UInt8]? {
    guard let name = event.drop.file else { return nil }
    defer { SDL_free(name) }
    return Array(UnsafeRawBufferPointer(start: name, count: strlen(name)))
  }

  /// The text that an event carries in itself, as UTF-8 that ends with a zero.
  static func text(of event: SDL_Event) -> String {
    withUnsafeBytes(of: event.text.text) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }

  /// Milliseconds since SDL started, which events are stamped with; the C function is `SDL_GetTicks`.
  static var ticks: UInt32 { SDL_GetTicks() }

  /// The size of a window by its number, in the units of the pointer's places; nothing where there is none.
  ///
  /// The C functions are `SDL_GetWindowFromID` and `SDL_GetWindowSize`.
  static func size(ofWindow number: UInt32) -> Size? {
    guard let window = SDL_GetWindowFromID(number) else { return nil }
    var width: Int32 = 0
    var height: Int32 = 0
    SDL_GetWindowSize(window, &width, &height)
    return width > 0 && height > 0 ? Size(width: Double(width), height: Double(height)) : nil
  }

  /// The keys held now; the C function is `SDL_GetModState`.
  static var modifiers: SDL_Keymod { SDL_GetModState() }

  /// Whether a button is held, as the window system says where it tells; the C function is `SDL_GetGlobalMouseState`.
  static var isButtonPressed: Bool { SDL_GetGlobalMouseState(nil, nil) != 0 }

  /// Keeps kinds that mean nothing here out of the queue, and lets text in; the C function is `SDL_EventState`.
  static func configureEventKinds() {
    SDL_EventState(SDL_TEXTINPUT.rawValue, SDL_ENABLE)
    let unused: [SDL_EventType] = [
      SDL_SYSWMEVENT, SDL_TEXTEDITING, SDL_TEXTEDITING_EXT, SDL_KEYMAPCHANGED, SDL_CLIPBOARDUPDATE,
      SDL_DROPTEXT, SDL_DOLLARGESTURE, SDL_DOLLARRECORD, SDL_MULTIGESTURE,
    ]
    for kind in unused { SDL_EventState(kind.rawValue, SDL_IGNORE) }
  }
}
