import Glibc
package import VitrineGeometry
package import VitrineRendering

/// Pixels of four bytes in memory with another owner, such as those of a window, with drawing functions.
///
/// The result is always opaque. Sums and products are rounded to nearest, as in ``ReferencePainter``.
package struct PixelPlane {
  /// The address of the first pixel.
  package let start: UnsafeMutableRawPointer
  /// The number of bytes from one row to the next.
  package let bytesPerRow: Int
  /// The size in pixels, with the origin 0, 0.
  package let extent: PixelRect
  /// The channel order of the pixels.
  package let order: ChannelOrder

  /// Creates a plane of memory, which must have the size and exist while it is drawn into.
  package init(start: UnsafeMutableRawPointer, bytesPerRow: Int, extent: PixelRect, order: ChannelOrder) {
    self.start = start
    self.bytesPerRow = bytesPerRow
    self.extent = extent
    self.order = order
  }

  /// Fills a rectangle with an opaque colour, using `memcpy` from row to row.
  ///
  /// The stores use the caches: bypassing them would make later drawing fetch the memory again, about a tenth of a
  /// frame.
  /// - Precondition: The rectangle is within the plane.
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

  /// Blends a colour over a rectangle by its alpha.
  /// - Precondition: The rectangle is within the plane.
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

  /// Draws a part of a texture.
  /// - Precondition: The blit is clipped to the plane and the texture, which has the plane's channel order.
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

  /// Whether a texture is drawn by copying its pixels unchanged.
  @inline(__always)
  func isPlainCopy(_ texels: Texels, tint: Color, isBlended: Bool) -> Bool {
    texels.isOpaque && tint.red & tint.green & tint.blue == 255 && (!isBlended || tint.alpha == 255)
  }

  /// Copies all pixels, made opaque, to the memory of a bitmap of the same size with red first.
  /// - Complexity: O(pixels).
  package func copyPixels(into memory: UnsafeMutableRawBufferPointer) {
    guard let target = memory.baseAddress else { return }
    let (columns, rows) = (Int(extent.width), Int(extent.height))
    for row in 0..<rows {
      _ = Texels.convertRow(
        UnsafeRawPointer(address(0, row)), to: target + row * columns * 4, count: columns,
        isSwapping: order == .blueFirst, setBits: 0xFF00_0000)
    }
  }

  /// Copies pixels unchanged, using `memcpy` for each row.
  private func copyTexels(_ texels: Texels, _ blit: Blit) {
    forEachRow(of: blit, texels) { target, source in memcpy(target, source, blit.width * 4) }
  }

  @inline(__always)
  private func blendTexels(_ blend: some PixelBlend, _ texels: Texels, _ blit: Blit) {
    forEachRow(of: blit, texels) { target, source in
      blend.blendRow(to: target, from: source, step: 16, count: blit.width)
    }
  }

  /// Calls a closure with the addresses of each row of the window and the texture, and prefetches the rows ahead.
  @inline(__always)
  private func forEachRow(
    of blit: Blit, _ texels: Texels, _ body: (_ target: UnsafeMutableRawPointer, _ source: UnsafeRawPointer) -> Void
  ) {
    let target = address(blit.x, blit.y)
    let source = texels.address(blit.column, blit.row)
    let distance = PixelPlane.prefetchDistance
    for row in -distance..<blit.height {
      if row + distance < blit.height {
        MemoryPrefetch.prefetch(source + (row + distance) * texels.bytesPerRow, byteCount: blit.width * 4)
        MemoryPrefetch.prefetch(target + (row + distance) * bytesPerRow, byteCount: blit.width * 4)
      }
      if row >= 0 { body(target + row * bytesPerRow, source + row * texels.bytesPerRow) }
    }
  }

  /// The number of rows that memory is prefetched ahead.
  static let prefetchDistance = 4

  /// Prefetches a row of a rectangle that will be written soon, if the rectangle contains it.
  @inline(__always)
  func prefetchRow(_ y: Int32, of rect: PixelRect) {
    if y < rect.maxY { MemoryPrefetch.prefetch(address(Int(rect.x), Int(y)), byteCount: Int(rect.width) * 4) }
  }

  /// Returns the address of a pixel.
  @inline(__always)
  func address(_ x: Int, _ y: Int) -> UnsafeMutableRawPointer { start + y * bytesPerRow + x * 4 }
}
