import CSDL2
import Geometry
import Glibc
import Rendering

/// The memory into which the software renderer draws a window, for as long as SDL keeps it: until the window's extent
/// changes.
nonisolated struct WindowPixels: Equatable {
  /// The first pixel.
  let start: UnsafeMutableRawPointer
  /// The bytes from one row to the next; a pixel has four.
  let bytesPerRow: Int
  /// The extent in pixels, its corner at 0, 0.
  let extent: PixelRect
  /// Where a pixel has its channels, as SDL tells it.
  private let format: UnsafeMutablePointer<SDL_PixelFormat>

  /// Finds the memory; the C function is `SDL_GetWindowSurface`.
  ///
  /// For windows of the software renderer only. Nothing where SDL gives none, or none with four bytes a pixel.
  init?(of window: borrowing WindowHandle) {
    guard let surface = SDL_GetWindowSurface(window.pointer)?.pointee, let pixels = surface.pixels,
      surface.flags & UInt32(SDL_RLEACCEL) == 0, let format = surface.format, format.pointee.BytesPerPixel == 4
    else { return nil }
    self.format = format
    start = pixels
    bytesPerRow = Int(surface.pitch)
    extent = PixelRect(x: 0, y: 0, width: surface.w, height: surface.h)
  }

  /// A colour as a pixel, without its alpha; the C function is `SDL_MapRGB`.
  @inline(__always)
  func value(of color: Color) -> UInt32 { SDL_MapRGB(format, color.red, color.green, color.blue) }

  /// Gives all pixels of a rectangle one colour.
  ///
  /// Not by SDL: that writes past the caches, and what is drawn next has to fetch its place from memory again, about a
  /// tenth of a frame. The C function is `memcpy`, from row to row.
  /// - Precondition: the rectangle lies within the extent.
  /// - Complexity: O(pixels).
  func fill(_ rect: PixelRect, _ color: Color) {
    guard !rect.isEmpty else { return }
    let first = start + Int(rect.y) * bytesPerRow + Int(rect.x) * 4
    UnsafeMutableBufferPointer(
      start: first.assumingMemoryBound(to: UInt32.self), count: Int(rect.width)
    ).update(repeating: value(of: color))
    for row in 1..<max(1, Int(rect.height)) { memcpy(first + row * bytesPerRow, first, Int(rect.width) * 4) }
  }
}

nonisolated extension RendererHandle {
  /// Whether what is drawn appears in a window's memory, and at once, and what is written there is what was drawn.
  ///
  /// SDL does not promise it, so the window's first pixel is tried with two colours, and is black afterwards. The C
  /// functions are `SDL_RenderFillRect`, without `SDL_RenderFlush`, and `SDL_RenderReadPixels`.
  func draws(into pixels: WindowPixels) -> Bool {
    guard !pixels.extent.isEmpty, outputSize == pixels.extent else { return false }
    let mask = pixels.value(of: .white) & ~pixels.value(of: .black)
    for color in [Color(hex: 0xFEDCBA), Color(hex: 0x012345)] {
      let value = pixels.value(of: color) & mask
      fillFirstPixel(with: color)
      guard pixels.start.load(as: UInt32.self) & mask == value else { return false }
      fillFirstPixel(with: .black)
      pixels.start.storeBytes(of: value, as: UInt32.self)
      guard firstPixel == color else { return false }
    }
    fillFirstPixel(with: .black)
    return true
  }

  private func fillFirstPixel(with color: Color) {
    var place = SDL_Rect(x: 0, y: 0, w: 1, h: 1)
    SDL_RenderSetClipRect(pointer, nil)
    SDL_SetRenderDrawBlendMode(pointer, SDL_BLENDMODE_NONE)
    SDL_SetRenderDrawColor(pointer, color.red, color.green, color.blue, 255)
    SDL_RenderFillRect(pointer, &place)
  }

  private var firstPixel: Color? {
    var place = SDL_Rect(x: 0, y: 0, w: 1, h: 1)
    var value: UInt32 = 0
    guard SDL_RenderReadPixels(pointer, &place, SDL_PIXELFORMAT_RGBA32.rawValue, &value, 4) == 0 else { return nil }
    var color = Color(packed: UInt32(littleEndian: value))
    color.alpha = 255
    return color
  }
}
