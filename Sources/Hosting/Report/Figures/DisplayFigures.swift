/// Where a run was drawn.
public struct DisplayFigures: Encodable {
  var driver: String
  /// SDL's name of the renderer, such as `opengl`; `software` for whatever draws on the processor.
  var renderer: String
  /// What draws, by its name of `--renderer`: `sdl`, `memory`, `opengl` or `opengles2`.
  var drawnBy: String
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
