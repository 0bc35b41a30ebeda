import CVitrinePlatform
import CVitrineSDL2
import Glibc
import VitrineFramePacing
import VitrineGeometry
import VitrineRendering

/// The functions of SDL's event queue.
nonisolated enum SDLEventQueue {
  /// Calls a closure with each queued event, in order, and empties the queue.
  ///
  /// The C functions are `SDL_PumpEvents` and `SDL_PeepEvents`. `SDL_PollEvent` is unsuitable: it ends at a sentinel
  /// that SDL adds to the queue. After a wait, events may follow the sentinel, and would remain until the next poll.
  /// - Complexity: O(queued events).
  static func forEachPendingEvent(_ body: (SDL_Event) -> Void) {
    pump()
    // At most 1,024 bytes are allocated on the stack.
    withUnsafeTemporaryAllocation(of: SDL_Event.self, capacity: 16) { batch in
      while true {
        let count = SDL_PeepEvents(
          batch.baseAddress, Int32(batch.count), SDL_GETEVENT, SDL_FIRSTEVENT.rawValue, SDL_LASTEVENT.rawValue)
        guard count > 0 else { return }
        for event in batch.prefix(Int(count)) { body(event) }
      }
    }
  }

  /// Reads events from the window system, using `SDL_PumpEvents`, which takes some ten microseconds.
  static func pump() { SDL_PumpEvents() }

  /// Whether an SDL event is queued, using `SDL_HasEvents`, without reading from the window system.
  ///
  /// SDL's sentinel and wake-ups do not count.
  static var hasEvents: Bool {
    SDL_HasEvents(SDL_FIRSTEVENT.rawValue, SDL_POLLSENTINEL.rawValue - 1) == SDL_TRUE
  }

  /// Blocks until an event is queued or the time is up, and leaves the event in the queue.
  ///
  /// The C functions are `SDL_WaitEvent`, `SDL_WaitEventTimeout`, which has a resolution of a millisecond, and
  /// `clock_nanosleep` for shorter times.
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

  /// Registers an event type for wake-ups, using `SDL_RegisterEvents`.
  static func registerWakeKind() -> UInt32 {
    let kind = SDL_RegisterEvents(1)
    // All 32,767 types are in use. The last one will do, because nothing else in the process uses SDL.
    return kind == UInt32.max ? SDL_LASTEVENT.rawValue : kind
  }

  /// Queues a wake-up event, using `SDL_PushEvent`.
  ///
  /// May be called on any thread.
  ///
  /// - Returns: Whether the event was queued.
  @discardableResult
  static func pushWake(kind: UInt32) -> Bool {
    var event = SDL_Event()
    event.type = kind
    return SDL_PushEvent(&event) == 1
  }

  /// Discards the queued events, such as those of a new window, using `SDL_FlushEvents`.
  static func flush() { SDL_FlushEvents(SDL_FIRSTEVENT.rawValue, SDL_LASTEVENT.rawValue) }

  /// Returns the path of a dropped file as bytes and frees it in the event, using `strlen` and `SDL_free`.
  static func consumeDroppedPath(_ event: SDL_Event) -> [UInt8]? {
    guard let name = event.drop.file else { return nil }
    defer { SDL_free(name) }
    return Array(UnsafeRawBufferPointer(start: name, count: strlen(name)))
  }

  /// Returns the text of an event, which is UTF-8 with a terminating zero.
  static func text(of event: SDL_Event) -> String {
    withUnsafeBytes(of: event.text.text) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }

  /// Returns the text of a composition of any length and frees it in the event, using `SDL_free`.
  static func consumeComposition(_ event: SDL_Event) -> String? {
    guard let text = event.editExt.text else { return nil }
    defer { SDL_free(text) }
    return String(cString: text)
  }

  /// The number of milliseconds since SDL started, the unit of event times, from `SDL_GetTicks`.
  static var ticks: UInt32 { SDL_GetTicks() }

  /// Returns the size of a window in the units of pointer locations, or nil if there is no such window.
  ///
  /// The C functions are `SDL_GetWindowFromID` and `SDL_GetWindowSize`.
  static func size(ofWindow number: UInt32) -> Size? {
    guard let window = SDL_GetWindowFromID(number) else { return nil }
    var width: Int32 = 0
    var height: Int32 = 0
    SDL_GetWindowSize(window, &width, &height)
    return width > 0 && height > 0 ? Size(width: Double(width), height: Double(height)) : nil
  }

  /// Returns the location of the pointer in a window, in SDL's units, or nil if it is elsewhere or unknown.
  ///
  /// From `SDL_GetGlobalMouseState`, because SDL reports no movements of the pointer during a drag of another program. Only
  /// X tells it; elsewhere SDL returns the last one that it knows.
  static func pointerLocation(inWindow number: UInt32) -> Point? {
    guard let driver = SDL_GetCurrentVideoDriver(), String(cString: driver) == "x11",
      let window = SDL_GetWindowFromID(number), let size = size(ofWindow: number)
    else { return nil }
    var pointer = (x: Int32(0), y: Int32(0))
    var origin = (x: Int32(0), y: Int32(0))
    SDL_GetGlobalMouseState(&pointer.x, &pointer.y)
    SDL_GetWindowPosition(window, &origin.x, &origin.y)
    let location = Point(x: Double(pointer.x - origin.x), y: Double(pointer.y - origin.y))
    return Rect(origin: .zero, size: size).contains(location) ? location : nil
  }

  /// The modifiers that are currently pressed, from `SDL_GetModState`.
  static var modifiers: SDL_Keymod { SDL_GetModState() }

  /// Whether a mouse button is pressed, as far as the window system reports it, from `SDL_GetGlobalMouseState`.
  static var isButtonPressed: Bool { SDL_GetGlobalMouseState(nil, nil) != 0 }

  /// Enables text events and disables event types that are not used, with `SDL_EventState`.
  static func configureEventKinds() {
    for kind in [SDL_TEXTINPUT, SDL_TEXTEDITING, SDL_TEXTEDITING_EXT] { SDL_EventState(kind.rawValue, SDL_ENABLE) }
    let unused: [SDL_EventType] = [
      SDL_SYSWMEVENT, SDL_KEYMAPCHANGED, SDL_CLIPBOARDUPDATE, SDL_DROPTEXT, SDL_DOLLARGESTURE, SDL_DOLLARRECORD,
      SDL_MULTIGESTURE,
    ]
    for kind in unused { SDL_EventState(kind.rawValue, SDL_IGNORE) }
  }
}

