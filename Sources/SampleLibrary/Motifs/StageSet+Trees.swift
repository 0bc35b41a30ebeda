extension StageSet {
  /// Snowy hills with spruces.
  mutating func winterHills() -> Stage {
    let camera = camera(horizon: random.within(0.42...0.56), lens: random.within(1.2...1.8), eye: random.within(8...16))
    let sun = sun(camera: camera, aside: 0.6)
    let form = HillLand(
      crest: random.within(170...320), rise: random.within(3...12), lean: random.within(-14...14),
      beyond: random.within(320...560), ground: .snow, woods: random.within(0.3...0.7), flora: flora, origin: origin(),
      lattice: materials.lattice)
    return landStage(
      form, camera: camera, sun: sun, mist: scene.mood == .dawnMist ? 0.000_6 : 0.000_06, mistDepth: 60, treeWidth: 5
    ) { set, gardener in
      set.scatterTrees(gardener, near: 56...380, count: 15, form: form, conifers: 0.97, grouped: 0.85)
    }
  }

  /// One great tree on a hill.
  mutating func loneTree() -> Stage {
    let camera = camera(
      horizon: random.within(0.72...0.82), lens: random.within(1.2...1.7), eye: random.within(1.6...2.4))
    let sun = sun(camera: camera)
    let isWinter = scene.season == .winter
    let crest = random.within(64...90)
    let form = HillLand(
      crest: crest, rise: random.within(2...6), lean: random.within(-3...3), beyond: random.within(60...240),
      ground: isWinter ? .snow : .grass, woods: 0.4, flora: flora, origin: origin(), lattice: materials.lattice)
    let half = Float(camera.width) / 2 / camera.focal
    let place = SIMD2(random.pick([-1, 1]) * half * random.within(0.12...0.42) * crest, crest * 0.96)
    let leafage: Float = isWinter ? 0 : (scene.season == .spring ? 0.8 : 1)
    var stage = landStage(form, camera: camera, sun: sun, treeWidth: 6) { set, gardener in
      var random = PaintRandom(seed: set.scene.identity, 41)
      let height = min(19, camera.horizon * 0.80 * crest / camera.focal)
      let tree = Broadleaf(
        leafage: leafage, breadth: random.within(0.82...1.02),
        lightSide: sun.azimuth > 0 ? 0.8 : -0.8, snow: isWinter ? 0.3 : 0
      ).grow(height: gardener.cells(height: height, distance: place.y), random: &random)
      let blossom = set.scene.season == .spring && random.chance(0.5)
      let albedo = blossom ? Tint(0.62, 0.40, 0.45, 0) : set.flora.leaf(random.bell())
      return [
        gardener.plant(
          tree, x: place.x, distance: place.y, ground: form.height(x: place.x, z: place.y, spacing: 1) - 0.3,
          height: height, albedo: isWinter ? Tint(0.07, 0.06, 0.055, 0) : albedo, accent: set.flora.snow)
      ]
    }
    if !isWinter {
      stage.foreground = fringes(
        camera: camera, sun: sun, height: 0.16, flowers: random.chance(0.4) ? 8 : 0, bloom: flora.snow)
    }
    return stage
  }

  /// A meadow in flower, with hills behind.
  mutating func meadow() -> Stage {
    let camera = camera(
      horizon: random.within(0.42...0.54), lens: random.within(1.1...1.5), eye: random.within(1.5...2.2))
    let sun = sun(camera: camera)
    let form = HillLand(
      crest: random.within(110...220), rise: random.within(0...3), lean: random.within(-4...4),
      beyond: random.within(600...1_500), ground: .grass, woods: random.within(0.5...0.9), flora: flora,
      origin: origin(),
      lattice: materials.lattice)
    var stage = landStage(
      form, camera: camera, sun: sun, mist: scene.mood == .dawnMist ? 0.000_8 : 0, mistDepth: 40, treeWidth: 6
    ) { set, gardener in
      set.scatterTrees(gardener, near: 80...260, count: 16, form: form, conifers: 0.3)
    }
    let blooms = [
      Tint(0.66, 0.10, 0.07, 0), Tint(0.80, 0.62, 0.08, 0), Tint(0.80, 0.78, 0.74, 0), Tint(0.40, 0.22, 0.58, 0),
      Tint(0.72, 0.34, 0.48, 0),
    ]
    let bloom = random.pick(blooms)
    stage.rows = RowField(
      camera: camera, light: light(sun), materials: materials, crop: .wild,
      leaf: mix(flora.grass, flora.dryGrass, random.within(0...0.5)), blossom: bloom, spacing: 2, direction: 0,
      reach: form.crest * 0.7, seed: UInt32(random.below(1 << 30)))
    stage.foreground = fringes(camera: camera, sun: sun, height: 0.46, flowers: 26, bloom: bloom)
    return stage
  }

  /// Grass before the lens, the farther fringe first.
  mutating func fringes(camera: Camera, sun: Sun, height: Float, flowers: Int, bloom: Tint) -> [PlantedSprite] {
    let light = light(sun)
    let gardener = Gardener(camera: camera, light: light, distances: [])
    let scale: Float = min(1, 1_500 / Float(camera.width))
    return [(0.62, Float(0)), (1, 0.1)].map { part, sink in
      let tall = Float(camera.height) * height * Float(part)
      let sprite = Meadow(flowers: flowers).grow(
        width: Int(Float(camera.width) * scale * 1.04), height: max(4, Int(tall * scale)), random: &random)
      let colors = gardener.plant(
        sprite, x: 0, distance: 4, ground: 0, height: 1,
        albedo: mix(flora.grass, flora.dryGrass, random.within(0.1...0.5)),
        accent: bloom)
      return PlantedSprite(
        sprite: sprite, middle: camera.middle, foot: Float(camera.height) + tall * (0.12 + sink), height: tall,
        isMirrored: false, dark: colors.dark, lit: colors.lit, accentDark: colors.accentDark,
        accentLit: colors.accentLit, depth: 0)
    }
  }

  /// Spruces in fog.
  mutating func forest() -> Stage {
    let camera = camera(horizon: random.within(0.62...0.78), lens: random.within(1.0...1.5), eye: 2)
    let sun = sun(camera: camera)
    var air = atmosphere
    air.hazeLength = random.within(95...170)
    air.glow *= 0.6
    let fog = air.skyColor(at: 0.02)
    air.haze = fog
    // In fog the sky is the fog, a little brighter above.
    air.sky = [fog, fog, Tint.blend(fog, air.skyColor(at: 0.2), 0.35), Tint.blend(fog, air.skyColor(at: 0.4), 0.5)]
    let light = Illumination(atmosphere: air, sun: sun, mistDensity: 0.003, mistDepth: 6)
    let dome = SkyDome(camera: camera, atmosphere: air, sun: sun, clouds: [], materials: materials)
    var stage = Stage(camera: camera, sky: dome, development: development())
    let ground = HillLand(
      crest: 150, rise: random.within(0...5), lean: random.within(-6...6), beyond: 40,
      ground: scene.season == .winter ? .snow : .grass, woods: 1, flora: flora, origin: origin(),
      lattice: materials.lattice)
    let grid = TerrainGrid(ground, camera: camera, light: light, materials: materials)
    stage.land = TerrainView(grid, camera: camera, isWet: false, treeWidth: 5, materials: materials)
    if scene.mood.showsSun, let place = sun.place(in: camera) {
      stage.lights = [SunDisc(center: place, radius: camera.span * 0.014, color: air.disc * 0.35)]
    }
    let isWinter = scene.season == .winter
    var shelf = SpriteShelf(variants: 6, random: PaintRandom(seed: scene.identity, 51)) {
      Conifer(snow: isWinter ? 0.4 : 0, bareFoot: $1.within(0.02...0.22)).grow(height: $0, random: &$1)
    }
    let gardener = Gardener(camera: camera, light: light, distances: grid.distances)
    let half = Float(camera.width) / 2 / camera.focal
    var places: [(x: Float, z: Float)] = []
    for step in 0..<9 {
      let z = 17 * power(1.34, Float(step))
      let count = Int(3 + Float(step) * 2.2)
      for tree in 0..<count {
        let slot = (Float(tree) + random.unit()) / Float(count) * 2.3 - 1.15
        // The nearest leave the middle free.
        if step < 3, abs(slot) < 0.42 - Float(step) * 0.1 { continue }
        places.append((slot * half * z, z * random.within(0.88...1.12)))
      }
    }
    stage.plants = places.sorted { $0.z > $1.z }.map { place in
      let height = random.within(11...25)
      let sprite = shelf.sprite(cells: gardener.cells(height: height, distance: place.z), variant: random.below(6))
      return gardener.plant(
        sprite, x: place.x, distance: place.z, ground: ground.height(x: place.x, z: place.z, spacing: 0.5) - 0.3,
        height: height, albedo: flora.conifer * random.within(0.8...1.25), accent: flora.snow,
        isMirrored: random.chance(0.5))
    }
    return stage
  }
}
