import VitrineGeometry
import VitrineImageMetadata

/// A decoder for the first frame of a GIF, positioned on its canvas.
struct GIFDecoder {
  private let file: UnsafeRawBufferPointer
  private let backdrop: Backdrop
  private let interruption: DecodingInterruption

  /// The first row and the row stride of each interlace pass.
  static let passes = [(start: 0, step: 8), (start: 4, step: 8), (start: 2, step: 4), (start: 1, step: 2)]
  /// The maximum number of cells that accumulate an interlaced image.
  ///
  /// Each takes 16 bytes.
  private static let maximumInterlacedCells = 4 << 20

  init(_ file: UnsafeRawBufferPointer, backdrop: Backdrop, interruption: DecodingInterruption) {
    self.file = file
    self.backdrop = backdrop
    self.interruption = interruption
  }

  func decode(_ header: ImageHeader, for placement: Placement) throws(DecodingError) -> ReducedPicture {
    guard let canvas = header.storedSize else { throw .damaged(detail: "the header has no size") }
    let decoder = try GIFLib.open(file)
    let frame = try decoder.firstFrame()
    guard let size = PixelSize(width: frame.width, height: frame.height) else {
      throw .damaged(detail: "an empty frame")
    }
    return frame.isInterlaced
      ? try decodePasses(decoder, frame, size, canvas, placement)
      : try decodeRows(decoder, frame, size, canvas, placement)
  }

  private func decodeRows(
    _ decoder: borrowing GIFLib, _ frame: GIFLib.Frame, _ size: PixelSize, _ canvas: PixelSize, _ placement: Placement
  ) throws(DecodingError) -> ReducedPicture {
    var rows = try RowReducer(canvas, for: placement, backdrop: backdrop, interruption: interruption)
    let row = try ScratchMemory<UInt8>(count: canvas.width * 4)
    let numbers = try ScratchMemory<UInt8>(count: size.width)
    var decoded = 0
    var isDamaged = false
    for y in 0..<canvas.height where !rows.isFull {
      clear(row.elements, frame, canvas)
      if y >= frame.top, y - frame.top < size.height {
        // The remaining rows show the backdrop.
        isDamaged = !decoder.nextRow(into: numbers.elements, count: size.width)
        if isDamaged { break }
        decoded += 1
        if rows.needsNextRow { paint(numbers.elements, frame, canvas, into: row.elements) }
      }
      try rows.append(row.elements, hasAlpha: true)
    }
    guard decoded > 0 || !isDamaged else { throw .damaged(detail: "the file ends before its pixels") }
    return try rows.finish(isDamaged: isDamaged)
  }

  private func decodePasses(
    _ decoder: borrowing GIFLib, _ frame: GIFLib.Frame, _ size: PixelSize, _ canvas: PixelSize, _ placement: Placement
  ) throws(DecodingError) -> ReducedPicture {
    var reduction = Reduction(ratioX: placement.ratioX, ratioY: placement.ratioY)
    while reduction.reduced(canvas).area > GIFDecoder.maximumInterlacedCells { reduction = reduction.next }
    let reducer = try InterlacedReducer(source: canvas, reduction: reduction)
    let row = try ScratchMemory<UInt8>(count: canvas.width * 4)
    let numbers = try ScratchMemory<UInt8>(count: size.width)
    let whole = Adam7(startX: 0, startY: 0, stepX: 1, stepY: 1)
    var meter = WorkMeter(interruption)
    // The area outside the frame.
    for y in 0..<canvas.height where y < frame.top || y - frame.top >= size.height {
      clear(row.elements, frame, canvas)
      backdrop.flatten(row.elements, count: canvas.width, x: 0, y: y)
      reducer.append(row.elements, y: y, pass: whole)
      try meter.add(canvas.width)
    }
    var decoded = 0
    decoding: for pass in GIFDecoder.passes {
      for y in stride(from: pass.start, to: size.height, by: pass.step) {
        guard decoder.nextRow(into: numbers.elements, count: size.width) else { break decoding }
        decoded += 1
        clear(row.elements, frame, canvas)
        paint(numbers.elements, frame, canvas, into: row.elements)
        backdrop.flatten(row.elements, count: canvas.width, x: 0, y: frame.top + y)
        reducer.append(row.elements, y: frame.top + y, pass: whole)
        try meter.add(canvas.width)
      }
    }
    guard decoded > 0 else { throw .damaged(detail: "the file ends before its pixels") }
    return ReducedPicture(
      pixels: try reducer.finish(backdrop), scaleX: 1 / Double(reduction.across), scaleY: 1 / Double(reduction.down),
      isDamaged: decoded < size.height)
  }

  /// Fills a row with the canvas background.
  private func clear(_ row: UnsafeMutablePointer<UInt8>, _ frame: GIFLib.Frame, _ canvas: PixelSize) {
    for x in 0..<canvas.width {
      UnsafeMutableRawPointer(row + 4 * x).storeBytes(of: frame.background, as: SIMD4<UInt8>.self)
    }
  }

  /// Writes a row's colours where the frame covers the canvas.
  private func paint(
    _ numbers: UnsafePointer<UInt8>, _ frame: GIFLib.Frame, _ canvas: PixelSize, into row: UnsafeMutablePointer<UInt8>
  ) {
    frame.palette.withUnsafeBufferPointer { palette in
      for x in 0..<frame.width where frame.left + x < canvas.width {
        let color = palette[Int(numbers[x])]
        let pixel = row + (frame.left + x) * 4
        (pixel[0], pixel[1], pixel[2], pixel[3]) = (color[0], color[1], color[2], color[3])
      }
    }
  }
}
