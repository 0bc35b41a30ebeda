/// Bits in a row, from the highest of the first byte: the entropy-coded bytes of a JPEG file, or others.
struct EntropyBits {
  /// Whether a nought follows a byte of 255, as in JPEG.
  var stuffs = true
  private(set) var bytes: [UInt8] = []
  private var waiting = 0
  private var count = 0

  /// Appends the lowest bits of a number, from the highest of them.
  mutating func append(_ number: Int, count more: Int) {
    for place in (0..<more).reversed() {
      waiting = waiting << 1 | number >> place & 1
      count += 1
      if count == 8 { takeByte() }
    }
  }

  /// Fills the last byte with ones.
  mutating func pad() { while count > 0 { append(1, count: 1) } }

  /// Ends the bytes with the n-th restart marker.
  mutating func restart(_ number: Int) {
    pad()
    bytes += [0xFF, 0xD0 + UInt8(number & 7)]
  }

  private mutating func takeByte() {
    bytes.append(UInt8(waiting & 255))
    if stuffs, waiting & 255 == 255 { bytes.append(0) }
    waiting = 0
    count = 0
  }
}
