/// A slim, dense evergreen column.
struct Cypress {
  /// Which side the light comes from: -1 is left, 1 is right.
  var lightSide: Float = 0.5

  /// Draws one of a height in pixels.
  func grow(height: Int, random: inout PaintRandom) -> Sprite {
    let tall = Float(height)
    let width = max(5, Int(tall * 0.26))
    let canvas = PlantCanvas(width: width, height: height)
    let middle = Float(width) / 2
    let leaf = max(0.5, tall * 0.006)
    let half = Float(width) * random.within(0.32...0.44)
    for _ in 0..<max(60, min(2_600, height * 9)) {
      let part = random.unit()
      // Widest at a third from the foot.
      let shape = power(part, 0.55) * (1 - ramp(0.62, 1.08, part) * 0.75)
      let side = random.bell() * 0.42
      let place = SIMD2(middle + max(-1, min(1, side)) * half * shape, tall * (0.01 + part * 0.985))
      canvas.dot(
        x: place.x, y: place.y, radius: leaf * random.within(0.7...1.4),
        shade: clamped(0.36 + side * lightSide * 0.55 + random.within(-0.16...0.16)))
    }
    return Sprite(canvas)
  }
}
