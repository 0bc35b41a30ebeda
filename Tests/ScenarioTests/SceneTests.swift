import BenchmarkSupport
import TestSupport
import Testing

extension Scenarios {
  @Suite(
    "The benchmark's scene in a window",
    .enabled(if: XServer.isInstalled, "Xvfb and xdotool are not installed"))
  struct SceneTests {
    private func reading(_ way: SceneWay) throws -> SceneReading {
      let server = try XServer(width: 1_400, height: 900)
      let home = try TemporaryFolder()
      var environment = BuiltProgram.environment(home: home.path)
      environment["DISPLAY"] = server.name
      environment["SDL_VIDEODRIVER"] = "x11"
      let words = [BuiltProgram.benchmarks, "scroll", "--scene", "window", "--n", "2000", "--seconds", "1", "--only"]
      let end = try ChildProcess((words + [way.rawValue]).map { Array($0.utf8) }, environment: environment)
        .waitForEnd()
      #expect(end.status == 0, "\(end)")
      return try #require(end.text.split(separator: "\n").lazy.compactMap { SceneReading(line: String($0)) }.first)
    }

    @Test("Frames are moved, and the last one has the pixels of the frame drawn whole")
    func moved() throws {
      let reading = try reading(.damage)
      #expect(reading.movedFrames > 0 && reading.hasRightPixels)
    }

    @Test("Where frames are to be drawn whole none is moved")
    func whole() throws {
      let reading = try reading(.whole)
      #expect(reading.frames > 0 && reading.movedFrames == 0 && reading.hasRightPixels)
    }
  }
}
