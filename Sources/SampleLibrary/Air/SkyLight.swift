/// A light in the sky that is painted over it at full resolution: sun, moon, stars.
protocol SkyLight {
  /// Adds the light to a row; the fourth lane of the pixels says how clearly it shines through.
  func paint(row: Int, into pixels: UnsafeMutablePointer<Tint>, width: Int)
}
