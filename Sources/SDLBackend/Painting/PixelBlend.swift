/// How pixels of a texture and of a window become the window's next ones, four at a time.
nonisolated protocol PixelBlend {
  /// Whether a texture's pixels of alpha 0 leave the window's as they are.
  static var skipsTransparentPixels: Bool { get }

  /// The window's next pixels, opaque.
  func blend(_ source: PixelChannels.Pixels, over below: PixelChannels.Pixels) -> PixelChannels.Pixels
}

nonisolated extension PixelBlend {
  /// Lays pixels of a texture over as many of a window.
  ///
  /// What is left of four is blended by the same arithmetic: no pixel depends on where a row is cut.
  ///
  /// - Parameter step: the bytes from four pixels of the texture to the next four: 16, or 0 for the same four again.
  /// - Complexity: O(count).
  @inline(__always)
  func blendRow(to row: UnsafeMutableRawPointer, from texels: UnsafeRawPointer, step: Int, count: Int) {
    var target = row
    var source = texels
    let end = row + (count & ~3) * 4
    while target < end {
      if !Self.skipsTransparentPixels || !areTransparent(source) {
        let next = blend(
          source.loadUnaligned(as: PixelChannels.Pixels.self),
          over: target.loadUnaligned(as: PixelChannels.Pixels.self))
        target.storeBytes(of: next, as: PixelChannels.Pixels.self)
      }
      target += 16
      source += step
    }
    if count & 3 > 0 { blendRemainder(to: target, from: source, count: count & 3) }
  }

  /// Blends less than four pixels.
  private func blendRemainder(to target: UnsafeMutableRawPointer, from texels: UnsafeRawPointer, count: Int) {
    var source = PixelChannels.Pixels.zero
    var below = PixelChannels.Pixels.zero
    for place in 0..<count {
      source[place] = texels.loadUnaligned(fromByteOffset: place * 4, as: UInt32.self)
      below[place] = target.loadUnaligned(fromByteOffset: place * 4, as: UInt32.self)
    }
    let next = blend(source, over: below)
    for place in 0..<count { target.storeBytes(of: next[place], toByteOffset: place * 4, as: UInt32.self) }
  }

  /// Whether four pixels are clear: most of a line of type is.
  @inline(__always)
  private func areTransparent(_ texels: UnsafeRawPointer) -> Bool {
    let pairs = texels.loadUnaligned(as: UInt64.self) | texels.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
    return pairs & 0xFF00_0000_FF00_0000 == 0
  }
}
