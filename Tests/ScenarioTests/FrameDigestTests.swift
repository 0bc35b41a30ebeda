import Testing
import VitrineRendering

extension Scenarios {
  @Suite("On the virtual clock equal runs show equal frames")
  struct FrameDigestTests {
    static let flick = VitrineRun.smallWindow + ["--clock", "virtual", "--scroll", "flick:8000", "--duration", "10"]
    static let jump = VitrineRun.smallWindow + ["--clock", "virtual", "--scroll", "jump", "--duration", "1.2"]

    @Test("Ten seconds of flicks show equal frames, also on one core and in a copy of the folder")
    func flicks() throws {
      let folder = try TemporaryFolder.photoLibrary()
      let first = try VitrineRun.report(Self.flick, on: folder)
      let digest = try #require(first.figures.frameDigest)
      #expect(digest.wholeMatch(of: /[0-9a-f]{16}/) != nil)
      #expect(first.figures.frames.count >= 600)
      #expect(first.figures.library.items == 145)
      #expect(first.figures.library.failed == 2)
      let oneCore = BuiltProgram.toolPath("taskset").map { [$0, "-c", "0"] } ?? []
      #expect(try VitrineRun.report(Self.flick, on: folder, wrapper: oneCore).figures.frameDigest == digest)
      // A folder of the same name with other inodes and other modification times.
      let copy = try TemporaryFolder.photoLibrary()
      #expect(try VitrineRun.report(Self.flick, on: copy).figures.frameDigest == digest)
    }

    @Test(
      "Every layout grouped by months and zoomed by a script shows equal frames in a copy of the folder",
      arguments: ["grid", "justified", "mosaic", "list"])
    func layouts(layout: String) throws {
      let folder = try TemporaryFolder.photoLibrary(count: 30)
      let script = try TemporaryFolder(named: "script")
      try script.write(
        Array(
          #"{"steps": [{"wait": 0.3}, {"flick": {"velocity": 900}}, {"wait": 0.5}, {"zoom": 1}, {"zoom": -2}]}"#.utf8),
        to: "zoom.json")
      let options =
        ["--headless", "--size", "420x320"] + [
          "--clock", "virtual", "--duration", "2", "--layout", layout, "--group", "month", "--scroll",
          script.path + "/zoom.json",
        ]
      let first = try VitrineRun.report(options, on: folder)
      #expect(first.figures.library.items == 35)
      #expect(first.figures.frameDigest != nil)
      let copy = try TemporaryFolder.photoLibrary(count: 30)
      #expect(try VitrineRun.report(options, on: copy).figures.frameDigest == first.figures.frameDigest)
    }

    @Test("Each theme has another digest, and the default is dark whatever the desktop's settings files say")
    func themes() throws {
      let folder = try TemporaryFolder.photoLibrary(count: 10)
      func digest(_ options: [String], environment: [String: String] = [:]) throws -> String {
        let run = try VitrineRun(
          VitrineRun.smallWindow + ["--headless", "--clock", "virtual", "--frames", "20", "--report", "-"] + options,
          on: folder, environment: environment)
        return try #require(try RunFigures(run.waitForExit().output).figures.frameDigest)
      }
      let plain = try digest([], environment: ["GTK_THEME": "Adwaita"])
      #expect(try digest(["--theme", "dark"]) == plain)
      #expect(try digest(["--theme", "auto"]) == plain)
      let others = try [["--theme", "light"], ["--high-contrast"], ["--theme", "light", "--high-contrast"]].map {
        try digest($0)
      }
      #expect(Set(others + [plain]).count == 4)
    }

    @Test("Another seed, image, file name or window size changes the digest")
    func differences() throws {
      let folder = try TemporaryFolder.photoLibrary(count: 80)
      func digest(_ options: [String] = []) throws -> String {
        try #require(try VitrineRun.report(Self.jump + options, on: folder).figures.frameDigest)
      }
      let plain = try digest()
      #expect(try digest() == plain)
      #expect(try digest(["--seed", "1"]) == plain)
      #expect(try digest(["--workers", "2"]) == plain)
      var others = [try digest(["--seed", "2"]), try digest(["--size", "640x481"]), try digest(["--columns", "3"])]
      try folder.write(try PictureMaker().jpeg(Color(hex: 0xFF8000)), to: "photo 40.jpg")
      others.append(try digest())
      try folder.hardLink("photo 0 copy.jpg", to: "photo 1.jpg")
      others.append(try digest())
      #expect(Set(others + [plain]).count == others.count + 1, "\(others)")
    }

    @Test("Only the virtual clock reports a digest", arguments: ["cpu", "timer"])
    func otherClocks(clock: String) throws {
      let folder = try TemporaryFolder.photoLibrary(count: 3)
      let report = try VitrineRun.report(["--clock", clock, "--frames", "5"], on: folder)
      #expect(report.figures.frameDigest == nil)
      #expect(report.figures.display.clock == clock)
    }

    @Test("A second of a script is a second on the virtual clock, whatever its cost")
    func duration() throws {
      let report = try VitrineRun.report(Self.jump, on: try TemporaryFolder.photoLibrary(count: 60))
      #expect(report.figures.frames.trackedSeconds >= 1.1 && report.figures.frames.trackedSeconds <= 1.2)
      // A commit without a cost is never late, therefore hitches are not reported.
      #expect(report.figures.hitches == nil && report.fields.contains("hitches"))
    }
  }
}
