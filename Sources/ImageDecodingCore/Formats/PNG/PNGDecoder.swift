import VitrineGeometry
import VitrineImageMetadata

/// A decoder for PNG that averages rows as they are decoded.
///
/// Its memory is that of the result and, up to a limit, of the inflated pixels, never that of a large image.
struct PNGDecoder {
  let file: UnsafeRawBufferPointer
  let backdrop: Backdrop
  let interruption: DecodingInterruption

  /// The maximum number of cells that accumulate an interlaced image.
  ///
  /// Each takes 16 bytes.
  private static let maximumInterlacedCells = 8 << 20

  func decode(_ header: ImageHeader, for placement: Placement) throws(DecodingError) -> ReducedPicture {
    let pixels = InflatedPixels(file)
    try interruption.check()
    defer { withExtendedLifetime(pixels) {} }
    if let decoder = try makeDecoder(withProfile: true, pixels) { return try decode(decoder, header, placement) }
    guard let decoder = try makeDecoder(withProfile: false, pixels) else {
      throw .damaged(detail: "the header is invalid")
    }
    return try decode(decoder, header, placement)
  }

  private func decode(
    _ decoder: borrowing SPNG, _ header: ImageHeader, _ placement: Placement
  ) throws(DecodingError) -> ReducedPicture {
    let frame = try decoder.frame()
    guard frame.size == header.storedSize else { throw .damaged(detail: "two sizes in one file") }
    var picture =
      frame.isInterlaced
      ? try decodePasses(decoder, frame, Reduction(ratioX: placement.ratioX, ratioY: placement.ratioY))
      : try decodeRows(decoder, frame, placement)
    picture.colors = decoder.colors
    return picture
  }

  /// Returns a decoder positioned before the pixels, or nil if it may have failed because of the colour profile.
  private func makeDecoder(withProfile: Bool, _ pixels: InflatedPixels?) throws(DecodingError) -> SPNG? {
    let decoder = try SPNG.open(file, withProfile: withProfile, pixels: pixels?.stream)
    do {
      try decoder.begin()
      return decoder
    } catch .damaged(let detail) {
      guard decoder.hasReceivedProfile else { throw .damaged(detail: detail) }
      return nil
    }
  }

  private func decodeRows(
    _ decoder: borrowing SPNG, _ frame: SPNG.Frame, _ placement: Placement
  ) throws(DecodingError) -> ReducedPicture {
    let row = try ScratchMemory<UInt8>(count: frame.size.width * frame.bytesPerPixel)
    var rows = try RowReducer(
      frame.size, for: placement, backdrop: backdrop, interruption: interruption, bytesPerPixel: frame.bytesPerPixel)
    var isDamaged = false
    do {
      var isLast = false
      while !isLast {
        isLast = try decoder.nextRow(into: row.elements, byteCount: row.count).isLast
        try rows.append(row.elements, hasAlpha: frame.hasAlpha)
      }
      try decoder.finish()
    } catch .damaged(let detail) {
      guard rows.hasRows else { throw .damaged(detail: detail) }
      isDamaged = true
    }
    return try rows.finish(isDamaged: isDamaged || decoder.hasFaultyChunk)
  }

  private func decodePasses(
    _ decoder: borrowing SPNG, _ frame: SPNG.Frame, _ wanted: Reduction
  ) throws(DecodingError) -> ReducedPicture {
    let row = try ScratchMemory<UInt8>(count: frame.size.width * 4)
    var reduction = wanted
    while reduction.reduced(frame.size).area > PNGDecoder.maximumInterlacedCells { reduction = reduction.next }
    let reducer = try InterlacedReducer(source: frame.size, reduction: reduction)
    var hasRows = false
    var isDamaged = false
    var meter = WorkMeter(interruption)
    do {
      var isLast = false
      while !isLast {
        let info = try decoder.nextRow(into: row.elements, byteCount: row.count)
        let pass = Adam7.passes[min(info.pass, 6)]
        if frame.hasAlpha {
          let count = (frame.size.width - pass.startX + pass.stepX - 1) / pass.stepX
          backdrop.flatten(row.elements, count: max(0, count), x: pass.startX, y: info.y, step: pass.stepX)
        }
        reducer.append(row.elements, y: info.y, pass: pass)
        hasRows = true
        isLast = info.isLast
        try meter.add(frame.size.width)
      }
      try decoder.finish()
    } catch .damaged(let detail) {
      guard hasRows else { throw .damaged(detail: detail) }
      isDamaged = true
    }
    return ReducedPicture(
      pixels: try reducer.finish(backdrop), scaleX: 1 / Double(reduction.across), scaleY: 1 / Double(reduction.down),
      isDamaged: isDamaged || decoder.hasFaultyChunk)
  }
}
