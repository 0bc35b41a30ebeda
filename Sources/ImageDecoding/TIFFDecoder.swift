import VitrineGeometry
import VitrineImageDecodingCore
import VitrineImageMetadata

/// A decoder for the first image of a TIFF that works on a few rows at a time.
///
/// libtiff converts a strip or a row of tiles to RGBA. If a strip is too tall for that, or libtiff does not support the
/// sample format, ``TIFFRowConversion`` converts single rows.
struct TIFFDecoder {
  private let file: UnsafeRawBufferPointer
  private let backdrop: Backdrop
  private let interruption: DecodingInterruption

  /// The maximum size in bytes of a buffer of converted pixels.
  private static let maximumBytes = 136 << 20
  /// The size in bytes of converted pixels that is worth one call.
  private static let preferredBytes = 1 << 20

  init(_ file: UnsafeRawBufferPointer, backdrop: Backdrop, interruption: DecodingInterruption) {
    self.file = file
    self.backdrop = backdrop
    self.interruption = interruption
  }

  func decode(_ header: ImageHeader, for placement: Placement) throws(DecodingError) -> ReducedPicture {
    let decoder = try LibTIFF.open(file)
    let frame = try decoder.frame()
    guard frame.size == header.storedSize else { throw .damaged(detail: "two sizes in one file") }
    var rows = try RowReducer(frame.size, for: placement, backdrop: backdrop, interruption: interruption)
    let pieceBytes = frame.size.width * 4 * frame.rowsPerPiece
    let isDamaged: Bool
    if !frame.isConvertedByLibTIFF {
      guard let conversion = TIFFRowConversion(frame, decoder) else {
        throw .unsupported(.tiff, detail: "\(frame.bitsPerSample) bits a sample of kind \(frame.photometric)")
      }
      isDamaged = try decodeRows(decoder, frame, conversion, into: &rows)
    } else if pieceBytes > TIFFDecoder.maximumBytes, frame.isContiguous, !frame.isTiled,
      let conversion = TIFFRowConversion(frame, decoder)
    {
      isDamaged = try decodeRows(decoder, frame, conversion, into: &rows)
    } else {
      // A piece that does not fit in memory would be decoded again for each of its parts.
      guard pieceBytes <= TIFFDecoder.maximumBytes else { throw .tooLarge(header.size) }
      isDamaged = try decodePieces(decoder, frame, into: &rows)
    }
    var picture = try rows.finish(isDamaged: isDamaged)
    if let profile = decoder.profile(maximumBytes: ICCProfile.maximumBytes) { picture.colors = .profile(profile) }
    return picture
  }

  /// Decodes pieces through libtiff's conversion and returns whether rows are missing.
  private func decodePieces(
    _ decoder: borrowing LibTIFF, _ frame: LibTIFF.Frame, into rows: inout RowReducer
  ) throws(DecodingError) -> Bool {
    let width = frame.size.width
    let rowBytes = width * 4
    // Whole pieces, because a part of one costs as much as all of it. Several pieces if they are small.
    let pieces = max(1, TIFFDecoder.preferredBytes / (rowBytes * frame.rowsPerPiece))
    let rowsPerBand = max(1, min(frame.size.height, frame.rowsPerPiece * pieces))
    let pixels = try ScratchMemory<UInt8>(count: rowBytes * rowsPerBand)
    var missingRows = 0
    var y = 0
    while y < frame.size.height, !rows.isFull {
      let band = y..<min(frame.size.height, y + rowsPerBand)
      missingRows += try read(band, decoder, frame, into: pixels)
      for index in 0..<band.count {
        let row = pixels.elements + index * rowBytes
        // libtiff does not premultiply grey samples.
        if !frame.hasStraightGrey { backdrop.flattenPremultiplied(row, count: width, x: 0, y: y + index) }
        try rows.append(row, hasAlpha: frame.hasStraightGrey)
      }
      y = band.upperBound
    }
    guard missingRows < y else { throw .damaged(detail: "libtiff finds no pixels") }
    return missingRows > 0
  }

  /// Reads the pieces of a band in one call, or one by one if a piece is missing.
  ///
  /// - Returns: The number of missing rows.
  private func read(
    _ band: Range<Int>, _ decoder: borrowing LibTIFF, _ frame: LibTIFF.Frame,
    into pixels: borrowing ScratchMemory<UInt8>
  ) throws(DecodingError) -> Int {
    let width = frame.size.width
    pixels.clear()
    if try decoder.readPixels(rows: band, width: width, into: pixels.elements) { return 0 }
    guard band.count > frame.rowsPerPiece else { return band.count }
    pixels.clear()
    var missing = 0
    for start in stride(from: band.lowerBound, to: band.upperBound, by: frame.rowsPerPiece) {
      let piece = start..<min(band.upperBound, start + frame.rowsPerPiece)
      let place = pixels.elements + (start - band.lowerBound) * width * 4
      if try !decoder.readPixels(rows: piece, width: width, into: place) { missing += piece.count }
    }
    return missing
  }

