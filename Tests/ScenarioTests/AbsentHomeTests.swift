import Foundation
import Testing

extension Scenarios {
  @Suite("A home that is not there is not made")
  struct AbsentHomeTests {
    /// What stands in the folder around the home after a run.
    func names(after options: [String], environment: [String] = [], display: XServer? = nil) throws -> [String] {
      let around = try TemporaryFolder()
      let variables = (["HOME=/home"] + environment).map { $0.replacingOccurrences(of: "=/", with: "=\(around.path)/") }
      let pictures = try DigestTests.library(count: 2)
      let run = try VitrineRun(
        options + ["--frames", "2"], on: options.contains("--sample") ? nil : pictures, display: display,
        wrapper: ["env"] + variables)
      let end = try run.end()
      #expect(end.status == 0, "\(end)")
      return try FileManager.default.subpathsOfDirectory(atPath: around.path).sorted()
    }

    @Test(
      "By the place of a window, which goes where the user says if there is a folder around it",
      .enabled(if: XServer.isInstalled, "Xvfb and xdotool are not installed"))
    func window() throws {
      let server = try XServer()
      let options = ["--renderer", "software"]
      #expect(try names(after: options, display: server) == [])
      #expect(try names(after: options, environment: ["XDG_STATE_HOME=/absent/state"], display: server) == [])
      #expect(
        try names(after: options, environment: ["XDG_STATE_HOME=/state"], display: server)
          == ["state", "state/vitrine", "state/vitrine/window"])
    }

    @Test("By sample photographs, which are then not kept")
    func samples() throws { #expect(try names(after: ["--headless", "--sample", "1"]) == []) }
  }
}
