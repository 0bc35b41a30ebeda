/// A single great cone over a wooded plain or a lake.
struct VolcanoLand: Landform {
  let depths = DepthPlan(near: 900, far: 24_000, step: 0.008, focus: 7_000...16_500, focusStep: 0.0042)
  let summit: SIMD2<Float>
  let peak: Float
  let shore: Float
  let snowLine: Float
  let flora: Flora
  let origin: SIMD2<Float>
  let lattice: GradientLattice

  func height(x: Float, z: Float, spacing: Float) -> Float {
    let offset = SIMD2(x, z) - summit
    let reach = (offset * offset).sum().squareRoot()
    // Steep above, flowing out below; the crater cuts the top off.
    let cone = peak * 1.17 * (exponential(-reach / 3_000) - 0.045)
    let crater = peak * (1 + 0.022 * lattice.noise(x / 300, z / 300 + 9))
    let angle = offset / max(reach, 1)
    let wander = lattice.fractal(x / 1_500, z / 1_500, octaves: 3) * 0.9
    let gully = lattice.ridged(
      angle.x * 4.2 + 31 + wander, angle.y * 4.2 + reach / 4_000 + wander, octaves: 6, gain: 0.6)
    let carved = cone - gully * 120 * ramp(0, 700, cone) * ramp(peak * 1.08, peak * 0.8, cone)
    let place = SIMD2(x, z) + origin
    let rolling = lattice.fractal(place.x / 1_700, place.y / 1_100, octaves: 6, gain: 0.45, finest: spacing / 1_700)
    let hills = max(0, 0.55 + rolling) * 150 * ramp(shore, shore * 3.2, z) * ramp(11_000, 6_500, z)
    let bank = min(5, (z - shore * (1 + 0.07 * lattice.noise(place.x / 500, 3))) * 0.05)
    return bank + hills + max(0, min(carved, crater))
  }

  func cover(_ place: Place) -> Cover {
    let (x, z) = (place.x + origin.x, place.z + origin.y)
    let noise = lattice.fractal(x / 300, z / 300, octaves: 4, finest: place.spacing / 300)
    let offset = SIMD2(place.x, place.z) - summit
    let reach = max(1, (offset * offset).sum().squareRoot())
    let streak =
      lattice.fractal(offset.x / reach * 22, offset.y / reach * 22 + place.height / 900, octaves: 4, gain: 0.6) * 460
    let wooded = ramp(760, 560, place.height + noise * 240)
    if wooded > 0.5, place.height > 2.5 {
      let kind = ramp(-0.2, 0.3, noise + 0.1)
      var leaf = mix(flora.leaf(noise * 2.4), flora.conifer, kind)
      if flora.season == .winter { leaf = mix(leaf, flora.snow, 0.14) }
      return Cover(albedo: leaf, texture: 0.55, canopy: 14, isRound: kind < 0.5)
    }
    let ash = mix(flora.rock * 0.62, Tint(0.20, 0.15, 0.13, 0), 0.5) * (1 + noise * 0.3)
    let meadow = mix(flora.grass, flora.dryGrass, 0.5)
    var albedo = mix(ash, meadow, ramp(1_000, 700, place.height + noise * 200))
    let snow = ramp(snowLine - 60, snowLine + 160, place.height + streak + noise * 120)
    albedo = mix(albedo, flora.snow, snow)
    return Cover(albedo: albedo, texture: mix(0.12, 0.03, snow))
  }
}
