import VitrineGeometry
import VitrineImageMetadata
import VitrineRendering

/// A decoder for JPEG that reads no more of the file than the result needs.
///
/// Decodes at the smallest of libjpeg-turbo's scales that leaves the resampler twice the pixels it needs. Skips the
/// rows above and below the window, the scans that only larger results need, and, if a block becomes one pixel, the
/// codes of all coefficients but the first.
struct JPEGDecoder {
  private let file: UnsafeRawBufferPointer
  private let interruption: DecodingInterruption
  private let structure: JPEGStructure

  /// The number of decoded pixels per result pixel that suffices.
  ///
  /// Slightly below two, so that rounding a side does not quadruple the work.
  private static let sufficientRatio = 1.95
  /// The maximum number of decoded pixels, as long as a smaller scale still has at least the pixels of the result.
  private static let maximumPixels = 32 << 20
  /// The maximum size in bytes of the coefficients of a multi-scan file, for a thumbnail and for a larger view.
  static let maximumCoefficientBytes = (thumbnail: 160 << 20, view: 320 << 20)
  /// The maximum number of pixels of a thumbnail.
  private static let thumbnailPixels = 1 << 20

  /// The inverse of the fraction of rows that must be recovered for a damaged image to be shown.
  private static let minimumRowDivisor = 32

  /// The number of pixels below which building tables to skip codes takes longer than decoding the codes.
  var minimumPixelsForTables = 1 << 18

  init(_ file: UnsafeRawBufferPointer, interruption: DecodingInterruption = .none) {
    self.file = file
    self.interruption = interruption
    structure = JPEGStructure(file)
  }

  func decode(_ header: ImageHeader, for placement: Placement) throws(DecodingError) -> ReducedPicture {
    if structure.isLossless {
      return try LosslessJPEGDecoder(file, interruption: interruption).decode(header, for: placement)
    }
    guard structure.isSupported else {
      throw .unsupported(.jpeg, detail: "a process other than baseline, progressive or lossless")
    }
    guard structure.hasPixelBytes else { throw .damaged(detail: "the file ends before its pixels") }
    // A limit of this decoder; the file is valid.
    guard structure.scanCount <= JPEGStructure.maximumScans else { throw .tooManyPasses(JPEGStructure.maximumScans) }
    guard let stored = header.storedSize, max(stored.width, stored.height) <= JPEGRows.longestSide else {
      throw .tooLarge(header.size)
    }
    let reader = try JPEGRows(file)
    let frame = try reader.frame()
    guard frame.size == stored else { throw .damaged(detail: "two sizes in one file") }
    let isThumbnail = placement.outputSize.area <= JPEGDecoder.thumbnailPixels
    let most = isThumbnail ? JPEGDecoder.maximumCoefficientBytes.thumbnail : JPEGDecoder.maximumCoefficientBytes.view
    guard
      let (eighths, plan) = structure.plan(
        atMost: JPEGDecoder.eighths(for: placement, size: frame.size),
        coefficientBytes: frame.hasMultipleScans ? frame.coefficientBytes : 0, budget: most)
    else { throw .tooLarge(header.size) }
    let skipsCodes = eighths == 1 && frame.size.area >= minimumPixelsForTables
    if let picture = try read(reader, frame, plan, eighths, placement, skipsCodes: skipsCodes) {
      return try rejectingEmpty(picture)
    }
    // The file violates the standard, so libjpeg's interpretation counts. A reader cannot start over, so create
    // another.
    let second = try JPEGRows(file)
    _ = try second.frame()
    guard let picture = try read(second, frame, plan, eighths, placement, skipsCodes: false) else {
      throw .damaged(detail: "codes that are none")
    }
    return try rejectingEmpty(picture)
  }

  /// Rejects a damaged image of which only a sliver at the top was recovered.
  private func rejectingEmpty(_ picture: consuming ReducedPicture) throws(DecodingError) -> ReducedPicture {
    if picture.isDamaged, picture.pixels.isUniform(fromRow: picture.pixels.height / JPEGDecoder.minimumRowDivisor) {
      throw .damaged(detail: "the file ends where its pixels begin")
    }
    return picture
  }

