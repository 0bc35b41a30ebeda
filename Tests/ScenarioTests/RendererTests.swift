import Testing
import VitrineGeometry
import VitrineTestSupport

extension WindowScenarios {
  @Suite(
    "Every renderer draws the same image",
    .enabled(if: XServer.isInstalled, "Xvfb and xdotool are not installed"))
  struct RendererTests {
    /// The largest accepted difference of a channel, from 0 to 255, by renderer and level of the overlay.
    ///
    /// Blending rounds once more or less at the edges of letters and round corners, and once for each layer below the
    /// overlay's translucent panel. SDL's software renderer truncates where others round to the nearest.
    static let tolerances = ["opengl": ["0": 2, "2": 4], "opengles2": ["0": 2, "2": 4], "sdl": ["0": 3, "2": 4]]

    @Test(
      "OpenGL, OpenGL ES and SDL's textures match the memory renderer except for rounding",
      arguments: ["opengl", "opengles2", "sdl"], TestScale.isLong ? ["0", "2"] : ["2"])
    func equalImages(renderer: String, overlay: String) throws {
      let folder = try TemporaryFolder.photoLibrary(count: 40)
      let output = try TemporaryFolder()
      let server = try XServer()
      var digests: [String] = []
      for name in ["memory", renderer] {
        let result = try VitrineRun(
          [
            "--clock", "virtual", "--frames", "20", "--scroll", "steady:300", "--overlay", overlay, "--renderer", name,
            "--no-cache", "--report", "-", "--screenshot", output.path(of: name + ".png"),
          ] + VitrineRun.smallWindow, on: folder, display: server
        ).waitForExit()
        #expect(result.status == 0, "\(result)")
        let figures = try RunFigures(result.output).figures
        #expect(figures.display.drawnBy == name)
        digests.append(try #require(figures.frameDigest))
      }
      #expect(digests[0] == digests[1])
      let difference = Screenshot.difference(
        try Screenshot.read(output.path(of: "memory.png"), width: 640, height: 480),
        try Screenshot.read(output.path(of: renderer + ".png"), width: 640, height: 480))
      #expect(difference.largest <= (try #require(Self.tolerances[renderer]?[overlay])), "\(difference)")
    }

    @Test("A window's screenshot equals a headless one of the memory renderer")
    func screenshots() throws {
      let folder = try TemporaryFolder.photoLibrary(count: 40)
      let output = try TemporaryFolder()
      let options = VitrineRun.smallWindow + ["--clock", "virtual", "--frames", "30", "--no-cache", "--screenshot"]
      let headless = try VitrineRun.run(
        ["--headless", "--renderer", "memory"] + options + [output.path(of: "headless.png")], on: folder)
      let window = try VitrineRun(
        ["--renderer", "memory"] + options + [output.path(of: "window.png")], on: folder, display: XServer()
      ).waitForExit()
      #expect(headless.status == 0 && window.status == 0, "\(headless) \(window)")
      let difference = Screenshot.difference(
        try Screenshot.read(output.path(of: "headless.png"), width: 640, height: 480),
        try Screenshot.read(output.path(of: "window.png"), width: 640, height: 480))
      #expect(difference == (largest: 0, pixels: 0))
    }
  }
}

extension WindowScenarios {
  @Suite(
    "Frames that are drawn in software reach the screen",
    .enabled(if: XServer.isInstalled, "Xvfb and xdotool are not installed"))
  struct SoftwarePresentationTests {
    private func open(sharesMemory: Bool) throws -> GalleryWindow {
      try GalleryWindow(
        ["--renderer", "software", "--size", "620x500"], on: XServer(sharesMemory: sharesMemory))
    }

    /// Returns the pixels of each window's screen at the start, after short and long scrolls, and in another size.
    private func screensAfterInput(_ galleries: [GalleryWindow]) throws -> [[[[UInt8]]]] {
      var screens = [try galleries.map(rows)]
      for arguments in [
        ["click", "--repeat", "2", "5"], ["key", "End"], ["windowsize", "window", "700", "540"],
      ] {
        for gallery in galleries { try gallery.performInput(arguments.map { $0 == "window" ? gallery.window : $0 }) }
        // The scroll indicators must have faded out.
        for gallery in galleries { try gallery.waitForIndicatorFade() }
        screens.append(try galleries.map(rows))
      }
      return screens
    }

    /// Returns the colours of the pixels below the bar, which shows the folder's name.
    ///
    /// The fourth byte of a pixel is unused.
    private func rows(_ gallery: GalleryWindow) throws -> [[UInt8]] {
      let (screen, frame, _) = try gallery.capture()
      return (Int(frame.y) + GalleryWindow.barHeight..<screen.height).map { row in
        var bytes = [UInt8](screen.row(row, from: 0, to: screen.width))
        for index in stride(from: 3, to: bytes.count, by: 4) { bytes[index] = 0 }
        return bytes
      }
    }

    @Test("The screen is the same with and without shared memory")
    func sharedMemory() throws {
      let sharing = try open(sharesMemory: true)
      let other = try open(sharesMemory: false)
      #expect(sharing.server.inspector.maps("vitrine-window"))
      #expect(!other.server.inspector.maps("vitrine-window"))
      let steps = try screensAfterInput([sharing, other])
      for (step, screens) in steps.enumerated() {
        let different = zip(screens[0], screens[1]).enumerated().filter { $0.element.0 != $0.element.1 }.map(\.offset)
        #expect(different.isEmpty, "step \(step)")
      }
      #expect(zip(steps, steps.dropFirst()).allSatisfy { $0[0] != $1[0] })
    }

    @Test("After a scroll of any length the screen equals a window that is redrawn")
    func farScroll() throws {
      let gallery = try open(sharesMemory: true)
      let start = try gallery.capture()
      for notches in TestScale.isLong ? ["3", "8"] : ["8"] {
        try gallery.performInput("click", "--repeat", notches, "5")
        try gallery.waitForIndicatorFade()
        let moved = try gallery.capture()
        #expect(moved.items.numbers != start.items.numbers)
        // Each window size has its own memory.
        try gallery.performInput("windowsize", gallery.window, "620", "501")
        try gallery.performInput("windowsize", gallery.window, "620", "500")
        try gallery.waitForIndicatorFade()
        #expect(try gallery.capture().screen == moved.screen)
      }
    }
  }
}
