import BenchmarkSupport
import CollectionEngine
import CollectionLayout
import DataStructures
import DiffableData
import Geometry

/// Every case of the benchmark for one layout and one number of items.
struct LayoutCases {
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

  /// Measures every case and hands each reading over.
  ///
  /// - Returns: bytes that the layout keeps for an item once it is settled; nothing under an instrument.
  func run(_ note: (LayoutFigure, Reading) -> Void) -> Double? {
    let counts = ItemCounts([count])
    note(.solve, meter.measure { solved(counts) })
    let before = ProcessMemory.allocated
    var solution = solved(counts)
    if !solution.isSettled {
      note(.settleScreen, settling { $0.settle(in: $0.visibleRect(at: 0)) })
      note(.settleAll, settling { $0.refine(atMost: count) })
      solution.settleAll()
    }
    let bytes = meter.countsOnly ? nil : Double(max(0, ProcessMemory.allocated - before)) / Double(count)
    note(.question, question(of: solution))
    note(.insertion, insertion(into: solution))
    note(.gap, gap(in: &solution))
    return bytes
  }

  /// Measures what happens to cells all of which told their height.
  ///
  /// - Returns: bytes that the layout keeps for such a cell; nothing where there are none or too many, and under an
  ///   instrument.
  func runMeasured(_ note: (LayoutFigure, Reading) -> Void) -> Double? {
    guard kind.asksCells, count <= LayoutFigure.mostMeasured else { return nil }
    let before = ProcessMemory.allocated
    var solution = solved(ItemCounts([count]))
    for item in 0..<count {
      let size = Size(width: 0, height: LayoutSamples.measuredHeight(kind, of: item))
      _ = solution.setPreferredSize(size, ofItem: item)
    }
    let bytes = Double(max(0, ProcessMemory.allocated - before)) / Double(count)
    note(.headInsertion, headInsertion(into: &solution))
    if !solution.isSettled { note(.settleBehind, settlingBehind(&solution)) }
    note(.measuredGap, gap(in: &solution))
    return meter.countsOnly ? nil : bytes
  }

  /// One item after the other inserted before all others, and the screen in the middle answered, which stands still.
  private func headInsertion(into solution: inout any SolvedLayout) -> Reading {
    let batch = 32
    var reading = Reading()
    for run in 0...meter.repeats {
      var sum = 0
      let sample = meter.time(operations: batch) {
        for _ in 0..<batch {
          insertFirst(into: &solution)
          let anchored = solution.frame(ofItem: solution.itemCounts.total / 2).minY
          _ = solution.settle(in: solution.visibleRect(at: anchored))
          sum += solution.items(in: solution.visibleRect(at: anchored)).count
        }
      }
      keep(sum)
      if run > 0 { reading.add(sample) }
    }
    return reading
  }

  private func insertFirst(into solution: inout any SolvedLayout) {
    let counts = ItemCounts([solution.itemCounts.total + 1])
    solution.invalidate(.items(LayoutUpdate(counts: counts, edits: [SectionEdits(section: 0, insertions: [0..<1])])))
  }

  /// What making all places final takes that an insertion before them left.
  private func settlingBehind(_ solution: inout any SolvedLayout) -> Reading {
    var reading = Reading()
    for run in 0...meter.repeats {
      if run > 0 { insertFirst(into: &solution) }
      let sample = meter.time(operations: 1) { solution.settleAll() }
      if run > 0 { reading.add(sample) }
    }
    return reading
  }

  /// What it takes to find out that an item in a hand is where it is meant to be, in the middle of all.
  private func gap(in solution: inout any SolvedLayout) -> Reading {
    let batch = 16
    let item = solution.itemCounts.total / 2
    _ = solution.settle(in: solution.visibleRect(at: solution.frame(ofItem: item).minY - 400))
    let frame = solution.frame(ofItem: item)
    let viewport = solution.visibleRect(at: frame.minY - 400)
    var reading = Reading()
    for run in 0...meter.repeats {
      var sum = 0.0
      let sample = meter.time(operations: batch) {
        for step in 0..<batch {
          let middle = Point(x: frame.midX + 0.01 * Double(step), y: frame.midY)
          var finder = DropPositionFinder(of: item, in: solution, at: middle, viewport: viewport)
          while let place = finder.next() { sum += Double(place.item) }
          sum += finder.unaffectedDistance
        }
      }
      keep(sum)
      if run > 0 { reading.add(sample) }
    }
    return reading
  }

  private func solved(_ counts: ItemCounts) -> any SolvedLayout {
    layout.solved(in: LayoutSamples.environment, for: counts)
  }

  /// What making places final takes, each time from a layout that was just solved.
  private func settling(_ body: (inout any SolvedLayout) -> Bool) -> Reading {
    var reading = Reading()
    for run in 0...meter.repeats {
      var solution = solved(ItemCounts([count]))
      let sample = meter.time(operations: 1) { keep(body(&solution)) }
      if run > 0 { reading.add(sample) }
      keep(solution)
    }
    return reading
  }

  /// What is in a screen at places all over the content.
  private func question(of solution: any SolvedLayout) -> Reading {
    var random = SplitMix64(seed: 7)
    let offsets = (0..<256).map { _ in
      // Three pixels into a row: rows that are cut at one end are cut at the other.
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
      keep(sum)
      let share = 60 / Double(visible)
      if run > 0 {
        reading.add(
          Sample(nanoseconds: sample.nanoseconds * share, instructions: sample.instructions.map { $0 * share }))
      }
    }
    return reading
  }

  /// One item after the other inserted in the middle, and the screen there answered each time.
  private func insertion(into solution: any SolvedLayout) -> Reading {
    let batch = 32
    var solution = solution
    // The places where the screen stands were final before.
    let middle = solution.frame(ofItem: count / 2).minY
    _ = solution.settle(in: solution.visibleRect(at: middle))
    var total = count
    var reading = Reading()
    for run in 0...meter.repeats {
      let updates = (1...batch).map { number in
        let place = count / 2 + number % 7
        return LayoutUpdate(
          counts: ItemCounts([total + number]),
          edits: [SectionEdits(section: 0, insertions: [place..<(place + 1)])])
      }
      total += batch
      var sum = 0
      let sample = meter.time(operations: batch) {
        for update in updates {
          solution.invalidate(.items(update))
          let rect = solution.visibleRect(at: middle)
          _ = solution.settle(in: rect)
          sum += solution.items(in: rect).count
        }
      }
      keep(sum)
      if run > 0 { reading.add(sample) }
    }
    return reading
  }
}

extension SolvedLayout {
  /// Makes every place final.
  mutating func settleAll() {
    while !isSettled { _ = refine(atMost: 1 << 20) }
  }
}
