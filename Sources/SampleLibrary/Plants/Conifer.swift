/// A spruce: whorls of drooping branches round a straight stem.
struct Conifer {
  /// The part of the branches' upper sides under snow.
  var snow: Float = 0
  /// The widest reach of the branches, as a part of the height.
  var reach: Float = 0.19
  /// The part of the height, from the foot, without branches.
  var bareFoot: Float = 0.04

  /// Draws one of a height in pixels.
  func grow(height: Int, random: inout PaintRandom) -> Sprite {
    let tall = Float(height)
    let width = max(4, Int(tall * (reach * 2.5 + 0.02)))
    let canvas = PlantCanvas(width: width, height: height)
    let middle = Float(width) / 2
    let lean = random.within(-0.012...0.012) * tall
    canvas.stroke(
      from: SIMD2(middle, tall), to: SIMD2(middle + lean, tall * 0.02),
      radius: (tall * 0.0015)...max(0.4, tall * 0.009), shade: 0.06)
    let whorls = max(8, min(88, height / 6))
    let thin = random.within(0.75...1.2)
    // From the foot up, and in each whorl from the back to the front, so that the nearer lies over the farther.
    for whorl in (0..<whorls).reversed() {
      let part = (Float(whorl) + random.unit()) / Float(whorls)
      guard part < 1 - bareFoot else { continue }
      let stem = SIMD2(middle + lean * (1 - part), tall * (0.012 + part * 0.97))
      let span = reach * tall * power(part, 0.82) * thin
      let branches = height < 90 ? 5 : 9
      for branch in 0..<branches {
        let turn = (Float(branch) + random.unit()) / Float(branches)
        // Half a turn from behind on one side to before on the other.
        let facing = turn * 2 - 1
        let across = (branch & 1 == 0 ? 1 : -1) * (1 - facing * facing * 0.75).squareRoot()
        let length = span * random.within(0.5...1.15)
        let knot = stem + SIMD2(0, tall * random.within(-0.012...0.012))
        bough(
          canvas, from: knot, across: across * length, forward: facing, length: length, part: part, tall: tall,
          random: &random)
      }
    }
    return Sprite(canvas)
  }

  private func bough(
    _ canvas: PlantCanvas, from stem: SIMD2<Float>, across: Float, forward: Float, length: Float, part: Float,
    tall: Float, random: inout PaintRandom
  ) {
    let droop = (0.10 + 0.34 * part) * length
    let tilt = forward * length * 0.16
    let needle = max(0.40, tall * 0.0021)
    // Sprays of needles hang from the bough, longer near the stem.
    let spray = max(1.2, tall * 0.015)
    let count = max(4, Int(length / max(0.55, tall * 0.0023)))
    // Snow lies on whole boughs or has slid off them, and on their upper sides.
    let isSnowy = random.chance(snow * 1.3)
    let side: Float = across < 0 ? -1 : 1
    for step in 0..<count {
      let out = (Float(step) + random.unit()) / Float(count)
      let curl = out * out * droop * (1.35 - 0.5 * out)
      let root = SIMD2(stem.x + across * out, stem.y + curl + tilt * out)
      let hang = random.unit()
      let tip =
        root
        + SIMD2(
          (random.bell() * 0.35 + side * 0.45) * spray, (0.25 + 0.85 * hang) * spray * (1.25 - 0.6 * out))
      let light = 0.26 + 0.26 * forward + 0.28 * out + 0.16 * (0.5 - hang) + random.within(-0.15...0.15)
      let white: Float = isSnowy && hang < 0.55 && out > 0.1 ? 0.95 : 0
      canvas.stroke(
        from: root, to: tip, radius: (needle * 0.45)...(needle * random.within(0.8...1.25)), shade: clamped(light),
        accent: white)
    }
  }
}
