import Geometry

/// Averages rows as they come, so that a decoder that hands out rows never needs memory for the whole picture.
struct BoxReducer: ~Copyable {
  private let reduction: Reduction
  private let region: StoredRegion
  private let bytesPerPixel: Int
  private let picture: PixelMemory
  private let sums: ScratchMemory<UInt16>
  private var nextRow = 0
  private var rowsInSums = 0
  private var rowsDone = 0

  /// For all rows of a picture of this size.
  init(source: PixelSize, reduction: Reduction) throws(DecodingError) {
    try self.init(region: StoredRegion(all: source), reduction: reduction)
  }

  /// For the rows of a picture of which a part is kept; the part begins at whole steps of the reduction.
  ///
  /// - Parameter bytesPerPixel: those of the rows: four, or three where there is no alpha.
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

  /// Whether the next row counts; others need not be made.
  var wantsNextRow: Bool { region.rows.contains(nextRow) }

  /// Whether all rows that count have come.
  var isFull: Bool { nextRow >= region.rows.upperBound }

  /// Leaves the next row out.
  ///
  /// Only for one that does not count: see ``wantsNextRow``.
  mutating func skip() { nextRow += 1 }

  /// Takes the next row, of the source's width; more rows than the source has are left out.
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

  /// Whether a row has come at all.
  var hasRows: Bool { nextRow > 0 }

  /// The reduced picture; rows that never came show the backdrop.
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
