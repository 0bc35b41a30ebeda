import Foundation
import Geometry
import Glibc
import Testing

extension Scenarios {
  @Suite(
    "In a window a hand finds what it expects",
    .enabled(if: XServer.isInstalled, "Xvfb and xdotool are not installed"))
  struct WindowTests {
    @Test("The window opens in the size asked for and shows the first photographs in order; closing it is a success")
    func opens() throws {
      let gallery = try GalleryWindow(["--renderer", "software", "--size", "620x500"])
      let (_, frame, items) = try gallery.look()
      #expect(frame.width == 620 && frame.height == 500)
      #expect(items.numbers == Array(0..<9))
      #expect(items.places[0]?.top == GalleryWindow.barHeight + 16)
      for number in 0..<8 where number % 3 < 2 {
        let (left, right) = (try #require(items.places[number]), try #require(items.places[number + 1]))
        #expect(left.top == right.top && left.left < right.left, "\(items.places)")
      }
      try gallery.server.xdotool("key", "ctrl+q")
      let end = try gallery.run.end()
      #expect(end.status == 0 && end.complaints.isEmpty, "\(end)")
      let figures = try RunFigures(end.output).figures
      #expect(figures.display.driver == "x11" && figures.display.renderer == "software")
      #expect(figures.display.drawnBy == "memory", "an alias of it in a window")
      #expect(["timer", "vsync"].contains(figures.display.clock))
      #expect(figures.library.items == ShownItems.count)
    }

    @Test("A notch of the wheel moves all photographs by one distance, and nothing else changes")
    func wheel() throws {
      let gallery = try GalleryWindow(["--renderer", "software", "--size", "620x500"])
      let before = try gallery.look()
      try gallery.act("click", "5")
      let after = try gallery.look()
      let moved = try #require(before.items.places[4]).top - (try #require(after.items.places[4])).top
      #expect(moved >= 48 && moved < 200)
      for number in before.items.numbers {
        guard let old = before.items.places[number], let new = after.items.places[number],
          old.top - moved >= GalleryWindow.barHeight, old.height == new.height
        else { continue }
        #expect(new.top == old.top - moved && new.left == old.left)
      }
      // Pixel by pixel, captions and all; the indicator at the right edge is about something else.
      let (left, right) = (Int(before.frame.x), Int(before.frame.x + before.frame.width) - 24)
      for row in (Int(before.frame.y) + GalleryWindow.barHeight)..<(Int(before.frame.y + before.frame.height) - moved) {
        #expect(
          after.screen.row(row, from: left, to: right) == before.screen.row(row + moved, from: left, to: right))
      }
      try gallery.act("click", "4")
      #expect(try gallery.look().items.places == before.items.places)
    }

