/// The name of a texture.
///
/// A name that was released never names another texture: it carries a generation.
public struct TextureID: Hashable, Sendable, BitwiseCopyable {
  /// The slot in the lower 20 bits, the generation in the 11 above; 0 names no texture.
  public let rawValue: Int32

  /// No texture.
  public static let none = TextureID(rawValue: 0)

  /// Makes a name from its number.
  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// Makes a name from a slot and the number of its use.
  public init(slot: Int, generation: Int) {
    rawValue = Int32((generation & 0x7FF) << 20 | (slot & 0xF_FFFF))
  }

  /// The slot in the table of textures.
  public var slot: Int { Int(rawValue & 0xF_FFFF) }

  /// Which use of the slot is meant.
  public var generation: Int { Int(rawValue >> 20) & 0x7FF }
}
