import Foundation
import Geometry
import Rendering
import TestSupport
import Testing

extension Scenarios {
  @Suite(
    "What is said of frames can be checked from outside",
    .enabled(
      if: XServer.isInstalled && BuiltProgram.has("gcc", "bash", "awk", "dpkg-query"),
      "Xvfb, xdotool or gcc are not installed"))
  struct ObservingTests {
    /// The folder of the script and its programs.
    private static let scripts = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: "scripts").path

    private func run(_ words: [String], _ settings: [String: String] = [:], in folder: TemporaryFolder) throws
      -> ProcessEnd
    {
      try ChildProcess(
        words.map { Array($0.utf8) }, environment: BuiltProgram.environment(home: folder.path).merging(settings) { $1 }
      ).waitForEnd()
    }

    /// A screen as Xvfb keeps it, with the pixels of a picture.
    private func dump(_ bitmap: Bitmap) -> [UInt8] {
      let (width, height) = (bitmap.size.width, bitmap.size.height)
      var words = [UInt32](repeating: 0, count: 25)
      // A name, and two colours of a table, stand between these numbers and the pixels.
      (words[0], words[1], words[2], words[3]) = (104, 7, 2, 24)
      (words[4], words[5], words[11], words[12], words[19]) = (UInt32(width), UInt32(height), 32, UInt32(width) * 4, 2)
      let head = words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * $0)) } }
      return head + [UInt8](repeating: 0, count: 4 + 2 * 12) + bitmap.withPixels { Array($0) }
    }

    @Test("The number that the program draws is the one that the watcher reads in a screen's file")
    func decoding() throws {
      let folder = try TemporaryFolder()
      let picture = folder.path(of: "frame.png")
      let end = try VitrineRun.end([
        "--headless", "--clock", "virtual", "--size", "640x480", "--synthetic", "100", "--scroll", "steady:500",
        "--frames", "41", "--frame-id-stripe", "--screenshot", picture,
      ])
      try #require(end.status == 0, "\(end)")
      let watch = folder.path(of: "frame_watch")
      let compiler = try run(
        ["gcc", "-O1", "-Wall", "-Werror", "-o", watch, Self.scripts + "/observe.d/frame_watch.c"], in: folder)
      try #require(compiler.status == 0, "\(compiler)")
      var screen = dump(try Screenshot.read(picture, width: 640, height: 480))
      try folder.write(screen, to: "screen")
      let answer = try run([watch, "--decode", folder.path(of: "screen")], in: folder)
      #expect(answer.text == "40 40\n", "\(answer)")
      // A screen without them, and what is no screen.
      for place in 128..<screen.count { screen[place] = 77 }
      try folder.write(screen, to: "screen")
      #expect(try run([watch, "--decode", folder.path(of: "screen")], in: folder).text == "- -\n")
      try folder.write(Array(screen[..<90]), to: "screen")
      #expect(try run([watch, "--decode", folder.path(of: "screen")], in: folder).status == 1)
    }

    /// What is told of a run of ten frames that are seen 50 µs after they were presented; `sights` are edges and frames, in
    /// the order in which they came.
    private func compare(_ sights: [(edge: String, frame: Int)], stamps: Range<Int>, _ folder: TemporaryFolder) throws
      -> [Substring]
    {
      func presented(_ frame: Int) -> Int { 1_000_000_000 + frame * 16_666_667 }
      let names = [
        "frame", "target", "start", "committed", "present_start", "presented", "shown", "input", "hitch", "class",
        "tracked", "first", "allocations",
      ]
      let frames = (0..<10).map { frame in
        let at = presented(frame)
        return "\(frame)\t\(at)\t0\t0\t0\t\(at)\t\(at)\t-\t0\tnone\t1\t0\t\(frame)\n"
      }
      let seen = sights.map { edge, frame in "\(edge) \(frame) \(presented(frame)) \(presented(frame) + 50_000)\n" }
      let stamped = stamps.map { "\($0) 0 0 0 \(presented($0) + 1_000) \($0 == 3 ? 99 : $0)\n" }
      try folder.write(Array((names.joined(separator: "\t") + "\n" + frames.joined()).utf8), to: "frames")
      try folder.write(Array(("looks 100 120000\n" + seen.joined()).utf8), to: "sights")
      try folder.write(Array(stamped.joined().utf8), to: "stamps")
      let end = try run(
        ["frame_compare", "frames", "sights", "stamps"].map { folder.path(of: $0) } + ["60"], in: folder)
      try #require(end.status == 0, "\(end)")
      return end.text.split(separator: "\n")
    }

    @Test("Frames that are missing, in another order, torn or counted otherwise are told, and only they")
    func comparing() throws {
      let folder = try TemporaryFolder()
      let compiler = try run(
        [
          "gcc", "-O1", "-Wall", "-Werror", "-o", folder.path(of: "frame_compare"),
          Self.scripts + "/observe.d/frame_compare.c",
        ], in: folder)
      try #require(compiler.status == 0, "\(compiler)")
      let whole = (0..<10).flatMap { [("top", $0), ("bottom", $0)] }
      let fine = try compare(whole, stamps: 0..<10, folder)
      #expect(!fine.contains { $0.hasSuffix("NOT EQUAL") })
      #expect(fine.contains { $0.contains("order of frames: exactly equal.") })
      #expect(fine.contains { $0.contains("to be seen (bottom) less presented") && $0.contains(" p50   0.050 ") })
      let blind = try compare([], stamps: 0..<10, folder)
      #expect(blind.last == "Number and order of frames: NOT SEEN. Present to visible: NOT MEASURED.")
      let halves = try compare(whole.filter { $0.0 == "top" }, stamps: 0..<10, folder)
      #expect(halves.last == "Number and order of frames: NOT EQUAL. Present to visible: NOT MEASURED.")
      // 7 never comes, of 8 the lower edge does not, and 5 comes before 4.
      var sights = whole.filter { $0.1 != 7 && !($0.0 == "bottom" && $0.1 == 8) }
      sights.swapAt(8, 10)
      sights.swapAt(9, 11)
      let wrong = try compare(sights, stamps: 0..<11, folder)
      for (line, ours, outside) in [
        ("made, as the preloaded library counts them", 10, 11), ("on the screen, from the first that was there", 10, 9),
        ("in another order, seen", 0, 2), ("in another order, stamped", 0, 0), ("with numbers of no frame", 0, 1),
        ("of which only a part ever came to be seen", 0, 1), ("refreshes that showed the last frame again", 0, 0),
      ] {
        let words = try #require(wrong.first { $0.contains(line) }).split(separator: " ")
        let isEqual = ours == outside
        #expect(words.suffix(isEqual ? 3 : 4).prefix(2) == ["\(ours)", "\(outside)"], "\(line): \(words)")
      }
      #expect(wrong.contains { $0.contains("equal in 9 of 10 frames") })
      #expect(wrong.contains { $0.contains("Number and order of frames: NOT EQUAL.") })
    }

    @Test("In a window frames are seen in their order, and all that are made are stamped, with as many allocations")
    func observing() throws {
      let folder = try TemporaryFolder()
      let build = URL(fileURLWithPath: BuiltProgram.path).deletingLastPathComponent().path
      let end = try run(
        ["bash", Self.scripts + "/observe", "--seconds", "2", "--size", "640x480", "--keep", folder.path(of: "logs")],
        ["VITRINE_BUILD": build], in: folder)
      try #require(end.status == 0, "\(end)")
      // What is missed, and when what is seen, depends on the machine: that is printed, and not asserted.
      for line in [
        "made, as the preloaded library counts them", "in another order, seen", "in another order, stamped",
        "with numbers of no frame",
      ] {
        #expect(
          end.text.split(separator: "\n").contains { $0.contains(line) && $0.hasSuffix("  equal") }, "\(end.text)")
      }
      #expect(end.text.contains("Hitch ratio: ours "))
      let counted = try #require(end.text.split(separator: "\n").first { $0.contains("  equal in ") }, "\(end.text)")
      let numbers = counted.split(separator: " ").compactMap { Int($0) }
      #expect(numbers.count > 2 && numbers[0] == numbers[1] && numbers[0] > 0, "\(counted)")
      let frames = try String(contentsOfFile: folder.path(of: "logs/frames"), encoding: .utf8).split(separator: "\n")
      #expect(frames.count > numbers[0] / 2)
    }
  }
}
