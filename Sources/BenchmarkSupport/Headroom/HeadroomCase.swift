/// A list that is scrolled steadily, and the kind of its cells.
public struct HeadroomCase: Hashable, Sendable {
  /// The kind of cells.
  public let cell: HeadroomCell
  /// In how many columns they stand.
  public let columns: Int
  /// From one row to the next, in points.
  public let rowHeight: Double

  /// Points a second.
  public static let speed = 600.0
  /// Nanoseconds from one refresh to the next.
  public static let interval = 1e9 / 60
  /// What every commit takes besides cells, in nanoseconds.
  public static let fixedWork = 1e6
  /// The most milliseconds of hitches a second that count as smooth.
  public static let mostHitches = 5.0

  /// The cases: one column of lines, and six columns of pictures.
  public static let all = [(1, 44.0), (6, 180.0)].flatMap { columns, rowHeight in
    HeadroomCell.allCases.map { HeadroomCase($0, columns: columns, rowHeight: rowHeight) }
  }

  /// Makes a case.
  public init(_ cell: HeadroomCell, columns: Int, rowHeight: Double) {
    (self.cell, self.columns, self.rowHeight) = (cell, max(1, columns), rowHeight)
  }

  /// From one cell that comes to the next, in refreshes.
  public var refreshesPerCell: Double {
    rowHeight / (HeadroomCase.speed * HeadroomCase.interval / 1e9) / Double(columns)
  }

  /// The most that a cell could cost at best, in nanoseconds: all the time until the next one comes, of which a step that
  /// cannot be split has two frames at most.
  public var bound: Double {
    HeadroomCase.interval * (cell == .parts ? refreshesPerCell : min(2, refreshesPerCell))
  }

  /// How many times the cost is to be borne that is borne without working ahead; nothing where no aim is set.
  ///
  /// None for a cell that is its handler alone: both may be late by the same few tenths of a millisecond, so that twice the
  /// cost is just out of reach of any policy.
  public var ratioAim: Aim? {
    switch cell {
    case .handler: nil
    case .handlerAndDrawing: columns == 1 ? Aim(.ratio, 2) : nil
    case .parts: Aim(.ratio, 4)
    }
  }

  /// The share of the bound that is to be reached.
  public static let shareAim = Aim(.ratio, 0.85)
}
