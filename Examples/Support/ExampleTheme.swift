public import Rendering

/// The examples' colours and type: calm greys that leave colour to what is shown.
public nonisolated struct ExampleTheme: Hashable, Sendable {
  /// Behind everything.
  public var background: Color
  /// Cards, rows and other surfaces on it.
  public var surface: Color
  /// A surface that is pressed, selected or pointed at.
  public var raisedSurface: Color
  /// The place of something that is not there yet.
  public var placeholder: Color
  /// Bars and headers.
  public var bar: Color
  /// Hairlines.
  public var separator: Color
  /// Names and titles.
  public var primaryText: Color
  /// Captions and counts.
  public var secondaryText: Color
  /// Hints.
  public var tertiaryText: Color
  /// Progress, focus, and what wants to be noticed.
  public var accent: Color
  /// What went wrong.
  public var warning: Color
  /// The thumb of the scroll indicator.
  public var indicator: Color

  /// Light type on a dark ground.
  public static let dark = ExampleTheme(
    background: Color(hex: 0x121316), surface: Color(hex: 0x1B1C21), raisedSurface: Color(hex: 0x26272D),
    placeholder: Color(hex: 0x24252B), bar: Color(hex: 0x16171B), separator: Color(hex: 0x2A2B31),
    primaryText: Color(hex: 0xECECEF), secondaryText: Color(hex: 0x9C9DA6), tertiaryText: Color(hex: 0x6D6E78),
    accent: Color(hex: 0x7FB2FF), warning: Color(hex: 0xF2A65A), indicator: Color(hex: 0xFFFFFF, alpha: 84))

  /// Dark type on a light ground.
  public static let light = ExampleTheme(
    background: Color(hex: 0xF4F4F6), surface: Color(hex: 0xFFFFFF), raisedSurface: Color(hex: 0xE9E9EE),
    placeholder: Color(hex: 0xE2E2E8), bar: Color(hex: 0xFAFAFC), separator: Color(hex: 0xDCDCE2),
    primaryText: Color(hex: 0x1A1B1F), secondaryText: Color(hex: 0x5F606A), tertiaryText: Color(hex: 0x8B8C96),
    accent: Color(hex: 0x2F6FDB), warning: Color(hex: 0x9A4A10), indicator: Color(hex: 0x000000, alpha: 84))

  /// The title of a window's content.
  public static let titleStyle = TextStyle(size: 17, weight: .semibold)
  /// The title of an item.
  public static let headlineStyle = TextStyle(size: 15, weight: .semibold)
  /// Running text.
  public static let bodyStyle = TextStyle(size: 13)
  /// Counts and captions.
  public static let captionStyle = TextStyle(size: 12, hasMonospacedDigits: true)
}
