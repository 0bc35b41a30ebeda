/// A colour of eight bits a channel in sRGB, alpha straight.
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
  /// Nothing at all.
  public static let clear = Color(red: 0, green: 0, blue: 0, alpha: 0)

  /// Makes a colour from its channels.
  public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
    self.red = red
    self.green = green
    self.blue = blue
    self.alpha = alpha
  }

  /// Makes a colour from a number such as `0xRRGGBB`.
  public init(hex: UInt32, alpha: UInt8 = 255) {
    self.init(
      red: UInt8(truncatingIfNeeded: hex >> 16), green: UInt8(truncatingIfNeeded: hex >> 8),
      blue: UInt8(truncatingIfNeeded: hex), alpha: alpha)
  }

  /// The same colour at another opacity, 0 to 1.
  public func opacity(_ opacity: Double) -> Color {
    var color = self
    color.alpha = UInt8(max(0, min(255, (Double(alpha) * opacity).rounded())))
    return color
  }

  /// The bytes R, G, B, A as one number with red lowest: the order of a bitmap's bytes in memory.
  public var packed: UInt32 {
    UInt32(red) | UInt32(green) << 8 | UInt32(blue) << 16 | UInt32(alpha) << 24
  }

  /// Makes a colour from ``packed``.
  public init(packed: UInt32) {
    self.init(
      red: UInt8(truncatingIfNeeded: packed), green: UInt8(truncatingIfNeeded: packed >> 8),
      blue: UInt8(truncatingIfNeeded: packed >> 16), alpha: UInt8(truncatingIfNeeded: packed >> 24))
  }
}
