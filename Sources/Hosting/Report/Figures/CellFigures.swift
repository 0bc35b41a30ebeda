/// The lives of cells.
public struct CellFigures: Encodable {
  var created: Int
  var dequeued: Int
  var reused: Int
  var prepared: Int
  var displayed: Int
  var reconfigured: Int
  var visible: Int
  var pooled: Int

  /// Makes figures.
  public init(
    created: Int, dequeued: Int, reused: Int, prepared: Int, displayed: Int, reconfigured: Int, visible: Int,
    pooled: Int
  ) {
    self.created = created
    self.dequeued = dequeued
    self.reused = reused
    self.prepared = prepared
    self.displayed = displayed
    self.reconfigured = reconfigured
    self.visible = visible
    self.pooled = pooled
  }
}
