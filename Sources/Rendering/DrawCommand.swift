public import Geometry

/// One thing to draw, in device pixels.
///
/// Trivial: a frame's list is copied without a retain.
public struct DrawCommand: Hashable, Sendable, BitwiseCopyable {
  /// What a command does.
  public enum Kind: UInt8, Sendable, BitwiseCopyable {
    /// Fills the destination with the colour.
    case fill
    /// Copies the source rectangle of the texture to the destination, tinted by the colour.
    case texture
    /// Restricts what follows to the destination, until the next `clip` or `endClip`.
    case clip
    /// Lifts the restriction.
    case endClip
  }

  /// What to do.
  public var kind: Kind
  /// Whether alpha is blended; otherwise pixels are copied.
  public var isBlended: Bool
  /// The texture, where the kind is `texture`.
  public var texture: TextureID
  /// The fill, or the tint that multiplies the texture; white leaves it as it is.
  public var color: Color
  /// Where it goes.
  public var destination: PixelRect
  /// Which part of the texture.
  public var source: PixelRect

  /// Makes a command.
  public init(
    kind: Kind, isBlended: Bool = false, texture: TextureID = .none, color: Color = .white,
    destination: PixelRect = .zero, source: PixelRect = .zero
  ) {
    self.kind = kind
    self.isBlended = isBlended
    self.texture = texture
    self.color = color
    self.destination = destination
    self.source = source
  }

  /// A filled rectangle.
  public static func fill(_ destination: PixelRect, _ color: Color) -> DrawCommand {
    DrawCommand(kind: .fill, isBlended: color.alpha < 255, color: color, destination: destination)
  }
}
