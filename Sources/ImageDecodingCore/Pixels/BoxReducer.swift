import VitrineGeometry

/// A reducer that averages rows as they arrive, so that a decoder that produces rows never needs memory for the whole
/// image.
struct BoxReducer: ~Copyable {
  private let reduction: Reduction
  private let region: StoredRegion
  private let bytesPerPixel: Int
  private let picture: PixelMemory
  private let sums: ScratchMemory<UInt16>
  private var nextRow = 0
  private var rowsInSums = 0
  private var rowsDone = 0

  /// Creates a reducer for all rows of an image.
  init(source: PixelSize, reduction: Reduction) throws(DecodingError) {
    try self.init(region: StoredRegion(all: source), reduction: reduction)
  }

  /// Creates a reducer for the rows of an image of which only a region is retained.
  ///
  /// - Parameters:
  ///   - region: The region. It begins at multiples of the reduction's factors.
  ///   - reduction: The factors to average by.
  ///   - bytesPerPixel: The bytes per pixel of the rows: four, or three without alpha.
  init(region: StoredRegion, reduction: Reduction, bytesPerPixel: Int = 4) throws(DecodingError) {
    guard let size = region.size else { throw .damaged(detail: "no pixels") }
    let picture = try PixelMemory(size: reduction.reduced(size))
    let sums = try ScratchMemory<UInt16>(count: reduction.isIdentity ? 1 : size.width * bytesPerPixel)
    self.picture = picture
    self.sums = sums
    self.bytesPerPixel = bytesPerPixel
    self.reduction = reduction
    self.region = region
  }

  /// Whether the next row contributes to the result.
  ///
  /// Rows that do not can be skipped.
  var needsNextRow: Bool { region.rows.contains(nextRow) }

  /// Whether all rows that contribute have been appended.
  var isFull: Bool { nextRow >= region.rows.upperBound }

  /// Skips the next row, which must not contribute: see ``needsNextRow``.
  mutating func skip() { nextRow += 1 }

  /// Appends the next row, of the source's width.
  ///
  /// Rows past the end of the source are ignored.
  mutating func append(_ row: UnsafePointer<UInt8>) {
    defer { nextRow += 1 }
    guard region.rows.contains(nextRow), rowsDone < picture.height else { return }
    let row = row + region.columns.lowerBound * bytesPerPixel
    if reduction.isIdentity {
      copy(row, into: picture.row(rowsDone))
      rowsDone += 1
      return
    }
    let sums = sums.elements
    for index in 0..<region.columns.count * bytesPerPixel { sums[index] &+= UInt16(row[index]) }
    rowsInSums += 1
    if rowsInSums == reduction.down { flush() }
  }

  /// Whether any row has been appended.
  var hasRows: Bool { nextRow > 0 }

  /// Returns the reduced image, with missing rows filled with the backdrop.
  consuming func finish(_ backdrop: Backdrop) -> PixelMemory {
    if rowsInSums > 0, rowsDone < picture.height { flush() }
    picture.fill(fromRow: rowsDone, with: backdrop)
    return picture
  }

  private func copy(_ row: UnsafePointer<UInt8>, into target: UnsafeMutablePointer<UInt8>) {
    if bytesPerPixel == 4 { return target.update(from: row, count: picture.bytesPerRow) }
    var (pixel, out) = (row, target)
    for _ in 0..<picture.width {
      (out[0], out[1], out[2], out[3]) = (pixel[0], pixel[1], pixel[2], 255)
      pixel += 3
      out += 4
    }
  }

  private mutating func flush() {
    var out = picture.row(rowsDone)
    var x = 0
    var sum = sums.elements
    let width = region.columns.count
    let meanOfAll = BoxMean(of: reduction.across * rowsInSums)
    while x < width {
      let count = min(reduction.across, width - x)
      let mean = count == reduction.across ? meanOfAll : BoxMean(of: count * rowsInSums)
      if bytesPerPixel == 4 {
        var total = SIMD4<UInt32>()
        for _ in 0..<count {
          total &+= SIMD4(UInt32(sum[0]), UInt32(sum[1]), UInt32(sum[2]), UInt32(sum[3]))
          sum += 4
        }
        for channel in 0..<4 { out[channel] = mean(total[channel]) }
      } else {
        var (red, green, blue) = (UInt32(0), UInt32(0), UInt32(0))
        for _ in 0..<count {
          red &+= UInt32(sum[0])
          green &+= UInt32(sum[1])
          blue &+= UInt32(sum[2])
          sum += 3
        }
        (out[0], out[1], out[2], out[3]) = (mean(red), mean(green), mean(blue), 255)
      }
      out += 4
      x += count
    }
    sums.clear()
    rowsInSums = 0
    rowsDone += 1
  }
}

