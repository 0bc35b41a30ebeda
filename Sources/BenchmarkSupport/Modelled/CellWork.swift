/// What a modelled cell's preparation takes: spent on a simulated clock, in nanoseconds.
public struct CellWork: Hashable, Sendable {
  /// What its handler takes.
  public var handler: Int64
  /// What each part takes, of a cell that is prepared in parts.
  public var part: Int64
  /// How many parts there are.
  public var parts: Int
  /// What laying it out and drawing it takes.
  public var drawing: Int64

  /// Makes work of its pieces.
  public init(handler: Int64 = 0, part: Int64 = 0, parts: Int = 0, drawing: Int64 = 0) {
    self.handler = handler
    self.part = part
    self.parts = parts
    self.drawing = drawing
  }

  /// What a cell takes in all.
  public var total: Int64 { handler + part * Int64(parts) + drawing }
}
