/// The band of our galaxy, with its dust.
struct MilkyWay: SkyVeil {
  let camera: Camera
  let materials: Materials
  /// A point of the band, in pixels.
  let center: SIMD2<Float>
  /// The band's direction, in radians from level.
  let angle: Float
  let origin: SIMD2<Float>
  let strength: Float

  func light(column: Float, row: Float) -> Tint {
    let offset = (SIMD2(column, row) - center) / camera.span
    let along = offset.x * cosine(angle) + offset.y * sine(angle)
    let across = offset.y * cosine(angle) - offset.x * sine(angle)
    let place = SIMD2(along, across) * 150 + origin
    let bend = materials.mist.sample(place.x * 0.5, place.y * 0.5) * 0.014
    let side = (across + bend) / 0.13
    let band = exponential(-side * side)
    guard band > 0.01 else { return .zero }
    let core = exponential(-along * along * 5)
    let clouds = max(
      0.25,
      1 + 0.24 * materials.mist.sample(place.x, place.y) + 0.16 * materials.mist.sample(place.x * 3.3, place.y * 3.3))
    let lane = (across - bend * 2.2) / 0.030
    let dust = exponential(-lane * lane) * ramp(-0.9, 0.9, materials.mist.sample(place.x * 0.9 + 31, place.y * 1.4))
    let tint = mix(Tint(0.52, 0.62, 0.85, 0), Tint(1.0, 0.82, 0.66, 0), core * 0.75 * exponential(-side * side * 1.5))
    let low = ramp(0, 0.28, (camera.horizon - row) / camera.span)
    return tint * (strength * band * (0.35 + 0.9 * core) * clouds * (1 - 0.75 * dust) * low)
  }
}
