/// One near hill or field before farther ones: ground for a tree, a meadow, snow or a wood to stand on.
struct HillLand: Landform {
  /// What lies on the ground.
  enum Ground: Hashable, Sendable {
    case grass
    case snow
    case woods
  }

  let depths = DepthPlan(near: 16, far: 15_000, step: 0.0075, focus: 40...900, focusStep: 0.0055)
  /// The distance and height of the near hill's crest, in metres.
  let crest: Float
  let rise: Float
  /// How the crest leans from left to right, in metres over its distance.
  let lean: Float
  /// The height of what stands behind.
  let beyond: Float
  let ground: Ground
  let woods: Float
  let flora: Flora
  let origin: SIMD2<Float>
  let lattice: GradientLattice

  func height(x: Float, z: Float, spacing: Float) -> Float {
    let place = SIMD2(x, z) + origin
    let rough =
      z < crest * 4 ? lattice.fractal(place.x / 90, place.y / 90, octaves: 5, gain: 0.36, finest: spacing / 90) : 0
    let across = max(-1.5, min(1.5, x / crest))
    let near = rise * ramp(0, 1, min(1, z / crest)) * (1 - 0.25 * across * across) + lean * across
    let behind = ramp(crest * 1.02, crest * 2.2, z)
    let grown = ramp(crest * 2, 8_000, z)
    var hills: Float = 0
    if grown > 0 {
      let far = lattice.fractal(place.x / 3_600, place.y / 2_300, octaves: 7, gain: 0.44, finest: spacing / 3_600)
      hills = (0.35 + far) * beyond * grown
    }
    return near * (1 - behind * 1.4) + rough * (0.6 + rise * 0.03) * ramp(4, 40, z) * ramp(crest * 4, crest * 3, z)
      + max(-20, hills)
  }

  func cover(_ place: Place) -> Cover {
    let (x, z) = (place.x + origin.x, place.z + origin.y)
    let noise = lattice.fractal(x / 46, z / 46, octaves: 5, gain: 0.58, finest: place.spacing / 46)
    let coarse = lattice.noise(x / 620, z / 620)
    let isFar = place.z > max(crest * 1.3, 260)
    if isFar, ground == .woods || noise * 0.25 + coarse < woods * 1.6 - 0.8 {
      var leaf = mix(flora.leaf(noise * 1.8 + coarse * 1.2), flora.conifer, ramp(-0.2, 0.5, coarse + noise * 0.5))
      if flora.season == .winter { leaf = mix(leaf, flora.snow, 0.2) }
      return Cover(albedo: leaf, texture: 0.6, canopy: 13, isRound: coarse + noise * 0.5 < 0.15)
    }
    switch ground {
    case .snow:
      // Wind lays snow in long, low waves.
      let drift = lattice.fractal(x / 26 + z / 60, z / 9, octaves: 3, gain: 0.45, finest: place.spacing / 26)
      return Cover(albedo: flora.snow * (0.96 + noise * 0.03 + drift * 0.10), texture: 0.035)
    case .grass, .woods:
      let albedo = mix(flora.grass, flora.dryGrass, clamped(0.35 + noise * 0.6 + coarse * 0.5))
      return Cover(albedo: albedo * (1 + noise * 0.18), texture: 0.2)
    }
  }
}
