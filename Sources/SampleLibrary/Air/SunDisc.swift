/// The sun's own disc.
struct SunDisc: SkyLight {
  let center: SIMD2<Float>
  let radius: Float
  let color: Tint

  func paint(row: Int, into pixels: UnsafeMutablePointer<Tint>, width: Int) {
    let down = Float(row) - center.y
    let reach = radius * 1.6 + 2
    guard abs(down) < reach else { return }
    let first = max(0, Int(max(0, center.x - reach)))
    let last = min(width, Int(max(0, center.x + reach + 1)))
    guard first < last else { return }
    for column in first..<last {
      let across = Float(column) - center.x
      let distance = (across * across + down * down).squareRoot()
      // The rim is as wide as the air makes it.
      let part = ramp(radius * 1.25 + 1, radius * 0.8 - 1, distance)
      let clear = pixels[column].w
      pixels[column] += color * (part * clear * clear)
    }
  }
}
