/// A colour in sRGB with eight bits a channel and straight alpha.
public struct Color: Hashable, Sendable, BitwiseCopyable {
  /// Red, 0 to 255.
  public var red: UInt8
  /// Green, 0 to 255.
  public var green: UInt8
  /// Blue, 0 to 255.
  public var blue: UInt8
  /// Opacity, 0 to 255.
  public var alpha: UInt8

  /// Opaque white.
  public static let white = Color(hex: 0xFFFFFF)
  /// Opaque black.
  public static let black = Color(hex: 0x000000)
  /// Fully transparent black.
  public static let clear = Color(red: 0, green: 0, blue: 0, alpha: 0)

  /// Creates a colour from its channels.
  public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
    self.red = red
    self.green = green
    self.blue = blue
    self.alpha = alpha
  }

  /// Creates a colour from a number such as `0xRRGGBB`.
  public init(hex: UInt32, alpha: UInt8 = 255) {
    self.init(
      red: UInt8(truncatingIfNeeded: hex >> 16), green: UInt8(truncatingIfNeeded: hex >> 8),
      blue: UInt8(truncatingIfNeeded: hex), alpha: alpha)
  }

  /// Returns the colour with its alpha multiplied by an opacity of 0 to 1.
  public func opacity(_ opacity: Double) -> Color {
    var color = self
    color.alpha = UInt8(max(0, min(255, (Double(alpha) * opacity).rounded())))
    return color
  }

  /// The channels as one number with red in the lowest byte, which is the order of a bitmap's bytes in memory.
  public var packed: UInt32 {
    UInt32(red) | UInt32(green) << 8 | UInt32(blue) << 16 | UInt32(alpha) << 24
  }

  /// Creates a colour from ``packed``.
  public init(packed: UInt32) {
    self.init(
      red: UInt8(truncatingIfNeeded: packed), green: UInt8(truncatingIfNeeded: packed >> 8),
      blue: UInt8(truncatingIfNeeded: packed >> 16), alpha: UInt8(truncatingIfNeeded: packed >> 24))
  }
}

/// The order of the first three bytes of a pixel.
///
/// The fourth byte is alpha or unused.
public enum ChannelOrder: Hashable, Sendable {
  /// Red, green, blue: the order of decoders, files and graphics hardware.
  case redFirst
  /// Blue, green, red: the order of most window systems.
  case blueFirst

  /// Returns a colour as the four bytes of a pixel, the first byte lowest.
  @inline(__always)
  package func pixel(_ color: Color) -> UInt32 {
    switch self {
    case .redFirst: color.packed
    case .blueFirst: ChannelOrder.swappingRedAndBlue(color.packed)
    }
  }

  /// Returns a pixel with its first and third channel exchanged.
  ///
  /// The first byte is the lowest.
  @inline(__always)
  package static func swappingRedAndBlue(_ pixel: UInt32) -> UInt32 {
    pixel & 0xFF00_FF00 | (pixel & 0xFF) << 16 | pixel >> 16 & 0xFF
  }

  /// Exchanges the first and third channel of pixels in place.
  /// - Complexity: O(pixels).
  package static func swapRedAndBlue(in memory: UnsafeMutableRawBufferPointer) {
    for pixel in memory.bindMemory(to: UInt32.self).indices {
      let offset = pixel * 4
      let word = UInt32(littleEndian: memory.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
      memory.storeBytes(of: swappingRedAndBlue(word).littleEndian, toByteOffset: offset, as: UInt32.self)
    }
  }
}
