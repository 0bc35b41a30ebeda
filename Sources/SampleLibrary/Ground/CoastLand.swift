/// Cliffs and headlands that step out into the sea, with stacks before them; or low islands.
struct CoastLand: Landform {
  /// A piece of land in the sea, a rounded square.
  struct Headland {
    let x: Float
    let z: Float
    let width: Float
    let depth: Float
    let height: Float
  }

  let depths: DepthPlan
  let headlands: [Headland]
  /// How steep the cliffs are: the metres in which they rise, as a part of the land's width.
  let edge: Float
  let isWooded: Bool
  let rock: Tint
  let flora: Flora
  let origin: SIMD2<Float>
  let lattice: GradientLattice

  func height(x: Float, z: Float, spacing: Float) -> Float {
    let place = SIMD2(x, z) + origin
    let fray = lattice.fractal(place.x / 260, place.y / 260, octaves: 6, gain: 0.52, finest: spacing / 260)
    var high: Float = -4
    for headland in headlands {
      let offset = SIMD2((x - headland.x) / headland.width, (z - headland.z) / headland.depth)
      let reach = (offset * offset).sum().squareRoot() + fray * min(0.34, 60 / headland.width + 0.12)
      guard reach < 1.2 else { continue }
      let cliff = ramp(1, 1 - edge, reach)
      let back = ramp(1, 0.1, reach)
      high = max(high, headland.height * (cliff * 0.62 + back * 0.38) * (1 + fray * 0.22) - 4 * (1 - cliff))
    }
    return high
  }

  func cover(_ place: Place) -> Cover {
    let (x, z) = (place.x + origin.x, place.z + origin.y)
    let noise = lattice.fractal(x / 60, z / 60, octaves: 5, gain: 0.6, finest: place.spacing / 60)
    let steep = 1 - place.upright
    let band = lattice.noise(place.height / 5 + noise * 1.4, (x - z) / 240)
    let crack = lattice.fractal((x + z) / 12, place.height / 26, octaves: 3, finest: place.spacing / 12)
    var albedo = rock * (1 + band * 0.3 + crack * 0.5)
    // Wet and dark where the swell reaches.
    albedo *= mix(0.35, 1, ramp(0.5, 3.5, place.height + noise))
    let green = ramp(0.36, 0.14, steep + noise * 0.12) * ramp(3, 9, place.height + noise * 3)
    if isWooded, green > 0.35 || (steep < 0.5 && place.height > 4) {
      let leaf = mix(flora.leaf(noise * 2), flora.conifer, ramp(-0.4, 0.2, noise))
      return Cover(albedo: leaf, texture: 0.55, canopy: 13, isRound: noise < -0.1)
    }
    albedo = mix(albedo, mix(flora.grass, flora.dryGrass, clamped(0.35 + noise)), green)
    return Cover(albedo: albedo, texture: mix(0.2, 0.13, green))
  }
}
