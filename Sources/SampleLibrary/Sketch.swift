import VitrineDataStructures
import VitrineGeometry

/// A color as it is displayed: red, green and blue in 0...255 with the display's transfer curve; the fourth lane is unused.
typealias SketchColor = SIMD4<Float>

/// Interpolates linearly between two numbers.
@inline(__always) func mix(_ start: Float, _ end: Float, _ part: Float) -> Float { start + (end - start) * part }

/// Interpolates linearly between two colors.
@inline(__always) func mix(_ start: SketchColor, _ end: SketchColor, _ part: Float) -> SketchColor {
  start + (end - start) * part
}

/// Clamps a number to 0...1.
@inline(__always) func clampedToUnit(_ value: Float) -> Float { max(0, min(1, value)) }

/// A landscape of a few strokes: a sky with its light, ridges one behind the other, and sometimes water.
///
/// Everything follows from an identity and a size; `SketchCanvas` paints it.
struct Sketch {
  /// A ridge of hills, whose lengths are fractions of the image's height.
  struct Ridge {
    /// The mean height above the image's lower edge.
    let height: Float
    /// The difference between the highest and the lowest point.
    let relief: Float
    /// The number of hills in a length of 1.
    let frequency: Float
    /// The seed of the ridge's shape.
    let seed: UInt32
  }

  /// The colors.
  let palette: SketchPalette
  /// The width divided by the height.
  let aspect: Float
  /// The center of the light from the upper-left corner and the radius of its disc, in image heights.
  let light: (x: Float, y: Float, radius: Float)
  /// The ridges, the farthest first.
  let ridges: [Ridge]
  /// The shoreline's distance from the upper edge, in image heights, or nil if there is no water.
  let waterline: Float?

  /// The aspect ratios of an album's images, as whole numbers; frequent ones are listed more than once.
  static let aspectRatios: [(width: Int, height: Int)] = [
    (3, 2), (3, 2), (3, 2), (4, 3), (4, 3), (16, 9), (2, 3), (2, 3), (4, 5), (1, 1), (2, 1), (21, 9),
  ]

  /// Creates the sketch of an identity.
  init(identity: UInt64, size: PixelSize) {
    var numbers = SplitMix64(seed: SplitMix64.mix(identity) ^ 11 &* 0xD1B5_4A32_D192_ED03)
    func unit() -> Float { Float(numbers.next() >> 40) * 0x1p-24 }
    func number(in range: ClosedRange<Float>) -> Float { mix(range.lowerBound, range.upperBound, unit()) }
    palette = SketchPalette.palette(of: identity)
    aspect = Float(size.width) / Float(size.height)
    light = (aspect * number(in: 0.15...0.85), number(in: 0.16...0.42), number(in: 0.035...0.06))
    let hasWater = unit() < 0.3
    let top = number(in: 0.5...0.62)
    let foot: Float = hasWater ? 0.36 : 0.12
    let count = 3 + Int(numbers.next() % (hasWater ? 2 : 3))
    let relief = number(in: 0.10...0.2)
    ridges = (0..<count).map { index in
      // Near ridges are lower, longer and calmer.
      let nearness = Float(index) / Float(count - 1)
      return Ridge(
        height: mix(top, foot, nearness) + number(in: -0.02...0.02), relief: relief * mix(1, 0.5, nearness),
        frequency: mix(4.2, 1.6, nearness) * number(in: 0.85...1.15),
        seed: UInt32(truncatingIfNeeded: numbers.next()))
    }
    waterline = hasWater ? 1 - number(in: 0.26...0.32) : nil
  }
}

extension Sketch.Ridge {
  /// Returns the ridge line's distance from the upper edge at a horizontal position, both in image heights.
  func line(at x: Float) -> Float {
    let position = x * frequency
    let hills = noise(position, 0) + 0.42 * noise(position * 2.3, 1) + 0.16 * noise(position * 5.1, 2)
    return 1 - height - relief * (hills / 1.58 - 0.5)
  }

  /// Returns value noise in 0...1: hashed values at the integers, smoothly interpolated.
  private func noise(_ position: Float, _ octave: UInt32) -> Float {
    let whole = Int(position.rounded(.down))
    let part = position - Float(whole)
    return mix(hash(whole, octave), hash(whole &+ 1, octave), part * part * (3 - 2 * part))
  }

