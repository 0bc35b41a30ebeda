internal import VitrineDataStructures

/// The largest sustainable cell costs of a case with and without prefetching.
public struct HeadroomFigure: Hashable, Sendable {
  /// The case.
  public let test: HeadroomCase
  /// The largest sustainable cost of a cell without prefetching, in nanoseconds.
  public let off: Double
  /// The largest sustainable cost of a cell with prefetching, in nanoseconds.
  public let on: Double

  /// Creates a figure.
  public init(_ test: HeadroomCase, off: Double, on: Double) { (self.test, self.off, self.on) = (test, off, on) }

  /// The cost with prefetching divided by the cost without, or nil if the latter is 0.
  public var ratio: Double? { off > 0 ? on / off : nil }

  /// The share of the theoretical optimum.
  public var share: Double { on / test.bound }

  /// The columns of the table.
  public static let columns: [(head: String, alignment: TextTable.Alignment)] = [
    ("columns", .right), ("a cell is", .left), ("refreshes a cell", .right), ("off", .right), ("on", .right),
    ("on/off", .right), ("bound", .right), ("of the bound", .right), ("aims", .left),
  ]

  /// The table row.
  public var row: [String] {
    var verdicts: [String] = []
    if let aim = test.ratioAim, let ratio { verdicts.append("on/off " + aim.verdict(on: ratio)) }
    verdicts.append("bound " + HeadroomCase.shareAim.verdict(on: share))
    return [
      FigureText.count(test.columns), test.cell.label, FigureText.tenths(test.refreshesPerCell),
      FigureText.time(off), FigureText.time(on), ratio.map { FigureText.ratio($0) } ?? "-",
      FigureText.time(test.bound), FigureText.ratio(share), verdicts.joined(separator: ", "),
    ]
  }
}

/// A list that is scrolled with constant speed, and the kind of its cells.
public struct HeadroomCase: Hashable, Sendable {
  /// The kind of cells.
  public let cell: HeadroomCell
  /// The number of columns.
  public let columns: Int
  /// The distance between rows, in points.
  public let rowHeight: Double

  /// The speed, in points per second.
  public static let speed = 600.0
  /// The refresh interval, in nanoseconds.
  public static let interval = 1e9 / 60
  /// The cost of every commit in addition to its cells, in nanoseconds.
  public static let fixedWork = 1e6
  /// The maximum hitch time ratio that counts as smooth, in milliseconds per second.
  public static let maximumHitchRatio = 5.0

  /// All cases: a one-column list and a six-column grid.
  public static let all = [(1, 44.0), (6, 180.0)].flatMap { columns, rowHeight in
    HeadroomCell.allCases.map { HeadroomCase($0, columns: columns, rowHeight: rowHeight) }
  }

  /// Creates a case.
  public init(_ cell: HeadroomCell, columns: Int, rowHeight: Double) {
    (self.cell, self.columns, self.rowHeight) = (cell, max(1, columns), rowHeight)
  }

  /// The number of refresh intervals between two new cells.
  public var refreshesPerCell: Double {
    rowHeight / (HeadroomCase.speed * HeadroomCase.interval / 1e9) / Double(columns)
  }

  /// The theoretical optimum of the cost of a cell, in nanoseconds: the time until the next cell, of which a step that
  /// cannot be split can use two frames at most.
  public var bound: Double {
    HeadroomCase.interval * (cell == .parts ? refreshesPerCell : min(2, refreshesPerCell))
  }

  /// The lower bound on the ratio of the costs with and without prefetching, or nil if there is none.
  ///
  /// There is none for a cell whose whole cost is its handler: with and without prefetching it may be late by the same
  /// few tenths of a millisecond, so that no policy can sustain twice the cost.
  public var ratioAim: Aim? {
    switch cell {
    case .handler: nil
    case .handlerAndDrawing: columns == 1 ? Aim(.ratio, 2) : nil
    case .parts: Aim(.ratio, 4)
    }
  }

  /// The lower bound on the share of the theoretical optimum.
  public static let shareAim = Aim(.ratio, 0.85)
}

/// A kind of modeled cell whose largest sustainable cost is measured.
public enum HeadroomCell: CaseIterable, Hashable, Sendable {
  /// The whole cost is in the handler.
  case handler
  /// The cost except for the drawing is in the handler, which cannot be split.
  case handlerAndDrawing
  /// The cost except for the drawing is divided into thirty preparation steps.
  case parts

  /// The label in the table.
  public var label: String {
    switch self {
    case .handler: "all in its handler"
    case .handlerAndDrawing: "handler, drawing"
    case .parts: "30 parts, drawing"
    }
  }

  /// The word in the names of figures.
  public var key: String {
    switch self {
    case .handler: "handler"
    case .handlerAndDrawing: "drawing"
    case .parts: "parts"
    }
  }

  /// The cost of layout and drawing for the kinds other than ``handler``, in nanoseconds.
  public static let drawing: Int64 = 500_000
  private static let partCount = 30

