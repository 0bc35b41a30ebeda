import Geometry

/// Averages a picture's planes, and turns what is left into colours: a twelfth of the work for a twelfth of the pixels.
///
/// A transparent picture is turned first, as colours must be laid over what is behind before they are averaged.
struct PlanarReducer {
  private let backdrop: Backdrop
  private let interruption: DecodingInterruption
  /// What turns the colours of a picture for bright displays into sRGB; nil for other pictures, whose colours are turned
  /// later.
  private let bright: BrightDisplayColors?

  /// Twice the pixels of the result, or nearly: a step less would cost four times the work.
  private static let enough = 1.95
  private static let mostPixelsInOne = 128

  init(backdrop: Backdrop, interruption: DecodingInterruption, bright: BrightDisplayColors? = nil) {
    self.backdrop = backdrop
    self.interruption = interruption
    self.bright = bright
  }

  /// Makes a picture of what is wanted.
  ///
  /// - Parameters:
  ///   - picture: the planes.
  ///   - placement: what is wanted of it, in the planes' pixels.
  func reduce(
    _ picture: PlanarPicture, for placement: Placement
  ) throws(DecodingError) -> ReducedPicture {
    if picture.alpha != nil { return try flatten(picture, placement) }
    // Whole samples of colour on both axes, or single pixels.
    let mostAcross = PlanarReducer.factor(placement.ratioX, step: picture.chromaAcross)
    let mostDown = PlanarReducer.factor(placement.ratioY, step: picture.chromaDown)
    let isReduced = mostAcross > 0 && mostDown > 0
    let (across, down) = isReduced ? (mostAcross, mostDown) : (1, 1)
    let columns = (picture.size.width + across - 1) / across
    let rows = (picture.size.height + down - 1) / down
    guard let size = PixelSize(width: columns, height: rows) else { throw .damaged(detail: "no pixels") }
    let pixels = try PixelMemory(size: size)
    let maker = try RowMaker(picture, bright, count: columns)
    var meter = WorkMeter(interruption)
    for y in 0..<rows {
      maker.make(y, across: across, down: down, into: pixels.row(y))
      try meter.add(picture.size.width * down)
    }
    return try ReducedPicture(
      pixels: pixels, scaleX: 1 / Double(across), scaleY: 1 / Double(down), isDamaged: false
    ).reduced(for: placement)
  }

  /// How many pixels become one, in steps; 0 where there are not enough for one step.
  private static func factor(_ ratio: Double, step: Int) -> Int {
    min(mostPixelsInOne, Int(ratio / enough)) / step * step
  }

  private func flatten(_ picture: PlanarPicture, _ placement: Placement) throws(DecodingError) -> ReducedPicture {
    var rows = try RowReducer(picture.size, for: placement, backdrop: backdrop, interruption: interruption)
    let row = try ScratchMemory<UInt8>(count: picture.size.width * 4)
    let maker = try RowMaker(picture, bright, count: picture.size.width)
    for y in 0..<picture.size.height where !rows.isFull {
      if rows.wantsNextRow {
        maker.make(y, across: 1, down: 1, into: row.elements)
        if picture.isPremultiplied { backdrop.flattenPremultiplied(row.elements, count: picture.size.width) }
      }
      try rows.append(row.elements, hasAlpha: !picture.isPremultiplied)
    }
    return rows.finish(isDamaged: false)
  }

  /// Makes rows of R, G, B, A.
  private struct RowMaker: ~Copyable {
    private let picture: PlanarPicture
    private let luma: PlaneRow
    private let blue: PlaneRow
    private let red: PlaneRow
    private let alpha: PlaneRow
    private let bright: BrightDisplayColors?
    private let count: Int

