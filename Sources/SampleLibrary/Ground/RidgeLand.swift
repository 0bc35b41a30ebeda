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
    let ridge = lattice.ridged(
      (place.x + warp) / 7_400, (place.y + warp * 0.7) / 4_300, octaves: 7, gain: 0.36, finest: spacing / 5_000)
    let rolling = lattice.fractal(place.x / 1_900, place.y / 1_900, octaves: 5, gain: 0.45, finest: spacing / 1_900)
    // Farther ridges stand higher, as they do from a summit.
    return relief * (ridge * 1.5 + rolling * 0.10) * (0.55 + 0.75 * ramp(1_000, 26_000, z))
  }

  func cover(_ place: Place) -> Cover {
    let noise = lattice.fractal(
      (place.x + origin.x) / 330, (place.z + origin.y) / 330, octaves: 4, finest: place.spacing / 330)
    let kind = ramp(-0.3, 0.3, (conifers * 2 - 1) * 0.7 + noise)
    var albedo = mix(flora.leaf(noise * 2.4), flora.conifer, kind)
    if flora.season == .winter { albedo = mix(albedo, flora.snow, 0.22 + 0.2 * clamped(noise)) }
    return Cover(albedo: albedo, texture: 0.34, canopy: 15)
  }
}
