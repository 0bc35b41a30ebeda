/// The full moon with its seas.
struct MoonDisc: SkyLight {
  let center: SIMD2<Float>
  let radius: Float
  let color: Tint
  let materials: Materials
  let origin: SIMD2<Float>

  func paint(row: Int, into pixels: UnsafeMutablePointer<Tint>, width: Int) {
    let down = Float(row) - center.y
    guard abs(down) < radius + 2 else { return }
    let first = max(0, Int(max(0, center.x - radius - 2)))
    let last = min(width, Int(max(0, center.x + radius + 3)))
    guard first < last else { return }
    for column in first..<last {
      let across = Float(column) - center.x
      let distance = (across * across + down * down).squareRoot()
      let part = ramp(radius + 1, radius - 1, distance)
      guard part > 0 else { continue }
      let place = SIMD2(across, down) / radius * 46 + origin
      let seas = ramp(-0.2, 1.3, materials.mist.sample(place.x, place.y))
      let spots = materials.heaps.sample(place.x * 2.1, place.y * 2.1) * 0.05
      let face = (1 - 0.42 * seas + spots) * (1 - 0.18 * (distance / radius) * (distance / radius))
      let clear = pixels[column].w
      pixels[column] = mix(pixels[column], pixels[column] * 0.3 + color * face, part * clear)
      pixels[column].w = clear
    }
  }
}
