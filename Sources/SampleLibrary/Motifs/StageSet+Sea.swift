extension StageSet {
  /// Cliffs over the sea.
  mutating func coast() -> Stage {
    let camera = camera(
      horizon: random.within(0.34...0.50), lens: random.within(1.0...1.6), eye: random.within(16...34))
    let sun = sun(camera: camera, aside: 0.45)
    let half = Float(camera.width) / 2 / camera.focal
    let side = random.side()
    var headlands: [CoastLand.Headland] = []
    // Headlands step back from one side, each a little nearer the middle.
    for step in 0..<4 {
      let distance = 340 * power(1.75, Float(step)) * random.within(0.9...1.15)
      let tip = side * half * random.within(0.1...0.5) * (1 - Float(step) * 0.16)
      let width = distance * half * random.within(0.8...1.15)
      headlands.append(
        .init(
          x: tip * distance + side * width, z: distance + width * 0.25, width: width, depth: distance * 0.22,
          height: random.within(46...88) * (1 + Float(step) * 0.45)))
    }
    for _ in 0..<random.below(5) {
      let distance = random.within(260...620)
      headlands.append(
        .init(
          x: side * half * random.within(-0.25...0.3) * distance, z: distance, width: random.within(7...18),
          depth: random.within(7...16), height: random.within(12...38)))
    }
    let rocks = [
      Tint(0.20, 0.18, 0.16, 0), Tint(0.42, 0.38, 0.31, 0), Tint(0.30, 0.21, 0.15, 0), Tint(0.60, 0.58, 0.53, 0),
    ]
    let form = CoastLand(
      depths: DepthPlan(near: 90, far: 7_000, step: 0.008, focus: 200...2_600, focusStep: 0.0036), headlands: headlands,
      edge: 0.16, isWooded: random.chance(0.2), rock: random.pick(rocks), flora: flora, origin: origin(),
      lattice: materials.lattice)
    return landStage(
      form, camera: camera, sun: sun, water: seaLook(tilt: 0.03...0.075), treeWidth: 5)
  }

  /// Islands in a still water at the edge of the day.
  mutating func fjord() -> Stage {
    let camera = camera(horizon: random.within(0.46...0.58), lens: random.within(1.3...2.0), eye: random.within(7...14))
    let sun = sun(camera: camera)
    let half = Float(camera.width) / 2 / camera.focal
    var headlands: [CoastLand.Headland] = []
    var side = random.side()
    for step in 0..<8 {
      let distance = 420 * power(1.62, Float(step))
      let width = distance * half * random.within(0.30...0.72)
      headlands.append(
        .init(
          x: side * half * distance * random.within(0.42...1.0), z: distance, width: width, depth: width * 0.6,
          height: min(width * 0.4, distance * camera.horizon / camera.focal * random.within(0.12...0.46))))
      side = -side
    }
    let form = CoastLand(
      depths: DepthPlan(near: 180, far: 18_000, step: 0.007, focus: 300...9_000, focusStep: 0.0045),
      headlands: headlands,
      edge: 0.5, isWooded: true, rock: flora.rock * 0.8, flora: flora, origin: origin(), lattice: materials.lattice)
    return landStage(
      form, camera: camera, sun: sun, mist: 0.000_12, mistDepth: 40, water: seaLook(tilt: 0.006...0.02), treeWidth: 5)
  }

  /// The open sea.
  mutating func sea() -> Stage {
    let camera = camera(horizon: random.within(0.42...0.66), lens: random.within(1.0...2.2), eye: random.within(3...9))
    let sun = sun(camera: camera, across: 0.28...0.72)
    var stage = Stage(
      camera: camera, sky: sky(camera: camera, sun: sun, clouds: decks()), development: development())
    stage.lights = lights(camera: camera, sun: sun)
    let horizon = [Int](repeating: Int(camera.horizon) + 1, count: camera.width)
    stage.water = WaterSurface(
      look: seaLook(tilt: scene.mood == .storm ? 0.08...0.12 : 0.025...0.08), glint: glint(camera: camera, sun: sun),
      camera: camera, shore: horizon,
      materials: materials)
    return stage
  }

  /// How a sea looks.
  mutating func seaLook(tilt: ClosedRange<Float>) -> WaterLook {
    let tints = [Tint(0.012, 0.05, 0.07, 0), Tint(0.02, 0.085, 0.095, 0), Tint(0.015, 0.045, 0.055, 0)]
    return WaterLook(
      body: waterBody(random.pick(tints)), tilt: random.within(tilt), waveLength: random.within(7...16),
      stretch: random.within(1.6...2.6), patches: 0.35, origin: SIMD2(random.unit(), random.unit()) * 512)
  }

  /// Clouds over a low horizon.
  mutating func cloudscape() -> Stage {
    let camera = camera(horizon: random.within(0.82...0.9), lens: random.within(0.9...1.4), eye: random.within(12...20))
    let sun = sun(camera: camera)
    let form = HillLand(
      crest: 420, rise: 3, lean: random.within(-5...5), beyond: 150, ground: scene.season == .winter ? .snow : .grass,
      woods: 0.55, flora: flora, origin: origin(), lattice: materials.lattice)
    return landStage(form, camera: camera, sun: sun, treeWidth: 6) { set, gardener in
      set.scatterTrees(gardener, near: 90...400, count: 12, form: form, conifers: 0.3)
    }
  }
}
