import DataStructures
import Geometry
import Rendering

/// A picture of soft and hard forms, as photographs have them, from a seed.
struct PaintedScene {
  private let sky: SIMD3<Double>
  private let ground: SIMD3<Double>
  private let horizon: Double
  private let disks: [(x: Double, y: Double, radius: Double, color: SIMD3<Double>)]

  init(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    func unit() -> Double { Double(random.next() >> 11) / Double(1 << 53) }
    func color() -> SIMD3<Double> { SIMD3(unit(), unit(), unit()) }
    sky = color()
    ground = color()
    horizon = 0.3 + 0.4 * unit()
    disks = (0..<4).map { _ in (unit(), unit(), 0.1 + 0.25 * unit(), color()) }
  }

  /// The colour at a point of the picture, 0 to 1 both ways.
  func color(_ x: Double, _ y: Double) -> SIMD3<Double> {
    for disk in disks {
      let (dx, dy) = (x - disk.x, y - disk.y)
      if dx * dx + dy * dy < disk.radius * disk.radius { return disk.color }
    }
    if y < horizon { return sky * (0.6 + 0.4 * y / horizon) }
    return ground * (0.5 + 0.5 * x)
  }

  /// The part of a picture that a place of a size shows, at that size.
  func bitmap(_ width: Int, _ height: Int, of part: (x: ClosedRange<Double>, y: ClosedRange<Double>) = (0...1, 0...1))
    throws -> Bitmap
  {
    guard let size = PixelSize(width: width, height: height) else { throw BitmapError.outOfMemory(bytes: 0) }
    return try Bitmap(size: size, isOpaque: true) { pixels in
      for y in 0..<height {
        for x in 0..<width {
          let point = (
            part.x.lowerBound + (Double(x) + 0.5) / Double(width) * (part.x.upperBound - part.x.lowerBound),
            part.y.lowerBound + (Double(y) + 0.5) / Double(height) * (part.y.upperBound - part.y.lowerBound)
          )
          let bytes = SIMD3<UInt32>(color(point.0, point.1) * 255)
          pixels.storeBytes(
            of: bytes.x | bytes.y << 8 | bytes.z << 16 | 0xFF00_0000, toByteOffset: (y * width + x) * 4,
            as: UInt32.self)
        }
      }
    }
  }
}
