/// A tree with a forked crown, in leaf or bare.
struct Broadleaf {
  /// How full of leaves it is: 0 is bare, 1 is summer.
  var leafage: Float = 1
  /// The part of the height below the crown.
  var stem: Float = 0.20
  /// How wide the crown opens: the half angle of a fork, in radians.
  var opening: Float = 0.52
  /// Which side the light comes from: -1 is left, 1 is right.
  var lightSide: Float = 0.5
  /// The part of the twigs with snow on them.
  var snow: Float = 0

  private struct Twig {
    var place: SIMD2<Float>
    var angle: Float
    var length: Float
    var thickness: Float
    var depth: Int
  }

  /// Draws one of a height in pixels; as wide as it is high, and a little more.
  func grow(height: Int, random: inout PaintRandom) -> Sprite {
    let tall = Float(height)
    let width = Int(tall * 1.25)
    let canvas = PlantCanvas(width: width, height: height)
    let depth = height < 100 ? 6 : 8
    let root = Twig(
      place: SIMD2(Float(width) / 2, tall), angle: random.within(-0.07...0.07), length: tall * stem,
      thickness: max(0.5, tall * 0.02), depth: depth)
    var twigs = [root]
    var tips: [SIMD2<Float>] = []
    while let twig = twigs.popLast() {
      let end = twig.place + SIMD2(sine(twig.angle), -cosine(twig.angle)) * twig.length
      let thin = twig.thickness * 0.72
      canvas.stroke(
        from: twig.place, to: end, radius: thin...twig.thickness, shade: 0.08 + 0.10 * random.unit(),
        accent: random.chance(snow) ? 0.8 : 0)
      if twig.depth <= 4 { tips.append(end) }
      guard twig.depth > 0 else { continue }
      let forks = twig.depth == depth ? 4 : (random.chance(0.5) ? 3 : 2)
      for fork in 0..<forks {
        let turn = forks == 1 ? 0 : Float(fork) / Float(forks - 1) * 2 - 1
        // Side branches reach out, then turn up to the light.
        let wide = twig.depth == depth ? 1.7 : (twig.depth == depth - 1 ? 1.1 : 0.9)
        let angle = twig.angle * 0.86 + turn * opening * Float(wide) * random.within(0.6...1.2) + random.within(-0.18...0.18)
        twigs.append(
          Twig(
            place: end, angle: max(-1.9, min(1.9, angle)),
            length: twig.length * (twig.depth == depth ? 0.74 : 0.80) * random.within(0.7...1.12),
            thickness: thin * 0.68, depth: twig.depth - 1))
      }
    }
    if leafage > 0 { leaves(canvas, at: tips, tall: tall, random: &random) }
    return Sprite(canvas)
  }

  private func leaves(_ canvas: PlantCanvas, at tips: [SIMD2<Float>], tall: Float, random: inout PaintRandom) {
    guard !tips.isEmpty else { return }
    let middle = tips.reduce(SIMD2<Float>.zero, +) / Float(tips.count)
    let leaf = max(0.5, tall * 0.0052)
    let spread = tall * 0.026
    let count = Int(max(3, min(12, 9_000 / Float(tips.count))) * leafage)
    // Clusters in the shade first, those in the light over them.
    let light = SIMD2(lightSide * 0.7, -0.75)
    let ordered = tips.map { (tip: $0, lit: ((($0 - middle) / (tall * 0.36)) * light).sum()) }
      .sorted { $0.lit < $1.lit }
    for (tip, lit) in ordered {
      for _ in 0..<count {
        let offset = SIMD2(random.bell(), random.bell() * 0.8) * spread
        let own = ((offset / spread) * light).sum() * 0.16
        let shade = clamped(0.40 + lit * 0.36 + own + random.within(-0.14...0.14))
        canvas.dot(
          x: tip.x + offset.x, y: tip.y + offset.y, radius: leaf * random.within(0.6...1.25), shade: shade,
          accent: random.chance(snow) ? 0.9 : 0)
      }
    }
  }
}
