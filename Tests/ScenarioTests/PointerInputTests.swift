import Testing
import VitrineGeometry
import VitrineRendering
import VitrineTestSupport

extension InputScenarios {
  @Suite(
    "The scrubber, the zoom and orthogonal sections respond to the pointer",
    .enabled(if: XServer.isInstalled, "Xvfb and xdotool are not installed"))
  struct PointerInputTests {
    /// The window of a program that shows no folder.
    private struct Window {
      let server: XServer
      let run: VitrineRun
      let frame: PixelRect

      init(_ options: [String], title: String = "Vitrine") throws {
        let server = try XServer(width: 1_000, height: 760)
        let run = try VitrineRun(
          options + ["--renderer", "software", "--size", "900x700", "--report", "-"], display: server)
        let window = try run.process.wait(for: "the window") { try server.window(titled: title) }
        _ = try run.waitUntilIdle()
        frame = try server.frame(of: window)
        self.server = server
        self.run = run
      }

      /// Moves the pointer to a position in the window.
      func movePointer(_ x: Int, _ y: Int) throws {
        try server.xdotool("mousemove", "\(Int(frame.x) + x)", "\(Int(frame.y) + y)")
      }

      func color(_ screen: Screen, _ x: Int, _ y: Int) -> Color {
        screen.color(Int(frame.x) + x, Int(frame.y) + y)
      }

      /// Returns the pixels of a range of rows in the window.
      func rows(_ screen: Screen, _ rows: Range<Int>) -> [[UInt8]] {
        rows.map { row in
          Array(screen.row(Int(frame.y) + row, from: Int(frame.x), to: Int(frame.x) + Int(frame.width) - 24))
        }
      }

      /// Quits the program by the keyboard, and returns its result.
      func quit() throws -> ProcessResult {
        try server.xdotool("key", "ctrl+q")
        let result = try run.waitForExit()
        #expect(result.status == 0 && result.errorOutput.isEmpty, "\(result)")
        return result
      }
    }

    // MARK: Scrubber

    /// The columns of pixels in which the tests look for the thumb and for the bubble.
    private static let (thumbColumn, bubbleColumn) = (893, 868)

