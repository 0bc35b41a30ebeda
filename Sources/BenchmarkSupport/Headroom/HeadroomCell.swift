/// A modelled cell whose cost is to be found that scrolling can just bear.
public enum HeadroomCell: CaseIterable, Hashable, Sendable {
  /// Everything is done by its handler.
  case handler
  /// All but the drawing is done by its handler, which cannot be split.
  case handlerAndDrawing
  /// All but the drawing is done in thirty parts.
  case parts

  /// The name in the table.
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

  /// What layout and drawing take of a cell that is more than its handler, in nanoseconds.
  public static let drawing: Int64 = 500_000
  private static let partCount = 30

  /// The pieces of a cell that takes so many nanoseconds in all.
  public func work(total: Int64) -> CellWork {
    let drawing = min(HeadroomCell.drawing, max(0, total))
    let rest = max(0, total - drawing)
    switch self {
    case .handler: return CellWork(handler: max(0, total))
    case .handlerAndDrawing: return CellWork(handler: rest, drawing: drawing)
    case .parts:
      let part = rest / Int64(HeadroomCell.partCount)
      // What does not divide is its handler's.
      return CellWork(
        handler: rest - part * Int64(HeadroomCell.partCount), part: part, parts: HeadroomCell.partCount,
        drawing: drawing)
    }
  }
}
