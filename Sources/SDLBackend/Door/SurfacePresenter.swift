import CSDL2
import Geometry
import Rendering

/// Shows pixels by the surface that SDL gives a window: on Wayland, and where X has no memory to share.
nonisolated final class SurfacePresenter: Presenter {
  private let window: WindowReference
  /// The surface that was shown last: another one shows nothing yet.
  private var shown: UnsafeMutableRawPointer?
  private var rects: [SDL_Rect] = []

  /// Makes a presenter of a window that no renderer draws into.
  init(window: WindowReference) { self.window = window }

  var outputSize: PixelRect { window.pixelExtent }

  func take(_ canvas: Canvas) { shown = nil }

  func waitUntilRead() {}

  /// Copies rectangles to the window's surface, all of it where that is a new one, and shows them.
  ///
  /// The C functions are `SDL_GetWindowSurface`, `SDL_ConvertPixels` and `SDL_UpdateWindowSurfaceRects`. A surface that SDL
  /// has not made anew yet for another extent is shown as far as both go.
  func show(_ parts: UnsafeBufferPointer<PixelRect>, of canvas: Canvas) {
    guard let surface = SDL_GetWindowSurface(window.pointer), let pixels = surface.pointee.pixels,
      let format = surface.pointee.format
    else { return }
    let extent = PixelRect(x: 0, y: 0, width: surface.pointee.w, height: surface.pointee.h)
      .intersection(canvas.extent)
    rects.removeAll(keepingCapacity: true)
    if pixels == shown {
      for part in parts { add(part.intersection(extent)) }
    } else {
      add(extent)
    }
    shown = pixels
    let plane = canvas.plane
    let (from, to) = (plane.bytesPerRow, Int(surface.pointee.pitch))
    let bytesPerPixel = Int(format.pointee.BytesPerPixel)
    for rect in rects {
      let source = plane.start + Int(rect.y) * from + Int(rect.x) * 4
      let target = pixels + Int(rect.y) * to + Int(rect.x) * bytesPerPixel
      SDL_ConvertPixels(
        rect.w, rect.h, SDL_PIXELFORMAT_RGB888.rawValue, source, Int32(from), format.pointee.format, target, Int32(to))
    }
    SDL_UpdateWindowSurfaceRects(window.pointer, rects, Int32(rects.count))
  }

  func close() { shown = nil }

  private func add(_ part: PixelRect) {
    guard !part.isEmpty else { return }
    rects.append(SDL_Rect(x: part.x, y: part.y, w: part.width, h: part.height))
  }
}