  /// Decodes single rows through ``TIFFRowConversion`` and returns whether rows are missing.
  private func decodeRows(
    _ decoder: borrowing LibTIFF, _ frame: LibTIFF.Frame, _ conversion: TIFFRowConversion, into rows: inout RowReducer
  ) throws(DecodingError) -> Bool {
    var stored = try TIFFSampleRows(decoder, frame, minimumRowBytes: conversion.bytesPerRow)
    let row = try ScratchMemory<UInt8>(count: frame.size.width * 4)
    var (availableRows, missingRows) = (0, 0)
    for y in 0..<frame.size.height where !rows.isFull {
      let isNeeded = rows.needsNextRow
      let isAvailable = try stored.read(y, decoder) { planes in
        if isNeeded { conversion.convert(planes, into: row.elements) }
      }
      if isAvailable {
        availableRows += 1
      } else {
        missingRows += 1
        // Rows of strips are sequential: none can be read after a missing one.
        if frame.isContiguous, !frame.isTiled { break }
        row.clear()
      }
      if isNeeded, conversion.alpha == .premultiplied {
        backdrop.flattenPremultiplied(row.elements, count: frame.size.width, x: 0, y: y)
      }
      try rows.append(row.elements, hasAlpha: conversion.alpha == .straight || !isAvailable)
    }
    // Rows behind the result are not read.
    guard availableRows > 0 else { throw .damaged(detail: "libtiff finds no pixels") }
    return missingRows > 0 || stored.hasMissingPieces
  }
}

// MARK: - Sample rows

/// A reader of a TIFF's rows of samples in order, as stored.
///
/// Reads strips row by row if the samples of a pixel are contiguous; otherwise a row of strips or tiles at a time.
private struct TIFFSampleRows: ~Copyable {
  private let frame: LibTIFF.Frame
  /// The number of bytes from one row of a plane to the next in `samples`.
  private let rowBytes: Int
  private let planeCount: Int
  private let rowsPerPiece: Int
  private let samples: ScratchMemory<UInt8>
  /// The number of tiles in a row of tiles; 0 for strips.
  private let tilesAcross: Int
  /// The index of the piece in `samples`; -1 for none.
  private var piece = -1
  private var isPieceAvailable = false
  /// Whether a strip or tile could not be read.
  ///
  /// Its samples are zero.
  private(set) var hasMissingPieces = false

  /// Four inks and alpha; further planes are ignored.
  private static let maximumPlanes = 5
  /// The maximum size in bytes of the buffer of samples.
  private static let maximumBytes = 136 << 20

  /// Allocates memory for a row, or for a row of pieces.
  ///
  /// - Parameters:
  ///   - decoder: The opened file.
  ///   - frame: The description of its pixels.
  ///   - minimumRowBytes: The bytes per row that the conversion reads.
  /// - Throws: ``DecodingError/tooLarge(_:)`` if a piece exceeds the maximum buffer size.
  init(_ decoder: borrowing LibTIFF, _ frame: LibTIFF.Frame, minimumRowBytes: Int) throws(DecodingError) {
    let planes = frame.isContiguous ? 1 : min(frame.samplesPerPixel, TIFFSampleRows.maximumPlanes)
    var (across, row, rows) = (0, decoder.bytesPerRow, frame.isContiguous ? 1 : frame.rowsPerPiece)
    if frame.isTiled {
      guard frame.tileWidth > 0, frame.tileWidth % 8 == 0 else { throw .damaged(detail: "tiles of an odd width") }
      across = (frame.size.width + frame.tileWidth - 1) / frame.tileWidth
      row = across * decoder.bytesPerTileRow
      rows = frame.tileHeight
    }
    let (perRow, isRowTooLong) = row.multipliedReportingOverflow(by: planes)
    let (bytes, isTooLarge) = perRow.multipliedReportingOverflow(by: rows)
    guard row >= minimumRowBytes else { throw .damaged(detail: "rows that are shorter than their pixels") }
    guard !isRowTooLong, !isTooLarge, bytes <= TIFFSampleRows.maximumBytes else { throw .tooLarge(frame.size) }
    samples = try ScratchMemory(count: bytes)
    self.frame = frame
    (planeCount, tilesAcross, rowBytes, rowsPerPiece) = (planes, across, row, rows)
  }

  /// Reads a row.
  ///
  /// Rows must be read in order.
  ///
  /// - Parameters:
  ///   - y: The index of the row.
  ///   - decoder: The opened file.
  ///   - body: A closure that receives the start of the row in each plane.
  /// - Returns: Whether the row is available.
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
      isPieceAvailable = try readPiece(decoder)
    }
    guard isPieceAvailable else { return false }
    let row = y - piece * rowsPerPiece
    body((0..<planeCount).map { UnsafePointer(samples.elements + ($0 * rowsPerPiece + row) * rowBytes) })
    return true
  }

  private mutating func readPiece(_ decoder: borrowing LibTIFF) throws(DecodingError) -> Bool {
    samples.clear()
    var isAnyAvailable = false
    let piecesDown = (frame.size.height + rowsPerPiece - 1) / rowsPerPiece
    for plane in 0..<planeCount {
      let start = samples.elements + plane * rowsPerPiece * rowBytes
      if !frame.isTiled {
        let rows = min(rowsPerPiece, frame.size.height - piece * rowsPerPiece)
        let bytes = rows * decoder.bytesPerRow
        if decoder.readStrip(plane * piecesDown + piece, into: start, count: bytes) {
          isAnyAvailable = true
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
        isAnyAvailable = true
        for row in 0..<rowsPerPiece {
          (start + row * rowBytes + column * tileRowBytes).update(
            from: tile.elements + row * tileRowBytes, count: tileRowBytes)
        }
      }
    }
    return isAnyAvailable
  }
}