// MARK: - Conversion of events

extension SDLEventQueue {
  /// Empties SDL's queue: converts the events, calls the observer and appends them with the time at which SDL read
  /// them.
  ///
  /// SDL's times are in milliseconds. The time of an event is never later than now, nor earlier than that of the
  /// previous event.
  ///
  /// - Parameters:
  ///   - wakeKind: The type of wake-up events, which are skipped.
  ///   - dropCollector: The collector of dropped files, which arrive one by one.
  ///   - textFilter: The filter of typed text.
  ///   - events: The array to append to.
  ///   - observer: Called for each event.
  /// - Complexity: O(queued events).
  @MainActor
  static func drainEvents(
    wakeKind: UInt32?, dropCollector: FileDropCollector, textFilter: TextInputFilter, into events: inout [InputEvent],
    observer: ((InputEvent.Kind) -> Void)?
  ) {
    let (now, ticks) = (MonotonicTime.now, ticks)
    forEachPendingEvent { event in
      if event.type == wakeKind { return }
      let kind =
        dropCollector.handleEvent(event) ?? textFilter.handleEvent(event)
        ?? InputEvent.Kind(
          event, modifiers: modifiers, isButtonPressed: { isButtonPressed }, windowSize: size(ofWindow:))
      guard let kind else { return }
      observer?(kind)
      let age = Int64(Int32(bitPattern: ticks &- event.common.timestamp))
      let read = (0...maximumEventAge).contains(age) ? now - .milliseconds(Double(age)) : now
      events.append(InputEvent(time: max(read, events.last?.time ?? read), kind: kind))
    }
  }

