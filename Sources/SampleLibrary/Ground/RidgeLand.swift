/// Wooded ridges one behind the other to the horizon, seen from a height through a long lens.
struct RidgeLand: Landform {
  let depths = DepthPlan(near: 1_200, far: 42_000, step: 0.006, focus: 1_200...9_000, focusStep: 0.0042)
  /// The height of the ridges over the valleys, in metres.
  let relief: Float
  let conifers: Float
  let flora: Flora
  let origin: SIMD2<Float>
  let lattice: GradientLattice

  func height(x: Float, z: Float, spacing: Float) -> Float {
    let place = SIMD2(x, z) + origin
    let warp = lattice.noise(place.x / 5_200, place.y / 5_200) * 1_300
    // Crests run across the view, about every three kilometres.
    let ridge = lattice.ridged(
      (place.x + warp) / 8_200, (place.y + warp * 0.8) / 2_900, octaves: 2, gain: 0.4)
    let spurs = lattice.ridged(place.x / 2_700 + 9, place.y / 2_700, octaves: 6, gain: 0.42, finest: spacing / 2_700)
    let rolling = lattice.fractal(place.x / 1_900, place.y / 1_900, octaves: 5, gain: 0.45, finest: spacing / 1_900)
    // Farther ridges stand higher, as they do from a summit.
    let growth = 0.50 + 0.85 * ramp(1_000, 30_000, z)
    return relief * (ridge * 1.25 + spurs * (0.16 + 0.5 * ridge) + rolling * 0.07) * growth
  }

  func cover(_ place: Place) -> Cover {
    let noise = lattice.fractal(
      (place.x + origin.x) / 330, (place.z + origin.y) / 330, octaves: 4, finest: place.spacing / 330)
    let kind = ramp(-0.3, 0.3, (conifers * 2 - 1) * 0.7 + noise)
    var albedo = mix(flora.leaf(noise * 2.4), flora.conifer, kind)
    if flora.season == .winter { albedo = mix(albedo, flora.snow, 0.22 + 0.2 * clamped(noise)) }
    return Cover(albedo: albedo, texture: 0.17, canopy: 15, isRound: kind < 0.5)
  }
}
