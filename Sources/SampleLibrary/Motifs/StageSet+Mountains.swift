extension StageSet {
  /// High mountains behind a lake.
  mutating func lake(veils: (inout StageSet, Camera) -> [any SkyVeil] = { _, _ in [] }) -> Stage {
    let tall = proportion < 1.1
    let camera = camera(
      horizon: random.within(tall ? 0.56...0.62 : 0.52...0.66), lens: random.within(1.05...1.7),
      eye: random.within(2...5))
    let sun = sun(camera: camera, aside: 0.45)
    let shore = random.within(420...1_300)
    let form = alps(camera: camera, shore: shore, hills: random.within(120...420))
    let isBlue = random.chance(0.6)
    let tint = isBlue ? Tint(0.02, 0.07, 0.085, 0) : Tint(0.03, 0.075, 0.055, 0)
    let look = WaterLook(
      body: waterBody(tint), tilt: random.within(0.0016...0.007), waveLength: random.within(3...7), stretch: 1.7,
      patches: random.within(0.3...0.9), origin: SIMD2(random.unit(), random.unit()) * 512)
    let mist: Float = scene.mood == .dawnMist ? 0.000_35 : (random.chance(0.25) ? 0.000_12 : 0)
    let skyVeils = veils(&self, camera)
    return landStage(
      form, camera: camera, sun: sun, mist: mist, mistDepth: random.within(25...90), water: look, treeWidth: 5,
      veils: skyVeils)
  }

  /// High mountains behind meadows.
  mutating func valley() -> Stage {
    let camera = camera(
      horizon: random.within(0.50...0.62), lens: random.within(0.95...1.5), eye: random.within(14...40))
    let sun = sun(camera: camera)
    var form = alps(camera: camera, shore: 10, hills: random.within(260...460))
    form.isMeadow = true
    var stage = landStage(
      form, camera: camera, sun: sun, mist: scene.mood == .dawnMist ? 0.000_4 : 0, mistDepth: 60, treeWidth: 6
    ) { set, gardener in
      set.scatterTrees(gardener, near: 130...900, count: 26, form: form, grouped: 0.6)
    }
    if scene.season != .autumn || random.chance(0.4) {
      let bloom = random.pick([Tint(0.80, 0.78, 0.74, 0), Tint(0.80, 0.62, 0.08, 0), Tint(0.42, 0.26, 0.60, 0)])
      stage.foreground = fringes(
        camera: camera, sun: sun, height: random.within(0.14...0.24), flowers: random.below(22), bloom: bloom)
    }
    return stage
  }

  /// Mountains composed for a camera: a chief one off the middle, others beside and behind.
  mutating func alps(camera: Camera, shore: Float, hills: Float) -> AlpineLand {
    let half = Float(camera.width) / 2 / camera.focal
    // How far up the picture the chief summit reaches.
    let reach = camera.horizon / camera.focal * random.within(0.46...0.80)
    let side = random.side()
    func massif(at slope: Float, distance: Float, reach: Float, breadth: Float) -> AlpineLand.Massif {
      AlpineLand.Massif(
        x: slope * distance, z: distance, radius: distance * breadth, height: min(reach, 0.42) * distance * 1.02)
    }
    var massifs = [
      massif(
        at: side * half * random.within(0.1...0.5), distance: 9_400, reach: reach, breadth: random.within(0.42...0.62)),
      massif(
        at: -side * half * random.within(0.5...0.95), distance: 8_300, reach: reach * random.within(0.45...0.72),
        breadth: 0.48),
      massif(
        at: random.within(-1...1) * half, distance: 12_600, reach: reach * random.within(0.6...0.85), breadth: 0.55),
    ]
    if half > 0.6 {
      massifs.append(massif(at: side * half * 0.95, distance: 8_800, reach: reach * 0.6, breadth: 0.5))
      massifs.append(massif(at: -side * half * 0.35, distance: 11_600, reach: reach * 0.75, breadth: 0.5))
    }
    let top = reach * 9_400
    return AlpineLand(
      depths: DepthPlan(
        near: shore < 50 ? 30 : shore * 0.8, far: 17_000, step: 0.0085, focus: 4_500...13_500, focusStep: 0.004),
      massifs: massifs, shore: shore, hills: hills, hillDistance: random.within(2_600...4_200),
      treeLine: min(700, max(220, top * 0.30)), snowLine: top * random.within(0.30...0.62),
      conifers: random.within(0.45...0.9),
      flora: flora, origin: origin(), lattice: materials.lattice)
  }

  /// A single cone over a lake.
  mutating func volcano() -> Stage {
    let camera = camera(
      horizon: random.within(0.54...0.66), lens: random.within(1.3...2.0), eye: random.within(3...6))
    let sun = sun(camera: camera, aside: 0.45)
    let half = Float(camera.width) / 2 / camera.focal
    let distance: Float = 13_000
    let form = VolcanoLand(
      summit: SIMD2(random.within(-0.35...0.35) * half * distance, distance),
      peak: camera.horizon / camera.focal * random.within(0.55...0.78) * distance, shore: random.within(1_000...1_800),
      snowLine: random.within(0.45...0.62) * camera.horizon / camera.focal * distance * 0.7, flora: flora,
      origin: origin(), lattice: materials.lattice)
    let look = WaterLook(
      body: waterBody(Tint(0.02, 0.06, 0.08, 0)), tilt: random.within(0.0016...0.005), waveLength: 5, stretch: 1.7,
      patches: 0.7, origin: SIMD2(random.unit(), random.unit()) * 512)
    return landStage(form, camera: camera, sun: sun, mist: 0.000_10, mistDepth: 60, water: look, treeWidth: 6)
  }

  /// Ridge behind ridge.
  mutating func ridges() -> Stage {
    let camera = camera(
      horizon: random.within(0.44...0.60), lens: random.within(1.9...2.8), eye: random.within(680...820))
    let sun = sun(camera: camera)
    // Air thick enough that every ridge has a tone of its own.
    atmosphere.hazeLength = random.within(8_000...13_000)
    let form = RidgeLand(
      relief: random.within(840...1_080), conifers: random.within(0.4...0.9), flora: flora, origin: origin(),
      lattice: materials.lattice)
    let mist = random.within(0.000_02...0.000_09)
    return landStage(
      form, camera: camera, sun: sun, mist: mist, mistDepth: random.within(120...220), treeWidth: 7)
  }
}
