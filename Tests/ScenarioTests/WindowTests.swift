import Foundation
import Glibc
import Testing
import VitrineGeometry

extension WindowScenarios {
  @Suite(
    "A window responds to input and to its server",
    .enabled(if: XServer.isInstalled, "Xvfb and xdotool are not installed"))
  struct WindowTests {
    @Test("The window opens in the requested size with the first photographs in order, and closing it succeeds")
    func opens() throws {
      let gallery = try GalleryWindow(["--renderer", "software", "--size", "620x500"])
      let (_, frame, items) = try gallery.capture()
      #expect(frame.width == 620 && frame.height == 500)
      #expect(items.numbers == Array(0..<9))
      #expect(items.frames[0]?.top == GalleryWindow.barHeight + 16)
      for number in 0..<8 where number % 3 < 2 {
        let (left, right) = (try #require(items.frames[number]), try #require(items.frames[number + 1]))
        #expect(left.top == right.top && left.left < right.left, "\(items.frames)")
      }
      try gallery.server.xdotool("key", "ctrl+q")
      let result = try gallery.run.waitForExit()
      #expect(result.status == 0 && result.errorOutput.isEmpty, "\(result)")
      let figures = try RunFigures(result.output).figures
      #expect(figures.display.driver == "x11" && figures.display.renderer == "software")
      #expect(figures.display.drawnBy == "memory", "software is an alias of memory in a window")
      #expect(["timer", "vsync"].contains(figures.display.clock))
      #expect(figures.library.items == VisibleItems.count)
    }

    @Test(
      "The window is titled with the name of the folder in any script, without controls and invalid bytes",
      arguments: [("日本 👩‍👧", "日本 👩‍👧"), ("Käthe\nb", "Käthe�b"), ("a\u{202E}gpj", "a�gpj")])
    func title(name: String, title: String) throws {
      let folder = try TemporaryFolder()
      try folder.makeFolder(name)
      try folder.write(try PictureMaker().gradient(1), to: "\(name)/a.png")
      let server = try XServer()
      let run = try VitrineRun(
        ["--no-cache", "--report", "-"], paths: [folder.bytes(of: Array(name.utf8))], display: server)
      // The title is set when the window has been shown.
      try run.process.wait(for: "the title") {
        try server.window().flatMap { try server.title(of: $0) == "\(title) - Vitrine" ? () : nil }
      }
      run.process.signal(SIGTERM)
      #expect(try run.waitForExit().status == 130)
    }

    // MARK: Input

    @Test("A wheel notch moves all photographs by the same distance and changes nothing else")
    func wheel() throws {
      let gallery = try GalleryWindow(["--renderer", "software", "--size", "620x500"])
      let before = try gallery.capture()
      try gallery.performInput("click", "5")
      let after = try gallery.capture()
      let moved = try #require(before.items.frames[4]).top - (try #require(after.items.frames[4])).top
      #expect(moved >= 48 && moved < 200)
      for number in before.items.numbers {
        guard let old = before.items.frames[number], let new = after.items.frames[number],
          old.top - moved >= GalleryWindow.barHeight, old.height == new.height
        else { continue }
        #expect(new.top == old.top - moved && new.left == old.left)
      }
      // Pixel by pixel, with captions. The scroll indicator at the right edge is excluded.
      let (left, right) = (Int(before.frame.x), Int(before.frame.x + before.frame.width) - 24)
      for row in (Int(before.frame.y) + GalleryWindow.barHeight)..<(Int(before.frame.y + before.frame.height) - moved) {
        #expect(
          after.screen.row(row, from: left, to: right) == before.screen.row(row + moved, from: left, to: right))
      }
      try gallery.performInput("click", "4")
      #expect(try gallery.capture().items.frames == before.items.frames)
    }

