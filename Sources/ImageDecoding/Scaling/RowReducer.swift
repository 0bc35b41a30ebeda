import Geometry

/// Where a decoder that makes rows puts them: laid over the backdrop, averaged, and kept as far as they are looked at.
struct RowReducer: ~Copyable {
  private let backdrop: Backdrop
  private let size: PixelSize
  private let reduction: Reduction
  private let region: StoredRegion
  private let bytesPerPixel: Int
  private var boxes: BoxReducer
  private var meter: WorkMeter

  /// For the rows of a picture of this size.
  ///
  /// - Parameter bytesPerPixel: four, or three in rows without alpha.
  init(
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

  /// Whether a row has come at all.
  var hasRows: Bool { boxes.hasRows }

  /// Whether the next row is looked at; one that is not may be anything.
  var wantsNextRow: Bool { boxes.wantsNextRow }

  /// Whether no further row is looked at.
  var isFull: Bool { boxes.isFull }

  /// Takes the next row, R, G, B and A where there is one, and lays it over the backdrop where it stands.
  ///
  /// - Throws: ``DecodingError/interrupted``.
  mutating func append(_ row: UnsafeMutablePointer<UInt8>, hasAlpha: Bool) throws(DecodingError) {
    if boxes.wantsNextRow {
      if hasAlpha { backdrop.flatten(row + region.columns.lowerBound * bytesPerPixel, count: region.columns.count) }
      boxes.append(row)
    } else {
      boxes.skip()
    }
    try meter.add(size.width)
  }

  /// The reduced picture; rows that never came show the backdrop.
  consuming func finish(isDamaged: Bool) -> ReducedPicture {
    let (across, down) = (Double(reduction.across), Double(reduction.down))
    let (left, top) = (Double(region.columns.lowerBound), Double(region.rows.lowerBound))
    return ReducedPicture(
      pixels: boxes.finish(backdrop), scaleX: 1 / across, scaleY: 1 / down, originX: left, originY: top,
      isDamaged: isDamaged)
  }
}
