import Geometry
import ImageMetadata

/// Decodes PNG row by row, averaging as the rows come: memory is that of the result, not of the picture.
struct PNGDecoder {
  let file: UnsafeRawBufferPointer
  let backdrop: Backdrop

  /// Cells of an interlaced picture that are summed at once, at most; each takes 16 bytes.
  private static let mostInterlacedCells = 8 << 20

  func decode(_ header: ImageHeader, for placement: Placement) throws(DecodingError) -> ReducedPicture {
    let decoder = try SPNG.open(file)
    let frame = try decoder.frame()
    guard frame.size == header.storedSize else { throw .damaged(detail: "two sizes in one file") }
    try decoder.begin()
    let reduction = Reduction(ratioX: placement.ratioX, ratioY: placement.ratioY)
    return frame.isInterlaced
      ? try decodePasses(decoder, frame, reduction) : try decodeRows(decoder, frame, reduction)
  }

  private func decodeRows(
    _ decoder: borrowing SPNG, _ frame: SPNG.Frame, _ reduction: Reduction
  ) throws(DecodingError) -> ReducedPicture {
    let row = try ScratchMemory<UInt8>(count: frame.size.width * 4)
    var reducer = try BoxReducer(source: frame.size, reduction: reduction)
    var isDamaged = false
    do {
      var isLast = false
      while !isLast {
        isLast = try decoder.nextRow(into: row.elements, byteCount: row.count).isLast
        if frame.hasAlpha { backdrop.flatten(row.elements, count: frame.size.width) }
        reducer.append(row.elements)
      }
      try decoder.finish()
    } catch .damaged(let detail) {
      guard reducer.hasRows else { throw .damaged(detail: detail) }
      isDamaged = true
    }
    return ReducedPicture(
      pixels: reducer.finish(backdrop), scaleX: 1 / Double(reduction.across), scaleY: 1 / Double(reduction.down),
      isDamaged: isDamaged)
  }

  private func decodePasses(
    _ decoder: borrowing SPNG, _ frame: SPNG.Frame, _ wanted: Reduction
  ) throws(DecodingError) -> ReducedPicture {
    let row = try ScratchMemory<UInt8>(count: frame.size.width * 4)
    var reduction = wanted
    while reduction.reduced(frame.size).area > PNGDecoder.mostInterlacedCells { reduction = reduction.next }
    let reducer = try InterlacedReducer(source: frame.size, reduction: reduction)
    var hasRows = false
    var isDamaged = false
    do {
      var isLast = false
      while !isLast {
        let info = try decoder.nextRow(into: row.elements, byteCount: row.count)
        if frame.hasAlpha { backdrop.flatten(row.elements, count: frame.size.width) }
        reducer.append(row.elements, y: info.y, pass: Adam7.passes[min(info.pass, 6)])
        hasRows = true
        isLast = info.isLast
      }
      try decoder.finish()
    } catch .damaged(let detail) {
      guard hasRows else { throw .damaged(detail: detail) }
      isDamaged = true
    }
    return ReducedPicture(
      pixels: try reducer.finish(backdrop), scaleX: 1 / Double(reduction.across), scaleY: 1 / Double(reduction.down),
      isDamaged: isDamaged)
  }
}
