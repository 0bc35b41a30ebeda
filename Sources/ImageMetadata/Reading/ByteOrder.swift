/// Which byte of a number comes first.
enum ByteOrder: Hashable, Sendable {
  /// The highest, as in PNG and JPEG.
  case bigEndian
  /// The lowest, as in WebP.
  case littleEndian
}
