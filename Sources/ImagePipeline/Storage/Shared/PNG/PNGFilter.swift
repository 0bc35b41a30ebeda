/// PNG's filters: a row told by its differences from what stands left of it and above it (ISO/IEC 15948, section 9).
enum PNGFilter {
  /// The bytes of a pixel.
  private static let bytesPerPixel = 3

  /// Adds a row in the one of three filters that leaves the smallest differences, its number before it.
  ///
  /// - Parameters:
  ///   - row: the row's bytes, three for each pixel.
  ///   - above: those of the row above it; zeros above the first.
  ///   - target: room for the number and the row.
  /// - Complexity: O(count).
  static func apply(
    _ row: UnsafeBufferPointer<UInt8>, above: UnsafeBufferPointer<UInt8>, into target: UnsafeMutableBufferPointer<UInt8>
  ) {
    var (beside, over, both) = (0, 0, 0)
    for place in row.indices {
      let (left, up, corner) = neighbours(row, above, place)
      beside += magnitude(row[place] &- left)
      over += magnitude(row[place] &- up)
      both += magnitude(row[place] &- paethPredictor(left, up, corner))
    }
    let smallest = min(beside, over, both)
    target[0] = smallest == both ? 4 : smallest == over ? 2 : 1
    for place in row.indices {
      let (left, up, corner) = neighbours(row, above, place)
      let expected = smallest == both ? paethPredictor(left, up, corner) : smallest == over ? up : left
      target[place + 1] = row[place] &- expected
    }
  }

  @inline(__always)
  private static func neighbours(
    _ row: UnsafeBufferPointer<UInt8>, _ above: UnsafeBufferPointer<UInt8>, _ place: Int
  ) -> (left: UInt8, up: UInt8, corner: UInt8) {
    place < bytesPerPixel
      ? (0, above[place], 0) : (row[place - bytesPerPixel], above[place], above[place - bytesPerPixel])
  }

  /// How far a difference is from none, around either way.
  @inline(__always)
  private static func magnitude(_ difference: UInt8) -> Int { Int(min(difference, 0 &- difference)) }

  /// Whichever of three is nearest to left and above less the corner between them (Paeth).
  @inline(__always)
  private static func paethPredictor(_ left: UInt8, _ up: UInt8, _ corner: UInt8) -> UInt8 {
    let (a, b) = (Int(up) - Int(corner), Int(left) - Int(corner))
    let (toLeft, toUp, toCorner) = (abs(a), abs(b), abs(a + b))
    return toLeft <= toUp && toLeft <= toCorner ? left : toUp <= toCorner ? up : corner
  }
}