    @Test("Turning the wheel for a second is answered by many frames, some of them with late input")
    func turnedWheel() throws {
      let gallery = try GalleryWindow(["--renderer", "software", "--size", "620x500"])
      // Down and up, so that no end is reached. The delay is no multiple of the refresh interval.
      for round in 0..<4 {
        try gallery.server.xdotool("click", "--repeat", "12", "--delay", "21", round % 2 == 0 ? "5" : "4")
      }
      _ = try gallery.run.waitUntilIdle()
      try gallery.server.xdotool("key", "ctrl+q")
      let result = try gallery.run.waitForExit()
      #expect(result.status == 0 && result.errorOutput.isEmpty, "\(result)")
      let frames = try RunFigures(result.output).figures.frames
      let (answers, late) = (try #require(frames.answers), try #require(frames.lateAnswers))
      #expect(answers >= 20 && late > 0 && late <= answers, "\(answers), late \(late)")
      #expect(frames.count > answers, "the content decelerates after the last notch")
      let latency = try #require(frames.inputToPresentUs)
      #expect(latency.p50 < latency.p95 && latency.p95 <= latency.max, "\(latency)")
    }

    @Test("Pressing the wheel scrolls while the pointer is away from the press, until the release")
    func pressedWheel() throws {
      let gallery = try GalleryWindow(["--renderer", "software", "--size", "620x500"])
      let start = try gallery.capture()
      try gallery.server.xdotool("mousedown", "2")
      _ = try gallery.run.process.wait(for: "the mark") { try gallery.capture().screen == start.screen ? nil : () }
      #expect(try gallery.capture().items.frames == start.items.frames, "no scrolling near the press")
      try gallery.server.xdotool("mousemove_relative", "0", "70")
      _ = try gallery.run.process.wait(for: "scrolling") {
        try gallery.capture().items.numbers.first ?? 0 > 2 ? () : nil
      }
      try gallery.server.xdotool("mouseup", "2")
      _ = try gallery.run.waitUntilIdle()
      let last = try gallery.capture()
      #expect((last.items.numbers.first ?? 0) > 2)
      try gallery.server.xdotool("mousemove_relative", "0", "60")
      _ = try gallery.run.waitUntilIdle()
      #expect(try gallery.capture().items.frames == last.items.frames, "no scrolling after the release")
      try gallery.performInput("key", "Home")
      #expect(try gallery.capture().items.frames == start.items.frames)
      try gallery.server.xdotool("key", "ctrl+q")
      // The press, its release and Home. Pointer motion is not counted.
      #expect(try #require(RunFigures(gallery.run.waitForExit().output).figures.frames.answers) >= 3)
    }

    @Test("Page Down, End and Home scroll by less than a page, to the end and to the start")
    func keys() throws {
      let gallery = try GalleryWindow(["--renderer", "software", "--size", "620x500"])
      let start = try gallery.capture().items
      try gallery.performInput("key", "Next")
      let page = try gallery.capture().items
      // The last item is still visible, at the top.
      let last = try #require(start.numbers.last)
      #expect(try #require(page.numbers.first) > 0 && page.numbers.contains(last))
      #expect(try #require(page.frames[last]).top < (try #require(start.frames[last])).top)
      try gallery.performInput("key", "End")
      #expect(try gallery.capture().items.numbers.last == VisibleItems.count - 1)
      try gallery.performInput("key", "Home")
      #expect(try gallery.capture().items.frames == start.frames)
    }

    @Test("F3 shows the overlay in four levels and then hides it")
    func overlay() throws {
      let gallery = try GalleryWindow(["--renderer", "software", "--size", "620x500"])
      try gallery.waitForIndicatorFade()
      let before = try gallery.capture()
      var changedRows: [Int] = []
      for _ in 1...4 {
        try gallery.performInput("key", "F3")
        let now = try gallery.capture()
        let changed = (0..<Int(before.frame.height)).filter { row in
          let range = (Int(before.frame.x), Int(before.frame.x + before.frame.width))
          return now.screen.row(Int(before.frame.y) + row, from: range.0, to: range.1)
            != before.screen.row(Int(before.frame.y) + row, from: range.0, to: range.1)
        }
        #expect(changed.first.map { $0 > GalleryWindow.barHeight } == true)
        changedRows.append(changed.count)
      }
      #expect(changedRows == changedRows.sorted() && Set(changedRows).count == 4, "\(changedRows)")
      try gallery.performInput("key", "F3")
      #expect(try gallery.capture().screen == before.screen)
    }

    // MARK: Size and visibility

    @Test("The number of columns follows the window's width, and the first visible photograph keeps its position")
    func resize() throws {
      let gallery = try GalleryWindow(["--renderer", "software", "--size", "620x500"])
      try gallery.performInput("click", "--repeat", "6", "5")
      let before = try gallery.capture().items
      let first = try #require(before.numbers.first)
      #expect(first > 0)
      let fraction = try #require(
        before.hiddenFraction(
          of: first, below: GalleryWindow.barHeight, captionHeight: GalleryWindow.captionHeight))
      for (size, columns) in [(["430", "560"], 2), (["800", "600"], 4), (["620", "500"], 3)] {
        try gallery.performInput("windowsize", gallery.window, size[0], size[1])
        let (_, frame, items) = try gallery.capture()
        #expect(frame.width == Int32(size[0]) && frame.height == Int32(size[1]))
        let whole = items.frames.values.filter { $0.height == items.pictureHeight }
        #expect(Set(whole.map(\.left)).count == columns)
        let now = try #require(
          items.hiddenFraction(of: first, below: GalleryWindow.barHeight, captionHeight: GalleryWindow.captionHeight))
        // A pixel of rounding at either end.
        #expect((now - fraction).magnitude <= 2 / Double(items.pictureHeight), "\(size): \(fraction) is now \(now)")
      }
      #expect(try gallery.capture().items.frames == before.frames)
    }

