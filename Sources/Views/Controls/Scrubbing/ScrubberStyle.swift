public import Rendering

/// The colours of a scrubber.
public struct ScrubberStyle: Hashable, Sendable {
  /// Behind texts: opaque enough for any picture beneath.
  public var surface: Color
  /// Around what texts stand on.
  public var border: Color
  /// Behind the bubble's text.
  public var bubble: Color
  /// What matters more: groups, and what the bubble says.
  public var primaryText: Color
  /// What matters less.
  public var secondaryText: Color
  /// The marks along the line.
  public var mark: Color

  /// Makes a style.
  public init(
    surface: Color, border: Color, bubble: Color, primaryText: Color, secondaryText: Color, mark: Color
  ) {
    self.surface = surface
    self.border = border
    self.bubble = bubble
    self.primaryText = primaryText
    self.secondaryText = secondaryText
    self.mark = mark
  }

  /// Light type on dark surfaces.
  public static let dark = ScrubberStyle(
    surface: Color(hex: 0x16171B, alpha: 224), border: Color(hex: 0xFFFFFF, alpha: 28),
    bubble: Color(hex: 0x26282E, alpha: 246), primaryText: Color(hex: 0xECECEF), secondaryText: Color(hex: 0xA9AAB3),
    mark: Color(hex: 0xFFFFFF, alpha: 90))

  /// Dark type on light surfaces.
  public static let light = ScrubberStyle(
    surface: Color(hex: 0xFFFFFF, alpha: 232), border: Color(hex: 0x000000, alpha: 30),
    bubble: Color(hex: 0xFFFFFF, alpha: 250), primaryText: Color(hex: 0x1B1C20), secondaryText: Color(hex: 0x5C5E67),
    mark: Color(hex: 0x000000, alpha: 90))
}
