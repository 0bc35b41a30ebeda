/// Pixels between two others, channel by channel.
nonisolated enum PixelMix {
  private typealias Words = SIMD4<UInt32>

  /// Mixes four pixels with four others by how much of the second there is, of 256; to the nearest.
  @inline(__always)
  static func mix(
    _ first: SIMD4<UInt32>, _ second: SIMD4<UInt32>, _ weights: SIMD4<UInt32>
  ) -> SIMD4<UInt32> {
    let mask = Words(repeating: 0xFF_00FF)
    let half = Words(repeating: 0x80_0080)
    let eight = Words(repeating: 8)
    let rest = Words(repeating: 256) &- weights
    let even = ((first & mask) &* rest &+ (second & mask) &* weights &+ half) &>> eight & mask
    let odd = ((first &>> eight & mask) &* rest &+ (second &>> eight & mask) &* weights &+ half) & (mask &<< eight)
    return even | odd
  }

  /// Mixes two rows by how much of the second there is, of 256.
  static func mixRows(
    _ first: UnsafeRawPointer, _ second: UnsafeRawPointer, weight: UInt32, to target: UnsafeMutablePointer<UInt32>,
    count: Int
  ) {
    let weights = Words(repeating: weight)
    var offset = 0
    while offset + 16 <= count * 4 {
      let pixels = mix(
        first.loadUnaligned(fromByteOffset: offset, as: Words.self),
        second.loadUnaligned(fromByteOffset: offset, as: Words.self), weights)
      (UnsafeMutableRawPointer(target) + offset).storeBytes(of: pixels, as: Words.self)
      offset += 16
    }
    while offset < count * 4 {
      let one = Words(repeating: first.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
      let other = Words(repeating: second.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
      target[offset / 4] = mix(one, other, weights)[0]
      offset += 4
    }
  }
}
