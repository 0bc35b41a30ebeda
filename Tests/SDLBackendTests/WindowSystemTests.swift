import SDLBackend
import Testing

@Suite("The window system and its scale follow from what the environment tells")
struct WindowSystemTests {
  @Test(
    "Wayland in a Wayland session, X otherwise, and whatever the user has named",
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

  @Test("Where no window can be opened on Wayland there is X, if it is there and nobody has named Wayland")
  func fallback() {
    func drivers(_ environment: [String: String]) -> VideoDrivers {
      VideoDrivers(isHeadless: false, avoidsWayland: true) { environment[$0] }
    }
    #expect(drivers(["DISPLAY": ":0", "WAYLAND_DISPLAY": "wayland-0"]) == .list("x11"))
    #expect(drivers(["WAYLAND_DISPLAY": "wayland-0"]) == .none)
    #expect(drivers(["DISPLAY": ":0", "SDL_VIDEODRIVER": "wayland"]) == .none)
  }

  @Test(
    "On X a point has as many pixels as the desktop says, in quarters",
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
