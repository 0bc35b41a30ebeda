extension StageSet {
  /// Rolling farmland.
  mutating func fields() -> Stage {
    let camera = camera(
      horizon: random.within(0.30...0.44), lens: random.within(1.4...2.3), eye: random.within(58...86))
    let sun = sun(camera: camera, aside: 0.6)
    let crops: [Tint] =
      switch scene.season {
      case .spring:
        [
          Tint(0.11, 0.19, 0.04, 0), Tint(0.14, 0.22, 0.05, 0), Tint(0.46, 0.39, 0.05, 0), Tint(0.20, 0.14, 0.09, 0),
          Tint(0.09, 0.16, 0.04, 0), Tint(0.16, 0.24, 0.06, 0),
        ]
      case .summer:
        [
          Tint(0.42, 0.31, 0.12, 0), Tint(0.36, 0.28, 0.10, 0), Tint(0.13, 0.17, 0.05, 0), Tint(0.48, 0.37, 0.16, 0),
          Tint(0.10, 0.15, 0.04, 0), Tint(0.22, 0.21, 0.07, 0),
        ]
      case .autumn:
        [
          Tint(0.19, 0.125, 0.075, 0), Tint(0.33, 0.23, 0.10, 0), Tint(0.14, 0.15, 0.05, 0), Tint(0.24, 0.16, 0.09, 0),
          Tint(0.27, 0.20, 0.07, 0),
        ]
      case .winter:
        [flora.snow, flora.snow * 0.94, Tint(0.66, 0.64, 0.62, 0), flora.snow * 0.98]
      }
    let form = FieldLand(
      swell: random.within(34...56),
      parcels: Parcels(size: random.within(150...260), seed: UInt32(random.below(1 << 30))),
      woods: random.within(0.06...0.15), crops: crops, flora: flora, origin: origin(), lattice: materials.lattice)
    let isSouthern = scene.season == .summer && random.chance(0.6)
    return landStage(
      form, camera: camera, sun: sun, mist: scene.mood == .dawnMist ? 0.000_5 : 0, mistDepth: 22, treeWidth: 7
    ) { set, gardener in
      var plants = set.scatterTrees(gardener, near: 160...1_700, count: 26, form: form, conifers: 0.08)
      if isSouthern { plants += set.cypressRows(gardener, form: form) }
      return plants.sorted { $0.depth > $1.depth }
    }
  }

  /// Cypresses in rows, as along southern lanes.
  private mutating func cypressRows<Form: Landform>(_ gardener: Gardener, form: Form) -> [PlantedSprite] {
    let side: Float = scene.mood.showsSun ? 0 : 0.7
    var shelf = SpriteShelf(variants: 5, random: PaintRandom(seed: scene.identity, 33)) {
      Cypress(lightSide: side).grow(height: $0, random: &$1)
    }
    var plants: [PlantedSprite] = []
    let half = Float(width) / 2 / gardener.camera.focal
    for _ in 0..<5 {
      let z = random.within(220...1_200)
      let start = SIMD2(random.within(-half...half) * z, z)
      let turn = random.within(-0.9...0.9)
      let count = 5 + random.below(14)
      for tree in 0..<count {
        let place = start + SIMD2(cosine(turn), sine(turn)) * Float(tree) * 11
        guard place.y > 90 else { continue }
        let height = random.within(9...13.5)
        let sprite = shelf.sprite(cells: gardener.cells(height: height, distance: place.y), variant: random.below(5))
        plants.append(
          gardener.plant(
            sprite, x: place.x, distance: place.y, ground: form.height(x: place.x, z: place.y, spacing: 1) - 0.2,
            height: height, albedo: Tint(0.045, 0.062, 0.032, 0), accent: flora.snow, isMirrored: random.chance(0.5)))
      }
    }
    return plants
  }

  /// A sea of sand.
  mutating func dunes() -> Stage {
    let relief = random.within(62...96)
    // Just over the crests: they hide the hollows, and stand one before the other.
    let camera = camera(
      horizon: random.within(0.24...0.38), lens: random.within(1.2...2.0), eye: relief * 0.8 + random.within(10...26))
    let sun = sun(camera: camera, aside: 1)
    let sands = [
      Tint(0.56, 0.37, 0.20, 0), Tint(0.60, 0.46, 0.30, 0), Tint(0.50, 0.25, 0.12, 0), Tint(0.64, 0.53, 0.39, 0),
    ]
    let form = DuneLand(
      wind: random.within(0.35...1.15) * random.side(), relief: relief, sand: random.pick(sands),
      origin: origin(), lattice: materials.lattice)
    return landStage(form, camera: camera, sun: sun)
  }

  /// Table mountains over a dry plain.
  mutating func mesas() -> Stage {
    let camera = camera(
      horizon: random.within(0.52...0.64), lens: random.within(1.1...1.7), eye: random.within(16...34))
    let sun = sun(camera: camera, aside: 0.6)
    let half = Float(camera.width) / 2 / camera.focal
    let side = random.side()
    let reach = camera.horizon / camera.focal
    var towers: [AlpineLand.Massif] = []
    for (slope, distance, up, breadth) in [
      (side * 0.45, Float(3_600), Float(0.60), Float(0.10)), (-side * 0.55, 4_600, 0.46, 0.15),
      (side * 0.02, 6_800, 0.34, 0.05),
      (-side * 0.12, 9_500, 0.26, 0.16), (side * 0.95, 5_600, 0.36, 0.13), (-side * 1.05, 8_000, 0.34, 0.12),
    ] {
      towers.append(
        AlpineLand.Massif(
          x: slope * half * distance * random.within(0.8...1.2), z: distance * random.within(0.9...1.1),
          radius: distance * breadth * random.within(0.7...1.25),
          height: reach * up * distance * random.within(0.8...1.1)))
    }
    let rocks = [Tint(0.40, 0.17, 0.085, 0), Tint(0.46, 0.24, 0.13, 0), Tint(0.36, 0.16, 0.10, 0)]
    let form = MesaLand(
      towers: towers, rock: random.pick(rocks), earth: Tint(0.38, 0.22, 0.13, 0), shrub: Tint(0.11, 0.115, 0.06, 0),
      origin: origin(), lattice: materials.lattice)
    return landStage(form, camera: camera, sun: sun)
  }

  /// Woods in autumn colours, to the horizon.
  mutating func autumnHills() -> Stage {
    let camera = camera(
      horizon: random.within(0.26...0.40), lens: random.within(1.6...2.4), eye: random.within(200...300))
    let sun = sun(camera: camera, aside: 0.6)
    var form = alps(camera: camera, shore: 10, hills: random.within(380...560))
    form.massifs = []
    form.conifers = random.within(0.3...0.55)
    form.treeLine = 3_000
    form.depths = DepthPlan(near: 500, far: 24_000, step: 0.008, focus: 500...9_000, focusStep: 0.0048)
    return landStage(
      form, camera: camera, sun: sun, mist: random.chance(0.5) ? 0.000_2 : 0.000_04, mistDepth: 70, treeWidth: 9)
  }
}
