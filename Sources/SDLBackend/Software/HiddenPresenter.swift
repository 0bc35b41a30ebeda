import Geometry
import Rendering

/// Shows nothing: there is no screen, and who wants pixels reads them.
nonisolated final class HeadlessPresenter: FramePresenter {
  private let window: WindowReference

  /// Makes a presenter that knows a window's extent.
  init(window: WindowReference) { self.window = window }

  var outputSize: PixelRect { window.pixelExtent }

  func setCanvas(_ canvas: Canvas) {}

  func waitUntilRead() {}

  var hasFailed: Bool { false }

  func show(_ parts: UnsafeBufferPointer<PixelRect>, of canvas: Canvas) -> Bool { true }

  func close() {}
}
