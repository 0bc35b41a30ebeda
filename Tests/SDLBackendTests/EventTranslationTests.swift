import CSDL2
import FramePacing
import Geometry
import Rendering
import Testing

@testable import SDLBackend

extension SDLTests {
  @Suite("SDL's events become input in one place")
  struct EventTranslationTests {
    /// What comes out of a display's source after SDL's queue was given an event.
    private func translated(_ fill: (inout SDL_Event) -> Void) throws -> [InputEvent.Kind] {
      var kinds: [InputEvent.Kind] = []
      try withDisplay { display in
        var event = SDL_Event()
        fill(&event)
        #expect(SDL_PushEvent(&event) == 1)
        var events: [InputEvent] = []
        display.events.poll(into: &events)
        #expect(events.allSatisfy { $0.time > .zero })
        kinds = events.map(\.kind)
      }
      return kinds
    }

    private func key(
      _ symbol: SDL_KeyCode, modifiers: Int32 = 0, isRepeat: Bool = false, type: SDL_EventType = SDL_KEYDOWN
    ) throws -> [InputEvent.Kind] {
      try translated { event in
        event.type = type.rawValue
        event.key.keysym.sym = SDL_Keycode(bitPattern: symbol.rawValue)
        event.key.keysym.mod = UInt16(modifiers)
        event.key.repeat = isRepeat ? 1 : 0
      }
    }

    private func window(_ id: SDL_WindowEventID) throws -> [InputEvent.Kind] {
      try translated { event in
        event.type = SDL_WINDOWEVENT.rawValue
        event.window.event = UInt8(id.rawValue)
      }
    }

    @Test("The pointer's place is in points of the window")
    func motion() throws {
      let kinds = try translated { event in
        event.type = SDL_MOUSEMOTION.rawValue
        event.motion.x = 17
        event.motion.y = -3
      }
      #expect(kinds == [.pointerMoved(Point(x: 17, y: -3))])
    }

    @Test(
      "Buttons are named, with clicks and place",
      arguments: [(1, .primary), (2, .middle), (3, .secondary), (4, nil), (9, nil)] as [(UInt8, PointerButton?)])
    func buttons(number: UInt8, button: PointerButton?) throws {
      for type in [SDL_MOUSEBUTTONDOWN, SDL_MOUSEBUTTONUP] {
        let kinds = try translated { event in
          event.type = type.rawValue
          event.button.button = number
          event.button.clicks = 2
          event.button.x = 5
          event.button.y = 6
        }
        let place = Point(x: 5, y: 6)
        let expected = button.map { button -> InputEvent.Kind in
          type == SDL_MOUSEBUTTONDOWN
            ? .pointerDown(place, button: button, clicks: 2, modifiers: [])
            : .pointerUp(place, button: button, modifiers: [])
        }
        #expect(kinds == [expected].compactMap { $0 })
      }
    }

    @Test("Wheels keep their fractions, and go the way the system says", arguments: [false, true])
    func wheels(isFlipped: Bool) throws {
      let kinds = try translated { event in
        event.type = SDL_MOUSEWHEEL.rawValue
        event.wheel.x = 0
        event.wheel.y = 1
        event.wheel.preciseX = -0.25
        event.wheel.preciseY = 1.5
        event.wheel.mouseX = 40
        event.wheel.mouseY = 50
        event.wheel.direction = (isFlipped ? SDL_MOUSEWHEEL_FLIPPED : SDL_MOUSEWHEEL_NORMAL).rawValue
      }
      #expect(kinds == [.wheel(WheelInput(location: Point(x: 40, y: 50), deltaX: -0.25, deltaY: 1.5))])
    }

    /// The number of the window that is open.
    private var window: UInt32 { (1..<10_000).first { SDL_GetWindowFromID($0) != nil } ?? 0 }

    private func finger(_ type: SDL_EventType, x: Float, y: Float, isElsewhere: Bool = false) throws -> [InputEvent
      .Kind]
    {
      try translated { event in
        event.type = type.rawValue
        event.tfinger.windowID = isElsewhere ? 4_000_000 : window
        event.tfinger.fingerId = 7
        (event.tfinger.x, event.tfinger.y) = (x, y)
      }
    }