    @Test("A wheel that is turned for a second is answered by many frames, some of them while they were being made")
    func turnedWheel() throws {
      let gallery = try GalleryWindow(["--renderer", "software", "--size", "620x500"])
      // Down and up, so that no end is reached; pauses that go through all places between two refreshes.
      for round in 0..<4 {
        try gallery.server.xdotool("click", "--repeat", "12", "--delay", "21", round % 2 == 0 ? "5" : "4")
      }
      _ = try gallery.run.waitForRest()
      try gallery.server.xdotool("key", "ctrl+q")
      let end = try gallery.run.end()
      #expect(end.status == 0 && end.complaints.isEmpty, "\(end)")
      let frames = try RunFigures(end.output).figures.frames
      let (answers, late) = (try #require(frames.answers), try #require(frames.lateAnswers))
      #expect(answers >= 20 && late > 0 && late <= answers, "\(answers), late \(late)")
      #expect(frames.count > answers, "the content runs on after the last notch")
      let latency = try #require(frames.inputToPresentUs)
      #expect(latency.p50 < latency.p95 && latency.p95 <= latency.max, "\(latency)")
    }

    @Test("The wheel pressed scrolls for as long as the pointer is away, then no more")
    func pressedWheel() throws {
      let gallery = try GalleryWindow(["--renderer", "software", "--size", "620x500"])
      let start = try gallery.look()
      try gallery.server.xdotool("mousedown", "2")
      _ = try gallery.run.process.wait(for: "the mark") { try gallery.look().screen == start.screen ? nil : () }
      #expect(try gallery.look().items.places == start.items.places, "near where it was pressed nothing moves")
      try gallery.server.xdotool("mousemove_relative", "0", "70")
      _ = try gallery.run.process.wait(for: "scrolling") {
        try gallery.look().items.numbers.first ?? 0 > 2 ? () : nil
      }
      try gallery.server.xdotool("mouseup", "2")
      _ = try gallery.run.waitForRest()
      let end = try gallery.look()
      #expect((end.items.numbers.first ?? 0) > 2)
      try gallery.server.xdotool("mousemove_relative", "0", "60")
      _ = try gallery.run.waitForRest()
      #expect(try gallery.look().items.places == end.items.places, "let go, the pointer moves nothing")
      try gallery.act("key", "Home")
      #expect(try gallery.look().items.places == start.items.places)
      try gallery.server.xdotool("key", "ctrl+q")
      // The press, its release and Home; how the pointer moves is not counted.
      #expect(try #require(RunFigures(gallery.run.end().output).figures.frames.answers) >= 3)
    }

    @Test("Page Down, End and Home go a page less a little, to the end and back")
    func keys() throws {
      let gallery = try GalleryWindow(["--renderer", "software", "--size", "620x500"])
      let start = try gallery.look().items
      try gallery.act("key", "Next")
      let page = try gallery.look().items
      // What was at the bottom is still seen, at the top.
      let last = try #require(start.numbers.last)
      #expect(try #require(page.numbers.first) > 0 && page.numbers.contains(last))
      #expect(try #require(page.places[last]).top < (try #require(start.places[last])).top)
      try gallery.act("key", "End")
      #expect(try gallery.look().items.numbers.last == ShownItems.count - 1)
      try gallery.act("key", "Home")
      #expect(try gallery.look().items.places == start.places)
    }

    @Test("F3 shows the overlay in four levels, then none: the window is as before")
    func overlay() throws {
      let gallery = try GalleryWindow(["--renderer", "software", "--size", "620x500"])
      let before = try gallery.look()
      var changedRows: [Int] = []
      for _ in 1...4 {
        try gallery.act("key", "F3")
        let now = try gallery.look()
        let changed = (0..<Int(before.frame.height)).filter { row in
          let range = (Int(before.frame.x), Int(before.frame.x + before.frame.width))
          return now.screen.row(Int(before.frame.y) + row, from: range.0, to: range.1)
            != before.screen.row(Int(before.frame.y) + row, from: range.0, to: range.1)
        }
        #expect(changed.first.map { $0 > GalleryWindow.barHeight } == true)
        changedRows.append(changed.count)
      }
      #expect(changedRows == changedRows.sorted() && Set(changedRows).count == 4, "\(changedRows)")
      try gallery.act("key", "F3")
      #expect(try gallery.look().screen == before.screen)
    }

    @Test(
      "A narrower window has fewer columns, a wider one more, and the first photograph that was seen stands where it stood"
    )
    func resize() throws {
      let gallery = try GalleryWindow(["--renderer", "software", "--size", "620x500"])
      try gallery.act("click", "--repeat", "6", "5")
      let before = try gallery.look().items
      let first = try #require(before.numbers.first)
      #expect(first > 0)
      let share = try #require(
        before.hiddenShare(
          of: first, below: GalleryWindow.barHeight, captionHeight: GalleryWindow.captionHeight))
      for (size, columns) in [(["430", "560"], 2), (["800", "600"], 4), (["620", "500"], 3)] {
        try gallery.act("windowsize", gallery.window, size[0], size[1])
        let (_, frame, items) = try gallery.look()
        #expect(frame.width == Int32(size[0]) && frame.height == Int32(size[1]))
        let whole = items.places.values.filter { $0.height == items.pictureHeight }
        #expect(Set(whole.map(\.left)).count == columns)
        let now = try #require(
          items.hiddenShare(of: first, below: GalleryWindow.barHeight, captionHeight: GalleryWindow.captionHeight))
        // A pixel of rounding at either end.
        #expect((now - share).magnitude <= 2 / Double(items.pictureHeight), "\(size): \(share) is now \(now)")
      }
      #expect(try gallery.look().items.places == before.places)
    }

