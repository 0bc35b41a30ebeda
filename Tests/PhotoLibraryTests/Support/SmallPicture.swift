/// Pictures of a few bytes whose headers are right.
enum SmallPicture {
  /// The head of a PNG of 8 by 6 pixels.
  static let png = png(width: 8, height: 6)

  /// The head of a PNG.
  static func png(width: UInt8, height: UInt8) -> [UInt8] {
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
      + [0, 0, 0, width, 0, 0, 0, height, 8, 2, 0, 0, 0, 0, 0, 0, 0]
  }
}
