/// The checksum of PNG's chunks (ISO/IEC 15948, annex D).
struct CRC32 {
  private var register: UInt32 = 0xFFFF_FFFF

  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
  }

  /// The checksum of all bytes so far.
  var value: UInt32 { ~register }

  /// Takes further bytes.
  mutating func combine(_ bytes: UnsafeRawBufferPointer) {
    CRC32.table.withUnsafeBufferPointer { table in
      var register = register
      for byte in bytes { register = register >> 8 ^ table[Int(UInt8(truncatingIfNeeded: register) ^ byte)] }
      self.register = register
    }
  }
}
