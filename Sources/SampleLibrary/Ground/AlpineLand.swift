/// High mountains behind wooded hills: over a lake, a valley or a sea of fog.
struct AlpineLand: Landform {
  /// A mountain: where it stands, how wide and how high.
  struct Massif {
    let x: Float
    let z: Float
    let radius: Float
    let height: Float
  }

  var depths: DepthPlan
  var massifs: [Massif]
  /// Where the ground rises out of the water, in metres.
  let shore: Float
  /// The height of the hills before the mountains.
  let hills: Float
  /// The distance at which the hills are full grown.
  let hillDistance: Float
  var treeLine: Float
  let snowLine: Float
  /// The part of conifers among the trees, 0 to 1.
  var conifers: Float
  /// Whether the near ground is kept clear of trees.
  var isMeadow = false
  let flora: Flora
  let origin: SIMD2<Float>
  let lattice: GradientLattice

  func height(x: Float, z: Float, spacing: Float) -> Float {
    let place = SIMD2(x, z) + origin
    let warp = lattice.noise(place.x / 2_600, place.y / 2_600)
    var mountain: Float = 0
    var most: Float = 0
    for massif in massifs {
      let offset = SIMD2(x - massif.x, z - massif.z) / massif.radius
      let reach = (offset * offset).sum().squareRoot() + warp * 0.22
      guard reach < 1 else { continue }
      let cone = 1 - reach
      most = max(most, massif.height * cone * (0.35 + 0.65 * cone))
    }
    if most > 1 {
      let ridges = lattice.ridged(
        place.x / 2_300 + warp * 0.35, place.y / 2_300, octaves: 9, gain: 0.47, finest: spacing / 2_300)
      mountain = most * (0.5 + 0.62 * ridges)
    }
    let grown = ramp(shore * 0.92, hillDistance, z)
    var hill: Float = 0
    if hills > 0 {
      let rolling = lattice.fractal(place.x / 1_500, place.y / 1_500, octaves: 7, gain: 0.46, finest: spacing / 1_500)
      // Hills stand back from the middle, so that the view opens on the mountains.
      let open = clamped(abs(x) / (z * 0.55 + 1) + 0.25)
      hill = hills * grown * open * (0.75 + rolling * 1.1)
    }
    let bank = (z - shore * (1 + 0.10 * lattice.noise(place.x / 420, 3.5))) * 0.05
    return min(bank, 6) + max(0, hill) + mountain * ramp(0.02, 0.3, grown)
  }

  func cover(_ place: Place) -> Cover {
    let noise = lattice.fractal(
      (place.x + origin.x) / 240, (place.z + origin.y) / 240, octaves: 4, finest: place.spacing / 240)
    let coarse = lattice.noise((place.x + origin.x) / 900, (place.z + origin.y) / 900)
    let steep = 1 - place.upright
    let strata = lattice.noise(place.height / 46 + noise, (place.x + place.z) / 900) * 0.16
    let ledge = lattice.fractal(place.x / 60, place.height / 34, octaves: 3, finest: place.spacing / 60) * 0.3
    var cover = Cover(albedo: flora.rock * (1 + strata + ledge), texture: 0.13)
    // Grass below, where it is not too steep.
    let green = ramp(0.40, 0.22, steep + noise * 0.06) * ramp(treeLine + 420, treeLine + 60, place.height + noise * 160)
    let meadow =
      mix(flora.grass, flora.dryGrass, clamped(0.4 + noise * 0.7 + coarse * 0.6)) * (1 + 0.30 * noise + 0.22 * coarse)
    cover.albedo = mix(cover.albedo, meadow, green)
    cover.texture = mix(cover.texture, 0.10, green)
    // Woods up to the tree line, with clearings.
    let wooded = ramp(treeLine + 90, treeLine - 120, place.height + noise * 230) * ramp(0.52, 0.34, steep)
    var wood = wooded * ramp(-0.42, -0.18, noise * 0.7 + coarse) * ramp(0.8, 2.2, place.height)
    if isMeadow { wood *= ramp(700, 2_400, place.z + (noise + coarse) * 1_100) }
    if wood > 0.45 {
      let kind = ramp(
        -0.1, 0.1, (conifers * 2 - 1) * 0.8 + noise * 0.9 - (place.height / max(treeLine, 1) - 0.4) * -0.5)
      let leaf = flora.leaf(noise * 2.2 + coarse * 1.4)
      cover.albedo = mix(leaf, flora.conifer, kind)
      if flora.season == .winter { cover.albedo = mix(cover.albedo, flora.snow, 0.10 + 0.16 * clamped(noise + 0.5)) }
      cover.texture = 0.5
      cover.canopy = 9 + 15 * wood
      cover.isRound = kind < 0.5
      return cover
    }
    let line = flora.season == .winter ? -400 : snowLine
    let snow = ramp(line - 120, line + 260, place.height + noise * 330) * ramp(0.56, 0.36, steep + noise * 0.09)
    cover.albedo = mix(cover.albedo, flora.snow, snow)
    cover.texture = mix(cover.texture, 0.03, snow)
    return cover
  }
}
