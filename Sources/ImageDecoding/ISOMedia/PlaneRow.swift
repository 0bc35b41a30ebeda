/// Makes one row of a plane at a time, averaged over some rows and columns, or spread over more.
struct PlaneRow: ~Copyable {
  private let plane: PlanarPicture.Plane
  private let isWide: Bool
  private let sums: ScratchMemory<UInt32>
  private let mixed: ScratchMemory<Float>
  /// The row, as scaled numbers.
  let values: ScratchMemory<Float>

  /// For results of so many numbers.
  init(_ plane: PlanarPicture.Plane, bits: Int, count: Int) throws(DecodingError) {
    let sums = try ScratchMemory<UInt32>(count: plane.width)
    let mixed = try ScratchMemory<Float>(count: plane.width)
    let values = try ScratchMemory<Float>(count: count)
    self.plane = plane
    self.sums = sums
    self.mixed = mixed
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
    let sums = sums.elements
    let out = values.elements
    let share = scale.factor / Float(max(1, rows.count))
    if across == 1 {
      for x in 0..<min(used, values.count) { out[x] = Float(sums[x]) * share + scale.offset }
      return
    }
    let whole = min(used / across, values.count)
    for index in 0..<whole {
      var sum: UInt32 = 0
      for x in index * across..<(index + 1) * across { sum &+= sums[x] }
      out[index] = Float(sum) * (share / Float(across)) + scale.offset
    }
    // The last box may be narrower.
    guard whole < values.count, whole * across < used else { return }
    var sum: UInt32 = 0
    for x in whole * across..<used { sum &+= sums[x] }
    out[whole] = Float(sum) * share / Float(used - whole * across) + scale.offset
  }

  /// Mixes two rows, and spreads their samples over twice as many where asked to: each pixel lies a quarter from the
  /// middle of the sample that it belongs to.
  func spread(row y: Int, isHalvedAcross: Bool, isHalvedDown: Bool, scale: (factor: Float, offset: Float)) {
    let own = min(plane.height - 1, isHalvedDown ? y / 2 : y)
    let beside = isHalvedDown ? max(0, min(plane.height - 1, y % 2 == 0 ? own - 1 : own + 1)) : own
    mix(own, beside, scale)
    let mixed = mixed.elements
    let out = values.elements
    guard isHalvedAcross else {
      for x in 0..<min(values.count, plane.width) { out[x] = mixed[x] }
      return
    }
    let last = plane.width - 1
    for x in 0..<values.count {
      let sample = min(last, x / 2)
      let neighbour = max(0, min(last, x % 2 == 0 ? sample - 1 : sample + 1))
      out[x] = 0.75 * mixed[sample] + 0.25 * mixed[neighbour]
    }
  }

  /// Three quarters of one row and a quarter of another.
  private func mix(_ own: Int, _ beside: Int, _ scale: (factor: Float, offset: Float)) {
    let mixed = mixed.elements
    let (first, second) = (plane.start + own * plane.bytesPerRow, plane.start + beside * plane.bytesPerRow)
    let (much, little) = (0.75 * scale.factor, 0.25 * scale.factor)
    if isWide {
      let (first, second) = (UnsafeRawPointer(first), UnsafeRawPointer(second))
      for x in 0..<plane.width {
        let (a, b) = (
          first.loadUnaligned(fromByteOffset: x * 2, as: UInt16.self),
          second.loadUnaligned(fromByteOffset: x * 2, as: UInt16.self)
        )
        mixed[x] = much * Float(a) + little * Float(b) + scale.offset
      }
    } else {
      for x in 0..<plane.width { mixed[x] = much * Float(first[x]) + little * Float(second[x]) + scale.offset }
    }
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
