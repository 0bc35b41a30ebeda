/// Land divided into fields of about one size, each with a number of its own: Voronoi's cells about scattered points.
struct Parcels {
  /// Where a place lies.
  struct Hit {
    /// The field's own number, 0..<1.
    let number: Float
    /// A second number of its own.
    let other: Float
    /// How far the boundary is, as a part of a field's size.
    let edge: Float
  }

  /// The metres from one field to the next.
  let size: Float
  let seed: UInt32

  /// The field at a place.
  @inline(__always) func field(x: Float, z: Float) -> Hit {
    let place = SIMD2(x, z) / size
    let (left, near) = (floored(place.x), floored(place.y))
    var first: Float = 9
    var second: Float = 9
    var code: UInt32 = 0
    for down in -1...1 {
      for along in -1...1 {
        let hash = hashed(left &+ along, near &+ down)
        let point = SIMD2(
          Float(left &+ along) + 0.15 + 0.7 * Float(hash & 0xFFFF) * 0x1p-16,
          Float(near &+ down) + 0.15 + 0.7 * Float(hash >> 16) * 0x1p-16)
        let offset = abs(point.x - place.x) * 0.8 + abs(point.y - place.y)
        if offset < first {
          second = first
          first = offset
          code = hash
        } else if offset < second {
          second = offset
        }
      }
    }
    let mixed = code &* 0x9E37_79B1
    return Hit(
      number: Float(mixed >> 8) * 0x1p-24, other: Float((mixed &* 0x85EB_CA6B) >> 8) * 0x1p-24, edge: second - first)
  }

  @inline(__always) private func hashed(_ column: Int, _ row: Int) -> UInt32 {
    var word = UInt32(truncatingIfNeeded: column) &* 0x8DA6_B343 ^ UInt32(truncatingIfNeeded: row) &* 0xD816_3841 ^ seed
    word ^= word >> 15
    word = word &* 0x2C1B_3C6D
    word ^= word >> 12
    word = word &* 0x297A_2D39
    return word ^ (word >> 15)
  }
}
