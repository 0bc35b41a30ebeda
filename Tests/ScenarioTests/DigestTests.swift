import Rendering
import Testing

extension Scenarios {
  @Suite("On the virtual clock equal runs show equal frames")
  struct DigestTests {
    static let flick = VitrineRun.smallWindow + ["--clock", "virtual", "--scroll", "flick:8000", "--duration", "10"]
    static let jump = VitrineRun.smallWindow + ["--clock", "virtual", "--scroll", "jump", "--duration", "1.2"]

    /// A folder of small photographs of three formats, one of a single pixel, and two files that are none.
    static func library(count: Int = 140, named name: String = "photographs") throws -> TemporaryFolder {
      let folder = try TemporaryFolder(named: name)
      let maker = try PictureMaker()
      for number in 0..<count { try folder.write(try maker.gradient(number), to: "photo \(number).jpg") }
      try folder.write(maker.jpeg(Color(hex: 0xC86432), width: 1, height: 1), to: "dot.jpg")
      try folder.write(PictureMaker.png, to: "drawing.png")
      try folder.write(PictureMaker.webP, to: "picture.webp")
      try folder.write([], to: "empty.jpg")
      try folder.write(Array("not a picture at all".utf8), to: "text.png")
      return folder
    }

    @Test("Ten seconds of flicks, again on one core alone, and again in a copy of the folder")
    func flicks() throws {
      let folder = try Self.library()
      let first = try VitrineRun.report(Self.flick, on: folder)
      let digest = try #require(first.figures.frameDigest)
      #expect(digest.wholeMatch(of: /[0-9a-f]{16}/) != nil)
      #expect(first.figures.frames.count >= 600)
      #expect(first.figures.library.items == 145)
      #expect(first.figures.library.failed == 2)
      let oneCore = BuiltProgram.tool("taskset").map { [$0, "-c", "0"] } ?? []
      #expect(try VitrineRun.report(Self.flick, on: folder, wrapper: oneCore).figures.frameDigest == digest)
      // Other inodes and other times of change, in a folder of the same name.
      let copy = try Self.library()
      #expect(try VitrineRun.report(Self.flick, on: copy).figures.frameDigest == digest)
    }

    @Test(
      "Every layout by months, zoomed by a script, shows equal frames in a copy of the folder with other times",
      arguments: ["grid", "justified", "mosaic", "list"])
    func layouts(layout: String) throws {
      let folder = try Self.library(count: 30)
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
      let copy = try Self.library(count: 30)
      #expect(try VitrineRun.report(options, on: copy).figures.frameDigest == first.figures.frameDigest)
    }

    @Test("Another seed, another picture, another name, another size: another digest")
    func differences() throws {
      let folder = try Self.library(count: 80)
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

    @Test("Only the virtual clock promises a digest", arguments: ["cpu", "timer"])
    func otherClocks(clock: String) throws {
      let folder = try Self.library(count: 3)
      let report = try VitrineRun.report(["--clock", clock, "--frames", "5"], on: folder)
      #expect(report.figures.frameDigest == nil)
      #expect(report.figures.display.clock == clock)
    }

    @Test("A second of a script is a second on the virtual clock, whatever it takes")
    func duration() throws {
      let report = try VitrineRun.report(Self.jump, on: try Self.library(count: 60))
      #expect(report.figures.frames.trackedSeconds >= 1.1 && report.figures.frames.trackedSeconds <= 1.2)
      // A commit that costs nothing is never late, which says nothing.
      #expect(report.figures.hitches == nil && report.fields.contains("hitches"))
    }
  }
}
