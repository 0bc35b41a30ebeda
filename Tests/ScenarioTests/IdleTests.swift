import Glibc
import Testing

extension Scenarios {
  @Suite("The idle program does no work")
  struct IdleTests {
    @Test(
      "An idle headless run has no wake-up and no processor time in a second, with and without the overlay",
      arguments: ["0", "4"])
    func headless(overlay: String) throws {
      let folder = try TemporaryFolder.photoLibrary(count: 30)
      let run = try VitrineRun(
        ["--headless", "--overlay", overlay, "--report", "-"] + VitrineRun.smallWindow, on: folder)
      let (before, after) = try Self.observeIdle(run)
      #expect(after.switches == before.switches)
      #expect(after.nanoseconds == before.nanoseconds)
      run.process.signal(SIGTERM)
      let result = try run.waitForExit()
      #expect(result.status == 130, "\(result)")
      // The program was idle after its work, and did not wait for its start.
      let figures = try RunFigures(result.output).figures
      #expect(figures.launch.firstFullScreenMs != nil)
      #expect(figures.frames.count > 1)
    }

    @Test("A time limit causes one wake-up, not one per frame")
    func limited() throws {
      let folder = try TemporaryFolder.photoLibrary(count: 30)
      let run = try VitrineRun(
        ["--headless", "--duration", "600", "--report", "-"] + VitrineRun.smallWindow, on: folder)
      let (before, after) = try Self.observeIdle(run)
      #expect(after.switches == before.switches)
      run.process.signal(SIGTERM)
      let result = try run.waitForExit()
      #expect(result.status == 130 && result.errorOutput.isEmpty, "\(result)")
    }

    /// Observes an idle program for a second.
    ///
    /// What was shown is stored after a second without activity, and its thumbnails are made after another one. If other
    /// programs take the cores, that is tried again after pauses that double: a pause may be longer than the wait. What
    /// wakes up regularly does so in each attempt.
    private static func observeIdle(
      _ run: VitrineRun
    ) throws -> (before: ProcessInspector.Usage, after: ProcessInspector.Usage) {
      var before = try run.waitUntilIdle(for: .seconds(5))
      var after = try run.observe(for: .seconds(1))
      for _ in 0..<3 where after.switches != before.switches {
        before = try run.waitUntilIdle(for: .seconds(5))
        after = try run.observe(for: .seconds(1))
      }
      return (before, after)
    }

    @Test(
      "An idle window has no wake-up and no processor time in a second",
      .enabled(if: XServer.isInstalled, "Xvfb and xdotool are not installed"))
    func window() throws {
      let folder = try TemporaryFolder.photoLibrary(count: 30)
      let server = try XServer()
      let run = try VitrineRun(
        ["--renderer", "software", "--no-cache"] + VitrineRun.smallWindow, on: folder, display: server)
      _ = try run.process.wait(for: "the window") { try server.window() }
      // The scroll bar fades a second after the photographs are there.
      let before = try run.waitUntilIdle(for: .seconds(2))
      let after = try run.observe(for: .seconds(1))
      #expect(after.switches == before.switches)
      #expect(after.nanoseconds == before.nanoseconds)
      run.process.signal(SIGTERM)
      #expect(try run.waitForExit().status == 130)
    }
  }
}

extension Scenarios {
  @Suite("--reduce-motion disables animations")
  struct ReducedMotionTests {
    @Test("A zoom is animated, and immediate with reduced motion")
    func zoom() throws {
      let script = try TemporaryFolder(named: "script")
      try script.write(Array(#"{"steps": [{"wait": 0.5}, {"zoom": 1}]}"#.utf8), to: "zoom.json")
      let options =
        VitrineRun.smallWindow + [
          "--synthetic", "2000", "--clock", "virtual", "--duration", "2", "--scroll", script.path + "/zoom.json",
        ]
      let moving = try VitrineRun.report(options).figures
      let still = try VitrineRun.report(options + ["--reduce-motion"]).figures
      #expect(moving.frames.trackedSeconds > 0.1, "the zoom is animated")
      #expect(still.frames.trackedSeconds == 0)
      #expect(still.frameDigest != moving.frameDigest)
    }
  }
}
