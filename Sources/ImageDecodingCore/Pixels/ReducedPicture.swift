package import VitrineGeometry
import VitrineRendering

/// The output of a format's decoder: opaque pixels as stored, possibly fewer than the file has.
package struct ReducedPicture: ~Copyable {
  package let pixels: PixelMemory
  /// The exact ratio of these pixels to the file's, horizontally.
  ///
  /// The number of pixels is only its rounding.
  package let scaleX: Double
  /// The exact ratio of these pixels to the file's, vertically.
  package let scaleY: Double
  /// The column of the file at which the pixels begin.
  package let originX: Double
  /// The row of the file at which the pixels begin.
  package let originY: Double
  /// Whether some of the pixels could not be decoded.
  package let isDamaged: Bool
  /// Whether the pixels extend beyond the image, as the coded pixels of HEIC and AVIF may.
  private(set) var extendsBeyondImage = false
  /// The colour space of the pixels, if the decoder knows it.
  package var colors: PictureColors

  /// The rounding error of positions in an image, relative to its side.
  private static let relativeRounding = 1e-12

  /// Creates the output of a decoder.
  package init(
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

  /// Averages whole pixels if more than twice the needed pixels remain.
  package consuming func reduced(for placement: Placement) throws(DecodingError) -> ReducedPicture {
    let reduction = Reduction(ratioX: placement.ratioX * scaleX, ratioY: placement.ratioY * scaleY)
    guard !reduction.isIdentity else { return self }
    var reducer = try BoxReducer(source: pixels.size, reduction: reduction)
    for y in 0..<pixels.height { reducer.append(pixels.row(y)) }
    return ReducedPicture(
      pixels: reducer.finish(Backdrop(.black)), scaleX: scaleX / Double(reduction.across),
      scaleY: scaleY / Double(reduction.down), originX: originX, originY: originY, isDamaged: isDamaged, colors: colors)
  }

  /// Returns the same pixels as a reduction of a larger image.
  ///
  /// - Parameters:
  ///   - size: The size of the larger image.
  ///   - ownSize: The size of the image that was decoded.
  package consuming func reinterpreted(as size: PixelSize, from ownSize: PixelSize) -> ReducedPicture {
    let across = Double(ownSize.width) / Double(size.width)
    let down = Double(ownSize.height) / Double(size.height)
    return ReducedPicture(
      pixels: pixels, scaleX: scaleX * across, scaleY: scaleY * down, originX: originX / across,
      originY: originY / down, isDamaged: isDamaged, colors: colors)
  }

  /// Returns the same pixels for an image that is a part of them and whose origin is offset by the given number of
  /// pixels.
  package consuming func cropped(left: Double, top: Double) -> ReducedPicture {
    var cropped = ReducedPicture(
      pixels: pixels, scaleX: scaleX, scaleY: scaleY, originX: originX - left, originY: originY - top,
      isDamaged: isDamaged, colors: colors)
    cropped.extendsBeyondImage = true
    return cropped
  }

  /// Checks that the pixels are those of an image of the given stored size, whatever the decoder states.
  ///
  /// They must cover the window of the placement and, unless they were cropped, end at the image. Sides of a
  /// reduced image are rounded to whole pixels, so a pixel more or less is accepted.
  ///
  /// - Throws: ``DecodingError/decoderFault(_:)``.
  func validate(for placement: Placement, of stored: PixelSize) throws(DecodingError) {
    guard scaleX > 0, scaleX.isFinite, scaleY > 0, scaleY.isFinite, originX.isFinite, originY.isFinite else {
      throw .decoderFault(.wrongScale)
    }
    let window = placement.window
    let isValid =
      isExtentValid(pixels.width, scaleX, originX, covering: window.minX, window.maxX, side: stored.width)
      && isExtentValid(pixels.height, scaleY, originY, covering: window.minY, window.maxY, side: stored.height)
    guard isValid else { throw .decoderFault(.wrongSize(expected: stored)) }
  }

  private func isExtentValid(
    _ count: Int, _ scale: Double, _ origin: Double, covering low: Double, _ high: Double, side: Int
  ) -> Bool {
    let end = origin + Double(count) / scale
    let pixel = scale < 1 ? min(1 / scale, Double(side)) : 0
    let tolerance = pixel + ReducedPicture.relativeRounding * Double(side)
    guard origin <= low + tolerance, end >= high - tolerance else { return false }
    return extendsBeyondImage || (origin >= -tolerance && end <= Double(side) + tolerance)
  }

  /// Draws the image at a placement into memory for all pixels of the placement's output.
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

/// A reducer for decoded rows that blends them over the backdrop, averages them and retains those that the result
/// needs.
package struct RowReducer: ~Copyable {
  private let backdrop: Backdrop
  private let size: PixelSize
  private let reduction: Reduction
  private let region: StoredRegion
  private let bytesPerPixel: Int
  private var boxes: BoxReducer
  private var meter: WorkMeter
  private var rowCount = 0

  /// Creates a reducer for the rows of an image.
  ///
  /// - Parameters:
  ///   - size: The size of the image.
  ///   - placement: The placement that determines the needed rows and columns.
  ///   - backdrop: The colour behind transparent and missing pixels.
  ///   - interruption: The check that can cancel the decoding.
  ///   - bytesPerPixel: Four, or three for rows without alpha.
  package init(
    _ size: PixelSize, for placement: Placement, backdrop: Backdrop, interruption: DecodingInterruption,
    bytesPerPixel: Int = 4
  ) throws(DecodingError) {
    self.backdrop = backdrop
    self.size = size
    reduction = Reduction(ratioX: placement.ratioX, ratioY: placement.ratioY)
    region = StoredRegion(placement, of: size, reduction: reduction)
    self.bytesPerPixel = bytesPerPixel
    boxes = try BoxReducer(region: region, reduction: reduction, bytesPerPixel: bytesPerPixel)
    meter = WorkMeter(interruption)
  }

  /// Whether any row has been appended.
  package var hasRows: Bool { boxes.hasRows }

  /// Whether the next row contributes to the result.
  ///
  /// The content of a row that does not is ignored.
  package var needsNextRow: Bool { boxes.needsNextRow }

  /// Whether no further row contributes to the result.
  package var isFull: Bool { boxes.isFull }

  /// Appends the next row of R, G, B and optional A, after blending it over the backdrop in place.
  ///
  /// - Throws: ``DecodingError/interrupted``, and ``DecoderFault/tooManyRows(height:)`` after the last row of the image.
  package mutating func append(_ row: UnsafeMutablePointer<UInt8>, hasAlpha: Bool) throws(DecodingError) {
    guard rowCount < size.height else { throw .decoderFault(.tooManyRows(height: size.height)) }
    rowCount += 1
    if boxes.needsNextRow {
      if hasAlpha {
        let (first, count) = (region.columns.lowerBound, region.columns.count)
        backdrop.flatten(row + first * bytesPerPixel, count: count, x: first, y: rowCount - 1)
      }
      boxes.append(row)
    } else {
      boxes.skip()
    }
    try meter.add(size.width)
  }

  /// Returns the reduced image, with missing rows filled with the backdrop.
  ///
  /// - Throws: ``DecoderFault/tooFewRows(rows:needed:)`` if rows are missing although the image is not damaged, or if
  ///   there is no row.
  package consuming func finish(isDamaged: Bool) throws(DecodingError) -> ReducedPicture {
    guard boxes.isFull || isDamaged && rowCount > 0 else {
      throw .decoderFault(.tooFewRows(rows: rowCount, needed: region.rows.upperBound))
    }
    let (across, down) = (Double(reduction.across), Double(reduction.down))
    let (left, top) = (Double(region.columns.lowerBound), Double(region.rows.lowerBound))
    return ReducedPicture(
      pixels: boxes.finish(backdrop), scaleX: 1 / across, scaleY: 1 / down, originX: left, originY: top,
      isDamaged: isDamaged)
  }
}