    /// Returns the rows of the thumb: the longest run of bright pixels at the edge, where each mark has one row.
    private func thumbRows(_ window: Window) throws -> Range<Int>? {
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

    /// Waits until the middle of the thumb is at a row.
    private func waitForThumb(at row: Int, _ window: Window) throws {
      _ = try window.run.process.wait(for: "the thumb at \(row), and not \(thumbRows(window) as Any)") {
        try thumbRows(window).flatMap { abs(($0.lowerBound + $0.upperBound) / 2 - row) <= 2 ? () : nil }
      }
    }

    /// Returns whether the bubble is at a row, by its grey, which covers the content.
    private func hasBubble(at row: Int, _ window: Window) throws -> Bool {
      let screen = try window.server.screen()
      return (row - 12...row + 12).allSatisfy { row in
        let color = window.color(screen, Self.bubbleColumn, row)
        return abs(Int(color.red) - 0x26) < 16 && abs(Int(color.green) - 0x28) < 16 && abs(Int(color.blue) - 0x2E) < 16
      }
    }

    @Test("A press on the track moves the thumb there and shows a bubble, and dragging away from the edge is finer")
    func scrubber() throws {
      let window = try Window(["--no-cache", "--synthetic", "200000", "--group", "month"])
      try window.movePointer(892, 350)
      try window.server.xdotool("mousedown", "1")
      try waitForThumb(at: 350, window)
      #expect(try hasBubble(at: 350, window))
      try window.movePointer(892, 420)
      try waitForThumb(at: 420, window)
      #expect(try hasBubble(at: 420, window) && !hasBubble(at: 350, window))
      // At this distance the thumb moves by a quarter of the pointer's distance.
      try window.movePointer(700, 420)
      try window.movePointer(700, 500)
      try waitForThumb(at: 440, window)
      try window.movePointer(892, 500)
      try window.server.xdotool("mouseup", "1")
      try window.movePointer(450, 400)
      _ = try window.run.waitUntilIdle()
      #expect(try !hasBubble(at: 440, window))
      let figures = try RunFigures(window.quit().output).figures
      #expect(figures.library.items == 200_000 && figures.library.failed == 0)
      // The press was shown before its release. Pointer motion is not counted.
      #expect(try #require(figures.frames.answers) >= 2)
    }

    // MARK: Zoom

    @Test("Control with the wheel zooms in steps, and the item under the pointer stays there")
    func zoom() throws {
      let gallery = try GalleryWindow(["--renderer", "software", "--size", "620x500"])
      try gallery.performInput("click", "--repeat", "4", "5")
      let (_, frame, before) = try gallery.capture()
      let pointer = (x: Int(frame.width) / 2, y: Int(frame.height) / 2)
      func columns(_ items: VisibleItems) -> Int {
        Set(items.frames.values.filter { $0.height == items.pictureHeight }.map(\.left)).count
      }
      /// Returns whether the item is under the pointer, or in the nearest column if the new columns leave no closer
      /// position.
      func isUnderPointer(_ number: Int, _ items: VisibleItems) -> Bool {
        guard let itemFrame = items.frames[number] else { return false }
        let middle = itemFrame.left + items.pictureHeight * 2 / 3
        return itemFrame.top - 16 <= pointer.y && pointer.y <= itemFrame.bottom + GalleryWindow.captionHeight
          && abs(middle - pointer.x) <= items.pictureHeight * 4 / 3
      }
      #expect(columns(before) == 3)
      let item = try #require(
        before.frames.first { _, itemFrame in
          itemFrame.left <= pointer.x && pointer.x < itemFrame.left + before.pictureHeight * 4 / 3
            && itemFrame.top <= pointer.y
            && pointer.y <= itemFrame.bottom + GalleryWindow.captionHeight
        }?.key)
      try gallery.server.xdotool("keydown", "ctrl")
      try gallery.performInput("click", "4")
      let larger = try gallery.capture().items
      #expect(columns(larger) == 2 && isUnderPointer(item, larger), "\(before.frames), then \(larger.frames)")
      try gallery.performInput("click", "5")
      let back = try gallery.capture().items
      #expect(columns(back) == 3 && isUnderPointer(item, back) && back.pictureHeight == before.pictureHeight)
      try gallery.performInput("click", "5")
      let smaller = try gallery.capture().items
      #expect(columns(smaller) == 4 && isUnderPointer(item, smaller), "\(before.frames), then \(smaller.frames)")
      try gallery.server.xdotool("keyup", "ctrl")
      try gallery.server.xdotool("key", "ctrl+q")
      let result = try gallery.run.waitForExit()
      #expect(result.status == 0 && result.errorOutput.isEmpty, "\(result)")
      let frames = try RunFigures(result.output).figures.frames
      #expect(try #require(frames.answers) >= 4, "notches that scroll, and three that zoom")
      // Each of the three zooms is animated for a quarter of a second.
      #expect(frames.trackedSeconds > 0.3, "the zoom is animated")
    }

    // MARK: Orthogonal sections

    @Test(
      "A horizontal wheel scrolls the orthogonal section under the pointer to its ends, and not the page",
      .enabled(if: BuiltProgram.hasExamples, "the package Examples is not built"))
    func orthogonalSection() throws {
      let window = try Window(["--demo", "outline"], title: "Outline")
      try window.movePointer(450, 130)
      _ = try window.run.waitUntilIdle()
      let before = try window.server.screen()
      func turnWheel(_ button: String, _ times: Int, from last: Screen) throws -> Screen {
        try window.server.xdotool("click", "--repeat", "\(times)", button)
        _ = try window.run.process.wait(for: "the orthogonal section") { try window.server.screen() == last ? nil : () }
        _ = try window.run.waitUntilIdle()
        return try window.server.screen()
      }
      let (section, page) = (70..<160, 240..<690)
      let further = try turnWheel("7", 1, from: before)
      #expect(window.rows(further, section) != window.rows(before, section))
      #expect(window.rows(further, page) == window.rows(before, page))
      let end = try turnWheel("7", 30, from: further)
      #expect(window.rows(end, section) != window.rows(further, section))
      #expect(window.rows(end, page) == window.rows(before, page))
      let start = try turnWheel("6", 40, from: end)
      #expect(window.rows(start, section) == window.rows(before, section), "a wheel does not scroll past the end")
      #expect(window.rows(start, page) == window.rows(before, page))
      #expect(try window.quit().text.contains("\"inputToPresentUs\""))
    }
  }
}
