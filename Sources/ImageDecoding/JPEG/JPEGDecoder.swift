import Geometry
import ImageMetadata
import Rendering

/// Decodes JPEG at the smallest of libjpeg-turbo's scales that leaves the resampler twice the pixels it needs, and no more
/// of the file than the result shows: not the rows above and below the window, not the scans that only larger pictures
/// need, and of blocks that become one pixel not the codes of what lies within them.
struct JPEGDecoder {
  private let file: UnsafeRawBufferPointer
  private let interruption: DecodingInterruption
  private let structure: JPEGStructure

  /// Twice the pixels of the result, or nearly: a rounded side must not cost four times the work.
  private static let enough = 1.95
  /// Pixels decoded at once, at most, while a smaller scale still has as many as the result.
  private static let mostPixels = 32 << 20
  /// Bytes of coefficients that are kept of a file of several scans, at most: for a thumbnail, and for a larger view.
  static let mostCoefficientBytes = (thumbnail: 160 << 20, view: 320 << 20)
  /// A result of more pixels is no thumbnail.
  private static let thumbnailPixels = 1 << 20

  /// A damaged picture is shown when more than one row in so many was saved.
  private static let leastShare = 32

  /// Of fewer pixels, tables that pass over codes take longer to make than the codes take.
  var leastPixelsForTables = 1 << 18

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
    // A bound of ours, which is no fault of the file's.
    guard structure.scanCount <= JPEGStructure.mostScans else { throw .tooManyPasses(JPEGStructure.mostScans) }
    guard let stored = header.storedSize, max(stored.width, stored.height) <= JPEGRows.longestSide else {
      throw .tooLarge(header.size)
    }
    let reader = try JPEGRows(file)
    let frame = try reader.frame()
    guard frame.size == stored else { throw .damaged(detail: "two sizes in one file") }
    let isThumbnail = placement.outputSize.area <= JPEGDecoder.thumbnailPixels
    let most = isThumbnail ? JPEGDecoder.mostCoefficientBytes.thumbnail : JPEGDecoder.mostCoefficientBytes.view
    guard
      let (eighths, plan) = structure.plan(
        atMost: JPEGDecoder.eighths(for: placement, size: frame.size),
        coefficientBytes: frame.hasSeveralScans ? frame.coefficientBytes : 0, keeping: most)
    else { throw .tooLarge(header.size) }
    let passesOverCodes = eighths == 1 && frame.size.area >= leastPixelsForTables
    if let picture = try read(reader, frame, plan, eighths, placement, passesOverCodes: passesOverCodes) {
      return try notEmpty(picture)
    }
    // Something was not as the standard says: what libjpeg makes of it counts. What has begun cannot begin again.
    let second = try JPEGRows(file)
    _ = try second.frame()
    guard let picture = try read(second, frame, plan, eighths, placement, passesOverCodes: false) else {
      throw .damaged(detail: "codes that are none")
    }
    return try notEmpty(picture)
  }

  /// A sliver at the top edge of a grey field helps nobody.
  private func notEmpty(_ picture: consuming ReducedPicture) throws(DecodingError) -> ReducedPicture {
    if picture.isDamaged, picture.pixels.isUniform(fromRow: picture.pixels.height / JPEGDecoder.leastShare) {
      throw .damaged(detail: "the file ends where its pixels begin")
    }
    return picture
  }

  /// Reads the pixels; nothing where that is to be done without passing over codes.
  private func read(
    _ reader: borrowing JPEGRows, _ frame: JPEGRows.Frame, _ plan: ScanPlan, _ eighths: Int, _ placement: Placement,
    passesOverCodes: Bool
  ) throws(DecodingError) -> ReducedPicture? {
    let size = try reader.begin(eighths: eighths, keptSide: plan.keptSide, passesOverCodes: passesOverCodes)
    if frame.hasSeveralScans { try readScans(reader, plan) }
    return try readRows(reader, frame, size, eighths, placement)
  }

  /// Reads the scans of which the pixels that are wanted are made.
  private func readScans(_ reader: borrowing JPEGRows, _ plan: ScanPlan) throws(DecodingError) {
    var scanCount = 0
    while scanCount < plan.scanCount {
      let progress = try reader.readCoefficients()
      if progress == .end { break }
      if progress == .scan { scanCount += 1 }
      try interruption.check()
    }
    try reader.showCoefficients()
  }

  /// Reads the rows that the result looks at, averaging as they come.
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
    let strip = try ScratchMemory<UInt8>(count: bytesPerRow * JPEGRows.rowsAtOnce)
    let inks = InkConversion(isInverted: structure.hasAdobeMarker)
    guard try reader.skip(rows.lowerBound) else { return nil }
    var left = rows.count
    while left > 0 {
      guard let count = try reader.read(into: strip.elements, bytesPerRow: bytesPerRow, atMost: left) else {
        return nil
      }
      if frame.isInk { inks.convert(strip.elements, count: size.width * count) }
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

  /// The smallest scale with twice the pixels of the result on both axes, or else the file's own.
  static func eighths(for placement: Placement, size: PixelSize) -> Int {
    let ratio = min(placement.ratioX, placement.ratioY)
    var eighths = (1...8).first { ratio * Double($0) / 8 >= enough } ?? 8
    // A large result of a larger picture: less surplus rather than hundreds of megabytes.
    while eighths > 1, ratio * Double(eighths - 1) / 8 >= 1,
      JPEGRows.scaled(size, eighths: eighths).area > mostPixels
    {
      eighths -= 1
    }
    return eighths
  }
}
