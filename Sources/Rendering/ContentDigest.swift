/// A running 64-bit digest of bytes and numbers, the same on every machine; no defence against an adversary.
///
/// Words are mixed by multiplication and rotation in the manner of Yann Collet's xxHash (2012), four lanes at a time so
/// that a thumbnail costs microseconds.
public struct ContentDigest: Sendable {
  private var state: UInt64 = 0x9E37_79B9_7F4A_7C15

  private static let multiplier: UInt64 = 0xC2B2_AE3D_27D4_EB4F
  private static let secondMultiplier: UInt64 = 0x1656_67B1_9E37_79F9

  /// An empty digest.
  public init() {}

  /// The digest of what was combined so far.
  public var value: UInt64 {
    var value = state
    value ^= value >> 33
    value &*= ContentDigest.multiplier
    value ^= value >> 29
    value &*= ContentDigest.secondMultiplier
    return value ^ (value >> 32)
  }

  /// Mixes in a number.
  @inline(__always)
  public mutating func combine(_ word: UInt64) {
    state = ContentDigest.mixed(state, word)
  }

  /// Mixes in bytes and their count.
  /// - Complexity: O(bytes).
  public mutating func combine(bytes: UnsafeRawBufferPointer) { combine(bytes) { $0 } }

  /// Mixes in pixels of four bytes and their count: as they are, or with the first and third byte of each exchanged.
  /// - Complexity: O(bytes).
  mutating func combine(bytes: UnsafeRawBufferPointer, exchangesChannels: Bool) {
    guard exchangesChannels else { return combine(bytes: bytes) }
    combine(bytes) { word in
      let channels: UInt64 = 0x0000_00FF_0000_00FF
      return word & 0xFF00_FF00_FF00_FF00 | (word & channels) << 16 | word >> 16 & channels
    }
  }

  /// - Parameter read: what a word of eight bytes stands for; of those at the end, that are fewer, the others are 0.
  @inline(__always)
  private mutating func combine(_ bytes: UnsafeRawBufferPointer, _ read: (UInt64) -> UInt64) {
    var first = state
    var second = state &+ ContentDigest.multiplier
    var third = state ^ ContentDigest.secondMultiplier
    var fourth = state &- ContentDigest.multiplier
    var offset = 0
    while offset + 32 <= bytes.count {
      first = ContentDigest.mixed(first, read(bytes.word(at: offset)))
      second = ContentDigest.mixed(second, read(bytes.word(at: offset + 8)))
      third = ContentDigest.mixed(third, read(bytes.word(at: offset + 16)))
      fourth = ContentDigest.mixed(fourth, read(bytes.word(at: offset + 24)))
      offset += 32
    }
    combine(first)
    combine(second)
    combine(third)
    combine(fourth)
    while offset < bytes.count {
      // Four at a time, as pixels are.
      let count = min(4, bytes.count - offset)
      let word = (0..<count).reduce(UInt64(0)) { $0 | UInt64(bytes[offset + $1]) << UInt64($1 * 8) }
      let meant = read(word)
      for place in 0..<count { combine(meant >> UInt64(place * 8) & 0xFF) }
      offset += count
    }
    combine(UInt64(bytes.count))
  }

  @inline(__always)
  private static func mixed(_ state: UInt64, _ word: UInt64) -> UInt64 {
    let product = (state ^ word) &* multiplier
    return (product << 31 | product >> 33) &* secondMultiplier
  }
}

extension UnsafeRawBufferPointer {
  @inline(__always)
  fileprivate func word(at offset: Int) -> UInt64 {
    UInt64(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }
}
