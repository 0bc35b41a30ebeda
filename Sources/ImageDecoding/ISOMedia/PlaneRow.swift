/// Makes one row of a plane at a time, averaged over some rows and columns, or spread over more.
struct PlaneRow: ~Copyable {
  private let plane: PlanarPicture.Plane
  private let isWide: Bool
  private let sums: ScratchMemory<UInt32>
  /// The row, as scaled numbers.
  let values: ScratchMemory<Float>

  /// For results of so many numbers.
  init(_ plane: PlanarPicture.Plane, bits: Int, count: Int) throws(DecodingError) {
    let sums = try ScratchMemory<UInt32>(count: plane.width)
    let values = try ScratchMemory<Float>(count: count)
    self.plane = plane
    self.sums = sums
    self.values = values
    isWide = bits > 8
  }

  /// Averages boxes of samples.
  func average(
    rows: Range<Int>, across: Int, columns: Int, scale: (factor: Float, offset: Float)
  ) {
    let rows = rows.clamped(to: 0..<plane.height)
    let used = min(plane.width, columns)
    add(rows, used)
    var x = 0
    var out = values.elements
    let end = values.elements + values.count
    while x < used, out < end {
      let count = min(across, used - x)
      var sum: UInt32 = 0
      for index in x..<x + count { sum &+= sums.elements[index] }
      out.pointee = Float(sum) * scale.factor / Float(count * max(1, rows.count)) + scale.offset
      out += 1
      x += count
    }
  }

  /// Mixes two rows, and spreads their samples over twice as many where asked to: each pixel lies a quarter from the
  /// middle of the sample that it belongs to.
  func spread(row y: Int, isHalvedAcross: Bool, isHalvedDown: Bool, scale: (factor: Float, offset: Float)) {
    let own = min(plane.height - 1, isHalvedDown ? y / 2 : y)
    let beside = isHalvedDown ? max(0, min(plane.height - 1, y % 2 == 0 ? own - 1 : own + 1)) : own
    func level(_ x: Int) -> Float {
      let x = max(0, min(plane.width - 1, x))
      return 0.75 * Float(sample(x, own)) + 0.25 * Float(sample(x, beside))
    }
    if isHalvedAcross {
      for x in 0..<values.count {
        let mixed = 0.75 * level(x / 2) + 0.25 * level(x % 2 == 0 ? x / 2 - 1 : x / 2 + 1)
        values.elements[x] = mixed * scale.factor + scale.offset
      }
    } else {
      for x in 0..<values.count { values.elements[x] = level(x) * scale.factor + scale.offset }
    }
  }

  private func sample(_ x: Int, _ y: Int) -> UInt16 {
    let row = plane.start + y * plane.bytesPerRow
    guard isWide else { return UInt16(row[x]) }
    return UnsafeRawPointer(row).loadUnaligned(fromByteOffset: x * 2, as: UInt16.self)
  }

  private func add(_ rows: Range<Int>, _ count: Int) {
    sums.clear()
    let sums = sums.elements
    for y in rows {
      let row = plane.start + y * plane.bytesPerRow
      if isWide {
        let wide = UnsafeRawPointer(row)
        for x in 0..<count { sums[x] &+= UInt32(wide.loadUnaligned(fromByteOffset: x * 2, as: UInt16.self)) }
      } else {
        for x in 0..<count { sums[x] &+= UInt32(row[x]) }
      }
    }
  }
}
