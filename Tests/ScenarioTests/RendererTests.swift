import Testing

extension Scenarios {
  @Suite(
    "Every renderer draws the same picture",
    .enabled(if: XServer.isInstalled, "Xvfb and xdotool are not installed"))
  struct RendererTests {
    /// How much a channel may differ, of 255, by the renderer and the overlay's level.
    ///
    /// Blending rounds once more or less at the edges of letters and round corners, and once for each layer where the
    /// overlay's translucent panel lies over them. SDL's software renderer cuts off where others round to the nearest.
    static let tolerances = ["opengl": ["0": 2, "2": 4], "opengles2": ["0": 2, "2": 4], "sdl": ["0": 3, "2": 4]]

    @Test(
      "OpenGL, OpenGL ES and SDL's textures agree with painting in memory within rounding",
      arguments: ["opengl", "opengles2", "sdl"], ["0", "2"])
    func agreement(renderer: String, overlay: String) throws {
      let folder = try DigestTests.library(count: 40)
      let output = try TemporaryFolder()
      let server = try XServer()
      var digests: [String] = []
      for name in ["memory", renderer] {
        let end = try VitrineRun(
          [
            "--clock", "virtual", "--frames", "20", "--scroll", "steady:300", "--overlay", overlay, "--renderer", name,
            "--no-cache", "--report", "-", "--screenshot", output.path(of: name + ".png"),
          ] + VitrineRun.smallWindow, on: folder, display: server
        ).end()
        #expect(end.status == 0, "\(end)")
        let figures = try RunFigures(end.output).figures
        #expect(figures.display.drawnBy == name)
        digests.append(try #require(figures.frameDigest))
      }
      #expect(digests[0] == digests[1])
      let difference = Screenshot.difference(
        try Screenshot.read(output.path(of: "memory.png"), width: 640, height: 480),
        try Screenshot.read(output.path(of: renderer + ".png"), width: 640, height: 480))
      #expect(difference.largest <= (try #require(Self.tolerances[renderer]?[overlay])), "\(difference)")
    }

    @Test("A window's screenshot is what stands on the screen, and a headless one painted in memory the same")
    func screenshots() throws {
      let folder = try DigestTests.library(count: 40)
      let output = try TemporaryFolder()
      let options = VitrineRun.smallWindow + ["--clock", "virtual", "--frames", "30", "--no-cache", "--screenshot"]
      let headless = try VitrineRun.end(
        ["--headless", "--renderer", "memory"] + options + [output.path(of: "headless.png")], on: folder)
      let window = try VitrineRun(
        ["--renderer", "memory"] + options + [output.path(of: "window.png")], on: folder, display: XServer()
      ).end()
      #expect(headless.status == 0 && window.status == 0, "\(headless) \(window)")
      let difference = Screenshot.difference(
        try Screenshot.read(output.path(of: "headless.png"), width: 640, height: 480),
        try Screenshot.read(output.path(of: "window.png"), width: 640, height: 480))
      #expect(difference == (largest: 0, pixels: 0))
    }
  }
}
