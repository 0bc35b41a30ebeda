import Geometry

/// The proportions that pictures have.
enum AspectRatio: Hashable, Sendable {
  case classic
  case compact
  case wide
  case square
  case panorama
  case cinema
  case tall
  case tallCompact

  /// The width and the height, as whole parts.
  var parts: (width: Int, height: Int) {
    switch self {
    case .classic: (3, 2)
    case .compact: (4, 3)
    case .wide: (16, 9)
    case .square: (1, 1)
    case .panorama: (2, 1)
    case .cinema: (21, 9)
    case .tall: (2, 3)
    case .tallCompact: (4, 5)
    }
  }

  /// The size whose longer side has a number of pixels; nothing when that is out of range.
  func size(longSide: Int) -> PixelSize? {
    let (width, height) = parts
    return width >= height
      ? PixelSize(width: longSide, height: longSide * height / width)
      : PixelSize(width: longSide * width / height, height: longSide)
  }
}
