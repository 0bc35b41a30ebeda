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
      ).waitForEnd(within: .seconds(120))
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
