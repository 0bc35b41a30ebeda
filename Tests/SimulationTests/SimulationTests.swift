import Foundation
import Testing
import VitrineSimulation

@Suite("Simulated use of the gallery")
struct SimulationTests {
  @Test("Random sessions violate nothing, and equal seeds produce equal frames", arguments: [2, 4, 8, 28] as [UInt64])
  func randomSessions(seed: UInt64) throws {
    var generator = SimulationGenerator(seed: seed)
    let script = generator.makeScript()
    let result = try SimulatedUse.run(script, digests: true)
    #expect(result.violation == nil)
    #expect(result.tally.frames > 10 && result.tally.checks > 100)
    let again = try SimulatedUse.run(script, digests: true)
    #expect(again.digest == result.digest && again.tally == result.tally)
  }

  /// The scripts that found a fault, by name.
  private nonisolated static let names: [String] = {
    let names = try? FileManager.default.contentsOfDirectory(atPath: folder)
    return (names ?? []).filter { $0.hasSuffix(".txt") }.sorted()
  }()

  private nonisolated static let folder = (#filePath as NSString).deletingLastPathComponent + "/Scripts"

  @Test("Sessions that found a fault violate nothing any more", arguments: names)
  func foundFaults(name: String) throws {
    let text = try String(contentsOfFile: SimulationTests.folder + "/" + name, encoding: .utf8)
    let script = try #require(SimulationScript(text: text))
    #expect(try SimulatedUse.run(script).violation == nil)
  }

  @Test("A planted fault is found, and its session is shrunk to the steps that matter")
  func plantedFault() throws {
    var settings = SimulationScript.Settings()
    settings.files = 30
    let noise = [
      SimulationEvent(after: 300, .wheel, -10), SimulationEvent(after: 40, .add, 1, 20, 0),
      SimulationEvent(after: 700, .resize, 500, 300), SimulationEvent(after: 5, .theme, 1),
      SimulationEvent(after: 100, .write, 3, 2), SimulationEvent(after: 16, .key, 4, 0, word: "2"),
    ]
    let script = SimulationScript(
      settings, noise + [SimulationEvent(after: 900, .key, 0, 3, word: "right")] + noise + [SimulationEvent(.rest)])
    func violation(of script: SimulationScript) -> SimulationViolation? {
      try? SimulatedUse.run(script, fault: .noFocusAbove(10)).violation
    }
    let first = try #require(violation(of: script))
    #expect(first.check == "planted" && first.event >= 7)
    var shrinker = SimulationShrinker(atMost: 200) { violation(of: $0)?.check == "planted" }
    let smallest = shrinker.shrink(script, failingAt: first.event)
    #expect(smallest.events.map(\.kind) == [.key], "\(smallest.text)")
    #expect(smallest.settings.files < 15)
    #expect(try SimulatedUse.run(smallest).violation == nil)
  }

  @Test("Scripts are written and read without loss, and invalid lines are refused")
  func scriptText() {
    for seed in 0..<20 as Range<UInt64> {
      var generator = SimulationGenerator(seed: seed)
      let script = generator.makeScript()
      #expect(SimulationScript(text: script.text) == script)
    }
    for text in ["", "files=x\n", "files=1\n5 fly\n", "files=1\n5 wheel\n", "files=1\n-5 wheel 1\n", "weather=1\n"] {
      #expect(SimulationScript(text: text) == nil, "\(text)")
    }
  }
}
