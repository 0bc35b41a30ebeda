/// Which bytes of a HEIC its preview is made of: all boxes but those of pixels, and of these the preview's.
enum PreviewPieces {
  private static let mostBoxes = 64
  /// Boxes without pixels take some kilobytes.
  private static let mostBytes = 1 << 20
  /// Fewer bytes are read as fast as they are passed over.
  private static let leastSpared = 1 << 16

  /// The ranges, in the file's order; nothing where they are not worth it, or the boxes make no sense.
  ///
  /// - Parameters:
  ///   - preview: where the preview's own bytes lie.
  ///   - fileBytes: how long the file is.
  ///   - head: reads the sixteen bytes at a place, fewer at the file's end.
  static func ranges<Failure: Error>(
    preview: Range<Int>, fileBytes: Int, head: (Int) throws(Failure) -> [UInt8]
  ) throws(Failure) -> [Range<Int>]? {
    var ranges: [Range<Int>] = []
    var place = 0
    for _ in 0..<mostBoxes where place < fileBytes {
      let bytes = try head(place)
      guard bytes.count >= 8 else { return nil }
      func number(_ range: Range<Int>) -> UInt64 { bytes[range].reduce(0) { $0 << 8 | UInt64($1) } }
      let short = number(0..<4)
      guard short != 1 || bytes.count == 16 else { return nil }
      let long = short == 1 ? number(8..<16) : short == 0 ? UInt64(fileBytes - place) : short
      guard long >= (short == 1 ? 16 : 8), long <= UInt64(fileBytes - place) else { return nil }
      let end = place + Int(long)
      // Pixels' boxes are passed over but for their heads.
      ranges.append(place..<(bytes[4..<8].elementsEqual("mdat".utf8) ? min(end, place + 16) : end))
      place = end
    }
    ranges.append(preview)
    let count = ranges.reduce(0) { $0 + $1.count }
    guard place == fileBytes, count <= mostBytes, fileBytes - count >= leastSpared else { return nil }
    return ranges.sorted { $0.lowerBound < $1.lowerBound }
  }
}
