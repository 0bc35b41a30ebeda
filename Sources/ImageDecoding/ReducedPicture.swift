import Geometry
import Rendering

/// What a format's decoder hands to the resampler: opaque pixels as stored, perhaps fewer than the file has.
struct ReducedPicture: ~Copyable {
  let pixels: PixelMemory
  /// Pixels here to one of the file, across: the true ratio, of which the pixels' number is only a rounding.
  let scaleX: Double
  /// Pixels here to one of the file, down.
  let scaleY: Double
  /// Rows that were left out above, as nothing of the result looks at them.
  let rowsAbove: Int
  /// Whether some of the pixels could not be had.
  let isDamaged: Bool

  init(pixels: consuming PixelMemory, scaleX: Double, scaleY: Double, rowsAbove: Int = 0, isDamaged: Bool) {
    self.pixels = pixels
    self.rowsAbove = rowsAbove
    self.scaleX = scaleX
    self.scaleY = scaleY
    self.isDamaged = isDamaged
  }

  /// Averages whole pixels where more than twice those needed are left.
  consuming func reduced(for placement: Placement) throws(DecodingError) -> ReducedPicture {
    let reduction = Reduction(ratioX: placement.ratioX * scaleX, ratioY: placement.ratioY * scaleY)
    guard !reduction.isIdentity else { return self }
    var reducer = try BoxReducer(source: pixels.size, reduction: reduction)
    for y in 0..<pixels.height { reducer.append(pixels.row(y)) }
    return ReducedPicture(
      pixels: reducer.finish(Backdrop(.black)), scaleX: scaleX / Double(reduction.across),
      scaleY: scaleY / Double(reduction.down), isDamaged: isDamaged)
  }

  /// Draws the picture as it was placed, into memory for all pixels of the placement's output.
  consuming func draw(_ placement: Placement, into output: UnsafeMutablePointer<UInt8>) throws(DecodingError) {
    let window = Rect(
      x: placement.window.minX * scaleX, y: placement.window.minY * scaleY - Double(rowsAbove),
      width: placement.window.width * scaleX, height: placement.window.height * scaleY)
    let resampler = try Resampler(
      source: pixels, window: window, output: placement.storedOutputSize, orientation: placement.orientation)
    resampler.draw(into: output)
  }
}
