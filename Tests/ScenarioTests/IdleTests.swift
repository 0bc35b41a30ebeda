import Glibc
import Testing

extension Scenarios {
  @Suite("At rest the program does nothing at all")
  struct IdleTests {
    @Test("Headless: no wake-up and no processor time in a second, the overlay shown or not", arguments: ["0", "4"])
    func headless(overlay: String) throws {
      let folder = try DigestTests.library(count: 30)
      let run = try VitrineRun(
        ["--headless", "--overlay", overlay, "--report", "-"] + VitrineRun.smallWindow, on: folder)
      let before = try run.waitForRest()
      let after = try run.watch(for: .seconds(1))
      #expect(after.switches == before.switches)
      #expect(after.nanoseconds == before.nanoseconds)
      run.process.signal(SIGTERM)
      let end = try run.end()
      #expect(end.status == 130, "\(end)")
      // It was at rest, and not stuck before its work.
      let figures = try RunFigures(end.output).figures
      #expect(figures.launch.firstFullScreenMs != nil)
      #expect(figures.frames.count > 1)
    }

    @Test("A time limit is one wake-up, not one a frame")
    func limited() throws {
      let folder = try DigestTests.library(count: 30)
      let run = try VitrineRun(
        ["--headless", "--duration", "600", "--report", "-"] + VitrineRun.smallWindow, on: folder)
      let before = try run.waitForRest()
      let after = try run.watch(for: .milliseconds(700))
      #expect(after.switches == before.switches)
      run.process.signal(SIGTERM)
      let end = try run.end()
      #expect(end.status == 130 && end.complaints.isEmpty, "\(end)")
    }

    @Test(
      "A window that nobody touches: no wake-up and no processor time in a second",
      .enabled(if: XServer.isInstalled, "Xvfb and xdotool are not installed"))
    func window() throws {
      let folder = try DigestTests.library(count: 30)
      let server = try XServer()
      let run = try VitrineRun(
        ["--renderer", "software", "--no-cache"] + VitrineRun.smallWindow, on: folder, display: server)
      _ = try run.process.wait(for: "the window") { try server.window() }
      let before = try run.waitForRest()
      let after = try run.watch(for: .seconds(1))
      #expect(after.switches == before.switches)
      #expect(after.nanoseconds == before.nanoseconds)
      run.process.signal(SIGTERM)
      #expect(try run.end().status == 130)
    }
  }
}
