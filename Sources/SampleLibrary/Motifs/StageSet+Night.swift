extension StageSet {
  /// The Milky Way over mountains.
  mutating func stars() -> Stage {
    let camera = camera(
      horizon: random.within(0.74...0.86), lens: random.within(0.8...1.15), eye: random.within(20...40))
    let sun = sun(camera: camera)
    let form = alps(camera: camera, shore: 10, hills: random.within(200...380))
    var low = form
    low.massifs = form.massifs.map { .init(x: $0.x, z: $0.z, radius: $0.radius, height: $0.height * 0.55) }
    low.isMeadow = true
    let way = MilkyWay(
      camera: camera, materials: materials,
      center: SIMD2(Float(width) * random.within(0.3...0.7), camera.horizon * random.within(0.35...0.6)),
      angle: random.side() * random.within(0.7...1.25), origin: SIMD2(random.unit(), random.unit()) * 512,
      strength: random.within(0.12...0.17))
    return landStage(low, camera: camera, sun: sun, treeWidth: 6, veils: [way]) { set, gardener in
      set.scatterTrees(gardener, near: 60...500, count: 22, form: low, conifers: 0.95)
    }
  }

  /// Northern lights over a lake.
  mutating func aurora() -> Stage {
    lake { set, camera in
      let curtains = (0..<3).map { step in
        Aurora.Curtain(
          foot: set.random.within(0.10...0.20) + Float(step) * 0.07, height: set.random.within(0.07...0.15),
          strength: set.random.within(0.26...0.5) / (1 + Float(step) * 0.5), origin: set.random.unit() * 200,
          fold: set.random.within(0.08...0.18))
      }
      return [Aurora(camera: camera, lattice: set.materials.lattice, curtains: curtains)]
    }
  }
}
