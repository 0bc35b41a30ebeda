import BenchmarkSupport

/// `bench layout`: what a layout's questions cost, and that they cost the same for any number of items.
struct LayoutProgram {
  private let options: LayoutOptions
  private let meter: Meter
  private let recorder: FigureRecorder

  init(_ options: LayoutOptions, recorder: FigureRecorder) {
    self.options = options
    self.recorder = recorder
    meter = Meter(repeats: options.repeats, callgrindOutput: options.callgrindOutput)
  }

  /// Measures and prints layout by layout.
  func run() {
    Output.line("Layouts of 1280 x 800 points; runs a case: \(options.repeats) after a warm-up.")
    Output.line("Instructions: \(meter.source).")
    for kind in options.kinds { block(kind) }
  }

  private func block(_ kind: LayoutKind) {
    var columns: [(head: String, alignment: TextTable.Alignment)] = [("case", .left), ("items", .right)]
    if !meter.countsOnly { columns += [("least", .right), ("median", .right)] }
    if meter.countsInstructions { columns.append(("instructions", .right)) }
    columns += [("of the first", .right), ("aim", .left)]
    var table = TextTable(columns)
    var readings: [LayoutFigure: [(count: Int, reading: Reading)]] = [:]
    var memory: [String] = []
    for count in options.sizes {
      let cases = LayoutCases(kind, count: count, meter: meter)
      if let bytes = cases.run({ readings[$0, default: []].append((count, $1)) }) {
        recorder.add(["layout", kind.rawValue, "\(count)", "kept", "bytes"], bytes, .bytes, .counted)
        let aim = LayoutFigure.memoryAim(of: kind, count: count).map { ", " + $0.verdict(on: bytes) } ?? ""
        memory.append("kept an item at \(FigureText.count(count)): \(FigureText.bytes(bytes))\(aim)")
      }
      if let bytes = cases.runMeasured({ readings[$0, default: []].append((count, $1)) }) {
        memory.append("kept an item of \(FigureText.count(count)) that were measured: \(FigureText.bytes(bytes))")
      }
    }
    for figure in LayoutFigure.allCases {
      for (count, reading) in readings[figure] ?? [] {
        table.add(row(figure, kind, count, reading, first: readings[figure]?.first?.reading))
      }
    }
    Output.line("\n\(kind.rawValue)")
    for line in table.lines + memory { Output.line("  " + line) }
  }

  private func row(
    _ figure: LayoutFigure, _ kind: LayoutKind, _ count: Int, _ reading: Reading, first: Reading?
  ) -> [String] {
    var entries = [figure.label, FigureText.count(count)]
    var aims: [String] = []
    if !meter.countsOnly {
      entries += [reading.least, reading.median].map { time in time.map { FigureText.callTime($0) } ?? "-" }
      if let least = reading.least, let aim = figure.timeAim(of: kind, count: count) {
        aims.append(aim.verdict(on: least))
      }
    }
    if meter.countsInstructions { entries.append(reading.instructions.map { FigureText.count($0) } ?? "-") }
    let growth = first.flatMap { self.growth(of: reading, from: $0) }
    record(figure, kind, count, reading, growth: count > (options.sizes.first ?? count) ? growth : nil)
    entries.append(growth.map { FigureText.ratio($0) } ?? "")
    // Instructions alone tell a growth of a twentieth from the machine's noise.
    if meter.countsInstructions, count >= 10_000_000, let growth, let most = figure.growthAim {
      aims.append("<= \(FigureText.ratio(most)) " + (growth <= most ? "reached" : "MISSED"))
    }
    entries.append(aims.joined(separator: ", "))
    return entries
  }

  /// Instructions under callgrind alone: the processor's own count differs from run to run.
  private func record(
    _ figure: LayoutFigure, _ kind: LayoutKind, _ count: Int, _ reading: Reading, growth: Double?
  ) {
    let words = ["layout", kind.rawValue, "\(count)", figure.key]
    if meter.countsOnly {
      recorder.add(words + ["instructions"], reading.instructions, .instructions, .counted)
      recorder.add(words + ["growth"], growth, .ratio, .counted)
    } else {
      recorder.add(words + ["time"], reading.least, .nanoseconds, .measured)
    }
  }

  private func growth(of reading: Reading, from first: Reading) -> Double? {
    guard meter.countsInstructions else { return reading.ratio(to: first) }
    guard let mine = reading.instructions, let others = first.instructions, others > 0 else { return nil }
    return mine / others
  }
}
