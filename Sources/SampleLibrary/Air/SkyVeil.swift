/// A soft light behind the clouds, painted with the sky at a quarter of the resolution.
protocol SkyVeil {
  /// The light at a pixel.
  func light(column: Float, row: Float) -> Tint
}
