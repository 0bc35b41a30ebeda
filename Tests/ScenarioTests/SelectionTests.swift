import Geometry
import Glibc
import Rendering
import Testing

extension Scenarios {
  @Suite(
    "Photographs are selected, opened and sorted in a window",
    .enabled(if: XServer.isInstalled, "Xvfb and xdotool are not installed"))
  struct SelectionTests {
    /// The ring around what is selected, and the one where the keyboard is.
    private static let (accent, focus) = (Color(hex: 0x7FB2FF), Color(hex: 0xECECEF))

    private func open(_ options: String..., name: (Int) -> String = { "\($0)" }) throws -> GalleryWindow {
      try GalleryWindow(["--renderer", "software", "--size", "620x500"] + options, name: name)
    }

    /// Which photographs that are seen have a ring of a colour above them, at most so many pixels away.
    ///
    /// - Parameter known: where they were seen, as their colours are others beneath a rectangle.
    private func ringed(
      _ color: Color, _ gallery: GalleryWindow, at known: ShownItems? = nil
    ) throws -> [Int] {
      let (screen, frame, items) = try gallery.look()
      return (known ?? items).places.filter { _, place in
        (1...5).contains { away in
          isNear(screen.color(Int(frame.x) + place.left + 40, Int(frame.y) + place.top - away), color)
        }
      }.keys.sorted()
    }

    /// Whether two colours are the same but for rounding, as under a rectangle of the ring's own colour.
    private func isNear(_ color: Color, _ other: Color) -> Bool {
      [(color.red, other.red), (color.green, other.green), (color.blue, other.blue)].allSatisfy { one, another in
        abs(Int(one) - Int(another)) < 4
      }
    }

    /// A place within a photograph that is seen, on the screen.
    private func middle(of number: Int, _ gallery: GalleryWindow) throws -> [String] {
      let (_, frame, items) = try gallery.look()
      let place = try #require(items.places[number])
      return ["\(Int(frame.x) + place.left + 60)", "\(Int(frame.y) + place.top + 60)"]
    }

    private func click(_ number: Int, _ gallery: GalleryWindow, holding key: String? = nil) throws {
      try gallery.server.xdotool(["mousemove"] + middle(of: number, gallery))
      if let key { try gallery.server.xdotool("keydown", key) }
      try gallery.act("click", "1")
      if let key { try gallery.server.xdotool("keyup", key) }
    }

    @Test("Clicks with and without Control and Shift, arrows, Ctrl+A and Escape")
    func clicks() throws {
      let gallery = try open()
      #expect(try ringed(Self.accent, gallery).isEmpty)
      try click(1, gallery)
      #expect(try ringed(Self.accent, gallery) == [1])
      try click(3, gallery, holding: "ctrl")
      #expect(try ringed(Self.accent, gallery) == [1, 3])
      try click(5, gallery, holding: "shift")
      #expect(try ringed(Self.accent, gallery) == [3, 4, 5])
      try gallery.act("key", "Up")
      #expect(try ringed(Self.accent, gallery) == [2] && ringed(Self.focus, gallery) == [2])
      try gallery.act("key", "ctrl+Left")
      #expect(try ringed(Self.accent, gallery) == [2] && ringed(Self.focus, gallery) == [1])
      try gallery.act("key", "ctrl+a")
      #expect(try ringed(Self.accent, gallery).count >= 6)
      try gallery.act("key", "Escape")
      #expect(try ringed(Self.accent, gallery).isEmpty)
    }

    @Test("A rectangle drawn from the margin selects what it touches, and goes on at the lower edge")
    func band() throws {
      let gallery = try open()
      let (_, frame, before) = try gallery.look()
      func place(_ x: Int, _ y: Int) -> [String] { ["\(Int(frame.x) + x)", "\(Int(frame.y) + y)"] }
      try gallery.server.xdotool(["mousemove"] + place(6, 54))
      try gallery.server.xdotool("mousedown", "1")
      try gallery.server.xdotool(["mousemove"] + place(300, 120))
      try gallery.act(["mousemove"] + place(320, 200))
      #expect(try ringed(Self.accent, gallery, at: before) == [0, 1])
      // The content goes on while the pointer is there; what it does then is seen once it is let go.
      try gallery.server.xdotool(["mousemove"] + place(320, 498))
      _ = try gallery.run.process.wait(for: "the content to go on") {
        try gallery.look().items.numbers.first.flatMap { $0 >= 6 ? () : nil }
      }
      try gallery.act("mouseup", "1")
      let items = try gallery.look().items
      let ringed = try ringed(Self.accent, gallery)
      #expect(!ringed.isEmpty && ringed.allSatisfy { $0 % 3 != 2 }, "\(ringed) of \(items.numbers)")
    }

    @Test("Enter shows the picture in the whole window, arrows its neighbours, Escape leads back to the last one")
    func viewer() throws {
      let gallery = try open("--reduce-motion")
      try click(1, gallery)
      func middleColor() throws -> Color {
        let (screen, frame, _) = try gallery.look()
        return screen.color(Int(frame.x) + Int(frame.width) / 2, Int(frame.y) + Int(frame.height) / 2)
      }
      func isColor(_ number: Int) throws -> Bool {
        let (color, other) = (try middleColor(), ShownItems.color(of: number))
        return abs(Int(color.red) - Int(other.red)) < 10 && abs(Int(color.green) - Int(other.green)) < 10
          && abs(Int(color.blue) - Int(other.blue)) < 10
      }
      try gallery.act("key", "Return")
      #expect(try isColor(1))
      try gallery.act("key", "Right")
      #expect(try isColor(2))
      try gallery.act("key", "Escape")
      #expect(try ringed(Self.accent, gallery) == [2] && ringed(Self.focus, gallery) == [2])
    }

    @Test("A picture given by name is selected in its folder; a name is found as it is typed")
    func finding() throws {
      let gallery = try open { "IMG_\($0)" }
      try gallery.act("key", "I", "M", "G", "underscore", "5", "7")
      #expect(try ringed(Self.focus, gallery) == [57])
      let server = try XServer()
      let run = try VitrineRun(
        ["--no-cache", "--renderer", "software", "--size", "620x500"],
        paths: [gallery.folder.pathBytes + Array("/IMG_40.jpg".utf8)], display: server)
      let window = try run.process.wait(for: "the window") { try server.window() }
      _ = try run.waitForRest()
      let (screen, frame) = (try server.screen(), try server.frame(of: window))
      let items = ShownItems(screen, in: frame)
      let place = try #require(items.places[40])
      #expect(
        (1...5).contains {
          screen.color(Int(frame.x) + place.left + 40, Int(frame.y) + place.top - $0) == Self.accent
        })
      try server.xdotool("key", "ctrl+q")
      _ = try run.end()
    }
  }
}