  /// The maximum age of an event in milliseconds.
  ///
  /// Older events have the time of another clock.
  private static var maximumEventAge: Int64 { 10_000 }
}

// MARK: - Dropped files and typed text

/// A collector of the paths of a drop, which SDL delivers one by one.
final class FileDropCollector {
  private var paths: [[UInt8]] = []
  /// The number of the window of the last drop.
  private(set) var window: UInt32 = 0

  init() {}

  /// Handles an event.
  ///
  /// - Returns: The drop that the event completes, or nil.
  func handleEvent(_ event: SDL_Event) -> InputEvent.Kind? {
    switch SDL_EventType(rawValue: event.type) {
    case SDL_DROPBEGIN: paths = []
    case SDL_DROPFILE:
      if let path = SDLEventQueue.consumeDroppedPath(event), !path.isEmpty { paths.append(path) }
    case SDL_DROPTEXT: _ = SDLEventQueue.consumeDroppedPath(event)
    case SDL_DROPCOMPLETE:
      defer { paths = [] }
      window = event.drop.windowID
      return paths.isEmpty ? nil : .filesDropped(paths)
    default: break
    }
    return nil
  }
}

/// A filter that separates typed text from the text of shortcuts.
///
/// SDL also sends text for some keys while Control or Alt is pressed, without the modifiers. They are known from the
/// preceding key event.
final class TextInputFilter {
  private var modifiers = SDL_Keymod(rawValue: 0)

  init() {}

  /// Handles an event.
  ///
  /// - Returns: The typed text, or nil if the event is another one or belongs to a shortcut.
  func handleEvent(_ event: SDL_Event) -> InputEvent.Kind? {
    switch SDL_EventType(rawValue: event.type) {
    case SDL_KEYDOWN, SDL_KEYUP: modifiers = SDL_Keymod(rawValue: UInt32(event.key.keysym.mod))
    case SDL_TEXTINPUT:
      // Right Alt is AltGr on most keyboards, which types text. Some systems report Control with it.
      let isAltGr = modifiers.rawValue & (KMOD_RALT.rawValue | KMOD_MODE.rawValue) != 0
      let isShortcut = modifiers.rawValue & (KMOD_CTRL.rawValue | KMOD_LALT.rawValue | KMOD_GUI.rawValue) != 0
      guard isAltGr || !isShortcut else { return nil }
      let text = SDLEventQueue.text(of: event)
      return text.isEmpty ? nil : .text(text)
    case SDL_TEXTEDITING: return markedText(SDLEventQueue.text(of: event), scalarOffset: Int(event.edit.start))
    case SDL_TEXTEDITING_EXT:
      return SDLEventQueue.consumeComposition(event).map { markedText($0, scalarOffset: Int(event.editExt.start)) }
    default: break
    }
    return nil
  }

  /// Returns a composition; SDL counts the scalars before the caret.
  private func markedText(_ text: String, scalarOffset: Int) -> InputEvent.Kind {
    let before = String(String.UnicodeScalarView(text.unicodeScalars.prefix(max(0, scalarOffset))))
    return .markedText(text, caret: before.count)
  }
}

// MARK: - Clock

/// The system's monotonic clock, CLOCK_MONOTONIC, which is never set.
nonisolated enum MonotonicTime {
  /// The current time, from `clock_gettime`.
  static var now: FrameInstant {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return FrameInstant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

  /// Sleeps for less than a second, or until a signal arrives, using `clock_nanosleep`.
  static func sleep(nanoseconds: Int64) {
    var time = timespec(tv_sec: 0, tv_nsec: Int(max(0, min(999_999_999, nanoseconds))))
    clock_nanosleep(CLOCK_MONOTONIC, 0, &time, nil)
  }
}
