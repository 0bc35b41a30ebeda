import Glibc
import Testing

extension Scenarios {
  @Suite("External faults are reported by class, and deferrable work makes no frame late")
  struct FaultTests {
    /// Runs the steps of a script on a synthetic library.
    private static func run(
      _ steps: String, clock: String = "virtual", seconds: Double, _ options: [String] = []
    ) throws -> RunFigures.Figures {
      let script = try TemporaryFolder(named: "script")
      try script.write(Array(#"{"steps": [\#(steps)]}"#.utf8), to: "script.json")
      return try VitrineRun.report(
        VitrineRun.smallWindow + [
          "--synthetic", "20000", "--clock", clock, "--duration", "\(seconds)", "--scroll",
          script.path + "/script.json",
        ] + options
      ).figures
    }

    private static let steady = #"{"wait": 0.3}, {"steady": {"velocity": 1500, "seconds": 0.5}}"#

    @Test("A stopped process, a delayed present and a change of the refresh rate during motion")
    func classes() throws {
      let figures = try Self.run(
        Self.steady + "," + Self.steady.replacing(#"{"wait": 0.3}"#, with: #"{"fault": {"stop": 90}}"#) + ","
          + Self.steady.replacing(#"{"wait": 0.3}"#, with: #"{"fault": {"present": 70}}"#) + ","
          + Self.steady.replacing(#"{"wait": 0.3}"#, with: #"{"refresh": 144}"#), seconds: 3)
      let hitches = try #require(figures.hitches)
      #expect(hitches.byClass["external"] == 1 && hitches.byClass["presentLate"] == 1 && hitches.count == 2)
      #expect(hitches.worst?.contains { $0.cause.hasPrefix("others ran for 90") } == true)
    }

    @Test("Decodes that take twenty times as long make no frame late, and placeholders are shown meanwhile")
    func slowDecodes() throws {
      // With cells so costly that frames are late if cells are not prefetched.
      func run(prefetch: String) throws -> RunFigures.Figures {
        try Self.run(
          #"{"wait": 0.2}, {"flick": {"velocity": 8000}}"#, seconds: 3,
          ["--decode-delay", "400", "--cell-cost", "2", "--prefetch", prefetch])
      }
      let figures = try run(prefetch: "on")
      #expect(try #require(figures.hitches).count == 0)
      #expect(try #require(run(prefetch: "off").hitches).count > 5)
      #expect((figures.images.placeholderCellMs ?? 0) > 0 && figures.images.decoded > 5)
    }

    @Test("Uploads that cost more than a frame count as late commits in the upload phase, and end with the motion")
    func slowUploads() throws {
      let figures = try Self.run(
        #"{"wait": 0.2}, {"flick": {"velocity": 8000}}"#, seconds: 4, ["--upload-cost", "20"])
      let hitches = try #require(figures.hitches)
      #expect(hitches.byClass.filter { $0.key != "commitLate" }.allSatisfy { $0.value == 0 })
      #expect(hitches.worst?.allSatisfy { $0.phase == "upload" } == true)
      #expect(hitches.count > 0 && figures.images.uploads > 20)
    }

    @Test("Two preparation steps that take longer than estimated are two slack overruns")
    func slackOverruns() throws {
      let steady = #"{"steady": {"velocity": 1200, "seconds": 1}}"#
      let fault = #"{"fault": {"cost": 30}}"#
      let options = ["--cell-cost", "1"]
      let figures = try Self.run(
        [#"{"wait": 0.5}"#, steady, fault, steady, fault, steady].joined(separator: ","), seconds: 4, options)
      let hitches = try #require(figures.hitches)
      #expect(figures.slack?.overruns == 2 && hitches.byClass["slackOverrun"] == 2 && hitches.count == 2)
      #expect(hitches.worst?.allSatisfy { $0.phase == "slack" } == true)
      let without = try Self.run(
        [#"{"wait": 0.5}"#, steady, steady, steady].joined(separator: ","), seconds: 4, options)
      #expect(without.slack?.overruns == 0 && without.hitches?.count == 0)
    }

    @Test("A process that is stopped by a signal has external hitches")
    func stopped() throws {
      let run = try VitrineRun(
        VitrineRun.smallWindow + [
          "--headless", "--synthetic", "20000", "--clock", "timer", "--scroll", "steady:900", "--report", "-",
          "--duration", "6",
        ])
      _ = try run.process.wait(for: "the program to scroll") {
        ProcessInspector(processID: run.process.id).threadNames.contains { $0.hasPrefix("decode") } ? true : nil
      }
      // A stop during launch does not interrupt motion, therefore there are several.
      for _ in 0..<8 {
        run.process.signal(SIGSTOP)
        _ = try run.observe(for: .milliseconds(150))
        run.process.signal(SIGCONT)
        _ = try run.observe(for: .milliseconds(300))
      }
      let figures = try RunFigures(run.waitForExit().output).figures
      let classes = try #require(figures.hitches?.byClass)
      #expect((classes["external"] ?? 0) + (classes["wakeLate"] ?? 0) >= 3)
    }

    @Test("Faults are the same in every run of the virtual clock, and shuffled photographs move")
    func repeated() throws {
      let steps =
        Self.steady + #", {"fault": {"stop": 300}}, {"resize": {"width": 500, "height": 400}}, {"flip": {}}, "#
        + #"{"apply": "shuffle"}, {"wait": 1}"#
      let first = try Self.run(steps, seconds: 3)
      #expect(first.display.widthPoints == 500 && first.display.heightPoints == 400)
      #expect(first.frameDigest != nil)
      #expect(try Self.run(steps, seconds: 3).frameDigest == first.frameDigest)
      let unshuffled = steps.replacing(#"{"apply": "shuffle"}"#, with: #"{"wait": 0}"#)
      #expect(try Self.run(unshuffled, seconds: 3).frameDigest != first.frameDigest)
    }

    @Test("A fault that a simulated clock does not support is refused")
    func refused() throws {
      let script = try TemporaryFolder(named: "script")
      try script.write(Array(#"{"steps": [{"wait": 0}, {"fault": {"wake": 20}}]}"#.utf8), to: "wake.json")
      let result = try VitrineRun(
        ["--headless", "--synthetic", "10", "--clock", "virtual", "--scroll", script.path + "/wake.json"]
      ).waitForExit()
      #expect(result.status == 2 && result.errorOutput.contains("step 2"))
    }
  }
}
