import Foundation
import Testing
import VitrineDiagnostics
import VitrineTestSupport

@testable import VitrineHosting
@testable import vitrine

extension CommandLineScenarios {
  @Suite("Every option has its effect in combination with all others")
  struct OptionEffectTests {
    /// An option with its value, and the evidence of its effect.
    private struct OptionEffect: CustomStringConvertible {
      /// The evidence of an effect: a field of the report that differs without the option, or frames that differ
      /// without it.
      enum Evidence {
        case figure(String, ClosedRange<Double>)
        case text(String, equals: String)
        case frames

        var isFrames: Bool { if case .frames = self { true } else { false } }
      }

      let arguments: [String]
      let evidence: Evidence

      init(_ arguments: String, _ evidence: Evidence) {
        self.arguments = arguments.split(separator: " ").map(String.init)
        self.evidence = evidence
      }

      var description: String { arguments.joined(separator: " ") }
    }

    /// The fields of a run's report.
    private struct Report {
      let fields: [String: Any]

      init(_ arguments: [String]) throws {
        let result = try VitrineRun.run(["--headless", "--report", "-"] + arguments)
        try #require(result.status == 0 && result.errorOutput.isEmpty, "\(arguments): \(result)")
        fields = try #require(JSONSerialization.jsonObject(with: Data(result.output)) as? [String: Any])
      }

      func value(_ path: String) -> Any? {
        path.split(separator: ".").reduce(fields as Any?) { ($0 as? [String: Any])?[String($1)] }
      }

      func matches(_ evidence: OptionEffect.Evidence) -> Bool? {
        switch evidence {
        case .figure(let path, let expected): (value(path) as? Double).map(expected.contains) ?? false
        case .text(let path, let expected): value(path) as? String == expected
        case .frames: nil
        }
      }
    }

    /// The options of both command lines.
    ///
    /// There are two, because not every layout has columns, and a run has a limit of frames or of seconds.
    private static let common = [
      OptionEffect("--synthetic 40", .figure("library.items", 40...40)),
      OptionEffect("--group month", .figure("library.sections", 2...2)),
      OptionEffect("--sort name", .frames), OptionEffect("--seed 3", .frames), OptionEffect("--overlay 2", .frames),
      OptionEffect("--renderer memory", .text("display.drawnBy", equals: "memory")),
      OptionEffect("--refresh 120", .figure("display.refreshHz", 120...120)),
      OptionEffect("--size 400x300", .figure("display.widthPoints", 400...400)),
      OptionEffect("--scroll steady:900", .frames),
      OptionEffect("--prefetch off", .figure("cells.preparedInSlack", 0...0)),
      OptionEffect("--cell-cost 1", .frames), OptionEffect("--upload-cost 1", .frames),
      OptionEffect("--frame-id-stripe", .frames),
      OptionEffect("--decode-delay 40", .figure("images.decodeMs.p50", 40...10_000)),
    ]
    private static let commandLines = [
      common + [
        OptionEffect("--layout justified", .frames), OptionEffect("--frames 24", .figure("frames.count", 24...24)),
      ],
      common + [
        OptionEffect("--columns 5", .frames), OptionEffect("--duration 0.1", .figure("frames.count", 12...13)),
      ],
    ]

    /// Returns the indices of the options to remove in each run.
    ///
    /// In a long run every option is removed alone. Otherwise the common options are removed from the first line only,
    /// and those with an effect on the report all at once.
    private static func removals(from effects: [OptionEffect], line: Int) -> [[Int]] {
      if TestScale.isLong { return effects.indices.map { [$0] } }
      let removed = effects.indices.filter { line == 0 || $0 >= common.count }
      let (frames, report) = (
        removed.filter { effects[$0].evidence.isFrames }, removed.filter { !effects[$0].evidence.isFrames }
      )
      return frames.map { [$0] } + (report.isEmpty ? [] : [report])
    }

    @Test("Removing any option removes its effect", arguments: 0...1)
    func eachOption(line: Int) throws {
      let effects = Self.commandLines[line]
      let clock = ["--clock", "virtual"]
      let all = try Report(clock + effects.flatMap(\.arguments))
      #expect(
        try Report(clock + effects.flatMap(\.arguments)).value("frameDigest") as? String == all.value("frameDigest")
          as? String)
      for effect in effects { #expect(all.matches(effect.evidence) != false, "\(effect): \(all.fields)") }
      for removed in Self.removals(from: effects, line: line) {
        // Without the number of items or the limit, another value replaces it.
        let instead = removed.flatMap { index in
          index == 0 ? ["--synthetic", "50"] : index == effects.count - 1 ? ["--frames", "50"] : []
        }
        let rest = effects.indices.filter { !removed.contains($0) }.flatMap { effects[$0].arguments }
        let without = try Report(clock + rest + instead)
        for effect in removed.map({ effects[$0] }) {
          let isEqual =
            without.matches(effect.evidence)
            ?? (without.value("frameDigest") as? String == all.value("frameDigest") as? String)
          #expect(!isEqual, "\(effect) has no effect in combination with \(rest)")
        }
      }
    }

