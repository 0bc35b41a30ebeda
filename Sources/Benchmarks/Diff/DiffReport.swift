import BenchmarkSupport

/// The rows of one block of the table, as they are measured.
struct DiffReport {
  /// Items of a snapshot.
  let count: Int
  /// The identifiers.
  let kind: IdentifierKind
  private let countsOnly: Bool
  private let countsInstructions: Bool
  private var table: TextTable
  private var notes: [String] = []
  private let recorder: FigureRecorder

  init(count: Int, kind: IdentifierKind, meter: Meter, recorder: FigureRecorder) {
    self.recorder = recorder
    self.count = count
    self.kind = kind
    countsOnly = meter.countsOnly
    countsInstructions = meter.countsInstructions
    var columns: [(head: String, alignment: TextTable.Alignment)] = [("case", .left)]
    if !countsOnly { columns += ["least", "median", "most"].map { ($0, .right) } }
    if countsInstructions { columns.append(("instructions", .right)) }
    columns.append(("heckel/ours", .right))
    columns.append(("stdlib/ours", .right))
    if !countsOnly { columns.append(("aim", .left)) }
    table = TextTable(columns)
  }

  /// Adds a row.
  mutating func add(_ figure: DiffFigure, _ reading: Reading, heckel: Reading? = nil, stdlib: Reading? = nil) {
    let heckel = heckel.flatMap { ratio(of: $0, to: reading) }
    var aims: [String] = []
    if let least = reading.least, let aim = figure.timeAim(count: count, kind: kind) {
      aims.append(aim.verdict(on: least))
    }
    if let heckel, let aim = figure.ratioAim(count: count) { aims.append("heckel " + aim.verdict(on: heckel)) }
    record(figure, reading, heckel)
    add(figure.label, reading, heckel, stdlib.flatMap { ratio(of: $0, to: reading) }, aims)
  }

  /// Adds the row of a yardstick.
  mutating func add(yardstick name: String, _ reading: Reading) { add(name, reading, nil, nil, []) }

  /// Adds a line under the table.
  mutating func note(_ line: String) { notes.append(line) }

  /// The table and its notes.
  var lines: [String] { (table.lines + notes).map { "  " + $0 } }

  /// Instructions under callgrind alone: the processor's own count differs from run to run.
  private func record(_ figure: DiffFigure, _ reading: Reading, _ heckel: Double?) {
    let words = ["diff", kind.rawValue, "\(count)", figure.key]
    if countsOnly {
      recorder.add(words + ["instructions"], reading.instructions, .instructions, .counted)
      recorder.add(words + ["heckel-instructions"], heckel, .speedup, .counted)
    } else {
      recorder.add(words + ["time"], reading.least, .nanoseconds, .measured)
      recorder.add(words + ["heckel"], heckel, .speedup, .related)
    }
  }

  private mutating func add(
    _ label: String, _ reading: Reading, _ heckel: Double?, _ stdlib: Double?, _ aims: [String]
  ) {
    var entries = [label]
    if !countsOnly {
      entries += [reading.least, reading.median, reading.most].map { $0.map(FigureText.time) ?? "-" }
    }
    if countsInstructions { entries.append(reading.instructions.map { FigureText.count($0) } ?? "-") }
    entries += [heckel, stdlib].map { $0.map(FigureText.ratio) ?? "" }
    if !countsOnly { entries.append(aims.joined(separator: ", ")) }
    table.add(entries)
  }

  /// The ratio of the times, or of the instructions where those alone are taken.
  private func ratio(of other: Reading, to ours: Reading) -> Double? {
    guard countsOnly else { return other.ratio(to: ours) }
    guard let others = other.instructions, let mine = ours.instructions, mine > 0 else { return nil }
    return others / mine
  }
}
