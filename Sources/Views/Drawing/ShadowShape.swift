import Geometry
import Rendering

/// A soft shadow's corners, in pixels: what of them is no more than a mask.
struct ShadowShape: Hashable {
  /// That of the corners of what throws it.
  let radius: Int
  /// How far it reaches.
  let reach: Int
  /// How much lower it lies.
  let drop: Int

  /// How far a corner's picture goes inwards: as far as the corners of what throws it leave it to be seen.
  var inner: Int { radius + drop }
  /// How large a corner's picture is.
  var side: Int { inner + reach }

  /// How dark it is at a distance from what throws it, from 0 to 1.
  func darkness(at distance: Double) -> Double {
    let share = max(0, min(1, 1 - distance / Double(reach)))
    return share * share
  }

  /// All four corners next to each other, white.
  var bitmap: Bitmap? {
    guard let size = PixelSize(width: 2 * side, height: 2 * side) else { return nil }
    return try? Bitmap(size: size, isOpaque: false) { pixels in
      let words = pixels.bindMemory(to: UInt32.self)
      for y in 0..<size.height {
        for x in 0..<size.width {
          let (across, down) = (way(of: x), way(of: y))
          let distance = (across * across + down * down).squareRoot() - Double(radius)
          words[y * size.width + x] = UInt32(
            littleEndian: Color.white.opacity(darkness(at: max(0, distance))).packed)
        }
      }
    }
  }

  /// How far the middle of a row or column of pixels lies outside of where a corner's arc has its centre.
  private func way(of place: Int) -> Double { max(0, abs(Double(place) + 0.5 - Double(side)) - Double(drop)) }
}
