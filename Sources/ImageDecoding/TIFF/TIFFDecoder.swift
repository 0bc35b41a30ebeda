import Geometry
import ImageMetadata

/// Decodes a TIFF's first picture some rows at a time: a strip or a row of tiles by libtiff's own conversion, or, where a
/// strip is too tall for that or libtiff does not know the kind of samples, single rows by ours.
struct TIFFDecoder {
  private let file: UnsafeRawBufferPointer
  private let backdrop: Backdrop
  private let interruption: DecodingInterruption

  /// Bytes of converted pixels that are kept at once, at most.
  private static let mostBytes = 136 << 20
  /// Bytes of converted pixels worth a call.
  private static let usualBytes = 1 << 20

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
    } else if pieceBytes > TIFFDecoder.mostBytes, frame.isContiguous, !frame.isTiled,
      let conversion = TIFFRowConversion(frame, decoder)
    {
      isDamaged = try decodeRows(decoder, frame, conversion, into: &rows)
    } else {
      // A piece that is not kept whole would be decoded again for each part of it.
      guard pieceBytes <= TIFFDecoder.mostBytes else { throw .tooLarge(header.size) }
      isDamaged = try decodePieces(decoder, frame, into: &rows)
    }
    var picture = rows.finish(isDamaged: isDamaged)
    if let profile = decoder.profile(mostBytes: ICCProfile.mostBytes) { picture.colors = .profile(profile) }
    return picture
  }

  /// Whether rows are missing.
  private func decodePieces(
    _ decoder: borrowing LibTIFF, _ frame: LibTIFF.Frame, into rows: inout RowReducer
  ) throws(DecodingError) -> Bool {
    let width = frame.size.width
    let rowBytes = width * 4
    // Whole pieces, as a part of one costs as much as all of it; more than one where they are small.
    let pieces = max(1, TIFFDecoder.usualBytes / (rowBytes * frame.rowsPerPiece))
    let rowsAtOnce = max(1, min(frame.size.height, frame.rowsPerPiece * pieces))
    let pixels = try ScratchMemory<UInt8>(count: rowBytes * rowsAtOnce)
    var missingRows = 0
    var y = 0
    while y < frame.size.height, !rows.isFull {
      let band = y..<min(frame.size.height, y + rowsAtOnce)
      missingRows += try read(band, decoder, frame, into: pixels)
      for index in 0..<band.count {
        let row = pixels.elements + index * rowBytes
        // Of shades of grey, libtiff leaves what it otherwise premultiplies.
        if !frame.hasStraightGrey { backdrop.flattenPremultiplied(row, count: width) }
        try rows.append(row, hasAlpha: frame.hasStraightGrey)
      }
      y = band.upperBound
    }
    guard missingRows < y else { throw .damaged(detail: "libtiff finds no pixels") }
    return missingRows > 0
  }

  /// Reads pieces at once, or one after the other where one of them is missing; how many rows are.
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

  /// Whether rows are missing.
  private func decodeRows(
    _ decoder: borrowing LibTIFF, _ frame: LibTIFF.Frame, _ conversion: TIFFRowConversion, into rows: inout RowReducer
  ) throws(DecodingError) -> Bool {
    var stored = try TIFFSampleRows(decoder, frame, leastRowBytes: conversion.bytesPerRow)
    let row = try ScratchMemory<UInt8>(count: frame.size.width * 4)
    var missingRows = 0
    for y in 0..<frame.size.height where !rows.isFull {
      let isWanted = rows.wantsNextRow
      let isThere = try stored.read(y, decoder) { planes in
        if isWanted { conversion.convert(planes, into: row.elements) }
      }
      if !isThere {
        missingRows += 1
        // Rows of strips come in turn: behind one that is missing there is none.
        if frame.isContiguous, !frame.isTiled { break }
        row.clear()
      }
      if isWanted, conversion.alpha == .premultiplied {
        backdrop.flattenPremultiplied(row.elements, count: frame.size.width)
      }
      try rows.append(row.elements, hasAlpha: conversion.alpha == .straight || !isThere)
    }
    guard rows.hasRows, missingRows < frame.size.height else { throw .damaged(detail: "libtiff finds no pixels") }
    return missingRows > 0 || stored.hasMissingPieces
  }
}
