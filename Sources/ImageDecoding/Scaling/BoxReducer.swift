import Geometry

/// Averages rows as they come, so that a decoder that hands out rows never needs memory for the whole picture.
struct BoxReducer: ~Copyable {
  private let reduction: Reduction
  private let region: StoredRegion
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
  init(region: StoredRegion, reduction: Reduction) throws(DecodingError) {
    guard let size = region.size else { throw .damaged(detail: "no pixels") }
    let picture = try PixelMemory(size: reduction.reduced(size))
    let sums = try ScratchMemory<UInt16>(count: reduction.isIdentity ? 1 : size.width * 4)
    self.picture = picture
    self.sums = sums
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

  /// Takes the next row, of the source's width at four bytes a pixel; more rows than the source has are left out.
  mutating func append(_ row: UnsafePointer<UInt8>) {
    defer { nextRow += 1 }
    guard region.rows.contains(nextRow), rowsDone < picture.height else { return }
    let row = row + region.columns.lowerBound * 4
    if reduction.isIdentity {
      picture.row(rowsDone).update(from: row, count: picture.bytesPerRow)
      rowsDone += 1
      return
    }
    let sums = sums.elements
    for index in 0..<region.columns.count * 4 { sums[index] &+= UInt16(row[index]) }
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

  private mutating func flush() {
    var out = picture.row(rowsDone)
    var x = 0
    var sum = sums.elements
    let width = region.columns.count
    while x < width {
      let count = min(reduction.across, width - x)
      var total = SIMD4<UInt32>()
      for _ in 0..<count {
        total &+= SIMD4(UInt32(sum[0]), UInt32(sum[1]), UInt32(sum[2]), UInt32(sum[3]))
        sum += 4
      }
      let divisor = UInt32(count * rowsInSums)
      for channel in 0..<4 { out[channel] = UInt8(truncatingIfNeeded: (total[channel] + divisor / 2) / divisor) }
      out += 4
      x += count
    }
    sums.clear()
    rowsInSums = 0
    rowsDone += 1
  }
}
