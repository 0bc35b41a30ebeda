import BenchmarkSupport
import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineDataStructures
import VitrineDiffableData
import VitrineGeometry

/// `bench layout`: measures the cost of layout queries, and whether it is independent of the number of items.
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
    for count in options.sizes where count <= kind.maximumItems {
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
    // Only instruction counts are precise enough to distinguish a growth of five percent from noise.
    if meter.countsInstructions, count >= 10_000_000, let growth, let most = figure.growthAim {
      aims.append("<= \(FigureText.ratio(most)) " + (growth <= most ? "reached" : "MISSED"))
    }
    entries.append(aims.joined(separator: ", "))
    return entries
  }

  /// Records instructions only under callgrind, because the counts of the hardware counter differ between runs.
  private func record(
    _ figure: LayoutFigure, _ kind: LayoutKind, _ count: Int, _ reading: Reading, growth: Double?
  ) {
    let words = ["layout", kind.rawValue, "\(count)", figure.key]
    if meter.countsOnly {
      recorder.add(words + ["instructions"], reading.instructions, .instructions, .counted)
      if kind != .masonry { recorder.add(words + ["growth"], growth, .ratio, .counted) }
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

// MARK: - Cases

/// All cases of the benchmark for one layout and one number of items.
private struct LayoutCases {
  private let kind: LayoutKind
  private let count: Int
  private let meter: Meter
  private let layout: any CollectionLayout

  init(_ kind: LayoutKind, count: Int, meter: Meter) {
    self.kind = kind
    self.count = count
    self.meter = meter
    layout = LayoutSamples.layout(kind)
  }

  /// Measures every case and passes each reading to a closure.
  ///
  /// - Returns: The memory per item of a finalized layout in bytes, or nil under an instrument.
  func run(_ record: (LayoutFigure, Reading) -> Void) -> Double? {
    let counts = ItemCounts([count])
    record(.solve, meter.measure { solved(counts) })
    let before = ProcessMemory.allocated
    var solution = solved(counts)
    if !solution.areFramesFinal {
      record(.settleScreen, settling { $0.finalizeFrames(in: $0.visibleRect(at: 0)) })
      record(.settleAll, settling { $0.finalizeFrames(itemBudget: count) })
      solution.finalizeAllFrames()
    }
    let bytes = meter.countsOnly ? nil : Double(max(0, ProcessMemory.allocated - before)) / Double(count)
    record(.query, query(of: solution))
    record(.insertion, insertion(into: solution))
    // For each position it is asked, a client's layout is copied with all its items.
    if kind != .masonry { record(.dropPosition, dropPosition(in: &solution)) }
    return bytes
  }

  /// Measures the cases in which the heights of all self-sizing cells are known.
  ///
  /// - Returns: The memory per measured cell in bytes, or nil if there are no such cells or too many, or under an
  ///   instrument.
  func runMeasured(_ record: (LayoutFigure, Reading) -> Void) -> Double? {
    guard kind.isSelfSizing, count <= LayoutFigure.maximumMeasuredItems else { return nil }
    let before = ProcessMemory.allocated
    var solution = solved(ItemCounts([count]))
    for item in 0..<count {
      let size = Size(width: 0, height: LayoutSamples.measuredHeight(kind, of: item))
      _ = solution.setPreferredSize(size, ofItem: item)
    }
    let bytes = Double(max(0, ProcessMemory.allocated - before)) / Double(count)
    record(.headInsertion, headInsertion(into: &solution))
    if !solution.areFramesFinal { record(.settleAfterInsertion, settlingAfterInsertion(&solution)) }
    record(.measuredDropPosition, dropPosition(in: &solution))
    return meter.countsOnly ? nil : bytes
  }

  /// Measures inserting items before all others one by one and querying a screen in the middle, whose content does not
  /// move.
  private func headInsertion(into solution: inout any SolvedLayout) -> Reading {
    let batch = 32
    var reading = Reading()
    for run in 0...meter.repeats {
      var sum = 0
      let sample = meter.time(operations: batch) {
        for _ in 0..<batch {
          insertFirst(into: &solution)
          let anchored = solution.frame(ofItem: solution.itemCounts.total / 2).minY
          _ = solution.finalizeFrames(in: solution.visibleRect(at: anchored))
          sum += solution.items(in: solution.visibleRect(at: anchored)).count
        }
      }
      blackHole(sum)
      if run > 0 { reading.add(sample) }
    }
    return reading
  }

  private func insertFirst(into solution: inout any SolvedLayout) {
    let counts = ItemCounts([solution.itemCounts.total + 1])
    solution.invalidate(.items(LayoutUpdate(counts: counts, edits: [SectionEdits(section: 0, insertions: [0..<1])])))
  }

  /// Measures settling all frames after an insertion before them.
  private func settlingAfterInsertion(_ solution: inout any SolvedLayout) -> Reading {
    var reading = Reading()
    for run in 0...meter.repeats {
      if run > 0 { insertFirst(into: &solution) }
      let sample = meter.time(operations: 1) { solution.finalizeAllFrames() }
      if run > 0 { reading.add(sample) }
    }
    return reading
  }

  /// Measures finding the drop position of a dragged item in the middle that is already at its best position.
  private func dropPosition(in solution: inout any SolvedLayout) -> Reading {
    let batch = 16
    let item = solution.itemCounts.total / 2
    _ = solution.finalizeFrames(in: solution.visibleRect(at: solution.frame(ofItem: item).minY - 400))
    let frame = solution.frame(ofItem: item)
    let viewport = solution.visibleRect(at: frame.minY - 400)
    var reading = Reading()
    for run in 0...meter.repeats {
      var sum = 0.0
      let sample = meter.time(operations: batch) {
        for step in 0..<batch {
          let middle = Point(x: frame.midX + 0.01 * Double(step), y: frame.midY)
          var finder = DropPositionFinder(of: item, in: solution, at: middle, viewport: viewport)
          while let position = finder.next() { sum += Double(position.item) }
          sum += finder.unaffectedDistance
        }
      }
      blackHole(sum)
      if run > 0 { reading.add(sample) }
    }
    return reading
  }

  private func solved(_ counts: ItemCounts) -> any SolvedLayout {
    layout.solved(in: LayoutSamples.environment, for: counts)
  }

  /// Measures settling frames, each time in a newly solved layout.
  private func settling(_ body: (inout any SolvedLayout) -> Bool) -> Reading {
    var reading = Reading()
    for run in 0...meter.repeats {
      var solution = solved(ItemCounts([count]))
      let sample = meter.time(operations: 1) { blackHole(body(&solution)) }
      if run > 0 { reading.add(sample) }
      blackHole(solution)
    }
    return reading
  }

  /// Measures querying the items of a screen at offsets distributed over the content.
  private func query(of solution: any SolvedLayout) -> Reading {
    var random = SplitMix64(seed: 7)
    let offsets = (0..<256).map { _ in
      // Three points into a row, so that a row clipped at one end implies a row clipped at the other.
      let item = Int.random(in: 0..<max(1, count - 200), using: &random)
      return solution.frame(ofItem: item).minY + 3
    }
    let rects = offsets.map { solution.visibleRect(at: $0) }
    let visible = rects.reduce(0) { $0 + solution.items(in: $1).count }
    var reading = Reading()
    for run in 0...meter.repeats {
      var sum = 0.0
      let sample = meter.time(operations: 1) {
        for rect in rects {
          solution.visitItems(in: rect) { items in
            for item in items { sum += solution.frame(ofItem: item).minX }
          }
        }
      }
      blackHole(sum)
      let share = 60 / Double(visible)
      if run > 0 {
        reading.add(
          Sample(nanoseconds: sample.nanoseconds * share, instructions: sample.instructions.map { $0 * share }))
      }
    }
    return reading
  }

  /// Measures inserting items in the middle one by one and querying the screen there each time.
  private func insertion(into solution: any SolvedLayout) -> Reading {
    let batch = 32
    var solution = solution
    // The frames on the screen are already final.
    let middle = solution.frame(ofItem: count / 2).minY
    _ = solution.finalizeFrames(in: solution.visibleRect(at: middle))
    var total = count
    var reading = Reading()
    for run in 0...meter.repeats {
      let updates = (1...batch).map { number in
        let position = count / 2 + number % 7
        return LayoutUpdate(
          counts: ItemCounts([total + number]),
          edits: [SectionEdits(section: 0, insertions: [position..<(position + 1)])])
      }
      total += batch
      var sum = 0
      let sample = meter.time(operations: batch) {
        for update in updates {
          solution.invalidate(.items(update))
          let rect = solution.visibleRect(at: middle)
          _ = solution.finalizeFrames(in: rect)
          sum += solution.items(in: rect).count
        }
      }
      blackHole(sum)
      if run > 0 { reading.add(sample) }
    }
    return reading
  }
}

extension SolvedLayout {
  /// Finalizes all frames.
  mutating func finalizeAllFrames() {
    while !areFramesFinal { _ = finalizeFrames(itemBudget: 1 << 20) }
  }
}

// MARK: - Layouts

/// The measured layouts, configured like a gallery's, with about sixty items on a screen.
private enum LayoutSamples {
  static let environment = LayoutEnvironment(containerSize: Size(width: 1_280, height: 800))

  static func layout(_ kind: LayoutKind) -> any CollectionLayout {
    switch kind {
    case .grid: GridLayout(columns: .count(9), columnSpacing: 8, rowSpacing: 8)
    case .groups: CompositionalLayout(section: groups)
    case .mosaic: CompositionalLayout(section: .mosaic(spacing: 8))
    case .list: list(height: .absolute(14))
    case .estimated: list(height: .estimated(14))
    case .cards: CompositionalLayout(section: cards)
    case .justified: justified
    case .masonry: CompositionalLayout(section: CollectionLayoutSection(layout: masonry))
    }
  }

  /// Heights from 90 to 145 points, in irregular order.
  private static var masonry: MasonryLayout {
    MasonryLayout { 90 + Double(SplitMix64.mix(UInt64($0)) % 12) * 5 }
  }

  /// Rows of images whose aspect ratios are in memory, as in a catalog.
  private static var justified: CompositionalLayout {
    let ratios = (0..<65_536).map(aspectRatio)
    return CompositionalLayout(
      section: .justified(targetRowHeight: 110, spacing: 8, lineSpacing: 8) { ratios[$0 & 65_535] })
  }

  /// Returns an aspect ratio: mostly 3:2 and 4:3, some portrait, a few panoramas, in irregular order.
  private static func aspectRatio(of item: Int) -> Double {
    switch SplitMix64.mix(UInt64(item)) % 20 {
    case 0..<9: 1.5
    case 9..<14: 4.0 / 3
    case 14..<16: 2.0 / 3
    case 16..<18: 0.75
    case 18: 1
    default: 2.5
    }
  }

  private static var groups: CollectionLayoutSection {
    let item = CollectionLayoutItem(
      layoutSize: CollectionLayoutSize(width: .fractionalWidth(1), height: .fractionalHeight(1)))
    var group = CollectionLayoutGroup.horizontal(
      layoutSize: CollectionLayoutSize(width: .fractionalWidth(1), height: .fractionalWidth(1.0 / 9)),
      repeatingSubitem: item, count: 9)
    group.interItemSpacing = .fixed(8)
    var section = CollectionLayoutSection(group: group)
    section.interGroupSpacing = 8
    return section
  }

  private static var cards: CollectionLayoutSection {
    let item = CollectionLayoutItem(
      layoutSize: CollectionLayoutSize(width: .fractionalWidth(0.5), height: .estimated(26)))
    let group = CollectionLayoutGroup.horizontal(
      layoutSize: CollectionLayoutSize(width: .fractionalWidth(1), height: .estimated(26)), subitems: [item])
    return CollectionLayoutSection(group: group)
  }

  /// Returns the height of a self-sizing cell, at most one and a half times the estimate, in irregular order.
  static func measuredHeight(_ kind: LayoutKind, of item: Int) -> Double {
    let least = kind == .cards ? 16 : 8
    return Double(least + Int(SplitMix64.mix(UInt64(item)) % UInt64(least)))
  }

  private static func list(height: CollectionLayoutDimension) -> any CollectionLayout {
    let size = CollectionLayoutSize(width: .fractionalWidth(1), height: height)
    let group = CollectionLayoutGroup.vertical(
      layoutSize: size, subitems: [CollectionLayoutItem(layoutSize: size)])
    return CompositionalLayout(section: CollectionLayoutSection(group: group))
  }
}
