/// The sky of a picture at a quarter of its resolution: gradient, glow and clouds, which hold nothing finer.
///
/// The fourth lane of a cell is how clearly stars, sun and moon shine through.
struct SkyDome {
  /// Pixels a cell.
  static let step = 4

  private let cells: Sheet<Tint>

  /// Paints the sky of a scene from the top of the picture to a little below the horizon.
  init(
    camera: Camera, atmosphere: Atmosphere, sun: Sun, clouds: [CloudDeck], veils: [any SkyVeil] = [],
    materials: Materials
  ) {
    let rows = max(2, Int(max(camera.horizon, 0)) / SkyDome.step + 3)
    let columns = camera.width / SkyDome.step + 3
    cells = Sheet(width: columns, height: rows, filledWith: .zero)
    let place = sun.place(in: camera)
    let direction = sun.direction
    let length = max((direction.x * direction.x + direction.z * direction.z).squareRoot(), 1e-3)
    let towardsSun = SIMD2(direction.x, direction.z) / length
    let span = camera.span
    for row in 0..<rows {
      let line = Float(row * SkyDome.step)
      let rise = camera.rise(row: line)
      let base = atmosphere.skyColor(at: (camera.horizon - line) / span)
      let distant = atmosphere.skyColor(at: 0.03)
      for column in 0..<columns {
        let across = Float(column * SkyDome.step)
        var color = base
        var nearSun: Float = 0
        if let place {
          // The glow lies along the horizon, wider than high.
          let offset = SIMD2((across - place.x) * 0.8, line - place.y) / (span * atmosphere.glowReach)
          let distance = (offset * offset).sum().squareRoot()
          nearSun = exponential(-distance * 2.6)
          color += atmosphere.glow * (nearSun * nearSun * 0.5 + nearSun * 0.35)
          color += atmosphere.glow * (exponential(-distance * 14) * 0.7)
        }
        for veil in veils { color += veil.light(column: across, row: line) }
        var clear: Float = 1
        let slope = camera.slope(column: across)
        let start = clamped(0.5 + materials.grain.cell(column, row) * 0.16)
        for deck in clouds {
          let look = deck.look(slope: slope, rise: rise, start: start, towardsSun: towardsSun, materials)
          guard look.opacity > 0.002 else { continue }
          var cloud = Tint.blend(atmosphere.cloudShade, atmosphere.cloudLit, look.light)
          // Thin edges before the sun shine.
          cloud += atmosphere.glow * (nearSun * (1 - look.opacity * 0.6) * 0.6)
          // Far clouds fade into the veil over the horizon.
          cloud = mix(distant, cloud, 0.3 + 0.7 * ramp(0.02, 0.22, rise))
          color = mix(color, cloud, look.opacity)
          clear *= 1 - look.opacity
        }
        color.w = clear
        cells[column, row] = color
      }
    }
  }

  /// Spreads the sky over a row of pixels.
  func paint(row: Int, into pixels: UnsafeMutablePointer<Tint>, width: Int) {
    let line = Float(row) / Float(SkyDome.step)
    let upper = min(Int(line), cells.height - 2)
    let part = min(1, line - Float(upper))
    let (first, second) = (cells.row(upper), cells.row(upper + 1))
    var left = mix(first[0], second[0], part)
    var column = 0
    for cell in 1..<cells.width {
      let right = mix(first[cell], second[cell], part)
      let change = (right - left) * (1 / Float(SkyDome.step))
      var color = left
      for _ in 0..<SkyDome.step {
        guard column < width else { return }
        pixels[column] = color
        color += change
        column += 1
      }
      left = right
    }
  }
}
