import CSDL2
import Geometry
import Glibc
import Rendering
import SDLBackend
import Testing

extension SDLTests {
  @Suite("Files that are dropped on the window come together, and text is copied")
  struct DropTests {
    private func push(_ type: SDL_EventType, _ name: [UInt8]? = nil) {
      var event = SDL_Event()
      event.type = type.rawValue
      if let name {
        // SDL's own memory, as whoever takes the event frees it.
        let memory = SDL_malloc(name.count + 1)?.assumingMemoryBound(to: CChar.self)
        for (place, byte) in (name + [0]).enumerated() { memory?[place] = CChar(bitPattern: byte) }
        event.drop.file = memory
      }
      #expect(SDL_PushEvent(&event) == 1)
    }

    private func poll(_ display: SDLDisplay) -> [InputEvent.Kind] {
      var events: [InputEvent] = []
      display.events.poll(into: &events)
      return events.map(\.kind)
    }

    @Test("One drop is one event, by the bytes of its paths, also where they come in two polls")
    func together() throws {
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
        #expect(poll(display) == [.filesDropped([other])], "what was given up is not part of the next")
      }
    }

    @Test("Text that is copied is there, byte for byte but for zeros; on a closed display none is")
    func clipboard() throws {
      try withDisplay { display in
        let text = Array("/p/ä\nfile".utf8) + [0xFE]
        #expect(display.setClipboardText(text) && display.clipboardText == text)
        #expect(display.setClipboardText([65, 0, 66]) && display.clipboardText == [65, 66])
        display.close()
        #expect(!display.setClipboardText(text) && display.clipboardText.isEmpty)
      }
    }

    @Test("The key that asks for a menu is known")
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
