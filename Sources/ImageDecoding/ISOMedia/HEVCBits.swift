/// The bits of a HEVC unit, from the highest; past its end they are nought.
struct HEVCBits {
  private let bytes: [UInt8]
  private var place = 0

  /// - Parameter unit: its bytes; a 3 behind two noughts is there to keep start codes away, and is left out.
  init(_ unit: Slice<UnsafeRawBufferPointer>) {
    var bytes: [UInt8] = []
    var noughts = 0
    for byte in unit {
      if noughts >= 2, byte == 3 {
        noughts = 0
        continue
      }
      noughts = byte == 0 ? noughts + 1 : 0
      bytes.append(byte)
    }
    self.bytes = bytes
  }

  /// Whether more was asked for than there is.
  var isAtEnd: Bool { place > bytes.count * 8 }

  /// Leaves bits behind.
  mutating func pass(_ count: Int) { place += count }

  /// A number of so many bits.
  mutating func number(_ count: Int) -> Int {
    var number = 0
    for _ in 0..<count {
      let byte = place / 8 < bytes.count ? bytes[place / 8] : 0
      number = number << 1 | Int(byte >> (7 - place % 8) & 1)
      place += 1
    }
    return number
  }

  /// A number behind as many noughts as it has bits less one (section 9.2); more than 31 are the end.
  mutating func exponential() -> Int {
    var noughts = 0
    while number(1) == 0 {
      noughts += 1
      if noughts > 31 || isAtEnd {
        place = bytes.count * 8 + 1
        return 0
      }
    }
    return (1 << noughts) - 1 + number(noughts)
  }
}
