import Geometry
import Rendering

/// What a format's decoder hands to the resampler: opaque pixels as stored, perhaps fewer than the file has.
struct ReducedPicture: ~Copyable {
  let pixels: PixelMemory
  /// Pixels here to one of the file, across: the true ratio, of which the pixels' number is only a rounding.
  let scaleX: Double
  /// Pixels here to one of the file, down.
  let scaleY: Double
  /// The file's column at which the pixels begin.
  let originX: Double
  /// The file's row at which the pixels begin.
  let originY: Double
  /// Whether some of the pixels could not be had.
  let isDamaged: Bool
  /// What the pixels' numbers mean, where the decoder was told.
  var colors: PictureColors

  init(
    pixels: consuming PixelMemory, scaleX: Double, scaleY: Double, originX: Double = 0, originY: Double = 0,
    isDamaged: Bool, colors: PictureColors = .standard
  ) {
    self.pixels = pixels
    self.scaleX = scaleX
    self.scaleY = scaleY
    self.originX = originX
    self.originY = originY
    self.isDamaged = isDamaged
    self.colors = colors
  }

  /// Averages whole pixels where more than twice those needed are left.
  consuming func reduced(for placement: Placement) throws(DecodingError) -> ReducedPicture {
    let reduction = Reduction(ratioX: placement.ratioX * scaleX, ratioY: placement.ratioY * scaleY)
    guard !reduction.isIdentity else { return self }
    var reducer = try BoxReducer(source: pixels.size, reduction: reduction)
    for y in 0..<pixels.height { reducer.append(pixels.row(y)) }
    return ReducedPicture(
      pixels: reducer.finish(Backdrop(.black)), scaleX: scaleX / Double(reduction.across),
      scaleY: scaleY / Double(reduction.down), originX: originX, originY: originY, isDamaged: isDamaged, colors: colors)
  }

  /// The same pixels, taken for those of a picture that is larger by so much.
  consuming func standingFor(_ size: PixelSize, insteadOf own: PixelSize) -> ReducedPicture {
    let across = Double(own.width) / Double(size.width)
    let down = Double(own.height) / Double(size.height)
    return ReducedPicture(
      pixels: pixels, scaleX: scaleX * across, scaleY: scaleY * down, originX: originX / across,
      originY: originY / down, isDamaged: isDamaged, colors: colors)
  }

  /// The same pixels, where the picture begins so many pixels after them.
  consuming func cropped(left: Double, top: Double) -> ReducedPicture {
    ReducedPicture(
      pixels: pixels, scaleX: scaleX, scaleY: scaleY, originX: originX - left, originY: originY - top,
      isDamaged: isDamaged, colors: colors)
  }

  /// Draws the picture as it was placed, into memory for all pixels of the placement's output.
  ///
  /// - Throws: ``DecodingError/interrupted``, ``DecodingError/outOfMemory``.
  consuming func draw(
    _ placement: Placement, into output: UnsafeMutablePointer<UInt8>, interruption: DecodingInterruption
  ) throws(DecodingError) {
    let window = Rect(
      x: (placement.window.minX - originX) * scaleX, y: (placement.window.minY - originY) * scaleY,
      width: placement.window.width * scaleX, height: placement.window.height * scaleY)
    let resampler = try Resampler(
      source: pixels, window: window, output: placement.storedOutputSize, orientation: placement.orientation)
    try resampler.draw(into: output, interruption: interruption)
  }
}
