/// The path of light that the sun or the moon lays on moving water: many small mirrors, of which some face right.
struct Glint {
  /// The column of the light.
  let column: Float
  /// How far the light stands above the horizon, at a distance of one.
  let rise: Float
  let color: Tint
  let focal: Float

  /// The light that one pixel of water adds.
  ///
  /// - Parameters:
  ///   - dip: how far below the horizon the pixel lies, at a distance of one.
  ///   - tilt: the deviation of the waves' tilt there, in radians.
  ///   - sparkle: a number of mean 0 and deviation about 1 that is the pixel's own.
  @inline(__always) func light(column: Float, dip: Float, tilt: Float, sparkle: Float) -> Tint {
    let across = (column - self.column) / focal
    // The tilt that would send the light to the eye, along the view and across it.
    let along = (rise - dip) * 0.5
    let sideways = across / max(0.02, rise + dip)
    let spread = 2 * tilt * tilt + 0.000_02
    let need = (along * along * 0.55 + sideways * sideways * 0.5) / spread
    guard need < 12 else { return .zero }
    let flash = max(0, sparkle - 0.25)
    return color * (exponential(-need) * flash * flash)
  }
}
