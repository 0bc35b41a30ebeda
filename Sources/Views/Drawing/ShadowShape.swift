import Geometry
import Rendering

/// A soft shadow's corners, in pixels: what of them is no more than a mask.
struct ShadowShape: Hashable {
  /// That of the corners of what throws it.
  let radius: Int
  /// How far it reaches.
  let reach: Int
  /// How much lower it lies.
  let verticalOffset: Int

  /// How far a corner's picture goes inwards: as far as the corners of what throws it leave it to be seen.
  var innerLength: Int { radius + verticalOffset }
  /// How large a corner's picture is.
  var side: Int { innerLength + reach }

  /// How dark it is at a distance from its edge, which is what throws it moved down, from 0 to 1: darkest next to what throws
  /// it, on the lower side.
  func darkness(at distance: Double) -> Double {
    let share = max(0, min(1, (Double(reach) - distance) / Double(reach + verticalOffset)))
    return share * share
  }

  /// All four corners next to each other, white.
  var bitmap: Bitmap? {
    guard let size = PixelSize(width: 2 * side, height: 2 * side) else { return nil }
    return try? Bitmap(size: size, isOpaque: false) { pixels in
      let words = pixels.bindMemory(to: UInt32.self)
      for y in 0..<size.height {
        for x in 0..<size.width {
          let (across, down) = (distanceFromArcCenter(of: x), distanceFromArcCenter(of: y))
          let distance = (across * across + down * down).squareRoot() - Double(radius)
          words[y * size.width + x] = UInt32(littleEndian: Color.white.opacity(darkness(at: distance)).packed)
        }
      }
    }
  }

  /// How far the middle of a row or column of pixels lies outside of where a corner's arc has its centre.
  private func distanceFromArcCenter(of place: Int) -> Double {
    max(0, abs(Double(place) + 0.5 - Double(side)) - Double(verticalOffset))
  }
}