  /// Returns the work of a cell with a total cost in nanoseconds.
  public func work(total: Int64) -> CellWork {
    let drawing = min(HeadroomCell.drawing, max(0, total))
    let rest = max(0, total - drawing)
    switch self {
    case .handler: return CellWork(handler: max(0, total))
    case .handlerAndDrawing: return CellWork(handler: rest, drawing: drawing)
    case .parts:
      let part = rest / Int64(HeadroomCell.partCount)
      // The remainder goes to the handler.
      return CellWork(
        handler: rest - part * Int64(HeadroomCell.partCount), part: part, parts: HeadroomCell.partCount,
        drawing: drawing)
    }
  }
}

/// A binary search for the largest sustainable cost.
public enum LargestSustainableCost {
  /// Finds the largest sustainable cost, provided that every cost below a sustainable one is sustainable.
  ///
  /// - Parameters:
  ///   - range: The range of costs to search.
  ///   - resolution: The precision of the result, at least 1.
  ///   - isSustainable: A closure that returns whether a cost is sustainable.
  /// - Returns: The largest sustainable cost that was tried, less than `resolution` below one that is not, or the upper
  ///   bound of the range. Nil if not even the lower bound is sustainable.
  /// - Complexity: O(log r) calls of the closure for r steps of the resolution.
  public static func find(in range: ClosedRange<Int64>, resolution: Int64, isSustainable: (Int64) throws -> Bool)
    rethrows
    -> Int64?
  {
    guard try isSustainable(range.lowerBound) else { return nil }
    if try isSustainable(range.upperBound) { return range.upperBound }
    var (sustainable, unsustainable) = (range.lowerBound, range.upperBound)
    while unsustainable - sustainable > max(1, resolution) {
      let middle = sustainable + (unsustainable - sustainable) / 2
      if try isSustainable(middle) { sustainable = middle } else { unsustainable = middle }
    }
    return sustainable
  }
}

// MARK: - Rival policy

/// The outcome of two prefetching policies for the same script.
public struct RivalFigure: Hashable, Sendable {
  /// The comparison of the hitch times.
  public enum Verdict: String, Hashable, Sendable {
    /// Our policy has less hitch time.
    case less = "less: reached"
    /// Both have the same hitch time.
    case tie = "a tie"
    /// The rival has less hitch time.
    case more = "more: MISSED"
  }

  /// The script.
  public let test: RivalCase
  /// The outcome of our policy.
  public let ours: PolicyOutcome
  /// The outcome of the rival.
  public let rival: PolicyOutcome

  /// Creates a figure.
  public init(_ test: RivalCase, ours: PolicyOutcome, rival: PolicyOutcome) {
    (self.test, self.ours, self.rival) = (test, ours, rival)
  }

  /// The comparison of the hitch times.
  public var verdict: Verdict {
    if ours.hitchRatio == rival.hitchRatio { return .tie }
    return ours.hitchRatio < rival.hitchRatio ? .less : .more
  }

  /// The columns of the table.
  public static let columns: [(head: String, alignment: TextTable.Alignment)] = [
    ("script", .left), ("ours ms/s", .right), ("late", .right), ("overrun", .right), ("forced", .right),
    ("rival ms/s", .right), ("late", .right), ("forced", .right), ("ours hitches", .left),
  ]

  /// The table row.
  public var row: [String] {
    [
      test.label, FigureText.tenths(ours.hitchRatio), FigureText.count(ours.late), FigureText.count(ours.slackOverruns),
      FigureText.count(ours.forced), FigureText.tenths(rival.hitchRatio), FigureText.count(rival.late),
      FigureText.count(rival.forced), verdict.rawValue,
    ]
  }
}

/// A script and the cells for the comparison of two prefetching policies.
public struct RivalCase: Hashable, Sendable {
  /// A short description of the script.
  public let label: String
  /// The number of columns.
  public let columns: Int
  /// The distance between rows, in points.
  public let rowHeight: Double
  /// The costs of the cells.
  public let model: CellModel
  /// The gestures.
  public let script: GestureScript

  /// All cases.
  ///
  /// The costs of the cells are chosen so that there is enough work to be late, yet an ideal policy could be in time.
  public static let all: [RivalCase] = [
    grid("steady 600 pt/s, cells of 20 ms", handlerAndDrawing(20), steady(600)),
    grid("steady 2,400 pt/s, cells of 8 ms", handlerAndDrawing(8), steady(2_400)),
    list("steady 600 pt/s, cells of 60 ms in 12 parts", parts(60, 12), steady(600)),
    grid("flicks of 4,000 pt/s, cells of 8 ms", handlerAndDrawing(8), flicks(4_000)),
    grid("flicks of 8,000 pt/s, cells of 5 ms", handlerAndDrawing(5), flicks(8_000)),
    grid("flips at 600 pt/s, cells of 20 ms", handlerAndDrawing(20), flips(600)),
    grid("flips at 1,200 pt/s, cells of 20 ms", handlerAndDrawing(20), flips(1_200)),
    grid("jumps by pages, cells of 4 ms", handlerAndDrawing(4), jumps),
    grid("steady 600 pt/s, cells of 2 ms, one in 5 of 22 ms", mixed, steady(600)),
    grid("flips at 600 pt/s, the same cells", mixed, flips(600)),
    grid("flicks of 2,000 pt/s, the same cells", mixed, flicks(2_000)),
  ]

