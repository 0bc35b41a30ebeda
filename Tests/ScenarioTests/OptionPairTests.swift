import Foundation
import Testing

@testable import Hosting
@testable import vitrine

extension Scenarios {
  @Suite("Every option is obeyed or refused, beside every other one")
  struct OptionPairTests {
    /// Words that give each option of the table, with what it cannot do without.
    private static func words(_ name: String, in folder: TemporaryFolder) -> [[String]] {
      switch name {
      case "--sample", "--synthetic", "--seed", "--columns", "--overlay", "--workers": [[name, "3"]]
      case "--layout": [[name, "mosaic"]]
      case "--group": [[name, "month"]]
      case "--sort": [[name, "date"]]
      case "--clock": ["auto", "vsync", "timer", "virtual", "cpu"].map { [name, $0] }
      case "--cpu-scale": [[name, "2", "--clock", "cpu"]]
      case "--renderer": ["software", "opengl"].map { [name, $0] }
      case "--refresh": [[name, "120"]]
      case "--size": [[name, "400x300"]]
      case "--scroll": [[name, "steady:500"]]
      case "--prefetch": [[name, "off"]]
      case "--cell-cost", "--upload-cost", "--decode-delay": [[name, "1"]]
      case "--duration": [[name, "0.1"]]
      case "--frames": [[name, "4"]]
      case "--report", "--trace", "--frame-log", "--record", "--screenshot", "--verdicts":
        [[name, folder.path(of: "out\(name)")]]
      case "--replay": [[name, folder.path(of: "recording")]]
      case "--trace-hitch": [[name, "5", "--trace", folder.path(of: "out--trace")]]
      case "--cache-dir": [[name, folder.path(of: "cache")]]
      default: [[name]]
      }
    }

    /// Those that write a file when the run ends.
    private static let outputs = ["--report", "--trace", "--frame-log", "--record", "--screenshot"]

    /// A folder that holds a recording of pictures without files.
    private static func recorded() throws -> TemporaryFolder {
      let folder = try TemporaryFolder()
      let end = try VitrineRun.end([
        "--synthetic", "3", "--headless", "--clock", "virtual", "--frames", "3", "--record",
        folder.path(of: "recording"),
      ])
      try #require(end.status == 0, "\(end)")
      return folder
    }

    @Test("Of all pairs, those that are refused are refused by a line that names them")
    @MainActor func pairs() throws {
      let folder = try Self.recorded()
      // That one hands the line to another program, before any other option is looked at.
      let names = GalleryOptions.table.options.map(\.name).filter { $0 != "--demo" }
      let lines = names.map { (name: $0, words: Self.words($0, in: folder)) }
      var (refused, obeyed) = (0, 0)
      for (place, one) in lines.enumerated() {
        for other in lines[(place + 1)...] {
          for words in one.words.flatMap({ first in other.words.map { first + $0 } }) {
            do throws(UsageError) {
              let line = try GalleryOptions.table.parse(
                words.map { Array($0.utf8) }, into: GalleryOptions(), hosting: \.hosting, of: "vitrine",
                modes: GalleryOptions.modes, replaced: GalleryOptions.replacedOptionNames)
              try line.settings.validate(operandCount: 0)
              try line.settings.hosting.validateDestinations()
              obeyed += 1
            } catch {
              refused += 1
              let given = words.filter { $0.hasPrefix("--") }
              #expect(given.count { error.description.contains($0) } >= 2, "\(words): \(error)")
            }
          }
        }
      }
      #expect(refused > 50 && obeyed > 500, "\(refused) refused, \(obeyed) obeyed")
    }

    @Test("What writes a file writes it whatever else is given, or nothing is run")
    @MainActor func files() throws {
      let folder = try Self.recorded()
      // Help and version are told in place of a run, whatever stands beside them.
      let others = ["--demo", "--help", "--version"] + Self.outputs
      for name in GalleryOptions.table.options.map(\.name) where !others.contains(name) {
        for words in Self.words(name, in: folder) {
          // A window would need a display: what is tried is everything else.
          var line = words + (words.contains("--headless") ? [] : ["--headless"])
          if !line.contains("--frames"), !line.contains("--duration") { line += ["--frames", "3"] }
          if !line.contains(where: { ["--sample", "--synthetic", "--replay"].contains($0) }) {
            line +=
              words.contains("--cache-dir") || words.contains("--verdicts") ? ["--sample", "2"] : ["--synthetic", "9"]
          }
          let written = Self.outputs.filter { !words.contains($0) || $0 == "--trace" }
          for output in written where !line.contains(output) { line += [output, folder.path(of: "out\(output)")] }
          let end = try VitrineRun.end(line)
          if end.status == 2 {
            #expect(end.complaintLines.count == 1 && end.output.isEmpty && end.complaints.contains(name), "\(end)")
          } else {
            #expect(end.status == 0, "\(line): \(end)")
          }
          for output in written {
            let path = folder.path(of: "out\(output)")
            #expect(FileManager.default.fileExists(atPath: path) == (end.status == 0), "\(output) of \(line): \(end)")
            try? FileManager.default.removeItem(atPath: path)
          }
        }
      }
    }
  }
}
