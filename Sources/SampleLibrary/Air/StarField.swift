/// The stars of a night: many faint, few bright, as the eye finds them.
struct StarField: SkyLight {
  private struct Star {
    let place: SIMD2<Float>
    let color: Tint
    let radius: Float
  }

  /// By row: the stars whose middle lies there or within reach.
  private let stars: [[Star]]
  private static let band = 8

  /// Scatters stars over the sky above the horizon.
  init(camera: Camera, darkness: Float, random: inout PaintRandom) {
    let top = max(0, camera.horizon)
    let bands = Int(top) / StarField.band + 1
    var stars = [[Star]](repeating: [], count: bands)
    let count = Int(
      1_500 * darkness * darkness * min(1.6, top * Float(camera.width) / (camera.span * camera.span * 0.6)))
    for _ in 0..<max(count, 24) {
      let place = SIMD2(random.unit() * Float(camera.width), random.unit() * top)
      // Brightness falls off as in the sky: three times as many for each fainter class.
      let rank = random.unit()
      let bright = 0.05 + 0.05 / (rank + 0.011)
      let heat = random.unit()
      let tint = mix(Tint(1, 0.86, 0.70, 0), Tint(0.76, 0.87, 1, 0), heat)
      // The air dims what stands low.
      let low = ramp(0, 0.35, (camera.horizon - place.y) / camera.span)
      let radius = camera.span / 2_400 * (0.55 + min(1.1, bright * 0.35))
      let star = Star(place: place, color: tint * (bright * darkness * (0.15 + 0.85 * low)), radius: max(0.5, radius))
      stars[min(bands - 1, Int(place.y) / StarField.band)].append(star)
    }
    self.stars = stars
  }

  func paint(row: Int, into pixels: UnsafeMutablePointer<Tint>, width: Int) {
    let band = row / StarField.band
    guard band <= stars.count else { return }
    for near in max(0, band - 1)...min(stars.count - 1, band + 1) where near < stars.count {
      for star in stars[near] {
        let down = Float(row) - star.place.y
        let reach = star.radius * 2.6
        guard abs(down) < reach else { continue }
        let first = max(0, Int(max(0, star.place.x - reach)))
        let last = min(width - 1, Int(star.place.x + reach))
        guard first <= last else { continue }
        for column in first...last {
          let across = Float(column) - star.place.x
          let fall = (across * across + down * down) / (star.radius * star.radius)
          guard fall < 6.5 else { continue }
          let clear = pixels[column].w
          pixels[column] += star.color * (exponential(-fall) * clear * clear)
        }
      }
    }
  }
}