  /// Reads the pixels, or returns nil if they must be read without skipping codes.
  private func read(
    _ reader: borrowing JPEGRows, _ frame: JPEGRows.Frame, _ plan: ScanPlan, _ eighths: Int, _ placement: Placement,
    skipsCodes: Bool
  ) throws(DecodingError) -> ReducedPicture? {
    let size = try reader.begin(eighths: eighths, storedSide: plan.storedSide, skipsCodes: skipsCodes)
    if frame.hasMultipleScans { try readScans(reader, plan) }
    return try readRows(reader, frame, size, eighths, placement)
  }

  /// Reads the scans that the result needs.
  private func readScans(_ reader: borrowing JPEGRows, _ plan: ScanPlan) throws(DecodingError) {
    var scanCount = 0
    while scanCount < plan.scanCount {
      let progress = try reader.readCoefficients()
      if progress == .end { break }
      if progress == .scan { scanCount += 1 }
      try interruption.check()
    }
    try reader.beginOutput()
  }

  /// Reads and averages the rows that the result needs.
  private func readRows(
    _ reader: borrowing JPEGRows, _ frame: JPEGRows.Frame, _ size: PixelSize, _ eighths: Int, _ placement: Placement
  ) throws(DecodingError) -> ReducedPicture? {
    let scale = Double(eighths) / 8
    let reduction = Reduction(ratioX: placement.ratioX * scale, ratioY: placement.ratioY * scale)
    let rows = placement.rows(of: size.height, scale: scale, reducedBy: reduction.down)
    let columns = placement.columns(of: size.width, scale: scale, reducedBy: reduction.across)
    let region = StoredRegion(columns: columns, rows: 0..<rows.count)
    var reducer = try BoxReducer(region: region, reduction: reduction)
    let bytesPerRow = size.width * 4
    let strip = try ScratchMemory<UInt8>(count: bytesPerRow * JPEGRows.maximumRowsPerRead)
    let conversion = CMYKConversion(isInverted: structure.hasAdobeMarker)
    guard try reader.skip(rows.lowerBound) else { return nil }
    var left = rows.count
    while left > 0 {
      guard let count = try reader.read(into: strip.elements, bytesPerRow: bytesPerRow, atMost: left) else {
        return nil
      }
      if frame.isCMYK { conversion.convert(strip.elements, count: size.width * count) }
      for row in 0..<count { reducer.append(strip.elements + row * bytesPerRow) }
      left -= count
      try interruption.check()
    }
    return ReducedPicture(
      pixels: reducer.finish(Backdrop(.black)), scaleX: scale / Double(reduction.across),
      scaleY: scale / Double(reduction.down), originX: Double(columns.lowerBound) / scale,
      originY: Double(rows.lowerBound) / scale,
      isDamaged: reader.isDamaged || !structure.hasEnd)
  }

  /// Returns the smallest scale in eighths with twice the pixels of the result on both axes, or else the full size.
  static func eighths(for placement: Placement, size: PixelSize) -> Int {
    let ratio = min(placement.ratioX, placement.ratioY)
    var eighths = (1...8).first { ratio * Double($0) / 8 >= sufficientRatio } ?? 8
    // For a large result of a larger image, a smaller surplus rather than hundreds of megabytes.
    while eighths > 1, ratio * Double(eighths - 1) / 8 >= 1,
      JPEGRows.scaled(size, eighths: eighths).area > maximumPixels
    {
      eighths -= 1
    }
    return eighths
  }
}

/// A conversion of CMYK to RGB without a colour profile.
private struct CMYKConversion {
  /// Whether 255 means no ink, as in every file that Adobe's programs write.
  let isInverted: Bool

  /// Converts pixels in place.
  func convert(_ pixels: UnsafeMutablePointer<UInt8>, count: Int) {
    let flip: UInt8 = isInverted ? 0 : 255
    var pixel = pixels
    for _ in 0..<count {
      let light = UInt32(pixel[3] ^ flip)
      for channel in 0..<3 {
        pixel[channel] = UInt8(truncatingIfNeeded: (UInt32(pixel[channel] ^ flip) * light + 127) / 255)
      }
      pixel[3] = 255
      pixel += 4
    }
  }
}
