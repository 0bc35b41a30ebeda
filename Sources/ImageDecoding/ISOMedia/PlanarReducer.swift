import VitrineGeometry
import VitrineImageDecodingCore

/// A reducer that averages an image's planes and converts the remaining samples to RGB: a twelfth of the work for a
/// twelfth of the pixels.
///
/// A transparent image is converted first, because its colours must be blended over the backdrop before they are
/// averaged.
struct PlanarReducer {
  private let backdrop: Backdrop
  private let interruption: DecodingInterruption
  /// The conversion of an HDR image to sRGB; nil for other images, which are converted later.
  private let toneMapping: HDRToneMapping?

  /// The number of decoded pixels per result pixel that suffices.
  ///
  /// Slightly below two, because one step less would quadruple the work.
  private static let sufficientRatio = 1.95
  private static let maximumFactor = 128

  init(backdrop: Backdrop, interruption: DecodingInterruption, toneMapping: HDRToneMapping? = nil) {
    self.backdrop = backdrop
    self.interruption = interruption
    self.toneMapping = toneMapping
  }

  /// Reduces and converts the part of an image that a placement needs.
  ///
  /// - Parameters:
  ///   - picture: The planes.
  ///   - placement: The placement, in pixels of the planes.
  func reduce(
    _ picture: PlanarPicture, for placement: Placement
  ) throws(DecodingError) -> ReducedPicture {
    if picture.alpha != nil { return try flatten(picture, placement) }
    // Whole chroma samples on both axes, or single pixels.
    let mostAcross = PlanarReducer.factor(placement.ratioX, step: picture.horizontalSubsampling)
    let mostDown = PlanarReducer.factor(placement.ratioY, step: picture.verticalSubsampling)
    let isReduced = mostAcross > 0 && mostDown > 0
    let (across, down) = isReduced ? (mostAcross, mostDown) : (1, 1)
    let columns = (picture.size.width + across - 1) / across
    let rows = (picture.size.height + down - 1) / down
    guard let size = PixelSize(width: columns, height: rows) else { throw .damaged(detail: "no pixels") }
    let pixels = try PixelMemory(size: size)
    let converter = try RowConverter(picture, toneMapping, count: columns)
    var meter = WorkMeter(interruption)
    for y in 0..<rows {
      converter.convertRow(y, across: across, down: down, into: pixels.row(y))
      try meter.add(picture.size.width * down)
    }
    return try ReducedPicture(
      pixels: pixels, scaleX: 1 / Double(across), scaleY: 1 / Double(down), isDamaged: false
    ).reduced(for: placement)
  }

  /// Returns the number of pixels to average into one, a multiple of the step, or 0 if it is less than a step.
  private static func factor(_ ratio: Double, step: Int) -> Int {
    min(maximumFactor, Int(ratio / sufficientRatio)) / step * step
  }

  private func flatten(_ picture: PlanarPicture, _ placement: Placement) throws(DecodingError) -> ReducedPicture {
    var rows = try RowReducer(picture.size, for: placement, backdrop: backdrop, interruption: interruption)
    let row = try ScratchMemory<UInt8>(count: picture.size.width * 4)
    let converter = try RowConverter(picture, toneMapping, count: picture.size.width)
    for y in 0..<picture.size.height where !rows.isFull {
      if rows.needsNextRow {
        converter.convertRow(y, across: 1, down: 1, into: row.elements)
        if picture.isPremultiplied {
          backdrop.flattenPremultiplied(row.elements, count: picture.size.width, x: 0, y: y)
        }
      }
      try rows.append(row.elements, hasAlpha: !picture.isPremultiplied)
    }
    return try rows.finish(isDamaged: false)
  }

  // MARK: - Rows

  /// A converter of rows of planes to R, G, B, A.
  private struct RowConverter: ~Copyable {
    private let picture: PlanarPicture
    private let luma: PlaneRow
    private let blue: PlaneRow
    private let red: PlaneRow
    private let alpha: PlaneRow
    private let toneMapping: HDRToneMapping?
    private let count: Int

    init(_ picture: PlanarPicture, _ toneMapping: HDRToneMapping?, count: Int) throws(DecodingError) {
      // A missing plane is represented by a row that is never filled.
      let luma = try PlaneRow(picture.luma, bits: picture.bits, count: count)
      let blue = try PlaneRow(picture.chroma?.blue ?? picture.luma, bits: picture.bits, count: count)
      let red = try PlaneRow(picture.chroma?.red ?? picture.luma, bits: picture.bits, count: count)
      let alpha = try PlaneRow(picture.alpha ?? picture.luma, bits: picture.bits, count: count)
      self.picture = picture
      self.toneMapping = toneMapping
      self.count = count
      self.luma = luma
      self.blue = blue
      self.red = red
      self.alpha = alpha
    }

