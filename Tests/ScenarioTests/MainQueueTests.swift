import Foundation
import Glibc
import Testing
import VitrineTestSupport

extension Scenarios {
  @Suite("The loop of a program serves the main queue")
  struct MainQueueTests {
    @Test("Each kind of job wakes a resting headless loop and changes the label, and then there is no wake-up")
    func headless() throws { try expectJobs(VitrineRun(["--headless"], of: BuiltProgram.jobsProbe)) }

    @Test(
      "Each kind of job wakes a resting window and changes the label, and then there is no wake-up",
      .enabled(if: XServer.isInstalled, "Xvfb and xdotool are not installed"))
    func window() throws {
      let server = try XServer()
      try expectJobs(VitrineRun(["--renderer", "software"], of: BuiltProgram.jobsProbe, display: server))
    }

    @Test("A replay runs the jobs of each kind in the recorded frames, and shows the same frames")
    func replay() throws {
      let folder = try TemporaryFolder()
      let path = folder.path + "/run.jsonl"
      let recorded = try VitrineRun(
        ["--headless", "--clock", "virtual", "--record", path], of: BuiltProgram.jobsProbe
      ).waitForExit()
      #expect(recorded.status == 0 && recorded.text == MainQueueTests.texts, "\(recorded)")
      let replayed = try VitrineRun(
        ["--replay", path, "--report", folder.path + "/report.json"], of: BuiltProgram.jobsProbe
      )
      .waitForExit()
      #expect(replayed.status == 0 && replayed.text == recorded.text, "\(replayed)")
      let report = try String(contentsOfFile: folder.path + "/report.json", encoding: .utf8)
      #expect(report.contains("\"digestMatches\" : true") || report.contains("\"digestMatches\":true"), "\(report)")
    }

    private static let texts = "first frame\nTask\nMainActor.run\nDispatchQueue.main.async\nTask.sleep\n"

    private func expectJobs(_ run: VitrineRun, sourceLocation: SourceLocation = #_sourceLocation) throws {
      var before = try waitUntilFirstThreadRests(run)
      var after = try run.observe(for: .seconds(1)).switches[run.process.id]
      for _ in 0..<3 where after != before {
        before = try waitUntilFirstThreadRests(run)
        after = try run.observe(for: .seconds(1)).switches[run.process.id]
      }
      #expect(after == before, sourceLocation: sourceLocation)
      run.process.signal(SIGTERM)
      let result = try run.waitForExit()
      #expect(result.status == 130 && result.errorOutput.isEmpty, "\(result)", sourceLocation: sourceLocation)
      #expect(result.text == MainQueueTests.texts, sourceLocation: sourceLocation)
    }

    /// Waits until the first thread has slept for two seconds, and returns how often it has waited.
    ///
    /// Other threads do not count: once tasks have run, a thread of Dispatch looks at its workers every second.
    private func waitUntilFirstThreadRests(_ run: VitrineRun) throws -> Int {
      let inspector = ProcessInspector(processID: run.process.id)
      var last: Int?
      var deadline = Deadline(.seconds(2))
      return try run.process.wait(for: "the loop to rest; \(inspector.activity)") {
        let usage = inspector.usage
        let count = usage?.switches[run.process.id]
        if count != last || usage?.isAsleep != true {
          last = count
          deadline = Deadline(.seconds(2))
        }
        return deadline.hasPassed ? count : nil
      }
    }
  }
}
