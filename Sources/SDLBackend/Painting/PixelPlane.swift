package import Geometry
package import Rendering

import Glibc

/// Pixels of four bytes in memory that somebody else owns, such as a window's, and what is drawn into them.
///
/// Everything drawn is opaque; sums and products are to the nearest, as ``ReferencePainter`` has them.
package nonisolated struct PixelPlane {
  /// The first pixel.
  package let start: UnsafeMutableRawPointer
  /// The bytes from one row to the next.
  package let bytesPerRow: Int
  /// The extent in pixels, its corner at 0, 0.
  package let extent: PixelRect
  /// How a pixel is made up.
  package let order: ChannelOrder

  /// Names memory that has the extent and lives as long as it is drawn into.
  package init(start: UnsafeMutableRawPointer, bytesPerRow: Int, extent: PixelRect, order: ChannelOrder) {
    self.start = start
    self.bytesPerRow = bytesPerRow
    self.extent = extent
    self.order = order
  }

  /// Gives all pixels of a rectangle one colour, without its alpha.
  ///
  /// Not past the caches, as what is drawn next would have to fetch its place from memory again, about a tenth of a frame.
  /// The C function is `memcpy`, from row to row.
  /// - Precondition: the rectangle lies within the extent.
  /// - Complexity: O(pixels).
  package func fill(_ rect: PixelRect, _ color: Color) {
    guard !rect.isEmpty else { return }
    let first = address(Int(rect.x), Int(rect.y))
    UnsafeMutableBufferPointer(
      start: first.assumingMemoryBound(to: UInt32.self), count: Int(rect.width)
    ).update(repeating: order.pixel(color) | 0xFF00_0000)
    let (rows, length) = (Int(rect.height), Int(rect.width) * 4)
    for row in 1..<max(1, rows) {
      if row + PixelPlane.prefetchDistance < rows {
        MemoryPrefetch.prefetch(first + (row + PixelPlane.prefetchDistance) * bytesPerRow, byteCount: length)
      }
      memcpy(first + row * bytesPerRow, first, length)
    }
  }

  /// Lays a colour over all pixels of a rectangle, by its alpha.
  /// - Precondition: the rectangle lies within the extent.
  /// - Complexity: O(pixels).
  package func blend(_ rect: PixelRect, _ color: Color) {
    guard !rect.isEmpty, color.alpha > 0 else { return }
    let blend = CoverageBlend(pixel: order.pixel(color))
    withUnsafeBytes(of: PixelChannels.Pixels(repeating: .max)) { covering in
      guard let texels = covering.baseAddress else { return }
      for row in 0..<Int(rect.height) {
        blend.blendRow(to: address(Int(rect.x), Int(rect.y) + row), from: texels, step: 0, count: Int(rect.width))
      }
    }
  }

  /// Draws a texture, as much of it as a blit says.
  /// - Precondition: the blit was cut to the extent and to the texture, and that has the plane's order of channels.
  /// - Complexity: O(pixels).
  package func draw(_ texels: Texels, _ blit: Blit, tint: Color, isBlended: Bool) {
    if isPlainCopy(texels, tint: tint, isBlended: isBlended) {
      copyTexels(texels, blit)
    } else if !isBlended {
      blendTexels(TexelReplacement(tint: order.pixel(tint)), texels, blit)
    } else if texels.isWhite {
      blendTexels(CoverageBlend(pixel: order.pixel(tint)), texels, blit)
    } else {
      blendTexels(TexelBlend(tint: order.pixel(tint)), texels, blit)
    }
  }

  /// Whether drawing a texture is copying its pixels as they are.
  @inline(__always)
  func isPlainCopy(_ texels: Texels, tint: Color, isBlended: Bool) -> Bool {
    texels.isOpaque && tint.red & tint.green & tint.blue == 255 && (!isBlended || tint.alpha == 255)
  }

  /// Reads all pixels into memory for a bitmap of the same extent, opaque.
  /// - Complexity: O(pixels).
  package func read(into memory: UnsafeMutableRawBufferPointer) {
    guard let target = memory.baseAddress else { return }
    let (columns, rows) = (Int(extent.width), Int(extent.height))
    for row in 0..<rows {
      _ = Texels.convertRow(
        UnsafeRawPointer(address(0, row)), to: target + row * columns * 4, count: columns,
        isSwapping: order == .blueFirst, setBits: 0xFF00_0000)
    }
  }

  /// Copies pixels as they are; the C function is `memcpy`, row by row.
  private func copyTexels(_ texels: Texels, _ blit: Blit) {
    forEachRow(of: blit, texels) { target, source in memcpy(target, source, blit.width * 4) }
  }

  @inline(__always)
  private func blendTexels(_ blend: some PixelBlend, _ texels: Texels, _ blit: Blit) {
    forEachRow(of: blit, texels) { target, source in
      blend.blendRow(to: target, from: source, step: 16, count: blit.width)
    }
  }

  /// Hands out where rows of a window and of a texture begin, and has both asked for some rows ahead.
  @inline(__always)
  private func forEachRow(
    of blit: Blit, _ texels: Texels, _ body: (_ target: UnsafeMutableRawPointer, _ source: UnsafeRawPointer) -> Void
  ) {
    let target = address(blit.x, blit.y)
    let source = texels.address(blit.column, blit.row)
    let ahead = PixelPlane.prefetchDistance
    for row in -ahead..<blit.height {
      if row + ahead < blit.height {
        MemoryPrefetch.prefetch(source + (row + ahead) * texels.bytesPerRow, byteCount: blit.width * 4)
        MemoryPrefetch.prefetch(target + (row + ahead) * bytesPerRow, byteCount: blit.width * 4)
      }
      if row >= 0 { body(target + row * bytesPerRow, source + row * texels.bytesPerRow) }
    }
  }

  /// How many rows before they are drawn memory is asked for them.
  static let prefetchDistance = 4

  /// Asks for a row of a rectangle that will be written soon, if it has such a row.
  @inline(__always)
  func prefetchRow(_ y: Int32, of rect: PixelRect) {
    if y < rect.maxY { MemoryPrefetch.prefetch(address(Int(rect.x), Int(y)), byteCount: Int(rect.width) * 4) }
  }

  /// Where a pixel is.
  @inline(__always)
  func address(_ x: Int, _ y: Int) -> UnsafeMutableRawPointer { start + y * bytesPerRow + x * 4 }
}
