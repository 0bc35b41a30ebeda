/// A level water from the shore to the foot of the picture: it mirrors what stands over it, tilted by waves.
struct WaterSurface {
  let look: WaterLook
  private let glint: Glint?
  private let camera: Camera
  private let materials: Materials
  /// By column: the first row of water.
  private let shore: [Int]
  /// By column: the line that the water mirrors about: the shore, without the steps at the ends of headlands.
  private let lines: [Float]
  private let mirror: MirrorImage
  /// The first row with water anywhere.
  let top: Int

  init(look: WaterLook, glint: Glint?, camera: Camera, shore: [Int], materials: Materials) {
    self.look = look
    self.glint = glint
    self.camera = camera
    self.shore = shore
    self.materials = materials
    // The rougher the water, the wider it smears what it mirrors.
    let reach = 2 + Int(Float(camera.width) * (0.002 + min(0.04, look.tilt * 0.5)))
    lines = WaterSurface.smoothed(WaterSurface.smoothed(shore.map(Float.init), reach: reach), reach: reach)
    top = shore.min() ?? camera.height
    mirror = MirrorImage(width: camera.width, rows: min(camera.height, (shore.max() ?? 0) + 2))
  }

  /// The mean of every number and its neighbours within a reach.
  private static func smoothed(_ values: [Float], reach: Int) -> [Float] {
    var sums: [Float] = [0]
    sums.reserveCapacity(values.count + 1)
    for value in values { sums.append((sums.last ?? 0) + value) }
    return values.indices.map { index in
      let (first, last) = (max(0, index - reach), min(values.count, index + reach + 1))
      return (sums[last] - sums[first]) / Float(last - first)
    }
  }

  /// Remembers a painted row, then paints water over its part below the shore.
  func paint(row: Int, into pixels: UnsafeMutablePointer<Tint>) {
    mirror.keep(row: row, pixels, width: camera.width)
    guard row >= top else { return }
    let below = max(0.35, Float(row) - camera.horizon)
    let distance = min(camera.focal * camera.eye / below, 60_000)
    let dip = below / camera.focal
    // How much ground one row spans: waves shorter than that cannot be told apart.
    let reach = distance / below
    let ripple = look.waveLength
    let long = ramp(ripple * 1.5, ripple * 0.25, reach)
    let middle = ramp(ripple * 0.42, ripple * 0.07, reach)
    let short = ramp(ripple * 0.12, ripple * 0.02, reach)
    let unseen = 1 - 0.55 * long - 0.25 * middle - 0.15 * short
    // 32 cells of the tile hold one coarse wave.
    let cells = 32 / ripple
    let along = distance * cells + look.origin.y
    for column in 0..<camera.width where row >= shore[column] {
      let x = camera.slope(column: Float(column)) * distance
      let across = x * cells / look.stretch + look.origin.x
      var tilt: Float = 0
      if long > 0 { tilt += long * materials.waves.sample(across, along) }
      if middle > 0 { tilt += middle * 0.6 * materials.waves.sample(across * 3.7 + 50, along * 3.7) }
      if short > 0 { tilt += short * 0.45 * materials.waves.sample(across * 13.1, along * 13.1 + 90) }
      let fine = materials.foliage.cell(column >> 1 &+ row &* 211, row &* 3)
      let finer = materials.grain.cell(column >> 2 &+ row &* 57, row)
      let patch = materials.mist.sample(
        across * 0.035 + 11, (along * 0.012) + logarithm2(below + 4) * 9)
      let strength = look.tilt * max(0.12, 1 + patch * look.patches)
      let total = strength * (tilt + unseen * (fine * 0.8 + finer * 0.6))
      let line = lines[column]
      let mirrored = 2 * line - Float(row) - 0.5
      let shift = 2 * total * camera.focal * (0.35 + 0.65 * ramp(0, 0.05, dip))
      var source = mirrored - shift
      if source > line - 1 { source = max(0, 2 * line - 2 - source) }
      // What lies below the shore was not there to be mirrored.
      source = min(source, Float(shore[column]) - 4)
      let sideways = Float(column) + shift * 0.22 * (fine * 0.5 + tilt * 0.3)
      let sky = mirror.sample(sideways, source)
      let facing = clamped(dip + total * 0.9)
      let away = 1 - facing
      let squared = away * away
      let mirrorPart = 0.03 + 0.95 * squared * squared * away
      var color = mix(look.body, sky, mirrorPart) * (1 - 0.03 * fine * unseen)
      if let glint {
        color += glint.light(
          column: Float(column), dip: dip, tilt: strength, sparkle: fine * 0.6 + finer * 0.5 + tilt * 0.5)
      }
      pixels[column] = color
    }
  }
}