    @Test(
      "Fingers are in points of the window, and are no pointers",
      arguments: [(SDL_FINGERDOWN, .began), (SDL_FINGERMOTION, .moved), (SDL_FINGERUP, .ended)]
        as [(SDL_EventType, TouchInput.Phase)])
    func fingers(type: SDL_EventType, phase: TouchInput.Phase) throws {
      let touch = TouchInput(finger: 7, phase: phase, location: Point(x: 8, y: 18))
      #expect(try finger(type, x: 0.25, y: 0.75) == [.touch(touch)])
      // What comes from nowhere is nothing, but an end is one.
      let lost: [InputEvent.Kind] =
        phase == .ended ? [.touch(TouchInput(finger: 7, phase: .cancelled, location: .zero))] : []
      #expect(try finger(type, x: .nan, y: 0) == lost)
      #expect(try finger(type, x: 0, y: .infinity) == lost)
      #expect(try finger(type, x: 0, y: 0, isElsewhere: true) == lost)
    }

    @Test("A window that keys go to no more has no hand on it, unless a button is held")
    func focusLost() {
      var event = SDL_Event()
      event.type = SDL_WINDOWEVENT.rawValue
      event.window.event = UInt8(SDL_WINDOWEVENT_FOCUS_LOST.rawValue)
      let kind = InputEvent.Kind(event, held: KMOD_NONE, isPressed: { true }, windowSize: { _ in nil })
      #expect(kind == nil, "what is dragged goes on")
    }

    @Test("Events have the time at which SDL read them, and never one in the future or before the one before")
    func times() throws {
      try withDisplay { display in
        for age: UInt32 in [40, 3, 900, 0, 4_000_000_000] {
          var event = SDL_Event()
          event.type = SDL_MOUSEMOTION.rawValue
          // Pushing stamps it; looked at again, it is older.
          #expect(SDL_PushEvent(&event) == 1)
          var stamped = SDL_Event()
          #expect(SDL_PeepEvents(&stamped, 1, SDL_GETEVENT, event.type, event.type) == 1)
          stamped.common.timestamp &-= age
          #expect(SDL_PeepEvents(&stamped, 1, SDL_ADDEVENT, event.type, event.type) == 1)
        }
        let before = MonotonicClock.now()
        var events: [InputEvent] = []
        display.events.poll(into: &events)
        #expect(events.count == 5)
        #expect(zip(events, events.dropFirst()).allSatisfy { $0.time <= $1.time })
        #expect(events.allSatisfy { $0.time <= MonotonicClock.now() })
        #expect((events.first?.time ?? .zero) <= before - .milliseconds(38))
      }
    }

    @Test(
      "Keys are named by their meaning",
      arguments: [
        (SDLK_UP, .up), (SDLK_DOWN, .down), (SDLK_LEFT, .left), (SDLK_RIGHT, .right), (SDLK_PAGEUP, .pageUp),
        (SDLK_PAGEDOWN, .pageDown), (SDLK_HOME, .home), (SDLK_END, .end), (SDLK_SPACE, .space), (SDLK_RETURN, .enter),
        (SDLK_KP_ENTER, .enter), (SDLK_ESCAPE, .escape), (SDLK_TAB, .tab), (SDLK_BACKSPACE, .backspace),
        (SDLK_DELETE, .delete), (SDLK_F1, .function(1)), (SDLK_F11, .function(11)), (SDLK_F12, .function(12)),
        (SDLK_a, .character("a")), (SDLK_z, .character("z")), (SDLK_0, .character("0")), (SDLK_PLUS, .character("+")),
        (SDL_KeyCode(rawValue: 0xE4), .character("ä")), (SDL_KeyCode(rawValue: 0xC4), .character("ä")),
        (SDLK_KP_PLUS, .character("+")), (SDLK_KP_7, .home), (SDLK_KP_2, .down), (SDLK_KP_PERIOD, .delete),
        (SDLK_LSHIFT, nil), (SDLK_F13, nil), (SDLK_KP_5, nil), (SDLK_UNKNOWN, nil), (SDL_KeyCode(rawValue: 0x85), nil),
        (SDL_KeyCode(rawValue: 0xD800), nil),
      ] as [(SDL_KeyCode, Key?)])
    func keys(symbol: SDL_KeyCode, key expected: Key?) throws {
      let down = try key(symbol)
      let up = try key(symbol, type: SDL_KEYUP)
      #expect(down == expected.map { [.keyDown($0, modifiers: [], isRepeat: false)] } ?? [])
      #expect(up == expected.map { [.keyUp($0, modifiers: [])] } ?? [])
    }