// MARK: - Factors and regions

/// The integer factors by which an image is averaged before it is resampled.
///
/// Averaging is cheap and leaves at least twice the pixels needed, so the resampler still determines the quality of the
/// result.
struct Reduction: Hashable {
  /// The number of columns averaged into one.
  let across: Int
  /// The number of rows averaged into one.
  let down: Int

  /// The sums of 128 bytes fit 16 bits.
  private static let maximumFactor = 128

  /// Creates a reduction for the ratio of source pixels to result pixels on each axis.
  init(ratioX: Double, ratioY: Double) {
    across = Reduction.factor(ratioX)
    down = Reduction.factor(ratioY)
  }

  private init(across: Int, down: Int) {
    self.across = across
    self.down = down
  }

  /// The next stronger reduction.
  var next: Reduction { Reduction(across: across + 1, down: down + 1) }

  private static func factor(_ ratio: Double) -> Int { max(1, min(maximumFactor, Int(min(ratio, 1e6) / 2))) }

  /// Whether the reduction leaves an image unchanged.
  var isIdentity: Bool { across == 1 && down == 1 }

  /// Returns the reduced size.
  ///
  /// Pixels at the right and bottom edges may average fewer source pixels.
  func reduced(_ size: PixelSize) -> PixelSize {
    PixelSize(width: (size.width + across - 1) / across, height: (size.height + down - 1) / down) ?? size
  }
}

/// The part of a stored image that contributes to a result: its window and the surroundings that the resampler reads.
struct StoredRegion: Hashable {
  /// The stored columns.
  let columns: Range<Int>
  /// The stored rows.
  let rows: Range<Int>

  /// Creates a region from columns and rows.
  init(columns: Range<Int>, rows: Range<Int>) {
    self.columns = columns
    self.rows = rows
  }

  /// Creates a region that covers a whole image.
  init(all size: PixelSize) {
    columns = 0..<size.width
    rows = 0..<size.height
  }

  /// Creates the region of an image that a placement needs, aligned to the factors of a reduction.
  init(_ placement: Placement, of size: PixelSize, reduction: Reduction) {
    columns = StoredRegion.needed(
      from: placement.window.minX, to: placement.window.maxX, ratio: placement.ratioX, step: reduction.across,
      count: size.width)
    rows = StoredRegion.needed(
      from: placement.window.minY, to: placement.window.maxY, ratio: placement.ratioY, step: reduction.down,
      count: size.height)
  }

  /// The size of the region, or nil if it is empty.
  var size: PixelSize? { PixelSize(width: columns.count, height: rows.count) }

  private static func needed(from low: Double, to high: Double, ratio: Double, step: Int, count: Int) -> Range<Int> {
    // Three lobes of a kernel as wide as a pixel of the result, and a pixel of the reduced image for rounding.
    let reach = 3 * max(1, ratio) + Double(2 * step)
    let first = max(0, Int((low - reach).rounded(.down))) / step * step
    let last = min(count, Int((high + reach).rounded(.up)))
    return first < last ? first..<last : 0..<count
  }
}

// MARK: - Mean

/// A rounded mean of a known number of bytes, computed from their sum.
///
/// Multiplies by a reciprocal, because a division takes ten times as long.
struct BoxMean {
  private let half: UInt64
  private let reciprocal: UInt64

  private static let bits: UInt64 = 40

  /// Creates a mean of a box of pixels.
  ///
  /// The product is exact for up to 128 x 128 pixels.
  init(of count: Int) {
    let count = UInt64(max(1, count))
    half = count / 2
    reciprocal = (1 << BoxMean.bits) / count + 1
  }

  /// Returns the mean of bytes with the given sum.
  func callAsFunction(_ sum: UInt32) -> UInt8 {
    UInt8(truncatingIfNeeded: ((UInt64(sum) + half) &* reciprocal) >> BoxMean.bits)
  }
}
