import Geometry
import Rendering
import TestSupport
import Testing

extension Scenarios {
  @Suite(
    "The scrubber, the sizes of pictures and a strip answer a hand",
    .enabled(if: XServer.isInstalled, "Xvfb and xdotool are not installed"))
  struct HandTests {
    /// A window of a program of ours, without a folder of pictures.
    private struct Window {
      let server: XServer
      let run: VitrineRun
      let frame: PixelRect

      init(_ options: [String], title: String = "Vitrine") throws {
        let server = try XServer(width: 1_000, height: 760)
        let run = try VitrineRun(
          options + ["--renderer", "software", "--size", "900x700", "--report", "-"], display: server)
        let window = try run.process.wait(for: "the window") { try server.window(titled: title) }
        _ = try run.waitForRest()
        frame = try server.frame(of: window)
        self.server = server
        self.run = run
      }

      /// Moves the pointer to a place in the window.
      func point(_ x: Int, _ y: Int) throws {
        try server.xdotool("mousemove", "\(Int(frame.x) + x)", "\(Int(frame.y) + y)")
      }

      func color(_ screen: Screen, _ x: Int, _ y: Int) -> Color {
        screen.color(Int(frame.x) + x, Int(frame.y) + y)
      }

      /// The rows of a part of the window.
      func rows(_ screen: Screen, _ rows: Range<Int>) -> [[UInt8]] {
        rows.map { row in
          Array(screen.row(Int(frame.y) + row, from: Int(frame.x), to: Int(frame.x) + Int(frame.width) - 24))
        }
      }

      /// Leaves by the keyboard, and tells what the run says of itself.
      func leave() throws -> ProcessEnd {
        try server.xdotool("key", "ctrl+q")
        let end = try run.end()
        #expect(end.status == 0 && end.complaints.isEmpty, "\(end)")
        return end
      }
    }

    // MARK: Scrubber

    /// The column of pixels in which the thumb is looked for, and that in which the bubble is.
    private static let (thumbColumn, bubbleColumn) = (893, 868)

    /// The rows of the thumb: the longest run of bright pixels at the edge, where marks are a row each.
    private func thumb(_ window: Window) throws -> Range<Int>? {
      let screen = try window.server.screen()
      var longest = 0..<0
      var start: Int?
      for row in GalleryWindow.barHeight...Int(window.frame.height) {
        let isBright = row < Int(window.frame.height) && window.color(screen, Self.thumbColumn, row).green > 70
        if isBright, start == nil { start = row }
        guard !isBright, let first = start else { continue }
        if row - first > longest.count { longest = first..<row }
        start = nil
      }
      return longest.count >= 20 ? longest : nil
    }

    /// Waits until the thumb's middle is at a row.
    private func waitForThumb(at row: Int, _ window: Window) throws {
      _ = try window.run.process.wait(for: "the thumb at \(row), and not \(thumb(window) as Any)") {
        try thumb(window).flatMap { abs(($0.lowerBound + $0.upperBound) / 2 - row) <= 2 ? () : nil }
      }
    }

    /// Whether the bubble stands beside a row: its own grey, over whatever is there.
    private func hasBubble(at row: Int, _ window: Window) throws -> Bool {
      let screen = try window.server.screen()
      return (row - 12...row + 12).allSatisfy { row in
        let color = window.color(screen, Self.bubbleColumn, row)
        return abs(Int(color.red) - 0x26) < 16 && abs(Int(color.green) - 0x28) < 16 && abs(Int(color.blue) - 0x2E) < 16
      }
    }

    @Test("A press beside the thumb brings it there, a bubble says where that is, and away from the edge it goes finer")
    func scrubber() throws {
      let window = try Window(["--no-cache", "--synthetic", "200000", "--group", "month"])
      try window.point(892, 350)
      try window.server.xdotool("mousedown", "1")
      try waitForThumb(at: 350, window)
      #expect(try hasBubble(at: 350, window))
      try window.point(892, 420)
      try waitForThumb(at: 420, window)
      #expect(try hasBubble(at: 420, window) && !hasBubble(at: 350, window))
      // So far away a quarter of the way is gone.
      try window.point(700, 420)
      try window.point(700, 500)
      try waitForThumb(at: 440, window)
      try window.point(892, 500)
      try window.server.xdotool("mouseup", "1")
      try window.point(450, 400)
      _ = try window.run.waitForRest()
      #expect(try !hasBubble(at: 440, window))
      let figures = try RunFigures(window.leave().output).figures
      #expect(figures.library.items == 200_000 && figures.library.failed == 0)
      // The press was waited for until it was seen, and its release came later; how the pointer moves is not counted.
      #expect(try #require(figures.frames.answers) >= 2)
    }