    @Test("The options have their effects on every clock", arguments: ["timer", "cpu"], 0...1)
    func clocks(clock: String, line: Int) throws {
      let effects = Self.commandLines[line]
      let report = try Report(["--clock", clock] + effects.flatMap(\.arguments))
      #expect(report.value("display.clock") as? String == clock)
      // The number of frames, and whether an image is decoded by then, depends on the machine on these clocks.
      let timed = ["--duration", "--frames", "--decode-delay"]
      for effect in effects where !timed.contains(effect.arguments[0]) {
        #expect(report.matches(effect.evidence) != false, "\(effect): \(report.fields)")
      }
      #expect(report.value("images.decodeMs.p50") as? Double ?? 40 >= 40)
      #expect(try #require(report.value("frames.count") as? Double) <= 24)
    }
  }
}

// MARK: - Pairs

extension CommandLineScenarios {
  @Suite("Every option is obeyed or refused in combination with every other one")
  struct OptionPairTests {
    /// Returns the arguments that set an option of the table, with the options that it requires.
    private static func arguments(for name: String, in folder: TemporaryFolder) -> [[String]] {
      switch name {
      case "--sample", "--synthetic", "--seed", "--columns", "--overlay", "--workers": [[name, "3"]]
      case "--layout": [[name, "mosaic"]]
      case "--group": [[name, "month"]]
      case "--sort": [[name, "date"]]
      case "--theme": [[name, "light"]]
      case "--clock": ["auto", "vsync", "timer", "virtual", "cpu"].map { [name, $0] }
      case "--cpu-scale": [[name, "2", "--clock", "cpu"]]
      case "--renderer": ["software", "opengl"].map { [name, $0] }
      case "--refresh": [[name, "120"]]
      case "--library-thumbnails": [[name, "on"], [name, "off"]]
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

    /// The options that write a file when the run ends.
    private static let outputs = ["--report", "--trace", "--frame-log", "--record", "--screenshot"]

    /// Creates a folder with a recording of synthetic images.
    private static func folderWithRecording() throws -> TemporaryFolder {
      let folder = try TemporaryFolder()
      let result = try VitrineRun.run([
        "--synthetic", "3", "--headless", "--clock", "virtual", "--frames", "3", "--record",
        folder.path(of: "recording"),
      ])
      try #require(result.status == 0, "\(result)")
      return folder
    }

    @Test("A pair of options that is refused is refused with a message that names both")
    @MainActor func pairs() throws {
      let folder = try Self.folderWithRecording()
      // `--demo` passes the command line to another program before any other option is parsed.
      let names = GalleryOptions.table.options.map(\.name).filter { $0 != "--demo" }
      let lines = names.map { (name: $0, arguments: Self.arguments(for: $0, in: folder)) }
      var (refused, obeyed) = (0, 0)
      for (index, one) in lines.enumerated() {
        for other in lines[(index + 1)...] {
          for arguments in one.arguments.flatMap({ first in other.arguments.map { first + $0 } }) {
            do throws(UsageError) {
              let line = try GalleryOptions.table.parse(
                arguments.map { Array($0.utf8) }, into: GalleryOptions(), common: \.common, of: "vitrine",
                modes: GalleryOptions.modes, replacedNames: GalleryOptions.replacedOptionNames)
              try line.settings.validate(operandCount: 0)
              try line.settings.common.validateDestinations()
              obeyed += 1
            } catch {
              refused += 1
              let given = arguments.filter { $0.hasPrefix("--") }
              #expect(given.count { error.description.contains($0) } >= 2, "\(arguments): \(error)")
            }
          }
        }
      }
      #expect(refused > 50 && obeyed > 500, "\(refused) refused, \(obeyed) obeyed")
    }

    @Test("An option that writes a file writes it in any combination, or the run is refused")
    @MainActor func files() throws {
      let folder = try Self.folderWithRecording()
      // The help and the version replace the run.
      let others = ["--demo", "--help", "--version"] + Self.outputs
      for name in GalleryOptions.table.options.map(\.name) where !others.contains(name) {
        for arguments in Self.arguments(for: name, in: folder) {
          // A window requires a display, therefore the run is headless.
          var line = arguments + (arguments.contains("--headless") ? [] : ["--headless"])
          if !line.contains("--frames"), !line.contains("--duration") { line += ["--frames", "3"] }
          if !line.contains(where: { ["--sample", "--synthetic", "--replay"].contains($0) }) {
            line +=
              arguments.contains("--cache-dir") || arguments.contains("--verdicts")
              ? ["--sample", "2"] : ["--synthetic", "9"]
          }
          let written = Self.outputs.filter { !arguments.contains($0) || $0 == "--trace" }
          for output in written where !line.contains(output) { line += [output, folder.path(of: "out\(output)")] }
          let result = try VitrineRun.run(line)
          if result.status == 2 {
            #expect(
              result.errorLines.count == 1 && result.output.isEmpty && result.errorOutput.contains(name), "\(result)")
          } else {
            #expect(result.status == 0, "\(line): \(result)")
          }
          for output in written {
            let path = folder.path(of: "out\(output)")
            #expect(
              FileManager.default.fileExists(atPath: path) == (result.status == 0), "\(output) of \(line): \(result)")
            try? FileManager.default.removeItem(atPath: path)
          }
        }
      }
    }
  }
}
