import BenchmarkSupport
import Foundation
import Testing

@Suite("Thresholds")
struct ThresholdTests {
  private func table(_ entries: String) throws -> ThresholdTable {
    try ThresholdTable("{\"thresholds\": [\(entries)]}", from: "thresholds.json")
  }

  private func refusal(_ entries: String) -> String? {
    do throws(ResultError) {
      _ = try ThresholdTable("{\"thresholds\": [\(entries)]}", from: "thresholds.json")
      return nil
    } catch {
      return error.description
    }
  }

  @Test("are read with their bound, and hold the figures of their name")
  func reading() throws {
    let table = try table(
      """
      {"figure": "scroll.quiet.*.instructions", "unit": "instructions", "atMost": 12000, "steady": true, "source": "s"},
      {"figure": "diff.int.*.heckel", "unit": "speedup", "atLeast": 5, "steady": false, "quick": false, "source": "s"}
      """)
    let (first, second) = (table.thresholds[0], table.thresholds[1])
    #expect(first.bound == .atMost(12_000) && first.isSteady && first.isQuick && first.text == "≤ 12,000")
    #expect(second.bound == .atLeast(5) && !second.isSteady && !second.isQuick && second.text == "≥ 5.00x")
    #expect(first.isKept(by: 12_000) && !first.isKept(by: 12_001) && second.isKept(by: 5) && !second.isKept(by: 4.99))
    #expect(table.place(of: "scroll.quiet.1000.instructions") == 0)
    #expect(table.place(of: "scroll.quiet.instructions") == nil)
    #expect(table.place(of: "scroll.quiet.1000.instructions.more") == nil)
    #expect(table.place(of: "scroll.bind.1000.instructions") == nil)
  }

  @Test("of two that name a figure the first counts")
  func order() throws {
    let table = try table(
      """
      {"figure": "a.b", "unit": "calls", "atMost": 1, "steady": true, "source": ""},
      {"figure": "a.*", "unit": "calls", "atMost": 2, "steady": true, "source": ""}
      """)
    #expect(table.place(of: "a.b") == 0 && table.place(of: "a.c") == 1)
  }

  @Test("need one bound, a known unit, and a name of their own")
  func refusals() {
    let head = #""figure": "a.b", "unit": "calls", "steady": true, "source": """#
    #expect(refusal("{\(head)}")?.contains("a.b needs one of atMost and atLeast") == true)
    #expect(refusal("{\(head), \"atMost\": 1, \"atLeast\": 1}")?.contains("needs one of") == true)
    #expect(refusal("{\(head), \"atMost\": 1}, {\(head), \"atMost\": 2}") == "thresholds.json: a.b stands there twice")
    #expect(refusal(#"{"figure": "a.b", "unit": "miles", "atMost": 1, "steady": true, "source": ""}"#) != nil)
    #expect(refusal(#"{"figure": "a.b", "unit": "calls", "atMost": 1, "steady": true}"#)?.contains("source") == true)
  }

  @Test("of the tree are understood, bound units from their better side, and say where they come from")
  func ofTheTree() throws {
    var package = URL(fileURLWithPath: #filePath)
    for _ in 0..<4 { package.deleteLastPathComponent() }
    let path = package.appending(path: "Benchmarks/thresholds.json").path
    let table = try ThresholdTable(try #require(try ResultFile.text(of: path)), from: path)
    #expect(table.thresholds.count > 20)
    for threshold in table.thresholds {
      let isFromBelow = if case .atLeast = threshold.bound { true } else { false }
      #expect(isFromBelow == threshold.unit.isBetterWhenMore, "\(threshold.figure)")
      #expect(!threshold.source.isEmpty, "\(threshold.figure)")
      #expect(threshold.unit != .nanoseconds || !threshold.isSteady, "\(threshold.figure): times fail no run")
    }
    let quiet = try #require(table.place(of: "scroll.quiet.10000000.instructions"))
    #expect(table.thresholds[quiet].bound == .atMost(12_000) && table.thresholds[quiet].isSteady)
  }

  @Test("of the tree's history every line is a run")
  func historyOfTheTree() throws {
    var package = URL(fileURLWithPath: #filePath)
    for _ in 0..<4 { package.deleteLastPathComponent() }
    let history = try BenchmarkHistory.read(package.appending(path: "Benchmarks/history.jsonl").path)
    #expect(history.unreadLines == 0 && !history.runs.isEmpty)
    #expect(history.runs.allSatisfy { !$0.revision.hasSuffix("-dirty") || !$0.figures.isEmpty })
    #expect(history.last("scroll.quiet.1000.allocations") == 0)
  }
}
