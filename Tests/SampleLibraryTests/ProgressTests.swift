import Testing

@testable import SampleLibrary

@Suite("The progress of a painting, as text")
struct ProgressTests {
  private let bar = ProgressBar(label: "Painting")

  @Test("The bar fills from nothing to all")
  func fills() {
    #expect(bar.line(SampleProgress(done: 0, total: 4), columns: 32) == "Painting  ░░░░░░░░░░░░  0 of 4")
    #expect(bar.line(SampleProgress(done: 2, total: 4), columns: 32) == "Painting  ██████░░░░░░  2 of 4")
    #expect(bar.line(SampleProgress(done: 4, total: 4), columns: 32) == "Painting  ████████████  4 of 4")
  }

  @Test("A line never takes more columns than there are")
  func fits() {
    for columns in 0..<140 {
      for progress in [
        SampleProgress(done: 0, total: 0), .init(done: 7, total: 60), .init(done: 99_999, total: 100_000),
      ] {
        #expect(bar.line(progress, columns: columns).count <= columns)
      }
    }
    #expect(bar.line(SampleProgress(done: 7, total: 60), columns: 24) == "Painting  7 of 60")
    #expect(bar.line(SampleProgress(done: 7, total: 60), columns: 10) == "7 of 60")
  }

  @Test("A terminal's line is drawn over and ended once")
  func terminal() {
    var report = ProgressReport(bar: bar, isTerminal: true, columns: 33)
    #expect(report.interruption.isEmpty)
    #expect(report.text(for: SampleProgress(done: 0, total: 2)) == "\rPainting  ░░░░░░░░░░░░  0 of 2\u{1B}[K")
    #expect(report.interruption == "\n")
    #expect(report.text(for: SampleProgress(done: 2, total: 2)) == "\rPainting  ████████████  2 of 2\u{1B}[K\n")
  }

  @Test("Anywhere else one line tells that it began")
  func elsewhere() {
    var report = ProgressReport(bar: bar, isTerminal: false, columns: 80)
    #expect(report.text(for: SampleProgress(done: 0, total: 2)).hasSuffix("  0 of 2\n"))
    #expect(report.text(for: SampleProgress(done: 1, total: 2)).isEmpty)
    #expect(report.text(for: SampleProgress(done: 2, total: 2)).isEmpty)
    #expect(report.interruption.isEmpty)
  }
}
