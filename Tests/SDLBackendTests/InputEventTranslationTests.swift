import CVitrineSDL2
import Glibc
import Testing
import VitrineFramePacing
import VitrineGeometry
import VitrineRendering

@testable import VitrineSDLBackend

extension SDLTests {
  @Suite("SDL events are translated to input events")
  struct InputEventTranslationTests {
    /// Returns the input that a display's source reports for an event in SDL's queue.
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

    @Test("The pointer's location is in points of the window")
    func motion() throws {
      let kinds = try translated { event in
        event.type = SDL_MOUSEMOTION.rawValue
        event.motion.x = 17
        event.motion.y = -3
      }
      #expect(kinds == [.pointerMoved(Point(x: 17, y: -3))])
    }

    @Test(
      "Buttons are translated with their click count and location",
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
        let location = Point(x: 5, y: 6)
        let expected = button.map { button -> InputEvent.Kind in
          type == SDL_MOUSEBUTTONDOWN
            ? .pointerDown(location, button: button, clicks: 2, modifiers: [])
            : .pointerUp(location, button: button, modifiers: [])
        }
        #expect(kinds == [expected].compactMap { $0 })
      }
    }

    @Test("Wheel deltas keep their fractions and the system's direction", arguments: [false, true])
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

    /// The identifier of the open window.
    private var window: UInt32 { (1..<10_000).first { SDL_GetWindowFromID($0) != nil } ?? 0 }

    private func finger(_ type: SDL_EventType, x: Float, y: Float, isOtherWindow: Bool = false) throws -> [InputEvent
      .Kind]
    {
      try translated { event in
        event.type = type.rawValue
        event.tfinger.windowID = isOtherWindow ? 4_000_000 : window
        event.tfinger.fingerId = 7
        (event.tfinger.x, event.tfinger.y) = (x, y)
      }
    }

    @Test(
      "Touches are in points of the window, and are not pointer events",
      arguments: [(SDL_FINGERDOWN, .began), (SDL_FINGERMOTION, .moved), (SDL_FINGERUP, .ended)]
        as [(SDL_EventType, TouchInput.Phase)])
    func fingers(type: SDL_EventType, phase: TouchInput.Phase) throws {
      let touch = TouchInput(finger: 7, phase: phase, location: Point(x: 8, y: 18))
      #expect(try finger(type, x: 0.25, y: 0.75) == [.touch(touch)])
      // A touch at an invalid location is ignored, except that its end is reported as cancelled.
      let lost: [InputEvent.Kind] =
        phase == .ended ? [.touch(TouchInput(finger: 7, phase: .cancelled, location: .zero))] : []
      #expect(try finger(type, x: .nan, y: 0) == lost)
      #expect(try finger(type, x: 0, y: .infinity) == lost)
      #expect(try finger(type, x: 0, y: 0, isOtherWindow: true) == lost)
    }

    @Test("Losing the keyboard focus cancels input, unless a button is pressed")
    func focusLost() {
      var event = SDL_Event()
      event.type = SDL_WINDOWEVENT.rawValue
      event.window.event = UInt8(SDL_WINDOWEVENT_FOCUS_LOST.rawValue)
      let kind = InputEvent.Kind(event, modifiers: KMOD_NONE, isButtonPressed: { true }, windowSize: { _ in nil })
      #expect(kind == nil, "a drag continues")
    }

