import Glibc
import Testing
import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineSDLBackend
import VitrineTestSupport

extension SDLTests {
  @Suite("A display is opened once, reports its properties and closes in order")
  struct SDLSessionTests {
    @Test("A headless display reports that it is headless")
    func information() throws {
      try withDisplay(300, 200, .auto) { display in
        #expect(display.isHeadless && display.rendererName == "sdl" && display.rendererReason == "no window")
        let info = display.info
        #expect(info.driver == "dummy" && info.renderer == "software" && info.device == nil)
        #expect(info.size == Size(width: 300, height: 200) && info.pixelSize == .at(0, 0, 300, 200))
        #expect(info.scale == .one && !info.requestsVsync)
      }
    }

    @Test("A window has a position, a minimum size, an icon and a title")
    func windowProperties() throws {
      let configuration = SDLDisplayConfiguration(
        title: "Tests ä", size: Size(width: 300, height: 200), position: Point(x: 30, y: 40),
        minimumSize: Size(width: 250, height: 150), isHeadless: true, icon: try plain(32, 32, .white),
        startsFullScreen: true, startsHidden: true, applicationIdentifier: "tests")
      let display = try SDLDisplay(configuration: configuration)
      defer { display.close() }
      #expect(display.isFullScreen && !display.isMaximized)
      display.toggleFullScreen()
      display.show()
      display.setTitle("Tests ö")
      #expect(display.windowFrame == Rect(x: 30, y: 40, width: 300, height: 200))
      display.windowFrame = Rect(x: 30, y: 40, width: 100, height: 100)
      #expect(display.windowFrame == Rect(x: 30, y: 40, width: 250, height: 150))
    }

    @Test("A second display in one process is rejected")
    func onlyOne() throws {
      try withDisplay { _ in
        let error = #expect(throws: DisplayError.self) { try withDisplay { _ in } }
        #expect(error?.reason.contains("one already") == true)
      }
      try withDisplay { display in #expect(display.isHeadless) }
    }

    @Test("A display can be opened repeatedly")
    func reopening() throws {
      for _ in 0..<5 {
        try withDisplay { display in
          let name = try display.makeTexture(from: plain(4, 4, .white))
          let part = PixelRect.at(0, 0, 4, 4)
          #expect(try display.painted([.copy(name, from: part, to: part)]).color(0, 0) == .white)
          #expect(
            display.textRasterizer.bitmap(for: "a", style: TextStyle(size: 12), scale: .one) != nil
              || display.textWarning != nil)
        }
      }
    }

    @Test("A closed display does nothing")
    func closed() throws {
      let display = try SDLDisplay(configuration: SDLDisplayConfiguration(title: "Tests", isHeadless: true))
      let picture = try plain(4, 4, .white)
      let name = try display.makeTexture(from: picture)
      let waker = display.events.waker
      display.close()
      display.close()
      display.releaseTexture(name)
      display.draw(DisplayList(), background: .black)
      display.present()
      display.toggleFullScreen()
      waker.wake()
      #expect(throws: DisplayError.self) { try display.makeTexture(from: picture) }
      #expect(throws: DisplayError.self) { try display.readPixels() }
      #expect(display.info.size == .zero && display.textureBytes == 0)
      #expect(display.textRasterizer.bitmap(for: "a", style: TextStyle(size: 12), scale: .one) == nil)
    }

    @Test("A display without references closes itself")
    func unreferencedDisplay() throws {
      for _ in 0..<2 {
        let display = try SDLDisplay(configuration: SDLDisplayConfiguration(title: "Tests", isHeadless: true))
        _ = try display.makeTexture(from: plain(4, 4, .white))
      }
      try withDisplay { display in #expect(display.isHeadless) }
    }

    @Test("A window's frame can be read and set, also around full screen")
    func windowFrame() throws {
      try withDisplay(300, 200) { display in
        display.windowFrame = Rect(x: 10, y: 20, width: 400, height: 250)
        #expect(display.windowFrame == Rect(x: 10, y: 20, width: 400, height: 250))
        #expect(display.info.size == Size(width: 400, height: 250))
        display.toggleFullScreen()
        #expect(display.isFullScreen && display.windowFrame == Rect(x: 10, y: 20, width: 400, height: 250))
        display.toggleFullScreen()
        #expect(!display.isFullScreen)
      }
    }

    @Test("A resized window is painted in full")
    func resizing() throws {
      try withDisplay(40, 30) { display in
        for (width, height) in [(80.0, 60.0), (1.0, 1.0), (33.0, 7.0), (200.0, 100.0)] {
          display.windowFrame = Rect(x: 0, y: 0, width: width, height: height)
          var events: [InputEvent] = []
          display.events.poll(into: &events)
          #expect(events.map(\.kind).contains(.resized))
          let picture = try display.painted([.fill(.at(0, 0, 500, 500), .white)])
          #expect(picture.size.width == Int(width) && picture.size.height == Int(height))
          #expect(picture.color(Int(width) - 1, Int(height) - 1) == .white)
        }
      }
    }

    @Test("OpenGL without a window is an error that contains its name")
    func noOpenGLWithoutWindow() {
      let configuration = SDLDisplayConfiguration(title: "Tests", isHeadless: true, renderer: .opengl)
      let error = #expect(throws: DisplayError.self) { try SDLDisplay(configuration: configuration) }
      #expect(error?.description.contains("opengl") == true || error?.description.contains("OpenGL") == true)
    }

    @Test("Without a display, the error explains what to do")
    func noDisplay() async {
      await #expect(processExitsWith: .success) {
        for variable in ["DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER"] { unsetenv(variable) }
        let error = await MainActor.run { () -> DisplayError? in
          do throws(DisplayError) {
            try SDLDisplay(configuration: SDLDisplayConfiguration(title: "Tests")).close()
            return nil
          } catch {
            return error
          }
        }
        let sentence = "no display: set DISPLAY or WAYLAND_DISPLAY, or run with --headless"
        exit(error?.reason == sentence ? EXIT_SUCCESS : EXIT_FAILURE)
      }
    }

