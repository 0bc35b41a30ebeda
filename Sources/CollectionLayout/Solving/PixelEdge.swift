/// Where an edge that was computed falls among the pixels.
enum PixelEdge {
  /// The nearest pixel; half way goes up, and so does what only rounding errors keep from being half way.
  ///
  /// With that, two edges a whole number of pixels apart stay so: gaps are equal.
  static func nearest(_ edge: Double) -> Int {
    Int((edge + 0.5 + 0x1p-16).rounded(.down))
  }
}
