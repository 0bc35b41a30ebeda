/// The checksum behind every chunk of a PNG file (CRC-32 of ISO 3309).
enum PNGChecksum {
  private static let table: [UInt32] = (0..<256).map { start in
    (0..<8).reduce(UInt32(start)) { rest, _ in rest & 1 == 0 ? rest >> 1 : rest >> 1 ^ 0xEDB8_8320 }
  }

  /// The checksum of bytes.
  /// - Complexity: O(count).
  static func checksum(of bytes: ArraySlice<UInt8>) -> UInt32 {
    let table = table
    return bytes.withUnsafeBufferPointer { bytes in
      var rest = UInt32.max
      for byte in bytes { rest = rest >> 8 ^ table[Int((rest ^ UInt32(byte)) & 255)] }
      return ~rest
    }
  }
}
