import DataStructures
import Geometry

/// A landscape of few strokes: a sky with its light, some ridges one behind the other, and now and then water.
struct Sketch {
  /// Proportions, the more frequent ones more than once.
  static let shapes: [AspectRatio] = [
    .classic, .classic, .classic, .compact, .compact, .wide, .tall, .tall, .tallCompact, .square, .panorama, .cinema,
  ]

  /// A line of hills, by what its height above the picture's foot depends on; heights are parts of the picture's.
  struct Ridge {
    /// The mean height.
    let height: Float
    /// How much it goes up and down.
    let relief: Float
    /// Hills in a length of one.
    let frequency: Float
    /// Which one it is of all.
    let seed: UInt32
  }

  /// The colours.
  let palette: SketchPalette
  /// The picture's width for its height.
  let aspect: Float
  /// Where the light stands, in heights of the picture from its upper left corner, and the radius of its disc.
  let light: (x: Float, y: Float, radius: Float)
  /// The ridges, the farthest first.
  let ridges: [Ridge]
  /// Where water begins, from the top; nothing where there is none.
  let waterline: Float?

  /// Makes the sketch of a number.
  init(identity: UInt64, size: PixelSize) {
    var random = PaintRandom(seed: identity, 11)
    palette = SketchPalette.all[SketchPalette.index(of: identity)]
    aspect = Float(size.width) / Float(size.height)
    light = (aspect * random.within(0.15...0.85), random.within(0.16...0.42), random.within(0.035...0.06))
    let hasWater = random.chance(0.3)
    let foot: Float = hasWater ? 0.36 : 0.12
    let top = random.within(0.5...0.62)
    let count = 3 + random.below(hasWater ? 2 : 3)
    let relief = random.within(0.10...0.2)
    ridges = (0..<count).map { place in
      // Near ridges are lower, longer and calmer.
      let nearness = Float(place) / Float(count - 1)
      return Ridge(
        height: mix(top, foot, nearness) + random.within(-0.02...0.02),
        relief: relief * mix(1, 0.5, nearness),
        frequency: mix(4.2, 1.6, nearness) * random.within(0.85...1.15),
        seed: UInt32(truncatingIfNeeded: random.next()))
    }
    waterline = hasWater ? 1 - random.within(0.26...0.32) : nil
  }
}

extension Sketch.Ridge {
  /// How far below the picture's top the ridge stands, in heights of the picture.
  func line(at x: Float) -> Float {
    let place = x * frequency
    let hills = noise(place, 0) + 0.42 * noise(place * 2.3, 1) + 0.16 * noise(place * 5.1, 2)
    return 1 - height - relief * (hills / 1.58 - 0.5)
  }

  /// Smooth noise in 0...1; whole numbers' values are those of a hash.
  private func noise(_ place: Float, _ octave: UInt32) -> Float {
    let whole = floored(place)
    let part = place - Float(whole)
    let (start, end) = (value(whole, octave), value(whole &+ 1, octave))
    return mix(start, end, part * part * (3 - 2 * part))
  }

  private func value(_ whole: Int, _ octave: UInt32) -> Float {
    var bits = seed &+ UInt32(truncatingIfNeeded: whole) &* 0x9E37_79B1 &+ octave &* 0x85EB_CA6B
    bits = (bits ^ bits >> 15) &* 0x2C1B_3C6D
    bits = (bits ^ bits >> 12) &* 0x297A_2D39
    return Float((bits ^ bits >> 15) >> 8) * 0x1p-24
  }
}