    @Test("Events have the time at which SDL read them, never in the future or before the previous event")
    func times() throws {
      try withDisplay { display in
        for age: UInt32 in [40, 3, 900, 0, 4_000_000_000] {
          var event = SDL_Event()
          event.type = SDL_MOUSEMOTION.rawValue
          // Pushing an event stamps it, so it is read back to be made older.
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
      "Keys are translated by their meaning",
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

    @Test("Modifiers on both sides count, and repeats are reported")
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
      "Window events that concern drawing are translated",
      arguments: [
        (SDL_WINDOWEVENT_SIZE_CHANGED, .resized), (SDL_WINDOWEVENT_RESIZED, nil), (SDL_WINDOWEVENT_EXPOSED, .exposed),
        (SDL_WINDOWEVENT_HIDDEN, .hidden), (SDL_WINDOWEVENT_MINIMIZED, .hidden), (SDL_WINDOWEVENT_SHOWN, .shown),
        (SDL_WINDOWEVENT_RESTORED, .shown), (SDL_WINDOWEVENT_LEAVE, .pointerLeft), (SDL_WINDOWEVENT_ENTER, nil),
        (SDL_WINDOWEVENT_DISPLAY_CHANGED, .displayChanged), (SDL_WINDOWEVENT_CLOSE, .quit),
        (SDL_WINDOWEVENT_MOVED, nil), (SDL_WINDOWEVENT_ICCPROF_CHANGED, .colorProfileChanged),
        (SDL_WINDOWEVENT_FOCUS_LOST, .cancelled),
      ] as [(SDL_WindowEventID, InputEvent.Kind?)])
    func windows(id: SDL_WindowEventID, kind: InputEvent.Kind?) throws {
      #expect(try window(id) == [kind].compactMap { $0 })
    }

    @Test("Quitting is translated, and events without a meaning are dropped")
    func quitAndIgnoredEvents() throws {
      #expect(try translated { $0.type = SDL_QUIT.rawValue } == [.quit])
      for type in [SDL_CLIPBOARDUPDATE, SDL_KEYMAPCHANGED, SDL_JOYAXISMOTION, SDL_USEREVENT] {
        #expect(try translated { $0.type = type.rawValue }.isEmpty)
      }
      let dropped = try translated { event in
        event.type = SDL_DROPFILE.rawValue
        event.drop.file = SDL_strdup("/some/where.jpg")
      }
      #expect(dropped.isEmpty)
    }

    @Test("SDL events and injected events each keep their order")
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

// MARK: - Text input

extension SDLTests {
  @Suite("Text is what the keyboard types, and shortcuts work on any layout")
  struct TextInputTests {
    private func push(_ type: SDL_EventType, _ fill: (inout SDL_Event) -> Void) {
      var event = SDL_Event()
      event.type = type.rawValue
      fill(&event)
      #expect(SDL_PushEvent(&event) == 1)
    }

    private func pushKey(
      _ symbol: UInt32, at scancode: SDL_Scancode = SDL_SCANCODE_UNKNOWN, _ modifiers: SDL_Keymod,
      _ type: SDL_EventType = SDL_KEYDOWN
    ) {
      push(type) { event in
        event.key.keysym.sym = SDL_Keycode(bitPattern: symbol)
        event.key.keysym.scancode = scancode
        event.key.keysym.mod = UInt16(modifiers.rawValue)
      }
    }

    private func pushText(_ bytes: [UInt8]) {
      push(SDL_TEXTINPUT) { event in
        withUnsafeMutableBytes(of: &event.text.text) { $0.copyBytes(from: bytes.prefix(32)) }
      }
    }

    private func poll(_ display: SDLDisplay) -> [InputEvent.Kind] {
      var events: [InputEvent] = []
      display.events.poll(into: &events)
      return events.map(\.kind)
    }

    @Test("Text follows the key that types it, with the effect of Shift and AltGr")
    func text() throws {
      try withDisplay { display in
        pushKey(UInt32(UInt8(ascii: "-")), KMOD_LSHIFT)
        pushText(Array("_".utf8))
        #expect(
          poll(display) == [.keyDown(.character("-"), modifiers: .shift, isRepeat: false), .text("_")])
        pushKey(UInt32(UInt8(ascii: "q")), KMOD_RALT)
        pushText(Array("@".utf8))
        #expect(poll(display).last == .text("@"))
        pushText(Array("写真".utf8))
        #expect(poll(display) == [.text("写真")], "by an input method, without a key")
        pushText([])
        #expect(poll(display).isEmpty)
        let full = Array(String(repeating: "é", count: 16).utf8)
        pushText(full)
        #expect(poll(display) == [.text(String(repeating: "é", count: 16))], "without a terminating zero")
      }
    }

    @Test("An input method's composition has its caret in characters, and may be long or empty")
    func composition() throws {
      try withDisplay { display in
        @MainActor func compose(_ text: String, start: Int32) {
          push(SDL_TEXTEDITING) { event in
            withUnsafeMutableBytes(of: &event.edit.text) { $0.copyBytes(from: Array(text.utf8).prefix(31)) }
            event.edit.start = start
          }
        }
        compose("にほん", start: 2)
        #expect(poll(display) == [.markedText("にほん", caret: 2)])
        // Two scalars are one character.
        compose("e\u{301}x", start: 2)
        #expect(poll(display) == [.markedText("e\u{301}x", caret: 1)])
        compose("", start: 0)
        #expect(poll(display) == [.markedText("", caret: 0)])
        compose("a", start: -3)
        #expect(poll(display) == [.markedText("a", caret: 0)])
        let long = String(repeating: "に", count: 100)
        push(SDL_TEXTEDITING_EXT) { event in
          event.editExt.text = SDL_strdup(long)
          event.editExt.start = 100
        }
        #expect(poll(display) == [.markedText(long, caret: 100)])
      }
    }

    @Test("Text is ignored if Control or Alt was pressed when it was typed, whatever is pressed now")
    func shortcuts() throws {
      try withDisplay { display in
        for modifiers in [KMOD_LCTRL, KMOD_RCTRL, KMOD_LALT, KMOD_LGUI] {
          pushKey(UInt32(UInt8(ascii: "1")), modifiers)
          pushText(Array("1".utf8))
          pushKey(UInt32(UInt8(ascii: "1")), modifiers, SDL_KEYUP)
          #expect(!poll(display).contains(.text("1")))
        }
        // The modifier is released, which is a key without a meaning here.
        pushKey(SDLK_LCTRL.rawValue, KMOD_NONE, SDL_KEYUP)
        pushText(Array("1".utf8))
        #expect(poll(display) == [.text("1")])
      }
    }

    @Test(
      "With Control, digits and letters are at their usual positions, whatever the layout types there",
      arguments: [
        // French digits are typed with Shift, Cyrillic letters are not ASCII, and a moved letter is at its new
        // position.
        ("&", SDL_SCANCODE_1, "1"), ("é", SDL_SCANCODE_2, "2"), ("\"", SDL_SCANCODE_3, "3"), ("à", SDL_SCANCODE_0, "0"),
        ("с", SDL_SCANCODE_C, "c"), ("a", SDL_SCANCODE_Q, "a"), ("-", SDL_SCANCODE_6, "-"), ("3", SDL_SCANCODE_3, "3"),
        ("ö", SDL_SCANCODE_SEMICOLON, "ö"),
      ] as [(Character, SDL_Scancode, Character)])
    func scancodes(symbol: Character, scancode: SDL_Scancode, meaning: Character) throws {
      try withDisplay { display in
        let scalar = try #require(symbol.unicodeScalars.first)
        pushKey(scalar.value, at: scancode, KMOD_LCTRL)
        #expect(poll(display) == [.keyDown(.character(meaning), modifiers: .control, isRepeat: false)])
        pushKey(scalar.value, at: scancode, KMOD_NONE)
        #expect(poll(display) == [.keyDown(.character(symbol), modifiers: [], isRepeat: false)])
      }
    }
  }
}

// MARK: - Dropped files and clipboard

extension SDLTests {
  @Suite("Files that are dropped together are one event, and text is copied")
  struct FileDropTests {
    private func push(_ type: SDL_EventType, _ name: [UInt8]? = nil) {
      var event = SDL_Event()
      event.type = type.rawValue
      if let name {
        // Allocated by SDL, because the consumer of the event frees it.
        let memory = SDL_malloc(name.count + 1)?.assumingMemoryBound(to: CChar.self)
        for (index, byte) in (name + [0]).enumerated() { memory?[index] = CChar(bitPattern: byte) }
        event.drop.file = memory
      }
      #expect(SDL_PushEvent(&event) == 1)
    }

    private func poll(_ display: SDLDisplay) -> [InputEvent.Kind] {
      var events: [InputEvent] = []
      display.events.poll(into: &events)
      return events.map(\.kind)
    }

    @Test("One drop is one event with the bytes of its paths, also across two polls")
    func drops() throws {
      try withDisplay { display in
        let (one, other) = (Array("/p/a b.jpg".utf8), Array("/p/".utf8) + [0xFF, 0x0A])
        push(SDL_DROPBEGIN)
        push(SDL_DROPFILE, one)
        #expect(poll(display).isEmpty)
        push(SDL_DROPFILE, other)
        push(SDL_DROPCOMPLETE)
        #expect(poll(display) == [.filesDropped([one, other])])
        push(SDL_DROPBEGIN)
        push(SDL_DROPCOMPLETE)
        push(SDL_DROPFILE, [])
        push(SDL_DROPCOMPLETE)
        #expect(poll(display).isEmpty, "nothing was dropped")
        push(SDL_DROPFILE, one)
        push(SDL_DROPBEGIN)
        push(SDL_DROPFILE, other)
        push(SDL_DROPCOMPLETE)
        #expect(poll(display) == [.filesDropped([other])], "an abandoned drop is not part of the next one")
      }
    }

    @Test("Copied text is returned byte for byte except for zeros, and a closed display has none")
    func clipboard() throws {
      try withDisplay { display in
        let text = Array("/p/ä\nfile".utf8) + [0xFE]
        #expect(display.setClipboardText(text) && display.clipboardText == text)
        #expect(display.setClipboardText([65, 0, 66]) && display.clipboardText == [65, 66])
        display.close()
        #expect(!display.setClipboardText(text) && display.clipboardText.isEmpty)
      }
    }

    @Test("The key that opens a menu is translated")
    func menuKey() throws {
      try withDisplay { display in
        for symbol in [SDLK_APPLICATION, SDLK_MENU] {
          var event = SDL_Event()
          event.type = SDL_KEYDOWN.rawValue
          event.key.keysym.sym = SDL_Keycode(bitPattern: symbol.rawValue)
          #expect(SDL_PushEvent(&event) == 1)
          #expect(poll(display) == [.keyDown(.menu, modifiers: [], isRepeat: false)])
        }
      }
    }
  }
}