    // MARK: Zoom

    @Test("Control and the wheel make pictures larger and smaller by steps; what is under the pointer stays there")
    func zoom() throws {
      let gallery = try GalleryWindow(["--renderer", "software", "--size", "620x500"])
      try gallery.act("click", "--repeat", "4", "5")
      let (_, frame, before) = try gallery.look()
      let pointer = (x: Int(frame.width) / 2, y: Int(frame.height) / 2)
      func columns(_ items: ShownItems) -> Int {
        Set(items.places.values.filter { $0.height == items.pictureHeight }.map(\.left)).count
      }
      /// Whether a photograph is where the pointer is, or beside it where the columns leave it no nearer place.
      func isPointed(_ number: Int, _ items: ShownItems) -> Bool {
        guard let place = items.places[number] else { return false }
        let middle = place.left + items.pictureHeight * 2 / 3
        return place.top - 16 <= pointer.y && pointer.y <= place.bottom + GalleryWindow.captionHeight
          && abs(middle - pointer.x) <= items.pictureHeight * 4 / 3
      }
      #expect(columns(before) == 3)
      let item = try #require(
        before.places.first { _, place in
          place.left <= pointer.x && pointer.x < place.left + before.pictureHeight * 4 / 3 && place.top <= pointer.y
            && pointer.y <= place.bottom + GalleryWindow.captionHeight
        }?.key)
      try gallery.server.xdotool("keydown", "ctrl")
      try gallery.act("click", "4")
      let larger = try gallery.look().items
      #expect(columns(larger) == 2 && isPointed(item, larger), "\(before.places), then \(larger.places)")
      try gallery.act("click", "5")
      let back = try gallery.look().items
      #expect(columns(back) == 3 && isPointed(item, back) && back.pictureHeight == before.pictureHeight)
      try gallery.act("click", "5")
      let smaller = try gallery.look().items
      #expect(columns(smaller) == 4 && isPointed(item, smaller), "\(before.places), then \(smaller.places)")
      try gallery.server.xdotool("keyup", "ctrl")
      try gallery.server.xdotool("key", "ctrl+q")
      let end = try gallery.run.end()
      #expect(end.status == 0 && end.complaints.isEmpty, "\(end)")
      let frames = try RunFigures(end.output).figures.frames
      #expect(try #require(frames.answers) >= 4, "notches to scroll, then three that change the size")
      // Each of the three is animated for a quarter of a second.
      #expect(frames.trackedSeconds > 0.3, "it was seen to happen")
    }

    // MARK: Strips

    @Test("A wheel that goes across scrolls the strip beneath it, to its ends and no farther, and the page not at all")
    func strip() throws {
      let window = try Window(["--demo", "outline"], title: "Outline")
      try window.point(450, 130)
      _ = try window.run.waitForRest()
      let before = try window.server.screen()
      func turn(_ button: String, _ times: Int, from last: Screen) throws -> Screen {
        try window.server.xdotool("click", "--repeat", "\(times)", button)
        _ = try window.run.process.wait(for: "the strip") { try window.server.screen() == last ? nil : () }
        _ = try window.run.waitForRest()
        return try window.server.screen()
      }
      let (strip, page) = (70..<160, 240..<690)
      let further = try turn("7", 1, from: before)
      #expect(window.rows(further, strip) != window.rows(before, strip))
      #expect(window.rows(further, page) == window.rows(before, page))
      let end = try turn("7", 30, from: further)
      #expect(window.rows(end, strip) != window.rows(further, strip))
      #expect(window.rows(end, page) == window.rows(before, page))
      let start = try turn("6", 40, from: end)
      #expect(window.rows(start, strip) == window.rows(before, strip), "wheels stop at ends")
      #expect(window.rows(start, page) == window.rows(before, page))
      #expect(try window.leave().text.contains("\"inputToPresentUs\""))
    }
  }
}
