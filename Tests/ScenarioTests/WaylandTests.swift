import Foundation
import Geometry
import Glibc
import Testing

extension Scenarios {
  @Suite(
    "In a Wayland session the window is one of Wayland's",
    .enabled(if: Weston.isInstalled, "weston, Xvfb and xdotool are not installed"))
  struct WaylandTests {
    /// The gallery on a compositor, on photographs of one colour each, come to rest.
    private struct Gallery {
      let weston: Weston
      let folder: TemporaryFolder
      let run: VitrineRun

      init(_ options: [String] = [], on weston: Weston, settings: [String: String] = [:]) throws {
        let folder = try TemporaryFolder()
        let maker = try PictureMaker()
        for number in 0..<ShownItems.count {
          try folder.write(maker.jpeg(ShownItems.color(of: number)), to: "\(number).jpg")
        }
        self.weston = weston
        self.folder = folder
        run = try VitrineRun(
          ["--no-cache", "--report", "-", "--renderer", "software"] + options, on: folder, compositor: weston,
          settings: settings)
        _ = try run.waitForRest()
      }

      /// What is seen, all of the compositor's one output.
      func items() throws -> ShownItems {
        let screen = try weston.server.screen()
        return ShownItems(screen, in: PixelRect(x: 0, y: 0, width: 640, height: 480))
      }

      func act(_ words: String...) throws {
        let before = try weston.server.screen()
        try weston.server.xdotool(words)
        _ = try run.process.wait(for: "an effect of \(words)") { try weston.server.screen() == before ? nil : () }
        _ = try run.waitForRest()
      }

      func leave() throws -> RunFigures.Figures {
        try weston.server.xdotool("key", "ctrl+q")
        let end = try run.end()
        #expect(end.status == 0, "\(end)")
        return try RunFigures(end.output).figures
      }
    }

    @Test("It shows the photographs, scrolls by the wheel, rests, and leaves by Ctrl+Q; the report says wayland")
    func window() throws {
      let gallery = try Gallery(on: Weston())
      #expect(try gallery.items().numbers.first == 0)
      try gallery.weston.server.xdotool("mousemove", "320", "300")
      try gallery.act("click", "5")
      try gallery.act("key", "End")
      #expect(try gallery.items().numbers.last == ShownItems.count - 1)
      // The scroll indicator fades a second after content moved.
      let before = try gallery.run.waitForRest(still: .milliseconds(1_200))
      #expect(try gallery.run.watch(for: .seconds(1)).switches == before.switches, "nothing wakes it")
      let figures = try gallery.leave()
      #expect(figures.display.driver == "wayland" && figures.display.renderer == "software")
      #expect(figures.display.scale == 1 && figures.display.widthPoints == 640)
      #expect(["timer", "vsync"].contains(figures.display.clock))
    }

    @Test("On an output of two pixels a point it draws two pixels a point")
    func scale() throws {
      let gallery = try Gallery(on: Weston(width: 320, height: 240, scale: 2))
      let figures = try gallery.leave()
      #expect(figures.display.scale == 2 && figures.display.widthPoints == 320)
    }

    @Test("The compositor is told its name and title")
    func names() throws {
      let gallery = try Gallery(on: Weston(), settings: ["WAYLAND_DEBUG": "1"])
      try gallery.weston.server.xdotool("key", "ctrl+q")
      let end = try gallery.run.end()
      #expect(end.complaints.contains("set_app_id(\"io.github.vitrine.Vitrine\")"))
      #expect(end.complaints.contains("- Vitrine\")"))
    }

    @Test("X is used where the user names it, where nobody listens on Wayland, and where no window opens there")
    func x() throws {
      func driver(_ settings: [String: String]) throws -> String {
        let (weston, server) = (try Weston(), try XServer())
        let run = try VitrineRun(
          ["--no-cache", "--report", "-", "--renderer", "software", "--duration", "0.2", "--synthetic", "100"],
          display: server, compositor: weston, settings: settings)
        let end = try run.end()
        #expect(end.status == 0, "\(end)")
        return try RunFigures(end.output).figures.display.driver
      }
      #expect(try driver([:]) == "wayland")
      #expect(try driver(["SDL_VIDEODRIVER": "x11"]) == "x11")
      #expect(try driver(["WAYLAND_DISPLAY": "nobody"]) == "x11")
      // SDL can show pixels on Wayland by OpenGL alone.
      #expect(try driver(["SDL_VIDEO_EGL_DRIVER": "/nowhere/libEGL.so"]) == "x11")
    }

    @Test("A compositor that dies takes the window with it, and hangs nobody")
    func compositorDies() throws {
      let gallery = try Gallery(on: Weston())
      gallery.weston.crash()
      let end = try gallery.run.end()
      // SDL takes the loss for a wish to leave, or a call fails first; a signal would be a crash.
      #expect(end.status == 0 || end.status == 1, "\(end)")
    }
  }
}
