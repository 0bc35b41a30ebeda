import Geometry

/// Averages rows as they come, so that a decoder that hands out rows never needs memory for the whole picture.
struct BoxReducer: ~Copyable {
  private let reduction: Reduction
  private let sourceWidth: Int
  private let picture: PixelMemory
  private let sums: ScratchMemory<UInt16>
  private var rowsInSums = 0
  private var rowsDone = 0

  /// For rows of a picture of this size.
  init(source: PixelSize, reduction: Reduction) throws(DecodingError) {
    let picture = try PixelMemory(size: reduction.reduced(source))
    let sums = try ScratchMemory<UInt16>(count: source.width * 4)
    self.picture = picture
    self.sums = sums
    self.reduction = reduction
    sourceWidth = source.width
  }

  /// Takes the next row, of the source's width at four bytes a pixel; more rows than the source has are left out.
  mutating func append(_ row: UnsafePointer<UInt8>) {
    guard rowsDone < picture.height else { return }
    if reduction.isIdentity {
      picture.row(rowsDone).update(from: row, count: picture.bytesPerRow)
      rowsDone += 1
      return
    }
    let sums = sums.elements
    for index in 0..<sourceWidth * 4 { sums[index] &+= UInt16(row[index]) }
    rowsInSums += 1
    if rowsInSums == reduction.down { flush() }
  }

  /// Whether a row has come at all.
  var hasRows: Bool { rowsDone > 0 || rowsInSums > 0 }

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
    while x < sourceWidth {
      let count = min(reduction.across, sourceWidth - x)
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