  private func hash(_ whole: Int, _ octave: UInt32) -> Float {
    var bits = seed &+ UInt32(truncatingIfNeeded: whole) &* 0x9E37_79B1 &+ octave &* 0x85EB_CA6B
    bits = (bits ^ bits >> 15) &* 0x2C1B_3C6D
    bits = (bits ^ bits >> 12) &* 0x297A_2D39
    return Float((bits ^ bits >> 15) >> 8) * 0x1p-24
  }
}

// MARK: - Colors and titles

/// The colors of a sketch at an hour of the day.
struct SketchPalette: Sendable {
  /// The hour, as part of a title.
  let hour: String
  /// The sky's colors at the top, halfway down and at the horizon.
  let sky: (top: SketchColor, middle: SketchColor, low: SketchColor)
  /// The color of the light.
  let light: SketchColor
  /// How strongly the light tints the sky around it, in 0...1.
  let glow: Float
  /// The colors of the farthest and the nearest ridge.
  let ridges: (far: SketchColor, near: SketchColor)

  /// Creates a palette of colors written as `0xRRGGBB`.
  private init(
    _ hour: String, _ top: UInt32, _ middle: UInt32, _ low: UInt32, light: UInt32, _ glow: Float, ridges far: UInt32,
    _ near: UInt32
  ) {
    func color(_ hex: UInt32) -> SketchColor {
      SketchColor(Float(hex >> 16 & 0xFF), Float(hex >> 8 & 0xFF), Float(hex & 0xFF), 255)
    }
    (self.hour, self.glow, self.light) = (hour, glow, color(light))
    (sky, ridges) = ((color(top), color(middle), color(low)), (color(far), color(near)))
  }

  private static let all = [
    SketchPalette("at dawn", 0x7E93B8, 0xC9B8C4, 0xF6D9BE, light: 0xFFF0D2, 0.55, ridges: 0xB4A9B8, 0x3E4A5C),
    SketchPalette("in morning mist", 0xA9BECB, 0xCBD3D3, 0xEDE3D2, light: 0xFFF8E6, 0.5, ridges: 0xC2CBCC, 0x5E7271),
    SketchPalette("in the morning", 0x5E93C2, 0x9CC3DD, 0xE2ECEC, light: 0xFFFDF2, 0.4, ridges: 0x9DB6BE, 0x3F6650),
    SketchPalette("at noon", 0x4A86BC, 0x86B6DA, 0xD6E6EC, light: 0xFFFFFA, 0.3, ridges: 0x93B0B9, 0x4C7549),
    SketchPalette("under grey skies", 0x8C99A4, 0xB0B9BF, 0xDADCDA, light: 0xECECE8, 0.15, ridges: 0xA5AEB1, 0x4B5A5B),
    SketchPalette("in the afternoon", 0x5F8FB9, 0xA9C6D6, 0xF1E2C6, light: 0xFFF6DC, 0.45, ridges: 0xA8B2AC, 0x5F6B3F),
    SketchPalette("in golden light", 0x7C9CBC, 0xD9C3A2, 0xFBD391, light: 0xFFF1C4, 0.7, ridges: 0xC2A284, 0x5B4A34),
    SketchPalette("at sunset", 0x56688F, 0xC2919A, 0xF8B878, light: 0xFFE2A8, 0.75, ridges: 0xA87C80, 0x3A3145),
    SketchPalette("at dusk", 0x46527F, 0x8D85A8, 0xE2BBA8, light: 0xF7D8C6, 0.35, ridges: 0x8681A0, 0x2D3150),
    SketchPalette("in the blue hour", 0x1B3361, 0x456A9E, 0xA2B0C2, light: 0xD8E0EA, 0.25, ridges: 0x54749E, 0x15264A),
    SketchPalette("by moonlight", 0x101D36, 0x22395A, 0x46617E, light: 0xE6EBEA, 0.3, ridges: 0x2E4866, 0x0C1628),
  ]

  private static let subjects = [
    "Far ridges", "Quiet hills", "High valley", "Ridge behind ridge", "Blue hills", "Long slopes", "Open country",
    "The pass", "Soft hills", "Before the mountains", "Wide valley", "Folded hills",
  ]

  /// Returns the palette of an identity.
  static func palette(of identity: UInt64) -> SketchPalette { all[Int((identity >> 17) % UInt64(all.count))] }

  /// Returns the title of an identity, such as "Far ridges at dusk".
  static func title(of identity: UInt64) -> String {
    "\(subjects[Int((identity >> 41) % UInt64(subjects.count))]) \(palette(of: identity).hour)"
  }
}
