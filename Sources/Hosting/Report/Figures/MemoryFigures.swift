/// Bytes of the drawing process.
public struct MemoryFigures: Encodable {
  var residentPeakBytes: Int
  var bitmapBytes: Int?
  var textureBytes: Int
  var catalogueBytesPerItem: Double?
}
