import Glibc
import Testing
import VitrineGeometry
import VitrineRendering

extension InputScenarios {
  @Suite(
    "Photographs are selected and opened in a window",
    .enabled(if: XServer.isInstalled, "Xvfb and xdotool are not installed"))
  struct SelectionTests {
    /// The colours of the ring around a selected item and of the focus ring.
    private static let (accent, focus) = (Color(hex: 0x7FB2FF), Color(hex: 0xECECEF))

    private func open(_ options: String..., name: (Int) -> String = { "\($0)" }) throws -> GalleryWindow {
      try GalleryWindow(["--renderer", "software", "--size", "620x500"] + options, name: name)
    }

    /// Returns the numbers of the visible photographs with a ring of the given colour in the five pixels above them.
    ///
    /// - Parameter knownItems: The frames of the items, if a translucent rectangle changes their colours.
    private func itemsWithRing(
      _ color: Color, _ gallery: GalleryWindow, at knownItems: VisibleItems? = nil
    ) throws -> [Int] {
      let (screen, frame, items) = try gallery.capture()
      return (knownItems ?? items).frames.filter { _, itemFrame in
        (1...5).contains { away in
          isNear(screen.color(Int(frame.x) + itemFrame.left + 40, Int(frame.y) + itemFrame.top - away), color)
        }
      }.keys.sorted()
    }

    /// Returns whether two colours are equal except for rounding, as below a rectangle of the ring's colour.
    private func isNear(_ color: Color, _ other: Color) -> Bool {
      [(color.red, other.red), (color.green, other.green), (color.blue, other.blue)].allSatisfy { one, another in
        abs(Int(one) - Int(another)) < 4
      }
    }

    /// Returns a point on the screen inside a visible photograph, as arguments of xdotool.
    private func point(in number: Int, _ gallery: GalleryWindow) throws -> [String] {
      let (_, frame, items) = try gallery.capture()
      let itemFrame = try #require(items.frames[number])
      return ["\(Int(frame.x) + itemFrame.left + 60)", "\(Int(frame.y) + itemFrame.top + 60)"]
    }

    private func click(_ number: Int, _ gallery: GalleryWindow, holding key: String? = nil) throws {
      try gallery.server.xdotool(["mousemove"] + point(in: number, gallery))
      if let key { try gallery.server.xdotool("keydown", key) }
      try gallery.performInput("click", "1")
      if let key { try gallery.server.xdotool("keyup", key) }
    }

    @Test("Clicks with and without Control and Shift, arrow keys, Ctrl+A and Escape change the selection")
    func clicks() throws {
      let gallery = try open()
      #expect(try itemsWithRing(Self.accent, gallery).isEmpty)
      try click(1, gallery)
      #expect(try itemsWithRing(Self.accent, gallery) == [1])
      try click(3, gallery, holding: "ctrl")
      #expect(try itemsWithRing(Self.accent, gallery) == [1, 3])
      try click(5, gallery, holding: "shift")
      #expect(try itemsWithRing(Self.accent, gallery) == [3, 4, 5])
      try gallery.performInput("key", "Up")
      #expect(try itemsWithRing(Self.accent, gallery) == [2] && itemsWithRing(Self.focus, gallery) == [2])
      try gallery.performInput("key", "ctrl+Left")
      #expect(try itemsWithRing(Self.accent, gallery) == [2] && itemsWithRing(Self.focus, gallery) == [1])
      try gallery.performInput("key", "ctrl+a")
      #expect(try itemsWithRing(Self.accent, gallery).count >= 6)
      try gallery.performInput("key", "Escape")
      #expect(try itemsWithRing(Self.accent, gallery).isEmpty)
    }

    @Test("A rubber band selects the items that it touches, and scrolls the content at the bottom edge")
    func band() throws {
      let gallery = try open()
      let (_, frame, before) = try gallery.capture()
      func position(_ x: Int, _ y: Int) -> [String] { ["\(Int(frame.x) + x)", "\(Int(frame.y) + y)"] }
      try gallery.server.xdotool(["mousemove"] + position(6, 54))
      try gallery.server.xdotool("mousedown", "1")
      try gallery.server.xdotool(["mousemove"] + position(300, 120))
      try gallery.performInput(["mousemove"] + position(320, 200))
      #expect(try itemsWithRing(Self.accent, gallery, at: before) == [0, 1])
      // The content scrolls while the pointer is at the edge. The selection is checked after the button is released.
      try gallery.server.xdotool(["mousemove"] + position(320, 498))
      _ = try gallery.run.process.wait(for: "the content to go on") {
        try gallery.capture().items.numbers.first.flatMap { $0 >= 6 ? () : nil }
      }
      try gallery.performInput("mouseup", "1")
      let items = try gallery.capture().items
      let selected = try itemsWithRing(Self.accent, gallery)
      #expect(!selected.isEmpty && selected.allSatisfy { $0 % 3 != 2 }, "\(selected) of \(items.numbers)")
    }

    @Test("Return shows the image in the whole window, arrow keys its neighbours, and Escape returns to the last one")
    func viewer() throws {
      let gallery = try open("--reduce-motion")
      try click(1, gallery)
      func middleColor() throws -> Color {
        let (screen, frame, _) = try gallery.capture()
        return screen.color(Int(frame.x) + Int(frame.width) / 2, Int(frame.y) + Int(frame.height) / 2)
      }
      func isColor(_ number: Int) throws -> Bool {
        let (color, other) = (try middleColor(), VisibleItems.color(of: number))
        return abs(Int(color.red) - Int(other.red)) < 10 && abs(Int(color.green) - Int(other.green)) < 10
          && abs(Int(color.blue) - Int(other.blue)) < 10
      }
      try gallery.performInput("key", "Return")
      #expect(try isColor(1))
      try gallery.performInput("key", "Right")
      #expect(try isColor(2))
      try gallery.performInput("key", "Escape")
      #expect(try itemsWithRing(Self.accent, gallery) == [2] && itemsWithRing(Self.focus, gallery) == [2])
    }

    @Test("An image given by name is shown, and then selected in its folder, and typing a name finds it")
    func finding() throws {
      let gallery = try open { "IMG_\($0)" }
      try gallery.performInput("key", "I", "M", "G", "underscore", "5", "7")
      #expect(try itemsWithRing(Self.focus, gallery) == [57])
      let server = try XServer()
      let run = try VitrineRun(
        ["--no-cache", "--renderer", "software", "--size", "620x500"],
        paths: [gallery.folder.pathBytes + Array("/IMG_40.jpg".utf8)], display: server)
      let window = try run.process.wait(for: "the window") { try server.window() }
      _ = try run.waitUntilIdle()
      let picture = try server.screen()
      try server.xdotool("key", "Escape")
      _ = try run.process.wait(for: "the grid") { try server.screen() == picture ? nil : () }
      _ = try run.waitUntilIdle()
      let (screen, frame) = (try server.screen(), try server.frame(of: window))
      let items = VisibleItems(screen, in: frame)
      let itemFrame = try #require(items.frames[40])
      #expect(
        (1...5).contains {
          screen.color(Int(frame.x) + itemFrame.left + 40, Int(frame.y) + itemFrame.top - $0) == Self.accent
        })
      try server.xdotool("key", "ctrl+q")
      _ = try run.waitForExit()
    }
  }
}
