extension WireWords {
  /// A number of 64 bits in two words, the lower half first.
  func uint64(at index: Int) -> UInt64 { UInt64(self[index]) | UInt64(self[index + 1]) << 32 }

  /// Writes a number of 64 bits into two words.
  mutating func setUInt64(_ number: UInt64, at index: Int) {
    self[index] = UInt32(truncatingIfNeeded: number)
    self[index + 1] = UInt32(truncatingIfNeeded: number >> 32)
  }
}
