/// The light of a scene: the colours of its sky, sun, shadows, clouds and distance.
struct Atmosphere {
  /// The sky from the horizon up; spread over about half the picture's span.
  var sky: [Tint]
  /// What the sun adds to a surface that faces it.
  var sunlight: Tint
  /// What the sky adds to a surface that faces up.
  var skylight: Tint
  /// The colour that distance turns to.
  var haze: Tint
  /// The metres over which distance takes about two thirds of a colour.
  var hazeLength: Float
  /// The brightness about the sun.
  var glow: Tint
  /// How far the glow reaches, as a part of the span.
  var glowReach: Float
  /// The sun's own disc, or the moon's.
  var disc: Tint
  /// Clouds where the sun reaches them.
  var cloudLit: Tint
  /// Clouds where it does not.
  var cloudShade: Tint
  /// How dark the night is: stars show from above 0 to 1.
  var darkness: Float = 0

  /// The sky's colour, `height` spans above the horizon.
  func skyColor(at height: Float) -> Tint {
    let place = clamped(height / 0.62) * Float(sky.count - 1)
    let index = min(Int(place), sky.count - 2)
    let part = place - Float(index)
    return Tint.blend(sky[index], sky[index + 1], part * part * (3 - 2 * part) * 0.5 + part * 0.5)
  }
}

extension Atmosphere {
  /// Moves the colours a little, so that no two evenings are the same.
  mutating func vary(random: inout PaintRandom) {
    let warmth = random.within(-0.05...0.05)
    let balance = Tint(1 + warmth, 1 + random.within(-0.012...0.012), 1 - warmth, 1)
    let vivid = random.within(0.86...1.1)
    let deep = random.within(0.88...1.08)
    for index in sky.indices {
      let high = Float(index) / Float(sky.count - 1)
      sky[index] = sky[index].vivid(vivid) * balance * mix(1, deep, high)
    }
    haze = haze.vivid(vivid) * balance
    sunlight *= balance * random.within(0.92...1.06)
    hazeLength *= random.within(0.75...1.5)
  }
}