    @Test("The error for a display that cannot be reached explains what to do")
    func unreachableDisplay() async {
      await #expect(processExitsWith: .success) {
        setenv("DISPLAY", ":64123", 1)
        for variable in ["WAYLAND_DISPLAY", "SDL_VIDEODRIVER", "XDG_RUNTIME_DIR"] { unsetenv(variable) }
        let error = await MainActor.run { () -> DisplayError? in
          do throws(DisplayError) {
            try SDLDisplay(configuration: SDLDisplayConfiguration(title: "Tests")).close()
            return nil
          } catch {
            return error
          }
        }
        exit(error?.reason.hasSuffix("or run with --headless") == true ? EXIT_SUCCESS : EXIT_FAILURE)
      }
    }
  }
}

// MARK: - Window system

@Suite("The window system and its scale follow from the environment")
struct WindowSystemTests {
  @Test(
    "Wayland is preferred in a Wayland session and X otherwise, unless the user has chosen a driver",
    arguments: [
      ([:], VideoDrivers.none), (["DISPLAY": ":0"], .list("x11,wayland")),
      (["WAYLAND_DISPLAY": "wayland-0"], .list("wayland,x11")), (["WAYLAND_SOCKET": "7"], .list("wayland,x11")),
      (["DISPLAY": ":0", "WAYLAND_DISPLAY": "wayland-0"], .list("wayland,x11")),
      (["DISPLAY": ":0", "WAYLAND_DISPLAY": ""], .list("x11,wayland")), (["DISPLAY": ""], .none),
      (["DISPLAY": ":0", "WAYLAND_DISPLAY": "wayland-0", "SDL_VIDEODRIVER": "x11"], .userChoice),
      (["DISPLAY": ":0", "SDL_VIDEODRIVER": ""], .list("x11,wayland")), (["SDL_VIDEODRIVER": "kmsdrm"], .userChoice),
    ] as [([String: String], VideoDrivers)])
  func drivers(environment: [String: String], expected: VideoDrivers) {
    #expect(VideoDrivers(isHeadless: false) { environment[$0] } == expected)
    #expect(VideoDrivers(isHeadless: true) { environment[$0] } == .list("dummy"))
  }

  @Test("If no window can be opened on Wayland, X is used if it is available and Wayland was not chosen")
  func fallback() {
    func drivers(_ environment: [String: String]) -> VideoDrivers {
      VideoDrivers(isHeadless: false, avoidsWayland: true) { environment[$0] }
    }
    #expect(drivers(["DISPLAY": ":0", "WAYLAND_DISPLAY": "wayland-0"]) == .list("x11"))
    #expect(drivers(["WAYLAND_DISPLAY": "wayland-0"]) == .none)
    #expect(drivers(["DISPLAY": ":0", "SDL_VIDEODRIVER": "wayland"]) == .none)
  }

  @Test(
    "On X, the pixels per point follow the desktop's settings, in quarters",
    arguments: [
      ([:], nil, 1), ([:], "", 1), ([:], "Xft.dpi:\t192\n", 2), ([:], "Xft.dpi: 144", 1.5),
      ([:], "Xcursor.size:\t24\nXft.antialias:\t1\nXft.dpi:\t120\nXft.rgba:\tnone\n", 1.25),
      ([:], "Xft.dpi:\t98", 1), ([:], "Xft.dpi:\t72", 1), ([:], "Xft.dpi:\t9600", 4), ([:], "Xft.dpi:\tnan", 1),
      ([:], "Xft.dpi:", 1), ([:], "Xft.dpi: 96\nXft.dpi: 192", 2), ([:], "Xft.dpix: 192\n:::\nXft.dpi", 1),
      (["GDK_SCALE": "2"], nil, 2), (["GDK_SCALE": "2"], "Xft.dpi:\t96", 2),
      (["GDK_SCALE": "two"], "Xft.dpi:\t144", 1.5),
      (["QT_SCALE_FACTOR": "1.75"], nil, 1.75), (["GDK_SCALE": "1", "QT_SCALE_FACTOR": "2"], "Xft.dpi:\t192", 1),
      (["GDK_SCALE": "-2"], nil, 1), (["GDK_SCALE": "inf"], nil, 1), (["GDK_SCALE": "1e300"], nil, 4),
    ] as [([String: String], String?, Double)])
  func scales(environment: [String: String], resources: String?, expected: Double) {
    #expect(DesktopScale.pixelsPerPoint(environment: { environment[$0] }, resources: resources) == expected)
  }
}