    @Test("The keypad types digits while Num Lock is on")
    func numLock() throws {
      let locked = Int32(KMOD_NUM.rawValue)
      #expect(try key(SDLK_KP_7, modifiers: locked) == [.keyDown(.character("7"), modifiers: [], isRepeat: false)])
      #expect(try key(SDLK_KP_PERIOD, modifiers: locked) == [.keyDown(.character("."), modifiers: [], isRepeat: false)])
    }

    @Test("Modifiers count on either side, and repeats are told")
    func modifiers() throws {
      let pairs: [(SDL_Keymod, KeyModifiers)] = [
        (KMOD_LSHIFT, .shift), (KMOD_RSHIFT, .shift), (KMOD_LCTRL, .control), (KMOD_RCTRL, .control),
        (KMOD_LALT, .alt), (KMOD_RALT, .alt), (KMOD_CAPS, []), (KMOD_NUM, []),
      ]
      for (theirs, ours) in pairs {
        let kinds = try key(SDLK_x, modifiers: Int32(theirs.rawValue), isRepeat: true)
        #expect(kinds == [.keyDown(.character("x"), modifiers: ours, isRepeat: true)])
      }
    }

    @Test(
      "Windows tell what matters for drawing",
      arguments: [
        (SDL_WINDOWEVENT_SIZE_CHANGED, .resized), (SDL_WINDOWEVENT_RESIZED, nil), (SDL_WINDOWEVENT_EXPOSED, .exposed),
        (SDL_WINDOWEVENT_HIDDEN, .hidden), (SDL_WINDOWEVENT_MINIMIZED, .hidden), (SDL_WINDOWEVENT_SHOWN, .shown),
        (SDL_WINDOWEVENT_RESTORED, .shown), (SDL_WINDOWEVENT_LEAVE, .pointerLeft), (SDL_WINDOWEVENT_ENTER, nil),
        (SDL_WINDOWEVENT_DISPLAY_CHANGED, .displayChanged), (SDL_WINDOWEVENT_CLOSE, .quit),
        (SDL_WINDOWEVENT_MOVED, nil),
        (SDL_WINDOWEVENT_FOCUS_LOST, .cancelled),
      ] as [(SDL_WindowEventID, InputEvent.Kind?)])
    func windows(id: SDL_WindowEventID, kind: InputEvent.Kind?) throws {
      #expect(try window(id) == [kind].compactMap { $0 })
    }

    @Test("Leaving is leaving, and what means nothing here is dropped")
    func others() throws {
      #expect(try translated { $0.type = SDL_QUIT.rawValue } == [.quit])
      for type in [SDL_CLIPBOARDUPDATE, SDL_TEXTEDITING, SDL_JOYAXISMOTION, SDL_USEREVENT] {
        #expect(try translated { $0.type = type.rawValue }.isEmpty)
      }
      let dropped = try translated { event in
        event.type = SDL_DROPFILE.rawValue
        event.drop.file = SDL_strdup("/some/where.jpg")
      }
      #expect(dropped.isEmpty)
    }

    @Test("Events of both kinds keep their order")
    func order() throws {
      try withDisplay { display in
        display.injectEvent(.resized)
        for index in 0..<300 {
          var event = SDL_Event()
          event.type = SDL_MOUSEMOTION.rawValue
          event.motion.x = Int32(index)
          #expect(SDL_PushEvent(&event) == 1)
        }
        var events: [InputEvent] = []
        display.events.poll(into: &events)
        #expect(events.map(\.kind) == (0..<300).map { .pointerMoved(Point(x: Double($0), y: 0)) } + [.resized])
        #expect(zip(events, events.dropFirst()).allSatisfy { $0.time <= $1.time })
      }
    }
  }
}
