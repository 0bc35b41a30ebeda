/// Sets plants on land: where they show, how large, and in which colours.
struct Gardener {
  let camera: Camera
  let light: Illumination
  /// The distances of the land's grid; empty where there is none.
  let distances: [Float]

  /// Plants a sprite.
  ///
  /// - Parameters:
  ///   - x: to the right, in metres.
  ///   - distance: in metres.
  ///   - ground: the height of the ground there, in metres.
  ///   - height: the plant's own, in metres.
  ///   - albedo: the colour of its leaves.
  ///   - accent: the colour of what lies or blooms on it.
  func plant(
    _ sprite: Sprite, x: Float, distance: Float, ground: Float, height: Float, albedo: Tint, accent: Tint,
    isMirrored: Bool = false
  ) -> PlantedSprite {
    let slope = x / distance
    let rise = (ground + height * 0.5 - camera.eye) / distance
    let forward = light.forwardGlow(slope: slope, rise: rise)
    func veiled(_ color: Tint) -> Tint {
      light.veil(color, distance: distance, height: ground + height * 0.4, forward: forward, patches: 1)
    }
    let air = light.atmosphere
    // Against the light, plants show their dark side and a bright rim.
    let front = 0.62 - 0.45 * light.sun.z
    let bright = air.sunlight * front + air.skylight * 0.85
    let dim = air.skylight * 0.30 + air.sunlight * 0.03
    return PlantedSprite(
      sprite: sprite, middle: camera.column(slope: slope), foot: camera.row(height: ground, distance: distance),
      height: camera.focal * height / distance, isMirrored: isMirrored, dark: veiled(albedo * dim),
      lit: veiled(albedo * bright), accentDark: veiled(accent * (air.skylight * 0.75)),
      accentLit: veiled(accent * (air.sunlight * front * 0.9 + air.skylight * 0.9)), depth: depth(of: distance))
  }

  /// Where a distance lies among the grid's rows.
  func depth(of distance: Float) -> Float {
    var (low, high) = (0, distances.count)
    while low < high {
      let middle = (low + high) / 2
      if distances[middle] < distance { low = middle + 1 } else { high = middle }
    }
    return Float(low)
  }

  /// A sprite's best height in cells for a plant: its height in the picture, within bounds.
  func cells(height: Float, distance: Float) -> Int {
    let pixels = Int(camera.focal * height / distance)
    var size = 16
    while size < pixels, size < 1_024 { size *= 2 }
    return size
  }
}
