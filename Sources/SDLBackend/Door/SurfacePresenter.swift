import CSDL2
import Geometry
import Rendering

/// Shows pixels by the surface that SDL gives a window: where X has no memory to share.
nonisolated final class SurfacePresenter: FramePresenter {
  private let window: WindowReference
  /// The surface that was shown last: another one shows nothing yet.
  private var presentedMemory: Memory?
  private var rects: [SDL_Rect] = []

  /// Where a surface's pixels are; its address alone may be that of one that is gone.
  private struct Memory: Equatable {
    var start: UnsafeMutableRawPointer
    var extent: PixelRect
    var bytesPerRow: Int32
  }

  /// Makes a presenter of a window that no renderer draws into.
  ///
  /// The C function is `SDL_GetWindowSurface`.
  /// - Throws: ``DisplayError`` when SDL has no surface to give.
  init(window: WindowReference) throws(DisplayError) {
    guard SDL_GetWindowSurface(window.pointer) != nil else {
      throw DisplayError.fromSDL("show what is drawn in software")
    }
    self.window = window
  }

  var outputSize: PixelRect { window.pixelExtent }

  /// SDL may have a surface for the next frame.
  var hasFailed: Bool { false }

  func setCanvas(_ canvas: Canvas) { presentedMemory = nil }

  func waitUntilRead() {}

  /// Copies rectangles to the window's surface, all of it where that is a new one, and shows them.
  ///
  /// The C functions are `SDL_GetWindowSurface`, `SDL_FillRect`, `SDL_ConvertPixels` and `SDL_UpdateWindowSurfaceRects`. A
  /// surface that SDL has not made anew yet for another extent is shown as far as both go.
  func show(_ parts: UnsafeBufferPointer<PixelRect>, of canvas: Canvas) -> Bool {
    guard let surface = SDL_GetWindowSurface(window.pointer), let pixels = surface.pointee.pixels,
      let format = surface.pointee.format?.pointee
    else { return false }
    let memory = Memory(
      start: pixels, extent: PixelRect(x: 0, y: 0, width: surface.pointee.w, height: surface.pointee.h),
      bytesPerRow: surface.pointee.pitch)
    rects.removeAll(keepingCapacity: true)
    if memory == presentedMemory {
      for part in parts { addRect(part.intersection(memory.extent).intersection(canvas.extent)) }
    } else {
      SDL_FillRect(surface, nil, 0)
      addRect(memory.extent.intersection(canvas.extent))
    }
    let plane = canvas.plane
    for rect in rects {
      let source = plane.start + Int(rect.y) * plane.bytesPerRow + Int(rect.x) * 4
      let target = pixels + Int(rect.y) * Int(memory.bytesPerRow) + Int(rect.x) * Int(format.BytesPerPixel)
      let status = SDL_ConvertPixels(
        rect.w, rect.h, SDL_PIXELFORMAT_RGB888.rawValue, source, Int32(plane.bytesPerRow), format.format, target,
        memory.bytesPerRow)
      guard status == 0 else { return false }
    }
    guard SDL_UpdateWindowSurfaceRects(window.pointer, rects, Int32(rects.count)) == 0 else { return false }
    presentedMemory = memory
    return true
  }

  func close() { presentedMemory = nil }

  private func addRect(_ part: PixelRect) {
    guard !part.isEmpty else { return }
    rects.append(SDL_Rect(x: part.x, y: part.y, w: part.width, h: part.height))
  }
}
