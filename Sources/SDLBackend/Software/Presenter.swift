import Geometry
import Rendering

/// Brings pixels from memory to a window.
nonisolated protocol FramePresenter: AnyObject {
  /// The window's extent in pixels, now.
  var outputSize: PixelRect { get }

  /// Shows another canvas from now on, and lets go of the last one.
  /// - Throws: ``DisplayError`` when the window system does not take it.
  func setCanvas(_ canvas: Canvas) throws(DisplayError)

  /// Waits until nobody reads the canvas any more, so that it may be written: at once, but where the window system lags a
  /// frame behind.
  func waitUntilRead()

  /// Whether nothing can be shown any more, as the window system refused or has gone away: another presenter may do better.
  var hasFailed: Bool { get }

  /// Shows rectangles of the canvas that was taken last.
  /// - Returns: whether they were; otherwise they are to be shown again.
  func show(_ parts: UnsafeBufferPointer<PixelRect>, of canvas: Canvas) -> Bool

  /// Lets go of the window and of the canvas.
  func close()
}
