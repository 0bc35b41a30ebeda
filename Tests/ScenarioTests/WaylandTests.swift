import Foundation
import Glibc
import Testing
import VitrineGeometry

extension WindowScenarios {
  @Suite(
    "In a Wayland session the window is a Wayland window",
    .enabled(if: Weston.isInstalled, "weston, Xvfb and xdotool are not installed"))
  struct WaylandTests {
    /// The idle gallery on a compositor, with photographs of one colour each.
    private struct Gallery {
      let weston: Weston
      let folder: TemporaryFolder
      let run: VitrineRun

      init(_ options: [String] = [], on weston: Weston, environment: [String: String] = [:]) throws {
        let folder = try TemporaryFolder()
        let maker = try PictureMaker()
        for number in 0..<VisibleItems.count {
          try folder.write(maker.jpeg(VisibleItems.color(of: number)), to: "\(number).jpg")
        }
        self.weston = weston
        self.folder = folder
        run = try VitrineRun(
          ["--no-cache", "--report", "-", "--renderer", "software"] + options, on: folder, compositor: weston,
          environment: environment)
        _ = try run.waitUntilIdle()
      }

      /// Returns the visible items of the window, which fills the output.
      func items() throws -> VisibleItems {
        let screen = try weston.server.screen()
        return VisibleItems(screen, in: PixelRect(x: 0, y: 0, width: 640, height: 480))
      }

      func performInput(_ arguments: String...) throws {
        let before = try weston.server.screen()
        try weston.server.xdotool(arguments)
        _ = try run.process.wait(for: "an effect of \(arguments)") { try weston.server.screen() == before ? nil : () }
        _ = try run.waitUntilIdle()
      }

      func quit() throws -> RunFigures.Figures {
        try weston.server.xdotool("key", "ctrl+q")
        let result = try run.waitForExit()
        #expect(result.status == 0, "\(result)")
        return try RunFigures(result.output).figures
      }
    }

    @Test("The window shows photographs, scrolls, becomes idle and closes, and the report names Wayland")
    func window() throws {
      let gallery = try Gallery(on: Weston())
      #expect(try gallery.items().numbers.first == 0)
      try gallery.weston.server.xdotool("mousemove", "320", "300")
      try gallery.performInput("click", "5")
      try gallery.performInput("key", "End")
      #expect(try gallery.items().numbers.last == VisibleItems.count - 1)
      // The scroll indicator fades out a second after the content has stopped.
      let before = try gallery.run.waitUntilIdle(for: .milliseconds(1_200))
      #expect(try gallery.run.observe(for: .seconds(1)).switches == before.switches, "no wake-up while idle")
      let figures = try gallery.quit()
      #expect(figures.display.driver == "wayland" && figures.display.renderer == "software")
      #expect(figures.display.scale == 1 && figures.display.widthPoints == 640)
      #expect(["timer", "vsync"].contains(figures.display.clock))
    }

    @Test("On an output with two pixels per point the program draws two pixels per point")
    func scale() throws {
      let gallery = try Gallery(on: Weston(width: 320, height: 240, scale: 2))
      let figures = try gallery.quit()
      #expect(figures.display.scale == 2 && figures.display.widthPoints == 320)
    }

    @Test("The window has an application ID and a title")
    func names() throws {
      let gallery = try Gallery(on: Weston(), environment: ["WAYLAND_DEBUG": "1"])
      try gallery.weston.server.xdotool("key", "ctrl+q")
      let result = try gallery.run.waitForExit()
      #expect(result.errorOutput.contains("set_app_id(\"io.github.vitrine.Vitrine\")"))
      #expect(result.errorOutput.contains("- Vitrine\")"))
    }

    @Test("X11 is used if it is requested, if no compositor listens, or if no Wayland window can be opened")
    func x11Fallback() throws {
      func driver(_ environment: [String: String]) throws -> String {
        let (weston, server) = (try Weston(), try XServer())
        let run = try VitrineRun(
          ["--no-cache", "--report", "-", "--renderer", "software", "--duration", "0.2", "--synthetic", "100"],
          display: server, compositor: weston, environment: environment)
        let result = try run.waitForExit()
        #expect(result.status == 0, "\(result)")
        return try RunFigures(result.output).figures.display.driver
      }
      #expect(try driver([:]) == "wayland")
      #expect(try driver(["SDL_VIDEODRIVER": "x11"]) == "x11")
      #expect(try driver(["WAYLAND_DISPLAY": "nobody"]) == "x11")
      // SDL 2 shows pixels on Wayland only through OpenGL.
      #expect(try driver(["SDL_VIDEO_EGL_DRIVER": "/nowhere/libEGL.so"]) == "x11")
    }

    @Test("If the compositor crashes, the program exits")
    func compositorCrash() throws {
      let gallery = try Gallery(on: Weston())
      gallery.weston.crash()
      let result = try gallery.run.waitForExit()
      // SDL reports the loss as a quit event, or a call fails first. A signal would be a crash.
      #expect(result.status == 0 || result.status == 1, "\(result)")
    }
  }
}
