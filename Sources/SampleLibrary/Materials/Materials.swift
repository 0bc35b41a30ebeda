/// The noises that every scene is painted with: made once, read by every thread.
final class Materials: Sendable {
  /// For the shapes of land.
  let lattice: GradientLattice
  /// Soft noise of seven octaves, mean 0, deviation 1: 64 cells to the coarsest feature.
  let mist: NoiseTile
  /// Heaped rounds with sharp creases between, mean 0, deviation 1: the tops of clouds and of trees.
  let heaps: NoiseTile
  /// Texture as fine as a pixel, mean 0, deviation 1: leaves, stones.
  let foliage: NoiseTile
  /// How water tilts towards the eye, mean 0, deviation 1.
  let waves: NoiseTile
  /// The grain of a sensor, mean 0, deviation 1.
  let grain: NoiseTile
  /// The tips of a far row of conifers, 0...1, 32 columns to the breadth of a tree.
  let spires: [Float]

  /// The tops of a far row of broad-leaved trees, likewise.
  let crowns: [Float]

  /// Makes the noises; takes about a tenth of a second.
  init() {
    let lattice = GradientLattice(seed: 7)
    self.lattice = lattice
    mist = NoiseTile(side: 512) { column, row in
      Materials.repeating(lattice, column, row, side: 512, period: 8, octaves: 6, gain: 0.52)
    }.normalized()
    heaps = Materials.heaps(side: 512)
    foliage = NoiseTile(side: 512) { column, row in
      Materials.repeating(lattice, column, row, side: 512, period: 32, octaves: 4, gain: 0.85)
    }.normalized()
    waves = NoiseTile(side: 512) { column, row in
      Materials.repeating(lattice, column, row, side: 512, period: 16, octaves: 4, gain: 0.62)
    }.normalized()
    grain = Materials.grain(side: 512)
    spires = Materials.spires(count: 4096)
    crowns = Materials.crowns(count: 4096)
  }

  /// Noise that repeats over a tile's side.
  private static func repeating(
    _ lattice: GradientLattice, _ column: Int, _ row: Int, side: Int, period: Int, octaves: Int, gain: Float
  ) -> Float {
    var sum: Float = 0
    var strength: Float = 1
    var period = period
    for octave in 0..<octaves {
      let scale = Float(period) / Float(side)
      let shift = Float(octave) * 0.37
      sum += strength * lattice.noise(Float(column) * scale + shift, Float(row) * scale + shift, mask: period - 1)
      strength *= gain
      period *= 2
      if period > 256 { break }
    }
    return sum
  }

  /// Steven Worley's cellular noise (1996) in four octaves, turned so that the cells bulge.
  private static func heaps(side: Int) -> NoiseTile {
    var random = PaintRandom(seed: 11)
    let octaves: [(count: Int, strength: Float)] = [(8, 1), (16, 0.5), (32, 0.28), (64, 0.16)]
    var points: [[SIMD2<Float>]] = []
    for octave in octaves {
      points.append((0..<octave.count * octave.count).map { _ in SIMD2(random.unit(), random.unit()) })
    }
    return NoiseTile(side: side) { column, row in
      var sum: Float = 0
      for (octave, seeds) in zip(octaves, points) {
        let scale = Float(octave.count) / Float(side)
        let place = SIMD2(Float(column) * scale, Float(row) * scale)
        let (left, top) = (Int(place.x), Int(place.y))
        var nearest: Float = 4
        for down in -1...1 {
          for along in -1...1 {
            let cell = ((top + down) & (octave.count - 1)) * octave.count + ((left + along) & (octave.count - 1))
            let offset = seeds[cell] + SIMD2(Float(left + along), Float(top + down)) - place
            nearest = min(nearest, (offset * offset).sum())
          }
        }
        sum -= nearest.squareRoot() * octave.strength
      }
      return sum
    }.normalized()
  }

  /// White noise, softened by about a pixel as lenses and sensors do.
  private static func grain(side: Int) -> NoiseTile {
    var random = PaintRandom(seed: 13)
    let white = NoiseTile(side: side) { _, _ in random.bell() }
    return NoiseTile(side: side) { column, row in
      let near = white.cell(column - 1, row) + white.cell(column + 1, row)
      let nearer = white.cell(column, row - 1) + white.cell(column, row + 1)
      return white.cell(column, row) + 0.22 * (near + nearer)
    }.normalized()
  }

  private static func spires(count: Int) -> [Float] {
    var random = PaintRandom(seed: 17)
    var tips = [Float](repeating: 0, count: count)
    for _ in 0..<count / 11 {
      let middle = random.below(count)
      let height = 0.4 + 0.6 * random.unit()
      let half = height * random.within(13...20)
      for offset in -20...20 {
        let column = (middle + offset + count) % count
        let side = abs(Float(offset)) / half
        // Branches stand out from the cone's sides.
        let ragged = 0.1 * random.unit() * side
        tips[column] = max(tips[column], height * (1 - side) + ragged)
      }
    }
    return tips
  }

  private static func crowns(count: Int) -> [Float] {
    var random = PaintRandom(seed: 19)
    var tops = [Float](repeating: 0.25, count: count)
    for _ in 0..<count / 15 {
      let middle = random.below(count)
      let height = 0.5 + 0.5 * random.unit()
      let half = height * random.within(13...23)
      for offset in -24...24 {
        let side = Float(offset) / half
        guard abs(side) < 1 else { continue }
        let column = (middle + offset + count) % count
        let ragged = 0.05 * random.unit()
        tops[column] = max(tops[column], height * (0.45 + 0.55 * (1 - side * side).squareRoot()) - ragged)
      }
    }
    return tops
  }
}
