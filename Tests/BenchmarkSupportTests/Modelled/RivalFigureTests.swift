import BenchmarkSupport
import Testing

@Suite("Two policies on one script")
struct RivalFigureTests {
  private func figure(_ ours: Double, _ rival: Double) throws -> RivalFigure {
    func outcome(_ ratio: Double) -> PolicyOutcome {
      PolicyOutcome(hitchRatio: ratio, late: ratio > 0 ? 3 : 0, slackOverruns: 0, forced: 30)
    }
    return RivalFigure(try #require(RivalCase.all.first), ours: outcome(ours), rival: outcome(rival))
  }

  @Test("are told apart by the time that they were late for, and a tie is called one")
  func verdicts() throws {
    #expect(try figure(0, 4.4).verdict == .less && figure(2, 4).verdict == .less)
    #expect(try figure(0, 0).verdict == .tie && figure(3, 3).verdict == .tie)
    #expect(try figure(5, 4).verdict == .more)
    let row = try figure(0, 4.44).row
    #expect(row == [RivalCase.all[0].label, "0.0", "0", "0", "30", "4.4", "3", "30", "less: reached"])
    #expect(row.count == RivalFigure.columns.count)
  }

  @Test("are compared on steady scrolls, flicks, flips, jumps and mixed cells")
  func cases() {
    let labels = RivalCase.all.map(\.label)
    #expect(Set(labels).count == labels.count)
    for word in ["steady 600", "steady 2,400", "4,000", "8,000", "flips", "jumps", "one in 5"] {
      #expect(labels.contains { $0.contains(word) }, "\(word)")
    }
    #expect(RivalCase.all.allSatisfy { $0.script.length >= 900 && $0.rowHeight > 0 && $0.columns > 0 })
    #expect(RivalCase.all.contains { $0.model.kinds.count == 2 })
  }
}
