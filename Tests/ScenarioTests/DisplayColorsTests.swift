import Testing
import VitrineGeometry
import VitrineRendering
import VitrineTestSupport

extension WindowScenarios {
  @Suite(
    "A window shows pictures in the colors of its display",
    .enabled(if: XServer.isInstalled, "Xvfb and xdotool are not installed"))
  struct DisplayColorsTests {
    private static let exchanged = ICCProfileWriter(primaries: ICCProfileWriter.exchanged).bytes
    private static let standard = ICCProfileWriter().bytes

    /// Waits until the first photograph has a color.
    private func wait(for color: Color, _ what: String, _ gallery: GalleryWindow, _ place: (x: Int, y: Int)) throws {
      try gallery.run.process.wait(for: what) {
        isNear(try gallery.server.screen().color(place.x, place.y), color) ? () : nil
      }
    }

    private func isNear(_ first: Color, _ second: Color) -> Bool {
      zip([first.red, first.green, first.blue], [second.red, second.green, second.blue]).allSatisfy {
        abs(Int($0) - Int($1)) < 12
      }
    }

    @Test("The desktop's profile applies at the start, when it is replaced, and when it is removed")
    func profile() throws {
      let server = try XServer()
      // Red and green of the photograph are exchanged.
      let color = VisibleItems.color(of: 0)
      let exchanged = Color(red: color.green, green: color.red, blue: color.blue)
      try server.setColorProfile(DisplayColorsTests.exchanged)
      let gallery = try GalleryWindow(["--renderer", "software", "--size", "620x500"], on: server)
      let frame = try server.frame(of: gallery.window)
      let place = (x: Int(frame.x) + 60, y: Int(frame.y) + GalleryWindow.barHeight + 60)
      let first = try server.screen().color(place.x, place.y)
      #expect(isNear(first, exchanged), "\(first)")
      try server.setColorProfile(nil)
      try wait(for: color, "the colors without a profile", gallery, place)
      try server.setColorProfile(DisplayColorsTests.exchanged)
      try wait(for: exchanged, "the colors of the profile", gallery, place)
      // A broken profile and sRGB are like none.
      try server.setColorProfile(Array(DisplayColorsTests.exchanged.prefix(200)))
      try wait(for: color, "the colors without a valid profile", gallery, place)
      try server.setColorProfile(DisplayColorsTests.exchanged)
      try wait(for: exchanged, "the colors of the profile again", gallery, place)
      try server.setColorProfile(DisplayColorsTests.standard)
      try wait(for: color, "the colors of sRGB", gallery, place)
      try server.xdotool("key", "ctrl+q")
      let result = try gallery.run.waitForExit()
      #expect(result.status == 0 && result.errorOutput.isEmpty, "\(result)")
    }
  }
}
