/// Rolling farmland: fields of many colours, hedges, copses and hills behind.
struct FieldLand: Landform {
  let depths = DepthPlan(near: 70, far: 16_000, step: 0.0075, focus: 250...4_000, focusStep: 0.0052)
  /// The height of the nearer swells, in metres.
  let swell: Float
  let parcels: Parcels
  /// The part of fields that are woods.
  let woods: Float
  let crops: [Tint]
  let flora: Flora
  let origin: SIMD2<Float>
  let lattice: GradientLattice

  func height(x: Float, z: Float, spacing: Float) -> Float {
    let place = SIMD2(x, z) + origin
    let near = lattice.fractal(place.x / 760, place.y / 620, octaves: 3, gain: 0.3, finest: spacing / 760)
    let wide = lattice.noise(place.x / 2_900 + 7, place.y / 2_300)
    let far = lattice.fractal(place.x / 5_000, place.y / 3_200, octaves: 7, gain: 0.44, finest: spacing / 5_000)
    let growth = ramp(20, 600, z)
    return swell * (near * 1.5 * growth + wide * 2.4 * growth) + max(0, far + 0.3) * 520 * ramp(3_500, 11_000, z)
  }

  func cover(_ place: Place) -> Cover {
    let (x, z) = (place.x + origin.x, place.z + origin.y)
    let noise = lattice.fractal(x / 70, z / 70, octaves: 4, gain: 0.55, finest: place.spacing / 70)
    if place.z > 6_500 {
      let albedo = mix(flora.leaf(noise * 2), flora.conifer, 0.35)
      return Cover(albedo: albedo, texture: 0.4, canopy: 12 * ramp(6_500, 7_200, place.z), isRound: true)
    }
    // Boundaries wander a little.
    let bend = lattice.noise(x / 190, z / 190) * 24
    let field = parcels.field(x: x + bend, z: z - bend)
    if field.number < woods {
      return Cover(
        albedo: mix(flora.leaf(noise * 2.4), flora.conifer, ramp(0.3, 0.8, field.other)), texture: 0.6, canopy: 14,
        isRound: field.other < 0.55)
    }
    if field.edge < 0.03, field.other > 0.35, place.z > 180 {
      return Cover(albedo: flora.leaf(noise * 2) * 0.8, texture: 0.6, canopy: 5, isRound: true)
    }
    let choice = (field.number - woods) / (1 - woods) * Float(crops.count)
    var albedo = crops[min(Int(choice), crops.count - 1)] * (0.86 + 0.28 * field.other)
    // The rows of a crop, where they are wide enough to be seen.
    let turn = field.other * 3.1
    let spacing: Float = 7
    let row = (x * cosine(turn) + z * sine(turn)) / spacing
    let visible = ramp(spacing * 0.7, spacing * 0.2, place.spacing)
    if visible > 0 { albedo *= 1 + 0.14 * visible * sine(row * 6.283_185) }
    albedo *= 1 + 0.22 * noise
    return Cover(albedo: albedo, texture: 0.16)
  }
}
