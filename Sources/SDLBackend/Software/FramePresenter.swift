import CVitrineSDL2
import VitrineGeometry
import VitrinePainting
import VitrineRendering

/// An object that shows the pixels of a canvas in a window.
nonisolated protocol FramePresenter: AnyObject {
  /// The current size of the window in pixels.
  var outputSize: PixelRect { get }

  /// Replaces the canvas and releases the former one.
  /// - Throws: ``DisplayError`` if the window system refuses the canvas.
  func setCanvas(_ canvas: Canvas) throws(DisplayError)

  /// Waits until the canvas is no longer read, so that it can be written.
  ///
  /// Blocks only if the window system is a frame behind.
  func waitUntilRead()

  /// Whether presenting has failed permanently because of the window system.
  ///
  /// Another presenter may still work.
  var hasFailed: Bool { get }

  /// Shows rectangles of the canvas.
  /// - Returns: Whether they were shown. If false, they must be shown again.
  func show(_ parts: UnsafeBufferPointer<PixelRect>, of canvas: Canvas) -> Bool

  /// Releases the window and the canvas.
  func close()
}

/// A presenter without a screen, which shows nothing.
nonisolated final class HeadlessPresenter: FramePresenter {
  private let window: WindowReference

  /// Creates a presenter with the size of a window.
  init(window: WindowReference) { self.window = window }

  var outputSize: PixelRect { window.pixelExtent }

  func setCanvas(_ canvas: Canvas) {}

  func waitUntilRead() {}

  var hasFailed: Bool { false }

  func show(_ parts: UnsafeBufferPointer<PixelRect>, of canvas: Canvas) -> Bool { true }

  func close() {}
}

/// A presenter that copies pixels to SDL's surface of the window, for X servers without shared memory.
nonisolated final class SurfacePresenter: FramePresenter {
  private let window: WindowReference
  /// The surface that was shown last.
  ///
  /// Another one does not show anything yet.
  private var presentedMemory: Memory?
  private var rects: [SDL_Rect] = []

  /// The memory of a surface.
  ///
  /// The address alone is not sufficient, because a new surface may have that of an old one.
  private struct Memory: Equatable {
    var start: UnsafeMutableRawPointer
    var extent: PixelRect
    var bytesPerRow: Int32
  }

  /// Creates a presenter for a window without a renderer, using `SDL_GetWindowSurface`.
  ///
  /// - Throws: ``DisplayError`` if SDL has no surface for the window.
  init(window: WindowReference) throws(DisplayError) {
    guard SDL_GetWindowSurface(window.pointer) != nil else {
      throw DisplayError.fromSDL("show what is drawn in software")
    }
    self.window = window
  }

  var outputSize: PixelRect { window.pixelExtent }

  /// Always false, because SDL may have a surface for the next frame.
  var hasFailed: Bool { false }

  func setCanvas(_ canvas: Canvas) { presentedMemory = nil }

  func waitUntilRead() {}

  /// Copies rectangles to the window's surface, or everything if the surface is new, and shows them.
  ///
  /// If SDL has not yet resized the surface, only the common part is shown. The C functions are `SDL_GetWindowSurface`,
  /// `SDL_FillRect`, `SDL_ConvertPixels` and `SDL_UpdateWindowSurfaceRects`.
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
