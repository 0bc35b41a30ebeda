/// Table mountains of layered red rock over a dry plain.
struct MesaLand: Landform {
  let depths = DepthPlan(near: 26, far: 26_000, step: 0.0075, focus: 2_200...9_000, focusStep: 0.0035)
  /// Towers: where they stand, how wide and how high, as a massif.
  let towers: [AlpineLand.Massif]
  let rock: Tint
  let earth: Tint
  let shrub: Tint
  let origin: SIMD2<Float>
  let lattice: GradientLattice

  func height(x: Float, z: Float, spacing: Float) -> Float {
    let place = SIMD2(x, z) + origin
    let rough = lattice.fractal(place.x / 620, place.y / 620, octaves: 7, gain: 0.5, finest: spacing / 620)
    var high: Float = 0
    for tower in towers {
      let offset = SIMD2(x - tower.x, z - tower.z) / tower.radius
      // Rounded squares, frayed by gullies.
      let square = offset * offset
      let reach = (square * square).sum().squareRoot().squareRoot() + rough * 0.26
      guard reach < 1.9 else { continue }
      // A slope of rubble, a wall, a ledge, a second wall, a level top.
      let talus = ramp(1.9, 0.98, reach) * 0.34
      let wall = ramp(1.0, 0.93, reach) * 0.46
      let ledge = ramp(0.90, 0.80, reach) * 0.05
      let upper = ramp(0.78, 0.73, reach) * 0.15
      high = max(high, tower.height * (talus + wall + ledge + upper))
    }
    return high + rough * 9 * ramp(20, 500, z) + high * 0.02 * rough
  }

  func cover(_ place: Place) -> Cover {
    let (x, z) = (place.x + origin.x, place.z + origin.y)
    let noise = lattice.fractal(x / 120, z / 120, octaves: 5, gain: 0.6, finest: place.spacing / 120)
    let steep = 1 - place.upright
    let band = lattice.noise(place.height / 21 + noise * 0.5, x / 2_600)
    let streak = lattice.noise((x + z) / 16, place.height / 130) * 0.2 * ramp(14, 4, place.spacing)
    let wall = rock * (1 + band * 0.42 + streak)
    let level = ramp(0.30, 0.12, steep)
    var albedo = mix(wall, mix(earth, rock, 0.25 + 0.3 * noise), level)
    // Shrubs stand apart, each in its own circle.
    let spots = lattice.fractal(x / 9, z / 9, octaves: 2, finest: place.spacing / 9)
    let dry = ramp(0.16, 0.34, spots + noise * 0.25) * level * ramp(40, 12, place.height)
    albedo = mix(albedo, shrub, dry * 0.85)
    return Cover(albedo: albedo, texture: mix(0.10, 0.26, dry))
  }
}
