import CSDL2
import Geometry
import Rendering
import SDLBackend
import Testing

extension SDLTests {
  @Suite("Text is what a keyboard types, and shortcuts are what it means on any layout")
  struct TypingTests {
    private func push(_ type: SDL_EventType, _ fill: (inout SDL_Event) -> Void) {
      var event = SDL_Event()
      event.type = type.rawValue
      fill(&event)
      #expect(SDL_PushEvent(&event) == 1)
    }

    private func pushKey(
      _ symbol: UInt32, at place: SDL_Scancode = SDL_SCANCODE_UNKNOWN, _ modifiers: SDL_Keymod,
      _ type: SDL_EventType = SDL_KEYDOWN
    ) {
      push(type) { event in
        event.key.keysym.sym = SDL_Keycode(bitPattern: symbol)
        event.key.keysym.scancode = place
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

    @Test("Text comes after the key that types it, with what Shift and AltGr make of it")
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
        #expect(poll(display) == [.text(String(repeating: "é", count: 16))], "without an end")
      }
    }

    @Test("What SDL sends as text while Control or Alt is held is none, by what was held then and not by now")
    func shortcuts() throws {
      try withDisplay { display in
        for modifiers in [KMOD_LCTRL, KMOD_RCTRL, KMOD_LALT, KMOD_LGUI] {
          pushKey(UInt32(UInt8(ascii: "1")), modifiers)
          pushText(Array("1".utf8))
          pushKey(UInt32(UInt8(ascii: "1")), modifiers, SDL_KEYUP)
          #expect(!poll(display).contains(.text("1")))
        }
        // The modifier goes up, which is a key without a meaning here.
        pushKey(SDLK_LCTRL.rawValue, KMOD_NONE, SDL_KEYUP)
        pushText(Array("1".utf8))
        #expect(poll(display) == [.text("1")])
      }
    }

    @Test(
      "With Control digits and letters are where they are on most boards, whatever a layout types there",
      arguments: [
        // French digits are typed with Shift; Cyrillic letters are none of ASCII's; a moved letter is where it was moved.
        ("&", SDL_SCANCODE_1, "1"), ("é", SDL_SCANCODE_2, "2"), ("\"", SDL_SCANCODE_3, "3"), ("à", SDL_SCANCODE_0, "0"),
        ("с", SDL_SCANCODE_C, "c"), ("a", SDL_SCANCODE_Q, "a"), ("-", SDL_SCANCODE_6, "-"), ("3", SDL_SCANCODE_3, "3"),
        ("ö", SDL_SCANCODE_SEMICOLON, "ö"),
      ] as [(Character, SDL_Scancode, Character)])
    func places(symbol: Character, place: SDL_Scancode, meaning: Character) throws {
      try withDisplay { display in
        let scalar = try #require(symbol.unicodeScalars.first)
        pushKey(scalar.value, at: place, KMOD_LCTRL)
        #expect(poll(display) == [.keyDown(.character(meaning), modifiers: .control, isRepeat: false)])
        pushKey(scalar.value, at: place, KMOD_NONE)
        #expect(poll(display) == [.keyDown(.character(symbol), modifiers: [], isRepeat: false)])
      }
    }
  }
}