    init(_ picture: PlanarPicture, _ bright: BrightDisplayColors?, count: Int) throws(DecodingError) {
      // Where there is no such plane, a row that nobody fills.
      let luma = try PlaneRow(picture.luma, bits: picture.bits, count: count)
      let blue = try PlaneRow(picture.chroma?.blue ?? picture.luma, bits: picture.bits, count: count)
      let red = try PlaneRow(picture.chroma?.red ?? picture.luma, bits: picture.bits, count: count)
      let alpha = try PlaneRow(picture.alpha ?? picture.luma, bits: picture.bits, count: count)
      self.picture = picture
      self.bright = bright
      self.count = count
      self.luma = luma
      self.blue = blue
      self.red = red
      self.alpha = alpha
    }

    /// Makes a row of boxes.
    func make(_ y: Int, across: Int, down: Int, into row: UnsafeMutablePointer<UInt8>) {
      let rows = y * down..<min(picture.size.height, (y + 1) * down)
      luma.average(rows: rows, across: across, columns: picture.size.width, scale: picture.matrix.lumaScale)
      if picture.chroma != nil {
        makeChroma(blue, y, across: across, down: down)
        makeChroma(red, y, across: across, down: down)
      }
      if picture.alpha != nil {
        let most = Float((1 << picture.bits) - 1)
        alpha.average(rows: rows, across: 1, columns: picture.size.width, scale: (255 / most, 0))
      }
      convert(into: row)
    }

    private func makeChroma(_ chroma: borrowing PlaneRow, _ y: Int, across: Int, down: Int) {
      let scale = picture.matrix.chromaScale
      if across % picture.chromaAcross == 0, down % picture.chromaDown == 0 {
        let chromaDown = down / picture.chromaDown
        let columns = (picture.size.width + picture.chromaAcross - 1) / picture.chromaAcross
        let height = (picture.size.height + picture.chromaDown - 1) / picture.chromaDown
        chroma.average(
          rows: y * chromaDown..<min(height, (y + 1) * chromaDown), across: across / picture.chromaAcross,
          columns: columns, scale: scale)
      } else {
        chroma.spread(
          row: y, isHalvedAcross: picture.chromaAcross == 2, isHalvedDown: picture.chromaDown == 2, scale: scale)
      }
    }

    /// Adds up what each colour has of each plane; plain arithmetic on numbers, which a compiler makes wide.
    private func convert(into row: UnsafeMutablePointer<UInt8>) {
      let hasChroma = picture.chroma != nil
      let weights = hasChroma ? picture.matrix.weights : .init(red: [1, 0, 0], green: [1, 0, 0], blue: [1, 0, 0])
      let (red, green, blue) = (weights.red, weights.green, weights.blue)
      let (first, second, third) = (luma.values.elements, self.blue.values.elements, self.red.values.elements)
      row.withMemoryRebound(to: UInt32.self, capacity: count) { pixels in
        for x in 0..<count {
          let (y, b, r) = (first[x], second[x], third[x])
          if let bright {
            let color = SIMD3(
              red[0] * y + red[1] * b + red[2] * r, green[0] * y + green[1] * b + green[2] * r,
              blue[0] * y + blue[1] * b + blue[2] * r)
            let shown = bright.convert(color)
            pixels[x] = (UInt32(shown.0) | UInt32(shown.1) << 8 | UInt32(shown.2) << 16 | 0xFF00_0000).littleEndian
            continue
          }
          let color =
            RowMaker.byte(red[0] * y + red[1] * b + red[2] * r)
            | RowMaker.byte(green[0] * y + green[1] * b + green[2] * r) << 8
            | RowMaker.byte(blue[0] * y + blue[1] * b + blue[2] * r) << 16
          pixels[x] = (color | 0xFF00_0000).littleEndian
        }
        guard picture.alpha != nil else { return }
        for x in 0..<count {
          let opacity = RowMaker.byte(alpha.values.elements[x]) << 24
          pixels[x] = (pixels[x].littleEndian & 0xFF_FFFF | opacity).littleEndian
        }
      }
    }

    /// A level brought within bounds and rounded: added to 2 to the 23rd, its whole part is the lowest bits.
    private static func byte(_ level: Float) -> UInt32 {
      (max(0, min(255, level)) + 8_388_608).bitPattern & 0xFF
    }
  }
}
