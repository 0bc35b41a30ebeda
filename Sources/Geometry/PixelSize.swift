/// A checked extent in pixels: the one place where the sizes that files claim are multiplied.
public struct PixelSize: Hashable, Sendable {
  /// The longest side that is accepted, in pixels.
  public static let maximumSide = 65_535
  /// The size with both sides the longest.
  public static let maximum = PixelSize(unchecked: maximumSide, maximumSide)

  /// Pixels across, at least 1.
  public let width: Int
  /// Pixels down, at least 1.
  public let height: Int

  /// Makes a size, or nothing when a side is not within 1...``longestSide``.
  public init?(width: Int, height: Int) {
    guard (1...PixelSize.maximumSide).contains(width), (1...PixelSize.maximumSide).contains(height) else {
      return nil
    }
    self.width = width
    self.height = height
  }

  /// The number of pixels; cannot overflow, as each side is bounded.
  public var area: Int { width * height }

  /// The bytes that this many pixels take at four bytes each.
  public var bytesAtFourPerPixel: Int { area * 4 }

  /// The size with its sides exchanged.
  public var transposed: PixelSize { PixelSize(unchecked: height, width) }

  /// The largest size of the same shape that has no more than so many pixels; itself where it has no more.
  public func scaled(toMaximumArea most: Int) -> PixelSize {
    guard area > most, most > 0 else { return self }
    let factor = (Double(most) / Double(area)).squareRoot()
    return PixelSize(unchecked: max(1, Int(Double(width) * factor)), max(1, Int(Double(height) * factor)))
  }

  private init(unchecked width: Int, _ height: Int) {
    self.width = width
    self.height = height
  }
}
