import Geometry

/// Hands out a TIFF's rows of samples in turn, as they are stored: from strips row by row where the samples of a pixel stand
/// together, else a row of strips or tiles at a time.
struct TIFFSampleRows: ~Copyable {
  private let frame: LibTIFF.Frame
  /// Bytes from a row to the next in a plane, as they stand in `samples`.
  private let rowBytes: Int
  private let planeCount: Int
  private let rowsPerPiece: Int
  private let samples: ScratchMemory<UInt8>
  /// Tiles beside each other; 0 for strips.
  private let tilesAcross: Int
  /// The piece that `samples` holds; -1 for none.
  private var piece = -1
  private var isPieceThere = false
  /// Whether a strip or a tile could not be read; what it would hold is nought.
  private(set) var hasMissingPieces = false

  /// Four inks and alpha are all that is looked at.
  private static let mostPlanes = 5
  /// Bytes of samples that are kept at once, at most.
  private static let mostBytes = 136 << 20

  /// Takes the memory for a row, or for a row of pieces.
  ///
  /// - Parameter leastRowBytes: the bytes of a row that the conversion looks at.
  /// - Throws: ``DecodingError/tooLarge(_:)`` where a piece has more bytes than are kept.
  init(_ decoder: borrowing LibTIFF, _ frame: LibTIFF.Frame, leastRowBytes: Int) throws(DecodingError) {
    let planes = frame.isContiguous ? 1 : min(frame.samplesPerPixel, TIFFSampleRows.mostPlanes)
    var (across, row, rows) = (0, decoder.bytesPerRow, frame.isContiguous ? 1 : frame.rowsPerPiece)
    if frame.isTiled {
      guard frame.tileWidth > 0, frame.tileWidth % 8 == 0 else { throw .damaged(detail: "tiles of an odd width") }
      across = (frame.size.width + frame.tileWidth - 1) / frame.tileWidth
      row = across * decoder.bytesPerTileRow
      rows = frame.tileHeight
    }
    let (perRow, isRowTooLong) = row.multipliedReportingOverflow(by: planes)
    let (bytes, isTooLarge) = perRow.multipliedReportingOverflow(by: rows)
    guard row >= leastRowBytes else { throw .damaged(detail: "rows that are shorter than their pixels") }
    guard !isRowTooLong, !isTooLarge, bytes <= TIFFSampleRows.mostBytes else { throw .tooLarge(frame.size) }
    samples = try ScratchMemory(count: bytes)
    self.frame = frame
    (planeCount, tilesAcross, rowBytes, rowsPerPiece) = (planes, across, row, rows)
  }

  /// Reads a row; rows are asked for in turn.
  ///
  /// - Parameters:
  ///   - y: the row.
  ///   - body: gets where the row begins in each plane.
  /// - Returns: whether the row is there.
  mutating func read(
    _ y: Int, _ decoder: borrowing LibTIFF, _ body: ([UnsafePointer<UInt8>]) -> Void
  ) throws(DecodingError) -> Bool {
    if !frame.isTiled, frame.isContiguous {
      guard decoder.readRow(y, into: samples.elements) else { return false }
      body([UnsafePointer(samples.elements)])
      return true
    }
    if y / rowsPerPiece != piece {
      piece = y / rowsPerPiece
      isPieceThere = try readPiece(decoder)
    }
    guard isPieceThere else { return false }
    let row = y - piece * rowsPerPiece
    body((0..<planeCount).map { UnsafePointer(samples.elements + ($0 * rowsPerPiece + row) * rowBytes) })
    return true
  }

  private mutating func readPiece(_ decoder: borrowing LibTIFF) throws(DecodingError) -> Bool {
    samples.clear()
    var isAnyThere = false
    let piecesDown = (frame.size.height + rowsPerPiece - 1) / rowsPerPiece
    for plane in 0..<planeCount {
      let start = samples.elements + plane * rowsPerPiece * rowBytes
      if !frame.isTiled {
        let rows = min(rowsPerPiece, frame.size.height - piece * rowsPerPiece)
        let bytes = rows * decoder.bytesPerRow
        if decoder.readStrip(plane * piecesDown + piece, into: start, count: bytes) {
          isAnyThere = true
        } else {
          hasMissingPieces = true
        }
        continue
      }
      let tileRowBytes = decoder.bytesPerTileRow
      let tile = try ScratchMemory<UInt8>(count: tileRowBytes * rowsPerPiece)
      for column in 0..<tilesAcross {
        let index = (plane * piecesDown + piece) * tilesAcross + column
        guard decoder.readTile(index, into: tile.elements, count: tile.count) else {
          hasMissingPieces = true
          continue
        }
        isAnyThere = true
        for row in 0..<rowsPerPiece {
          (start + row * rowBytes + column * tileRowBytes).update(
            from: tile.elements + row * tileRowBytes, count: tileRowBytes)
        }
      }
    }
    return isAnyThere
  }
}
