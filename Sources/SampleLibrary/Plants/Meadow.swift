/// A fringe of grass along the foot of a picture, as near to the lens as to be a little out of focus.
struct Meadow {
  /// The tallest blades, as a part of the fringe's height.
  var tallest: Float = 0.9
  /// Flowers for every hundred blades.
  var flowers: Int = 0
  /// Ears of seed for every hundred blades.
  var ears: Int = 12
  /// The blades for every hundred pixels of width.
  var density: Int = 60

  /// Draws a fringe.
  func grow(width: Int, height: Int, random: inout PaintRandom) -> Sprite {
    let canvas = PlantCanvas(width: width, height: height)
    let tall = Float(height)
    let count = width * density / 100
    for blade in 0..<count {
      // The far ones first; nearer ones start lower and are thicker.
      let near = Float(blade) / Float(count)
      let root = SIMD2(random.within(-0.02...1.02) * Float(width), tall * (0.82 + 0.22 * near))
      let length = tall * tallest * random.within(0.35...1) * (0.6 + 0.4 * near)
      let bend = random.bell() * 0.20 + 0.06
      let thickness = max(0.5, tall * 0.0075 * (0.5 + near))
      let shade = clamped(0.15 + 0.5 * random.unit() + 0.2 * near)
      var last = root
      let pieces = 7
      for piece in 1...pieces {
        let part = Float(piece) / Float(pieces)
        let next = root + SIMD2(bend * length * part * part, -length * part * (1 - 0.12 * part * abs(bend)))
        canvas.stroke(
          from: last, to: next, radius: (thickness * (1.02 - part))...(thickness * (1.16 - part)),
          shade: clamped(shade * (0.45 + 0.65 * part)))
        last = next
      }
      let kind = random.below(100)
      if kind < flowers {
        flower(canvas, at: last, size: tall * 0.020 * (0.6 + 0.7 * near), random: &random)
      } else if kind < flowers + ears {
        for grain in 0..<9 {
          let offset = SIMD2(random.bell() * thickness * 1.3, Float(grain) * thickness * 1.7)
          canvas.dot(x: last.x + offset.x, y: last.y + offset.y, radius: thickness, shade: 0.95)
        }
      }
    }
    return Sprite(canvas)
  }

  private func flower(_ canvas: PlantCanvas, at place: SIMD2<Float>, size: Float, random: inout PaintRandom) {
    let petals = 5 + random.below(3)
    let squash = random.within(0.45...0.95)
    for petal in 0..<petals {
      let turn = Float(petal) / Float(petals) * 6.283_185
      canvas.dot(
        x: place.x + cosine(turn) * size * 0.62, y: place.y + sine(turn) * size * 0.62 * squash, radius: size * 0.5,
        shade: 0.55 + 0.45 * random.unit(), accent: 1)
    }
    canvas.dot(x: place.x, y: place.y, radius: size * 0.3, shade: 0.25, accent: 0.75)
  }
}