  private static func grid(_ label: String, _ model: CellModel, _ script: GestureScript) -> RivalCase {
    RivalCase(label: label, columns: 6, rowHeight: 180, model: model, script: script)
  }

  private static func list(_ label: String, _ model: CellModel, _ script: GestureScript) -> RivalCase {
    RivalCase(label: label, columns: 1, rowHeight: 44, model: model, script: script)
  }

  // MARK: Cells

  private static func nanoseconds(_ milliseconds: Double) -> Int64 { Int64(milliseconds * 1e6) }

  private static func handlerAndDrawing(_ milliseconds: Double) -> CellModel {
    CellModel(CellWork(handler: nanoseconds(milliseconds - 0.5), drawing: nanoseconds(0.5)))
  }

  private static func parts(_ milliseconds: Double, _ count: Int) -> CellModel {
    CellModel(
      CellWork(
        part: nanoseconds((milliseconds - 0.5) / Double(count)), parts: count, drawing: nanoseconds(0.5)))
  }

  private static let mixed = CellModel(
    cheap: CellWork(handler: nanoseconds(1.5), drawing: nanoseconds(0.5)),
    heavy: CellWork(handler: nanoseconds(21.5), drawing: nanoseconds(0.5)), every: 5)

  // MARK: Scripts

  private static func steady(_ speed: Double) -> GestureScript {
    var script = GestureScript()
    script.add(.steady(speed), then: 1_200)
    return script
  }

  /// Two flicks down and one up, each of which interrupts the previous one.
  private static func flicks(_ speed: Double) -> GestureScript {
    var script = GestureScript()
    for number in 0..<9 { script.add(.flick(number % 3 == 2 ? -speed : speed), then: 150) }
    return script
  }

  /// Direction changes after half a second to more than a second.
  private static func flips(_ speed: Double) -> GestureScript {
    var script = GestureScript()
    script.add(.steady(speed), then: 120)
    for number in 0..<24 { script.add(.steady(number % 2 == 0 ? -speed : speed), then: 30 + number * 7 % 40) }
    return script
  }

  private static let jumps: GestureScript = {
    var script = GestureScript()
    for pages in [1, 1, -1, 1, 2, -1, 1, 2, -2, 1, 1, 1] { script.add(.page(Double(pages)), then: 90) }
    return script
  }()
}

/// The outcome of a script under one policy.
public struct PolicyOutcome: Hashable, Sendable {
  /// The hitch time ratio, in milliseconds per second, or 0 if nothing moved.
  public var hitchRatio: Double
  /// The number of late frames.
  public var late: Int
  /// The number of late frames caused by prefetching that exceeded its limit.
  public var slackOverruns: Int
  /// The number of cells that were prepared in a commit, including those of the first screen.
  public var forced: Int

  /// Creates an outcome.
  public init(hitchRatio: Double, late: Int, slackOverruns: Int, forced: Int) {
    (self.hitchRatio, self.late) = (hitchRatio, late)
    (self.slackOverruns, self.forced) = (slackOverruns, forced)
  }
}

// MARK: - Modeled cells

/// The preparation costs of the cells of a list: all equal, or a few heavy cells among cheap ones.
public struct CellModel: Hashable, Sendable {
  /// The one or two kinds of cells, each with its own registration.
  public let kinds: [CellWork]
  /// The average number of items per cell of the second kind.
  ///
  /// These cells are distributed irregularly.
  public let heavyEvery: Int

  /// Creates a model of equal cells.
  public init(_ work: CellWork) { (kinds, heavyEvery) = ([work], 1) }

  /// Creates a model in which one of several cells on average is heavy.
  public init(cheap: CellWork, heavy: CellWork, every count: Int) {
    (kinds, heavyEvery) = ([cheap, heavy], max(1, count))
  }

  /// Returns the index of the kind of an item's cell.
  ///
  /// - Complexity: O(1).
  public func kind(of item: Int) -> Int {
    guard kinds.count > 1 else { return 0 }
    return SplitMix64.mix(UInt64(truncatingIfNeeded: item)) % UInt64(heavyEvery) == 0 ? 1 : 0
  }

  /// Returns the work of an item's cell.
  public func work(of item: Int) -> CellWork { kinds[kind(of: item)] }
}

/// The preparation cost of a modeled cell, spent on a simulated clock, in nanoseconds.
public struct CellWork: Hashable, Sendable {
  /// The cost of the handler.
  public var handler: Int64
  /// The cost of each preparation step.
  public var part: Int64
  /// The number of preparation steps.
  public var parts: Int
  /// The cost of layout and drawing.
  public var drawing: Int64

  /// Creates work from its parts.
  public init(handler: Int64 = 0, part: Int64 = 0, parts: Int = 0, drawing: Int64 = 0) {
    self.handler = handler
    self.part = part
    self.parts = parts
    self.drawing = drawing
  }

  /// The total cost.
  public var total: Int64 { handler + part * Int64(parts) + drawing }
}
