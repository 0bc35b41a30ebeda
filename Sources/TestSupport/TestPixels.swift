import VitrineDataStructures
package import VitrineGeometry
package import VitrineRendering

/// Creates a bitmap whose pixels a closure returns by column and row.
package func bitmap(_ width: Int, _ height: Int, isOpaque: Bool = true, _ pixel: (Int, Int) -> Color) throws -> Bitmap {
  guard let size = PixelSize(width: width, height: height) else {
    failPrecondition("A bitmap cannot have \(width) × \(height) pixels.")
  }
  return try Bitmap(size: size, isOpaque: isOpaque) { memory in
    let words = memory.bindMemory(to: UInt32.self)
    for y in 0..<height {
      for x in 0..<width { words[y * width + x] = pixel(x, y).packed }
    }
  }
}

/// Creates a bitmap of one color.
package func plain(_ width: Int, _ height: Int, _ color: Color) throws -> Bitmap {
  try bitmap(width, height, isOpaque: color.alpha == 255) { _, _ in color }
}

extension Bitmap {
  /// Returns the pixel at a column and row.
  package func color(_ x: Int, _ y: Int) -> Color {
    withPixels { Color(packed: $0.bindMemory(to: UInt32.self)[y * size.width + x]) }
  }

  /// Returns the largest difference of any channel of any pixel to a bitmap of the same size.
  package func largestDifference(to other: Bitmap) -> Int {
    withPixels { mine in
      other.withPixels { theirs in
        zip(mine, theirs).reduce(0) { max($0, abs(Int($1.0) - Int($1.1))) }
      }
    }
  }
}

extension DrawCommand {
  /// Creates a copy from a part of a texture to a part of the display.
  package static func copy(
    _ texture: TextureID, from source: PixelRect, to destination: PixelRect, tint: Color = .white,
    isBlended: Bool = false
  ) -> DrawCommand {
    DrawCommand(
      kind: .texture, isBlended: isBlended, texture: texture, color: tint, destination: destination, source: source)
  }
}

// MARK: - Random values

extension PixelSize {
  /// The rectangle of this size at the origin.
  package var rect: PixelRect { .at(0, 0, Int32(width), Int32(height)) }

  /// Returns a random size with sides of at most the given length.
  package static func random(upTo maximum: Int, using random: inout SeededGenerator) -> PixelSize {
    let (width, height) = (Int.random(in: 1...maximum, using: &random), Int.random(in: 1...maximum, using: &random))
    guard let size = PixelSize(width: width, height: height) else { failPrecondition("\(maximum) is too large.") }
    return size
  }
}

extension PixelRect {
  /// Creates a rectangle with the given origin and size.
  package static func at(_ x: Int32, _ y: Int32, _ width: Int32, _ height: Int32) -> PixelRect {
    PixelRect(x: x, y: y, width: width, height: height)
  }

  /// Returns a random rectangle within another, sometimes empty.
  package static func random(within area: PixelRect, using random: inout SeededGenerator) -> PixelRect {
    let left = Int32.random(in: 0...area.width, using: &random)
    let top = Int32.random(in: 0...area.height, using: &random)
    return .at(
      left, top, .random(in: 0...(area.width - left), using: &random),
      .random(in: 0...(area.height - top), using: &random))
  }
}

extension Color {
  /// Returns a random color with the given alpha.
  ///
  /// The extremes of each channel are more frequent.
  package static func random(alpha: UInt8, using random: inout SeededGenerator) -> Color {
    Color(
      red: .randomChannel(using: &random), green: .randomChannel(using: &random), blue: .randomChannel(using: &random),
      alpha: alpha)
  }
}

extension UInt8 {
  /// Returns a random channel value.
  ///
  /// The extremes are more frequent.
  package static func randomChannel(using random: inout SeededGenerator) -> UInt8 {
    random.chance(oneIn: 4) ? (Bool.random(using: &random) ? 255 : 0) : .random(in: 0...255, using: &random)
  }
}
