import Foundation
import Testing
import VitrineTestSupport

extension Scenarios {
  @Suite("The benchmarks' program", .enabled(if: BuiltProgram.hasBenchmarks, "the package Benchmarks is not built"))
  struct BenchmarkProgramTests {
    private let folder: TemporaryFolder
    private let figures: String

    init() throws {
      folder = try TemporaryFolder()
      figures = folder.path + "/figures.json"
    }

    private func run(
      _ words: [String], environment: [String: String] = [:]
    ) throws -> ProcessResult {
      try ChildProcess(
        ([BuiltProgram.benchmarks] + words).map { Array($0.utf8) },
        environment: BuiltProgram.environment(home: folder.path).merging(environment) { $1 }
      ).waitForExit()
    }

    private func write(_ text: String, to path: String) throws {
      try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    }

    private func text(of name: String) throws -> String {
      String(decoding: try Data(contentsOf: URL(fileURLWithPath: folder.path + "/" + name)), as: UTF8.self)
    }

    // MARK: Thresholds

    private func judge(retains: Double, revision: String) throws -> ProcessResult {
      let thresholds = folder.path + "/thresholds.json"
      try write(
        """
        {"thresholds": [
          {"figure": "scroll.quiet.*.retains", "unit": "calls", "atMost": 1, "steady": true, "source": "as counted"}
        ]}
        """, to: thresholds)
      try write(
        """
        {"figures": [{"name": "scroll.quiet.1000.retains", "value": \(retains), "unit": "calls", "nature": "counted"}]}
        """, to: figures)
      return try run([
        "judge", "--figures", figures, "--thresholds", thresholds, "--benchmarks", "scroll", "--history",
        folder.path + "/here.jsonl", "--landed", folder.path + "/tree.jsonl", "--land", "--markdown",
        folder.path + "/table.md", "--revision", revision,
      ])
    }

    @Test("A met threshold exits with 0, a missed one with 1 and its name, and both histories grow")
    func thresholds() throws {
      let met = try judge(retains: 1, revision: "first")
      #expect(met.status == 0 && met.text.contains("1 figures: 1 kept."), "\(met)")
      let missed = try judge(retains: 2, revision: "second")
      #expect(missed.status == 1, "\(missed)")
      let table = try text(of: "table.md")
      #expect(table.contains("Failed: `scroll.quiet.1000.retains`.") && table.contains("| 1 (+100.00 %) |"))
      for name in ["here.jsonl", "tree.jsonl"] {
        let runs = try text(of: name).split(separator: "\n")
        #expect(runs.count == 2 && runs[0].contains("\"first\"") && runs[1].contains("\"second\""), "\(name)")
      }
    }

    @Test("A benchmark writes the figures that it prints")
    func writtenFigures() throws {
      let result = try run(["layout", "--layouts", "grid", "--n", "1000", "--repeat", "1", "--json", figures])
      #expect(result.status == 0, "\(result)")
      let written = try text(of: "figures.json")
      for name in ["layout.grid.1000.question.time", "layout.grid.1000.kept.bytes"] {
        #expect(written.contains("\"\(name)\""))
      }
    }

    // MARK: The scene in a window

    /// Runs the scene and returns its figures: the words after "scene" in its output.
    private func scene(_ mode: String) throws -> [Int] {
      let server = try XServer(width: 1_400, height: 900)
      let result = try run(
        ["scroll", "--scene", "window", "--n", "2000", "--seconds", "1", "--only", mode],
        environment: ["DISPLAY": server.name, "SDL_VIDEODRIVER": "x11"])
      #expect(result.status == 0, "\(result)")
      let line = try #require(result.text.split(separator: "\n").first { $0.hasPrefix("scene ") }, "\(result)")
      return line.split(separator: " ").compactMap { Int($0) }
    }

    @Test(
      "Pixels are moved only in damage mode, and the last frame has the pixels of a full redraw",
      .enabled(if: XServer.isInstalled, "Xvfb and xdotool are not installed"), arguments: ["damage", "whole"])
    func sceneInWindow(mode: String) throws {
      // Frames first, moved frames and whether the pixels are right last but the phases' times (SceneReading).
      let figures = try scene(mode)
      #expect(figures[0] > 0 && figures[11] == 1)
      #expect((figures[10] > 0) == (mode == "damage"))
    }
  }
}
