import Foundation
import Testing
import VitrineGeometry
import VitrineRendering
import VitrineTestSupport

extension Scenarios {
  @Suite(
    "The reported frames can be verified from outside the program",
    .enabled(
      if: XServer.isInstalled && BuiltProgram.isInstalled("gcc", "bash", "awk", "dpkg-query"),
      "Xvfb, xdotool or gcc are not installed"))
  struct ExternalFrameVerificationTests {
    /// The folder of the script and of its C programs.
    private static let scripts = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: "scripts").path

    private func run(
      _ arguments: [String], _ environment: [String: String] = [:], in folder: TemporaryFolder
    ) throws -> ProcessResult {
      try ChildProcess(
        arguments.map { Array($0.utf8) },
        environment: BuiltProgram.environment(home: folder.path).merging(environment) { $1 }
      ).waitForExit()
    }

    /// Returns a screen file of Xvfb with the pixels of a bitmap.
    private func xwdFile(_ bitmap: Bitmap) -> [UInt8] {
      let (width, height) = (bitmap.size.width, bitmap.size.height)
      var words = [UInt32](repeating: 0, count: 25)
      // A name and two colours of a table lie between this header and the pixels.
      (words[0], words[1], words[2], words[3]) = (104, 7, 2, 24)
      (words[4], words[5], words[11], words[12], words[19]) = (UInt32(width), UInt32(height), 32, UInt32(width) * 4, 2)
      let header = words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * $0)) } }
      return header + [UInt8](repeating: 0, count: 4 + 2 * 12) + bitmap.withPixels { Array($0) }
    }

    @Test("The observer decodes from a screen file the frame number that the program drew")
    func decoding() throws {
      let folder = try TemporaryFolder()
      let picture = folder.path(of: "frame.png")
      let result = try VitrineRun.run([
        "--headless", "--clock", "virtual", "--size", "640x480", "--synthetic", "100", "--scroll", "steady:500",
        "--frames", "41", "--frame-id-stripe", "--screenshot", picture,
      ])
      try #require(result.status == 0, "\(result)")
      let watch = folder.path(of: "frame_watch")
      let compiler = try run(
        ["gcc", "-O1", "-Wall", "-Werror", "-o", watch, Self.scripts + "/observe.d/frame_watch.c"], in: folder)
      try #require(compiler.status == 0, "\(compiler)")
      var screen = xwdFile(try Screenshot.read(picture, width: 640, height: 480))
      try folder.write(screen, to: "screen")
      let answer = try run([watch, "--decode", folder.path(of: "screen")], in: folder)
      #expect(answer.text == "40 40\n", "\(answer)")
      // A screen without frame numbers, and a file that is no screen.
      for index in 128..<screen.count { screen[index] = 77 }
      try folder.write(screen, to: "screen")
      #expect(try run([watch, "--decode", folder.path(of: "screen")], in: folder).text == "- -\n")
      try folder.write(Array(screen[..<90]), to: "screen")
      #expect(try run([watch, "--decode", folder.path(of: "screen")], in: folder).status == 1)
    }

    /// Compares a report of ten frames with observations 50 µs after each was presented, and returns the lines of the
    /// result.
    ///
    /// - Parameters:
    ///   - sightings: The observed edges and frame numbers, in order of observation.
    ///   - stamps: The frames that the preloaded library recorded.
    ///   - folder: The folder of the programs and their input.
    private func compare(
      _ sightings: [(edge: String, frame: Int)], stamps: Range<Int>, _ folder: TemporaryFolder
    ) throws -> [Substring] {
      func presented(_ frame: Int) -> Int { 1_000_000_000 + frame * 16_666_667 }
      let names = [
        "frame", "target", "start", "committed", "present_start", "presented", "shown", "input", "hitch", "class",
        "tracked", "first", "allocations",
      ]
      let frames = (0..<10).map { frame in
        let at = presented(frame)
        return "\(frame)\t\(at)\t0\t0\t0\t\(at)\t\(at)\t-\t0\tnone\t1\t0\t\(frame)\n"
      }
      let seen = sightings.map { edge, frame in "\(edge) \(frame) \(presented(frame)) \(presented(frame) + 50_000)\n" }
      let stamped = stamps.map { "\($0) 0 0 0 \(presented($0) + 1_000) \($0 == 3 ? 99 : $0)\n" }
      try folder.write(Array((names.joined(separator: "\t") + "\n" + frames.joined()).utf8), to: "frames")
      try folder.write(Array(("looks 100 120000\n" + seen.joined()).utf8), to: "sights")
      try folder.write(Array(stamped.joined().utf8), to: "stamps")
      let result = try run(
        ["frame_compare", "frames", "sights", "stamps"].map { folder.path(of: $0) } + ["60"], in: folder)
      try #require(result.status == 0, "\(result)")
      return result.text.split(separator: "\n")
    }

    @Test("Missing, reordered, torn and miscounted frames are reported, and no others")
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
      #expect(
        fine.contains { $0.contains("time seen (bottom edge) minus time presented") && $0.contains(" p50   0.050 ") })
      let blind = try compare([], stamps: 0..<10, folder)
      #expect(blind.last == "Number and order of frames: NOT SEEN. Present to visible: NOT MEASURED.")
      let halves = try compare(whole.filter { $0.0 == "top" }, stamps: 0..<10, folder)
      #expect(halves.last == "Number and order of frames: NOT EQUAL. Present to visible: NOT MEASURED.")
      // Frame 7 is missing, frame 8 has no bottom edge, and frame 5 precedes frame 4.
      var sightings = whole.filter { $0.1 != 7 && !($0.0 == "bottom" && $0.1 == 8) }
      sightings.swapAt(8, 10)
      sightings.swapAt(9, 11)
      let wrong = try compare(sightings, stamps: 0..<11, folder)
      for (line, ours, outside) in [
        ("  made ", 10, 11), ("on the screen, from the first", 10, 9),
        ("seen in another order", 0, 2), ("timed by the preloaded library in another order", 0, 0),
        ("with numbers of no frame", 0, 1),
        ("only a part seen", 0, 1), ("refreshes that showed the last frame again", 0, 0),
      ] {
        let words = try #require(wrong.first { $0.contains(line) }).split(separator: " ")
        let isEqual = ours == outside
        #expect(words.suffix(isEqual ? 3 : 4).prefix(2) == ["\(ours)", "\(outside)"], "\(line): \(words)")
      }
      #expect(wrong.contains { $0.contains("equal in 9 of 10 frames") })
      #expect(wrong.contains { $0.contains("Number and order of frames: NOT EQUAL.") })
    }

    @Test(
      "In a window frames are observed in order, and every frame is recorded with its number of allocations",
      .enabled(if: BuiltProgram.hasBenchmarks, "the package Benchmarks is not built"))
    func observing() throws {
      let folder = try TemporaryFolder()
      let build = URL(fileURLWithPath: BuiltProgram.path).deletingLastPathComponent().path
      let result = try run(
        ["bash", Self.scripts + "/observe", "--seconds", "2", "--size", "640x480", "--keep", folder.path(of: "logs")],
        ["VITRINE_BUILD": build], in: folder)
      try #require(result.status == 0, "\(result)")
      // Which frames are missed, and when frames are seen, depends on the machine: the script prints it, but no test
      // checks it.
      for line in [
        "  made  ", "seen in another order", "timed by the preloaded library in another order",
        "with numbers of no frame",
      ] {
        #expect(
          result.text.split(separator: "\n").contains { $0.contains(line) && $0.hasSuffix("  equal") }, "\(result.text)"
        )
      }
      #expect(result.text.contains("Hitch ratio: ours "))
      let counted = try #require(
        result.text.split(separator: "\n").first { $0.contains("  equal in ") }, "\(result.text)")
      let numbers = counted.split(separator: " ").compactMap { Int($0) }
      #expect(numbers.count > 2 && numbers[0] == numbers[1] && numbers[0] > 0, "\(counted)")
      let frames = try String(contentsOfFile: folder.path(of: "logs/frames"), encoding: .utf8).split(separator: "\n")
      #expect(frames.count > numbers[0] / 2)
    }
  }
}
