/// A tree with a forked crown: in leaf, when its leaves stand in rounded clumps, or bare.
struct Broadleaf {
  /// How full of leaves it is: 0 is bare, 1 is summer.
  var leafage: Float = 1
  /// How wide the crown is, as a part of the height.
  var breadth: Float = 0.92
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

  private struct Clump {
    var center: SIMD3<Float>
    var radius: Float
  }

  /// Draws one of a height in pixels; as wide as it is high, and a little more.
  func grow(height: Int, random: inout PaintRandom) -> Sprite {
    let tall = Float(height)
    let canvas = PlantCanvas(width: Int(tall * 1.2), height: height)
    if leafage > 0 {
      let clumps = clumps(tall: tall, middle: Float(canvas.sheet.width) / 2, random: &random)
      stem(canvas, tall: tall, clumps: clumps, random: &random)
      leaves(canvas, of: clumps, tall: tall, random: &random)
    } else {
      branches(canvas, tall: tall, random: &random)
    }
    return Sprite(canvas)
  }

  /// Clumps about the middle of an egg, small ones outside.
  private func clumps(tall: Float, middle: Float, random: inout PaintRandom) -> [Clump] {
    let center = SIMD3(middle + tall * random.within(-0.03...0.03), tall * 0.42, 0)
    let reach = SIMD3(breadth * 0.5, 0.40, breadth * 0.5) * tall
    var clumps = [Clump(center: center, radius: tall * 0.17)]
    let count = 26
    for step in 0..<count {
      // Directions spread evenly over a sphere, each a little off.
      let up = 1 - 2 * (Float(step) + random.unit()) / Float(count)
      let turn = Float(step) * 2.399_963 + random.within(-0.5...0.5)
      let flat = max(0, 1 - up * up).squareRoot()
      let out = random.within(0.50...0.80)
      // The crown is flatter below than above.
      let way = SIMD3(cosine(turn) * flat, up > 0 ? -up : -up * 0.62, sine(turn) * flat) * out
      clumps.append(Clump(center: center + reach * way, radius: tall * random.within(0.075...0.135)))
    }
    return clumps
  }

  private func stem(_ canvas: PlantCanvas, tall: Float, clumps: [Clump], random: inout PaintRandom) {
    let foot = SIMD2(Float(canvas.sheet.width) / 2, tall)
    let fork = SIMD2(foot.x + tall * random.within(-0.02...0.02), tall * 0.72)
    canvas.stroke(from: foot, to: fork, radius: (tall * 0.016)...(tall * 0.026), shade: 0.10)
    for clump in clumps {
      let end = SIMD2(clump.center.x, clump.center.y)
      canvas.stroke(from: fork, to: end, radius: (tall * 0.003)...(tall * 0.011), shade: 0.08)
    }
  }

  private func leaves(_ canvas: PlantCanvas, of clumps: [Clump], tall: Float, random: inout PaintRandom) {
    let light = SIMD3(lightSide * 0.62, -0.70, 0.36)
    let leaf = max(0.55, tall * 0.0058)
    for clump in clumps.sorted(by: { $0.center.z < $1.center.z }) {
      let area = clump.radius * clump.radius / (leaf * leaf)
      let count = Int(min(520, area * 1.5) * leafage)
      // Low and inner clumps stand in the shade of the others.
      let height = clamped(1 - clump.center.y / (tall * 0.86))
      let depth = clamped(clump.center.z / (tall * breadth) + 0.5)
      for _ in 0..<count {
        var way = SIMD3(random.bell(), random.bell(), abs(random.bell()) + 0.1)
        way /= max(0.2, (way * way).sum().squareRoot())
        let place = clump.center + way * clump.radius * random.within(0.55...1.16)
        let facing = (way * light).sum()
        let shade = 0.16 + 0.30 * height + 0.14 * depth + 0.36 * facing + random.within(-0.13...0.13)
        canvas.dot(
          x: place.x, y: place.y, radius: leaf * random.within(0.6...1.3), shade: clamped(shade),
          accent: random.chance(snow) ? 0.9 : 0)
      }
    }
  }

  private func branches(_ canvas: PlantCanvas, tall: Float, random: inout PaintRandom) {
    let depth = tall < 100 ? 6 : 8
    var twigs = [
      Twig(
        place: SIMD2(Float(canvas.sheet.width) / 2, tall), angle: random.within(-0.06...0.06), length: tall * 0.21,
        thickness: max(0.5, tall * 0.021), depth: depth)
    ]
    while let twig = twigs.popLast() {
      let end = twig.place + SIMD2(sine(twig.angle), -cosine(twig.angle)) * twig.length
      let thin = twig.thickness * 0.72
      canvas.stroke(
        from: twig.place, to: end, radius: thin...twig.thickness, shade: 0.08 + 0.10 * random.unit(),
        accent: random.chance(snow) ? 0.8 : 0)
      guard twig.depth > 0 else { continue }
      let forks = twig.depth == depth ? 4 : (random.chance(0.5) ? 3 : 2)
      for fork in 0..<forks {
        let turn = Float(fork) / Float(forks - 1) * 2 - 1
        // Side branches reach out, then turn up to the light.
        let wide: Float = twig.depth == depth ? 0.80 : 0.46
        let angle = twig.angle * 0.84 + turn * wide * random.within(0.6...1.2) + random.within(-0.18...0.18)
        twigs.append(
          Twig(
            place: end, angle: max(-1.9, min(1.9, angle)),
            length: twig.length * (twig.depth == depth ? 0.74 : 0.80) * random.within(0.7...1.12),
            thickness: thin * 0.68, depth: twig.depth - 1))
      }
    }
  }
}
