/// A level field of planted rows, painted pixel by pixel over the nearest land.
struct RowField {
  /// What is planted.
  enum Crop: Hashable, Sendable {
    case lavender
    case tulips
    case leaves
    /// No rows: grass, with flowers scattered in drifts.
    case wild
  }

  let camera: Camera
  let light: Illumination
  let materials: Materials
  let crop: Crop
  let leaf: Tint
  let blossom: Tint
  /// The metres from one row to the next.
  let spacing: Float
  /// Where the rows run to: x at a distance of one.
  let direction: Float
  /// The metres to the field's end.
  let reach: Float
  let seed: UInt32

  /// Paints the field's part of a row of pixels.
  func paint(row: Int, into pixels: UnsafeMutablePointer<Tint>) {
    let below = Float(row) + 0.5 - camera.horizon
    guard below > 0.5 else { return }
    let distance = camera.focal * camera.eye / below
    guard distance < reach else { return }
    let width = camera.width
    // How many pixels a row of plants takes: less than a few, and only their mean is seen.
    let breadth = spacing * camera.focal / distance
    let plain = ramp(7, 2, breadth)
    let tall: Float = crop == .leaves ? 0.75 : 0.5
    let isWild = crop == .wild
    let up = SIMD3<Float>(0, 1, 0)
    let earth = light.shade(Tint(0.20, 0.145, 0.095, 0), normal: up, exposure: 0.55, openness: 0.6, softness: 0)
    let end = ramp(reach, reach * 0.93, distance)
    for column in 0..<width {
      let slope = camera.slope(column: Float(column) + 0.5)
      // Plants stand up: what shows here is nearer than the ground would be.
      var place = slope * distance - direction * distance
      var depth = distance
      var bump = profile(place)
      for _ in 0..<(isWild ? 0 : 2) {
        depth = distance * (1 - tall * bump / camera.eye)
        place = (slope - direction) * depth
        bump = profile(place)
      }
      let line = floored(place / spacing + 0.5)
      // Sprigs as large as their distance makes them.
      let cells: Float = 80
      let sprig = materials.foliage.sample(slope * distance * cells, distance * cells * 0.4)
      let tuft = materials.heaps.sample(slope * distance * 34, depth * 26)
      let near = isWild ? ramp(14, 5, depth) : ramp(26, 6, depth)
      let texture = mix(materials.foliage.cell(column, row &* 3), sprig * 0.8 + tuft * 0.4, near)
      var albedo =
        isWild ? meadow(x: place, depth: depth, texture: texture, near: near) : bloom(line, texture: texture)
      albedo *= 1 + 0.28 * texture
      if isWild { bump = 0.75 + 0.15 * texture }
      let exposure = 0.16 + 0.84 * ramp(0.12, 0.92, bump)
      var color = light.shade(
        albedo, normal: up, exposure: exposure, openness: 0.25 + 0.75 * bump, softness: 1)
      let plant = isWild ? 1 : mix(ramp(0.10, 0.34, bump + texture * 0.06), 0.72, plain)
      color = mix(earth * (1 + texture * 0.12), color, plant)
      color = light.veil(
        color, distance: depth, height: 0, forward: light.forwardGlow(slope: slope, rise: -camera.eye / depth),
        patches: 1)
      pixels[column] = mix(pixels[column], color, end)
    }
  }

  /// How high the plants stand at a place across the rows, 0 to 1.
  @inline(__always) private func profile(_ place: Float) -> Float {
    let part = place / spacing + 0.5
    let across = abs(part - Float(floored(part)) - 0.5) * 2
    return max(0, 1 - across * across * 1.9)
  }

  /// Grass with flowers: drifts of them, each a dot that grows with nearness.
  @inline(__always) private func meadow(x: Float, depth: Float, texture: Float, near: Float) -> Tint {
    let patch = materials.mist.sample(x * 3.1 + 71, depth * 3.1)
    let drift = materials.mist.sample(x * 0.9 + Float(seed & 0xFF), depth * 0.9 + 40)
    let grass = mix(leaf, blossom * 0.25 + leaf * 0.75, 0.25) * (1 + 0.14 * patch)
    let dots = materials.heaps.sample(x * 210 + 17, depth * 90)
    let open = mix(ramp(0.75, 1.7, texture), ramp(0.75, 1.15, dots), near)
    return mix(grass, blossom, open * ramp(-0.7, 1.2, drift) * mix(0.7, 0.92, near))
  }

  @inline(__always) private func bloom(_ line: Int, texture: Float) -> Tint {
    switch crop {
    case .wild:
      return leaf
    case .lavender:
      return mix(Tint(0.10, 0.13, 0.06, 0), Tint(0.27, 0.14, 0.46, 0), ramp(-1.1, 0.5, texture))
    case .leaves:
      return leaf
    case .tulips:
      let colors = [
        Tint(0.66, 0.05, 0.04, 0), Tint(0.78, 0.52, 0.04, 0), Tint(0.72, 0.24, 0.36, 0), Tint(0.74, 0.70, 0.64, 0),
        Tint(0.36, 0.06, 0.26, 0), Tint(0.78, 0.28, 0.05, 0),
      ]
      let band = UInt32(truncatingIfNeeded: (line &+ 4_096) / 4) &* 0x9E37_79B1 ^ seed
      let color = colors[Int((band &* 0x85EB_CA6B) >> 16) % colors.count]
      return mix(Tint(0.09, 0.15, 0.05, 0), color, ramp(-1.3, -0.2, texture))
    }
  }
}
