/// Where the light comes from: the sun, or at night the moon.
struct Sun {
  /// To the right of straight ahead, in radians; beyond a quarter turn it is behind the camera.
  let azimuth: Float
  /// Above the horizon, in radians.
  let elevation: Float

  /// The direction towards it, of length 1.
  var direction: SIMD3<Float> {
    SIMD3(
      sine(azimuth) * cosine(elevation), sine(elevation), cosine(azimuth) * cosine(elevation))
  }

  /// Whether it stands before the camera.
  var isAhead: Bool { abs(azimuth) < 1.4 }

  /// The column and row of its middle, which may lie outside the picture; nothing when it is behind the camera.
  func place(in camera: Camera) -> SIMD2<Float>? {
    guard isAhead else { return nil }
    let across = sine(azimuth) / cosine(azimuth)
    let up = sine(elevation) / (cosine(elevation) * cosine(azimuth))
    return SIMD2(camera.column(slope: across), camera.horizon - camera.focal * up)
  }
}
