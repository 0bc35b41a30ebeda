/// Ken Perlin's gradient noise (1985, with the curve of 2002) from a table of 256 by 256 directions.
final class GradientLattice: @unchecked Sendable {
  // @unchecked: the table is written in the initialiser alone.
  private let gradients = Sheet<SIMD2<Float>>(width: 256, height: 256, filledWith: .zero)

  /// A lattice of a seed; one is made for the life of the program.
  init(seed: UInt64) {
    var random = PaintRandom(seed: seed)
    for index in gradients.cells.indices {
      let angle = random.unit() * 6.283_185_3
      gradients.cells[index] = SIMD2(cosine(angle), sine(angle))
    }
  }

  /// Noise at a place: about -0.7...0.7, mean 0, features one unit wide.
  ///
  /// - Parameter mask: 255, or a lesser power of two less one for noise that repeats after that many units.
  @inline(__always) func noise(_ x: Float, _ y: Float, mask: Int = 255) -> Float {
    let left = floored(x)
    let top = floored(y)
    let along = x - Float(left)
    let down = y - Float(top)
    let columns = (left & mask, (left &+ 1) & mask)
    let rows = ((top & mask) &* 256, ((top &+ 1) & mask) &* 256)
    let cells = gradients.cells
    let (a, b) = (cells[rows.0 &+ columns.0], cells[rows.0 &+ columns.1])
    let (c, d) = (cells[rows.1 &+ columns.0], cells[rows.1 &+ columns.1])
    let first = a.x * along + a.y * down
    let second = b.x * (along - 1) + b.y * down
    let third = c.x * along + c.y * (down - 1)
    let fourth = d.x * (along - 1) + d.y * (down - 1)
    let across = along * along * along * (along * (along * 6 - 15) + 10)
    let below = down * down * down * (down * (down * 6 - 15) + 10)
    return mix(mix(first, second, across), mix(third, fourth, across), below)
  }

  /// Octaves of noise, each twice as fine and `gain` times as strong, turned so that no lattice shows.
  ///
  /// - Parameter finest: octaves whose features are smaller than this many units are left out.
  @inline(__always) func fractal(
    _ x: Float, _ y: Float, octaves: Int, gain: Float = 0.5, finest: Float = 0
  ) -> Float {
    var sum: Float = 0
    var strength: Float = 1
    var feature: Float = 1
    var place = SIMD2(x, y)
    for _ in 0..<octaves {
      sum += noise(place.x, place.y) * strength
      feature *= 0.5
      if feature < finest { break }
      strength *= gain
      place = SIMD2(place.x * 1.616 - place.y * 1.178 + 17.3, place.x * 1.178 + place.y * 1.616 - 9.1)
    }
    return sum
  }

  /// Octaves of ridges, 0...about 1, after Musgrave's ridged fractal (1994), where fine ridges grow on coarse ones.
  @inline(__always) func ridged(
    _ x: Float, _ y: Float, octaves: Int, gain: Float = 0.5, finest: Float = 0
  ) -> Float {
    var sum: Float = 0
    var strength: Float = 0.55
    var feature: Float = 1
    var weight: Float = 1
    var place = SIMD2(x, y)
    for _ in 0..<octaves {
      let ridge = max(0, 1 - abs(noise(place.x, place.y)) * 1.9)
      let signal = ridge * ridge * weight
      sum += signal * strength
      weight = clamped(signal * 1.6 + 0.12)
      feature *= 0.5
      if feature < finest { break }
      strength *= gain
      place = SIMD2(place.x * 1.616 - place.y * 1.178 + 41.7, place.x * 1.178 + place.y * 1.616 + 23.9)
    }
    return sum
  }
}
