/// A sea of sand: long crests with a gentle side to the wind and a steep one behind.
struct DuneLand: Landform {
  let depths = DepthPlan(near: 60, far: 9_000, step: 0.006, focus: 90...2_600, focusStep: 0.0042)
  /// The way across the crests, in radians from the view.
  let wind: Float
  /// The height of the great dunes, in metres.
  let relief: Float
  let sand: Tint
  let origin: SIMD2<Float>
  let lattice: GradientLattice

  func height(x: Float, z: Float, spacing: Float) -> Float {
    let place = SIMD2(x, z) + origin
    let great = crest(place, length: 470, bend: 0.75)
    let lesser = crest(place * 1.0 + SIMD2(317, 91), length: 140, bend: 0.5)
    let strength = clamped(0.62 + lattice.noise(place.x / 1_100, place.y / 900) * 0.9)
    let swell = lattice.noise(place.x / 2_400, place.y / 2_400) * 14
    let near = ramp(10, 420, z)
    return (great * relief * (0.35 + 0.65 * strength) + lesser * relief * 0.07 * strength) * (0.25 + 0.75 * near)
      + swell * near
  }

  private func crest(_ place: SIMD2<Float>, length: Float, bend: Float) -> Float {
    let along = place.x * cosine(wind) - place.y * sine(wind)
    let across = place.x * sine(wind) + place.y * cosine(wind)
    let meander = lattice.fractal(along / (length * 1.9), across / (length * 3.1), octaves: 3, gain: 0.3) * bend
    let phase = across / length + meander
    let part = phase - Float(floored(phase))
    // Windward three quarters rise gently, the lee falls as steeply as sand lies.
    if part < 0.74 {
      let up = part / 0.74
      return up * up * (1.75 - 0.75 * up)
    }
    let down = (1 - part) / 0.26
    return down * (0.75 + 0.25 * down)
  }

  func cover(_ place: Place) -> Cover {
    let (x, z) = (place.x + origin.x, place.z + origin.y)
    let noise = lattice.fractal(x / 90, z / 90, octaves: 3, finest: place.spacing / 90)
    // Ripples run across the wind; finer ones than a sample are left to the texture.
    let ripple = sine((x * sine(wind + 0.4) + z * cosine(wind + 0.4)) / 1.3 + noise * 6)
    let visible = ramp(0.5, 0.12, place.spacing)
    return Cover(albedo: sand * (1 + noise * 0.09 + ripple * visible * 0.035), texture: 0.07)
  }
}
