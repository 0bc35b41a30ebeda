package import VitrineGeometry
package import VitrineRendering

/// The pixels of a texture in memory, four bytes each.
package struct Texels {
  /// The number of bytes from one row to the next.
  package let bytesPerRow: Int
  /// The size in pixels.
  package let size: PixelSize
  /// Whether every alpha is 255.
  package let isOpaque: Bool
  /// The channel order of the pixels.
  package let order: ChannelOrder
  /// Whether every colour is white, so that pixels differ only in alpha.
  package private(set) var isWhite: Bool

  private let start: UnsafeMutableRawPointer
  /// White without alpha.
  private static let white: UInt32 = 0xFF_FFFF

  /// Creates texels of memory, which must have the size and exist while it is drawn from.
  package init(
    start: UnsafeMutableRawPointer, bytesPerRow: Int, size: PixelSize, isOpaque: Bool, order: ChannelOrder,
    isWhite: Bool = false
  ) {
    self.start = start
    self.isWhite = isWhite
    self.bytesPerRow = bytesPerRow
    self.size = size
    self.isOpaque = isOpaque
    self.order = order
  }

  /// Creates texels of a bitmap's pixels, which must not be written.
  ///
  /// The bitmap must exist while they are drawn from.
  ///
  /// Returns nil if the bitmap has another channel order, unless all colours are white.
  /// - Complexity: O(1), or O(pixels) if there is transparency.
  package init?(of bitmap: Bitmap, order: ChannelOrder) {
    let isWhite = !bitmap.isOpaque && Texels.isWhite(bitmap)
    guard bitmap.order == order || isWhite else { return nil }
    self.init(
      start: UnsafeMutableRawPointer(mutating: bitmap.pixelsBaseAddress), bytesPerRow: bitmap.bytesPerRow,
      size: bitmap.size,
      isOpaque: bitmap.isOpaque, order: order, isWhite: isWhite)
  }

  /// Whether every colour of a bitmap is white.
  ///
  /// Most other bitmaps are recognised in the first row.
  private static func isWhite(_ bitmap: Bitmap) -> Bool {
    bitmap.withPixels { memory in
      let pixels = memory.assumingMemoryBound(to: UInt32.self)
      for row in 0..<bitmap.size.height {
        let line = UnsafeBufferPointer(rebasing: pixels[row * bitmap.size.width..<(row + 1) * bitmap.size.width])
        if line.reduce(.max, &) & white != white { return false }
      }
      return true
    }
  }

  /// Replaces the pixels by those of a bitmap.
  ///
  /// If the texels are opaque, every alpha becomes 255.
  /// - Precondition: The bitmap has the same size.
  /// - Complexity: O(pixels).
  package mutating func copyPixels(from bitmap: Bitmap) {
    let setBits: UInt32 = isOpaque ? 0xFF00_0000 : 0
    var common = UInt32.max
    bitmap.withPixels { pixels in
      guard let first = pixels.baseAddress else { return }
      for row in 0..<size.height {
        let source = first + row * bitmap.bytesPerRow
        common &= Texels.convertRow(
          source, to: start + row * bytesPerRow, count: size.width, isSwapping: order != bitmap.order, setBits: setBits)
      }
    }
    isWhite = common & Texels.white == Texels.white
  }

  /// Frees the memory, which must have been allocated for these texels.
  package func deallocate() { start.deallocate() }

  /// Returns the address of a pixel.
  /// - Precondition: The pixel is within the texture.
  @inline(__always)
  func address(_ column: Int, _ row: Int) -> UnsafeRawPointer {
    UnsafeRawPointer(start + row * bytesPerRow + column * 4)
  }

  /// Converts a row and returns the bits that are set in all of its pixels.
  static func convertRow(
    _ source: UnsafeRawPointer, to target: UnsafeMutableRawPointer, count: Int, isSwapping: Bool, setBits: UInt32
  ) -> UInt32 {
    var common = SIMD4<UInt32>(repeating: .max)
    var offset = 0
    while offset &+ 16 <= count &* 4 {
      var pixels = source.loadUnaligned(fromByteOffset: offset, as: SIMD4<UInt32>.self)
      if isSwapping { pixels = swappingRedAndBlue(pixels) }
      pixels |= SIMD4(repeating: setBits)
      common &= pixels
      target.storeBytes(of: pixels, toByteOffset: offset, as: SIMD4<UInt32>.self)
      offset &+= 16
    }
    while offset < count &* 4 {
      var pixels = SIMD4<UInt32>(repeating: source.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
      if isSwapping { pixels = swappingRedAndBlue(pixels) }
      pixels |= SIMD4(repeating: setBits)
      common &= pixels
      target.storeBytes(of: pixels[0], toByteOffset: offset, as: UInt32.self)
      offset &+= 4
    }
    return common[0] & common[1] & common[2] & common[3]
  }

  /// Returns four pixels with their first and third channel exchanged.
  @inline(__always)
  private static func swappingRedAndBlue(_ pixels: SIMD4<UInt32>) -> SIMD4<UInt32> {
    let eight = SIMD4<UInt32>(repeating: 0xFF)
    let sixteen = SIMD4<UInt32>(repeating: 16)
    return pixels & SIMD4(repeating: 0xFF00_FF00) | (pixels & eight) &<< sixteen | pixels &>> sixteen & eight
  }
}