    @Test("Hidden and shown again, the window is drawn again")
    func hidden() throws {
      let gallery = try GalleryWindow(["--renderer", "software", "--size", "620x500"])
      let before = try gallery.look().screen
      try gallery.act("windowunmap", gallery.window)
      try gallery.act("windowmap", gallery.window)
      #expect(try gallery.look().screen == before)
    }

    /// Opens the gallery and waits until it has come to rest.
    private func openWindow(
      _ options: [String], on folder: TemporaryFolder, server: XServer, home: TemporaryFolder
    ) throws -> (run: VitrineRun, window: String) {
      let run = try VitrineRun(["--renderer", "software"] + options, on: folder, display: server, home: home)
      let window = try run.process.wait(for: "the window") { try server.window() }
      _ = try run.waitForRest()
      return (run, window)
    }

    private func close(_ run: VitrineRun) throws {
      run.process.signal(SIGTERM)
      #expect(try run.end().status == 130)
    }

    @Test("A window that somebody squeezed below its least size leaves the place that was kept before")
    func squeezed() throws {
      let folder = try TemporaryFolder()
      try folder.write(PictureMaker.png, to: "a.png")
      let home = try TemporaryFolder()
      let server = try XServer()
      try close(try openWindow(["--size", "540x430"], on: folder, server: server, home: home).run)
      let file = home.path(of: ".local/state/vitrine/window")
      let kept = try String(contentsOfFile: file, encoding: .utf8)
      #expect(kept.hasSuffix(" 540 430\n"))
      for size in [["40", "40"], ["540", "40"]] {
        let (run, window) = try openWindow([], on: folder, server: server, home: home)
        try server.xdotool("windowsize", window, size[0], size[1])
        _ = try run.waitForRest()
        #expect(try server.frame(of: window).height == 40)
        try close(run)
        #expect(try String(contentsOfFile: file, encoding: .utf8) == kept)
      }
    }

    @Test("A window opens where and as large as the last one was closed; beside that and pictures nothing is kept")
    func place() throws {
      let folder = try TemporaryFolder()
      try folder.write(PictureMaker.png, to: "a.png")
      let home = try TemporaryFolder()
      let server = try XServer()
      func open(_ options: [String]) throws -> (run: VitrineRun, window: String) {
        try openWindow(options, on: folder, server: server, home: home)
      }
      let first = try open(["--size", "500x400"])
      try server.xdotool("windowmove", first.window, "120", "90")
      try server.xdotool("windowsize", first.window, "540", "430")
      _ = try first.run.waitForRest()
      let last = try server.frame(of: first.window)
      try close(first.run)
      let kept = try FolderState(home).entries.keys.map { String(decoding: $0, as: UTF8.self) }.sorted()
      #expect(
        kept.filter { !$0.hasPrefix("/.cache/vitrine/thumbnails-1/") } == [
          "", "/.cache", "/.cache/vitrine", "/.cache/vitrine/previews-1.log", "/.cache/vitrine/thumbnails-1", "/.local",
          "/.local/state", "/.local/state/vitrine", "/.local/state/vitrine/window",
        ])
      let second = try open([])
      #expect(try server.frame(of: second.window) == last)
      try close(second.run)
      // Neither read nor written where nothing is to be kept.
      let before = try FolderState(home)
      let third = try open(["--no-cache"])
      #expect(try server.frame(of: third.window) != last)
      try close(third.run)
      #expect(try FolderState(home) == before)
    }

    @Test("A server that dies takes the window with it, and hangs nobody", arguments: ["software", "opengl"])
    func serverDies(renderer: String) throws {
      let gallery = try GalleryWindow(["--renderer", renderer, "--size", "640x480"])
      gallery.server.crash()
      let end = try gallery.run.end()
      #expect(end.status == 1, "\(end)")
    }
  }
}
