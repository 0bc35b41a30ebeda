import VitrineDecodingProtocol
package import VitrineRendering

/// A table from the colors of sRGB to those of a display.
///
/// A decoding process computes it from the display's profile, for the grid of colors in `ColorTableFormat`. Colors between
/// those of the grid are interpolated in the tetrahedron that contains them, which keeps grays gray. If the display shows
/// all colors of sRGB, the result differs by at most one level from that of Little CMS. Otherwise, colors that the display
/// cannot show, and those next to them, differ more, in the channel that is nearly zero.
package struct ColorTable: Sendable {
  /// The place of a level between two levels of the grid.
  private struct Position {
    /// The index of the lower level.
    let index: Int
    /// The distance from it, where ``ColorTable/unit`` is that of the higher level.
    let distance: UInt32
  }

  /// 8 bits, so that the sum of four weighted entries has 20 bits a channel.
  private static let unit: UInt32 = 1 << 8
  private static let greenStride = ColorTableFormat.side
  private static let blueStride = ColorTableFormat.side * ColorTableFormat.side
  /// The number of bits from one channel of an entry to the next.
  private static let channelBits: UInt64 = 20
  /// The highest level of an entry: 255 with four more bits.
  private static let highestLevel: UInt32 = 255 << 4
  /// Half a level in each channel of a sum.
  private static let half: UInt64 = (1 << 11) * (1 | 1 << channelBits | 1 << (2 * channelBits))

  /// The positions of the levels 0 to 255.
  private static let positions: [Position] = {
    let levels = ColorTableFormat.levels.map(Int.init)
    return (0...255).map { level in
      let index = min(levels.lastIndex { $0 <= level } ?? 0, levels.count - 2)
      let (low, high) = (levels[index], levels[index + 1])
      return Position(index: index, distance: UInt32((level - low) * Int(unit) / (high - low)))
    }
  }()

  /// Red in the lowest bits, green and blue, each up to ``highestLevel``.
  ///
  /// All channels of an entry are weighted by one multiplication.
  private let entries: [UInt64]

  /// Reads a table, or returns nil if the bytes have another number.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count == ColorTableFormat.byteCount else { return nil }
    func level(at offset: Int) -> UInt64 {
      let level = UInt32(UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt16.self)))
      return UInt64((level * ColorTable.highestLevel + 32_767) / 65_535)
    }
    entries = (0..<ColorTableFormat.entryCount).map { entry in
      let offset = entry * ColorTableFormat.bytesPerEntry
      let (red, green, blue) = (level(at: offset), level(at: offset + 2), level(at: offset + 4))
      return red | green << ColorTable.channelBits | blue << (2 * ColorTable.channelBits)
    }
  }

  /// Returns a copy of a bitmap in the colors of the display, in the same channel order and with the same alpha.
  ///
  /// - Parameter pool: The pool of the copy's memory. Default: nil.
  /// - Throws: `BitmapError.outOfMemory(bytes:)`.
  /// - Complexity: O(pixels), about five milliseconds for a million. Never call it on the thread that draws.
  package func converted(_ bitmap: Bitmap, pool: PixelPool? = nil) throws -> Bitmap {
    let isBlueFirst = bitmap.order == .blueFirst
    return try Bitmap(size: bitmap.size, isOpaque: bitmap.isOpaque, order: bitmap.order, pool: pool) { target in
      let target = target.bindMemory(to: UInt32.self)
      bitmap.withPixels { source in
        let source = source.bindMemory(to: UInt32.self)
        entries.withUnsafeBufferPointer { entries in
          ColorTable.positions.withUnsafeBufferPointer { positions in
            convert(source, to: target, isBlueFirst: isBlueFirst, entries, positions)
          }
        }
      }
    }
  }

  private func convert(
    _ source: UnsafeBufferPointer<UInt32>, to target: UnsafeMutableBufferPointer<UInt32>, isBlueFirst: Bool,
    _ entries: UnsafeBufferPointer<UInt64>, _ positions: UnsafeBufferPointer<Position>
  ) {
    let (redShift, blueShift): (UInt32, UInt32) = isBlueFirst ? (16, 0) : (0, 16)
    // Neighboring pixels are often equal.
    var last: (source: UInt32, target: UInt32)?
    for index in source.indices {
      let pixel = UInt32(littleEndian: source[index])
      if let last, last.source == pixel {
        target[index] = last.target
        continue
      }
      let sum = ColorTable.interpolatedColor(
        positions[Int(pixel &>> redShift & 0xFF)], positions[Int(pixel &>> 8 & 0xFF)],
        positions[Int(pixel &>> blueShift & 0xFF)], entries)
      let (red, green, blue) = (sum.level(at: 12), sum.level(at: 32), sum.level(at: 52))
      let result = (red &<< redShift | green &<< 8 | blue &<< blueShift | pixel & 0xFF00_0000).littleEndian
      target[index] = result
      last = (pixel, result)
    }
  }

  /// Returns the sum of the corners of the tetrahedron, weighted by their distances: from the cell's lowest corner along the
  /// channel with the largest distance, then along the next one, to the highest corner.
  @inline(__always)
  private static func interpolatedColor(
    _ red: Position, _ green: Position, _ blue: Position, _ entries: UnsafeBufferPointer<UInt64>
  ) -> UInt64 {
    let lowest = red.index &+ green.index &* greenStride &+ blue.index &* blueStride
    // Distances with the strides of their channels, in descending order. Sorting them without branches is twice as fast.
    let (redKey, greenKey, blueKey) = (
      red.distance &<< 12 | 1, green.distance &<< 12 | UInt32(greenStride), blue.distance &<< 12 | UInt32(blueStride)
    )
    let (higher, lower) = (max(redKey, greenKey), min(redKey, greenKey))
    let (firstKey, other) = (max(higher, blueKey), min(higher, blueKey))
    let (secondKey, thirdKey) = (max(other, lower), min(other, lower))
    let (first, second, third) = (firstKey &>> 12, secondKey &>> 12, thirdKey &>> 12)
    let next = lowest &+ Int(firstKey & 0xFFF)
    let last = next &+ Int(secondKey & 0xFFF)
    let highest = last &+ Int(thirdKey & 0xFFF)
    return entries[lowest] &* UInt64(unit &- first) &+ entries[next] &* UInt64(first &- second)
      &+ entries[last] &* UInt64(second &- third) &+ entries[highest] &* UInt64(third) &+ half
  }
}

extension UInt64 {
  /// Returns the eight bits from a bit on.
  @inline(__always)
  fileprivate func level(at bit: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: self &>> bit) & 0xFF }
}