    /// Writes a row of averaged boxes.
    func convertRow(_ y: Int, across: Int, down: Int, into row: UnsafeMutablePointer<UInt8>) {
      let rows = y * down..<min(picture.size.height, (y + 1) * down)
      luma.average(rows: rows, across: across, columns: picture.size.width, scale: picture.matrix.lumaScale)
      if picture.chroma != nil {
        fillChroma(blue, y, across: across, down: down)
        fillChroma(red, y, across: across, down: down)
      }
      if picture.alpha != nil {
        let most = Float((1 << picture.bits) - 1)
        alpha.average(rows: rows, across: 1, columns: picture.size.width, scale: (255 / most, 0))
      }
      convert(into: row)
    }

    private func fillChroma(_ chroma: borrowing PlaneRow, _ y: Int, across: Int, down: Int) {
      let scale = picture.matrix.chromaScale
      if across % picture.horizontalSubsampling == 0, down % picture.verticalSubsampling == 0 {
        let verticalSubsampling = down / picture.verticalSubsampling
        let columns = (picture.size.width + picture.horizontalSubsampling - 1) / picture.horizontalSubsampling
        let height = (picture.size.height + picture.verticalSubsampling - 1) / picture.verticalSubsampling
        chroma.average(
          rows: y * verticalSubsampling..<min(height, (y + 1) * verticalSubsampling),
          across: across / picture.horizontalSubsampling,
          columns: columns, scale: scale)
      } else {
        chroma.upsample(
          row: y, isHalvedAcross: picture.horizontalSubsampling == 2, isHalvedDown: picture.verticalSubsampling == 2,
          scale: scale)
      }
    }

    /// Computes the weighted sums of the planes, with plain arithmetic that the compiler vectorizes.
    private func convert(into row: UnsafeMutablePointer<UInt8>) {
      let hasChroma = picture.chroma != nil
      let weights = hasChroma ? picture.matrix.weights : .init(red: [1, 0, 0], green: [1, 0, 0], blue: [1, 0, 0])
      let (red, green, blue) = (weights.red, weights.green, weights.blue)
      let (first, second, third) = (luma.values.elements, self.blue.values.elements, self.red.values.elements)
      row.withMemoryRebound(to: UInt32.self, capacity: count) { pixels in
        for x in 0..<count {
          let (y, b, r) = (first[x], second[x], third[x])
          if let toneMapping {
            let color = SIMD3(
              red[0] * y + red[1] * b + red[2] * r, green[0] * y + green[1] * b + green[2] * r,
              blue[0] * y + blue[1] * b + blue[2] * r)
            let shown = toneMapping.convert(color)
            pixels[x] = (UInt32(shown.0) | UInt32(shown.1) << 8 | UInt32(shown.2) << 16 | 0xFF00_0000).littleEndian
            continue
          }
          let color =
            RowConverter.byte(red[0] * y + red[1] * b + red[2] * r)
            | RowConverter.byte(green[0] * y + green[1] * b + green[2] * r) << 8
            | RowConverter.byte(blue[0] * y + blue[1] * b + blue[2] * r) << 16
          pixels[x] = (color | 0xFF00_0000).littleEndian
        }
        guard picture.alpha != nil else { return }
        for x in 0..<count {
          let opacity = RowConverter.byte(alpha.values.elements[x]) << 24
          pixels[x] = (pixels[x].littleEndian & 0xFF_FFFF | opacity).littleEndian
        }
      }
    }

    /// Clamps and rounds a level.
    ///
    /// After adding 2 to the power of 23, its integer part is in the lowest bits.
    private static func byte(_ level: Float) -> UInt32 {
      (max(0, min(255, level)) + 8_388_608).bitPattern & 0xFF
    }
  }
}

// MARK: - Planes

/// One row of a plane, averaged over rows and columns or upsampled.
private struct PlaneRow: ~Copyable {
  private let plane: PlanarPicture.Plane
  private let isWide: Bool
  private let sums: ScratchMemory<UInt32>
  private let mixed: ScratchMemory<Float>
  /// The row as scaled values.
  let values: ScratchMemory<Float>

  /// Creates a buffer for rows with the given number of values.
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
    sumRows(rows, used)
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

  /// Interpolates two rows if the plane is halved vertically, and upsamples horizontally if it is halved horizontally.
  ///
  /// The centre of each pixel is a quarter of a sample away from that of its chroma sample.
  func upsample(row y: Int, isHalvedAcross: Bool, isHalvedDown: Bool, scale: (factor: Float, offset: Float)) {
    let ownRow = min(plane.height - 1, isHalvedDown ? y / 2 : y)
    let neighbourRow = isHalvedDown ? max(0, min(plane.height - 1, y % 2 == 0 ? ownRow - 1 : ownRow + 1)) : ownRow
    interpolate(ownRow, neighbourRow, scale)
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

  /// Computes three quarters of one row plus one quarter of another.
  private func interpolate(_ ownRow: Int, _ neighbourRow: Int, _ scale: (factor: Float, offset: Float)) {
    let mixed = mixed.elements
    let (first, second) = (plane.start + ownRow * plane.bytesPerRow, plane.start + neighbourRow * plane.bytesPerRow)
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

  private func sumRows(_ rows: Range<Int>, _ count: Int) {
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
