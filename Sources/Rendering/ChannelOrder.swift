/// In which order the first three bytes of a pixel have its channels; the fourth is alpha or of no account.
public enum ChannelOrder: Hashable, Sendable {
  /// Red, green, blue: what decoders write, files have and hardware takes.
  case redFirst
  /// Blue, green, red: what most window systems have.
  case blueFirst

  /// A colour as a pixel's four bytes, the first one lowest.
  @inline(__always)
  package func pixel(_ color: Color) -> UInt32 {
    switch self {
    case .redFirst: color.packed
    case .blueFirst: ChannelOrder.swappingRedAndBlue(color.packed)
    }
  }

  /// A pixel with its first and third channel exchanged, the first byte lowest.
  @inline(__always)
  package static func swappingRedAndBlue(_ pixel: UInt32) -> UInt32 {
    pixel & 0xFF00_FF00 | (pixel & 0xFF) << 16 | pixel >> 16 & 0xFF
  }

  /// Exchanges the first and third channel of pixels where they are.
  /// - Complexity: O(pixels).
  package static func swapRedAndBlue(in memory: UnsafeMutableRawBufferPointer) {
    for pixel in memory.bindMemory(to: UInt32.self).indices {
      let place = pixel * 4
      let word = UInt32(littleEndian: memory.loadUnaligned(fromByteOffset: place, as: UInt32.self))
      memory.storeBytes(of: swappingRedAndBlue(word).littleEndian, toByteOffset: place, as: UInt32.self)
    }
  }
}
