import Testing

extension Scenarios {
  @Suite(
    "No message bus is started",
    .enabled(if: UntouchedFilesTests.canTrace, "strace is not installed, or may not trace here"))
  struct MessageBusTests {
    /// Runs the program where there is no bus, and looks for what would start one.
    func expectNoBus(_ options: [String], environment: [String], display: XServer? = nil) throws {
      let strace = try #require(BuiltProgram.tool("strace"))
      let folder = try TemporaryFolder()
      let logs = try TemporaryFolder()
      let wrapper = [strace, "-f", "-qq", "-o", logs.path(of: "log"), "-e", "trace=execve", "env"] + environment
      let end = try VitrineRun(options + ["--frames", "2"], on: folder, display: display, wrapper: wrapper).end()
      #expect(end.status == 0, "\(end)")
      let log = try SystemCallLog(path: logs.path(of: "log"))
      // The trace sees what it is to see.
      #expect(!log.calls(naming: BuiltProgram.path).isEmpty)
      #expect(log.calls(naming: "dbus-launch").map(\.line) == [])
    }

    static let surroundings = [["DISPLAY=:64123"], ["DISPLAY=:64123", "DBUS_SESSION_BUS_ADDRESS="]]

    @Test("Headless, a display being there or not", arguments: surroundings)
    func headless(environment: [String]) throws { try expectNoBus(["--headless"], environment: environment) }

    @Test("In a window", .enabled(if: XServer.isInstalled, "Xvfb and xdotool are not installed"))
    func window() throws {
      try expectNoBus(["--renderer", "software", "--no-cache"], environment: [], display: try XServer())
    }
  }
}