    @Test("A window that is hidden and shown again is redrawn")
    func hidden() throws {
      let gallery = try GalleryWindow(["--renderer", "software", "--size", "620x500"])
      try gallery.waitForIndicatorFade()
      let before = try gallery.capture().screen
      try gallery.performInput("windowunmap", gallery.window)
      try gallery.performInput("windowmap", gallery.window)
      #expect(try gallery.capture().screen == before)
    }

    // MARK: Stored frame

    /// Opens the gallery and waits until it is idle.
    private func openWindow(
      _ options: [String], on folder: TemporaryFolder, server: XServer, home: TemporaryFolder
    ) throws -> (run: VitrineRun, window: String) {
      let run = try VitrineRun(["--renderer", "software"] + options, on: folder, display: server, home: home)
      let window = try run.process.wait(for: "the window") { try server.window() }
      _ = try run.waitUntilIdle()
      return (run, window)
    }

    private func close(_ run: VitrineRun) throws {
      run.process.signal(SIGTERM)
      #expect(try run.waitForExit().status == 130)
    }

    @Test("A window smaller than its minimum size does not change the stored frame")
    func belowMinimumSize() throws {
      let folder = try TemporaryFolder()
      try folder.write(PictureMaker.png, to: "a.png")
      let home = try TemporaryFolder()
      let server = try XServer()
      try close(try openWindow(["--size", "540x430"], on: folder, server: server, home: home).run)
      let file = home.path(of: ".local/state/vitrine/window")
      let stored = try String(contentsOfFile: file, encoding: .utf8)
      #expect(stored.hasSuffix(" 540 430\n"))
      for size in [["40", "40"], ["540", "40"]] {
        let (run, window) = try openWindow([], on: folder, server: server, home: home)
        try server.xdotool("windowsize", window, size[0], size[1])
        _ = try run.waitUntilIdle()
        #expect(try server.frame(of: window).height == 40)
        try close(run)
        #expect(try String(contentsOfFile: file, encoding: .utf8) == stored)
      }
    }

    @Test("A window opens with the frame of the last one, and only the frame, settings and thumbnails are stored")
    func restoredFrame() throws {
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
      _ = try first.run.waitUntilIdle()
      let last = try server.frame(of: first.window)
      try close(first.run)
      let stored = try FolderState(home).entries.keys.map { String(decoding: $0, as: UTF8.self) }.sorted()
      #expect(
        stored == [""] + StoredFiles.paths.map { "/" + $0 } + [
          "/.local", "/.local/state", "/.local/state/vitrine", "/.local/state/vitrine/settings.json",
          "/.local/state/vitrine/window",
        ])
      let second = try open([])
      #expect(try server.frame(of: second.window) == last)
      try close(second.run)
      // The store is neither read nor written with `--no-cache`.
      let before = try FolderState(home)
      let third = try open(["--no-cache"])
      #expect(try server.frame(of: third.window) != last)
      try close(third.run)
      #expect(try FolderState(home) == before)
    }

    // MARK: Display server

    @Test("If the X server crashes, the program exits with an error", arguments: ["software", "opengl"])
    func serverCrash(renderer: String) throws {
      let gallery = try GalleryWindow(["--renderer", renderer, "--size", "640x480"])
      gallery.server.crash()
      let result = try gallery.run.waitForExit()
      #expect(result.status == 1, "\(result)")
    }
  }
}
