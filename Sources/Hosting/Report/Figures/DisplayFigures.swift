/// Where a run was drawn.
public struct DisplayFigures: Encodable {
  var driver: String
  var renderer: String
  var rendererReason: String?
  var device: String?
  var clock: String
  var clockReason: String
  /// Refreshes a second; nil on the vsync clock unless presents were seen to wait for them.
  @Measured var refreshHz: Double?
  var widthPoints: Double
  var heightPoints: Double
  var scale: Double
}
