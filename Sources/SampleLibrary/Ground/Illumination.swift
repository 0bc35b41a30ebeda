/// How a surface looks: lit by sun and sky, then veiled by the air before it.
struct Illumination {
  let atmosphere: Atmosphere
  let sun: SIMD3<Float>
  /// Mist that lies in low places: its density a metre at height zero; 0 for none.
  let mistDensity: Float
  /// The height in metres at which the mist is a third as dense.
  let mistDepth: Float
  /// How much of the land lies in the shadow of clouds, 0 to 1.
  var cloudShadow: Float = 0
  private let horizonColor: Tint

  /// Makes the light of a scene.
  init(atmosphere: Atmosphere, sun: Sun, mistDensity: Float, mistDepth: Float) {
    self.atmosphere = atmosphere
    self.sun = sun.direction
    self.mistDensity = mistDensity
    self.mistDepth = mistDepth
    horizonColor = atmosphere.skyColor(at: 0.025)
  }

  /// The light that a surface sends, before any air.
  ///
  /// - Parameters:
  ///   - normal: the surface's, of length 1.
  ///   - exposure: how much of the sun reaches it, 0 to 1.
  ///   - openness: how much of the sky does, 0 to 1.
  ///   - softness: 0 for bare ground, up to 1 for leaves and snow, which light passes into.
  @inline(__always)
  func shade(_ albedo: Tint, normal: SIMD3<Float>, exposure: Float, openness: Float, softness: Float) -> Tint {
    let facing = (normal * sun).sum()
    let direct = max(0, (facing + softness * 0.35) / (1 + softness * 0.35)) * exposure
    let sky = (0.45 + 0.55 * normal.y) * openness
    // Light that the ground round about throws back.
    let bounce = 0.12 * exposure * max(0, sun.y) * (1 - normal.y * 0.5)
    return albedo * (atmosphere.sunlight * (direct + bounce) + atmosphere.skylight * sky)
  }

  /// How much of the sun comes through the clouds over a place, 0 to 1.
  @inline(__always) func sunThroughClouds(x: Float, z: Float, _ materials: Materials) -> Float {
    guard cloudShadow > 0 else { return 1 }
    let cloud = materials.mist.sample(x * 0.022 + 211, z * 0.022 + 97)
    return 1 - 0.66 * ramp(0.55, -0.15, cloud + 1.4 - cloudShadow * 2.4)
  }

  /// How bright the air is in a direction, for being near the sun.
  @inline(__always) func forwardGlow(slope: Float, rise: Float) -> Float {
    let length = (slope * slope + rise * rise + 1).squareRoot()
    let along = max(0, (slope * sun.x + rise * sun.y + sun.z) / length)
    let squared = along * along
    let fourth = squared * squared
    let sixteenth = fourth * fourth * fourth * fourth
    return fourth * 0.25 + sixteenth * sixteenth * 0.45
  }

  /// Puts the air of a distance before a colour.
  ///
  /// - Parameters:
  ///   - forward: ``forwardGlow(slope:rise:)`` of the direction.
  ///   - patches: how thick the mist is just here, about 1.
  @inline(__always)
  func veil(_ color: Tint, distance: Float, height: Float, forward: Float, patches: Float) -> Tint {
    let thin = exponential(-max(0, height) * 0.000_22)
    let through = exponential(-distance / atmosphere.hazeLength * thin)
    let glow = atmosphere.glow * (forward * 0.36)
    let air = mix(atmosphere.haze, horizonColor, ramp(0.35, 1, 1 - through)) + glow
    var veiled = mix(air, color, through)
    if mistDensity > 0 {
      let thickness = distance * mistDensity * patches * exponential(-max(0, height) / mistDepth)
      let clear = exponential(-thickness)
      let mist = mix(horizonColor, atmosphere.haze, 0.4) * 0.97 + glow
      veiled = mix(mist, veiled, clear)
    }
    return veiled
  }
}
