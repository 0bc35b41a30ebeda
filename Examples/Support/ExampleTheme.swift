public import CollectionUI
import VitrineHosting

/// The colors and text styles of the examples.
public nonisolated struct ExampleTheme: Hashable, Sendable {
  /// The background of the window.
  public var background: Color
  /// The background of cards, rows and other surfaces.
  public var surface: Color
  /// The background of a pressed, selected or hovered surface.
  public var raisedSurface: Color
  /// The background of content that is not loaded yet.
  public var placeholder: Color
  /// The background of bars and headers.
  public var bar: Color
  /// The color of hairlines.
  public var separator: Color
  /// The color of names and titles.
  public var primaryText: Color
  /// The color of captions and counts.
  public var secondaryText: Color
  /// The color of hints.
  public var tertiaryText: Color
  /// The color of progress, focus and highlights.
  public var accent: Color
  /// The color of errors.
  public var warning: Color
  /// The color of the scroll indicator.
  public var indicator: Color

  /// Light text on a dark background.
  public static let dark = ExampleTheme(
    background: Color(hex: 0x121316), surface: Color(hex: 0x1B1C21), raisedSurface: Color(hex: 0x26272D),
    placeholder: Color(hex: 0x24252B), bar: Color(hex: 0x16171B), separator: Color(hex: 0x2A2B31),
    primaryText: Color(hex: 0xECECEF), secondaryText: Color(hex: 0x9C9DA6), tertiaryText: Color(hex: 0x6D6E78),
    accent: Color(hex: 0x7FB2FF), warning: Color(hex: 0xF2A65A), indicator: Color(hex: 0xFFFFFF, alpha: 84))

  /// Dark text on a light background.
  public static let light = ExampleTheme(
    background: Color(hex: 0xF4F4F6), surface: Color(hex: 0xFFFFFF), raisedSurface: Color(hex: 0xE9E9EE),
    placeholder: Color(hex: 0xE2E2E8), bar: Color(hex: 0xFAFAFC), separator: Color(hex: 0xDCDCE2),
    primaryText: Color(hex: 0x1A1B1F), secondaryText: Color(hex: 0x5F606A), tertiaryText: Color(hex: 0x8B8C96),
    accent: Color(hex: 0x2F6FDB), warning: Color(hex: 0x9A4A10), indicator: Color(hex: 0x000000, alpha: 84))

  /// The style of a window's title.
  public static let titleStyle = TextStyle(size: 17, weight: .semibold)
  /// The style of an item's title.
  public static let headlineStyle = TextStyle(size: 15, weight: .semibold)
  /// The style of body text.
  public static let bodyStyle = TextStyle(size: 13)
  /// The style of counts and captions.
  public static let captionStyle = TextStyle(size: 12, hasMonospacedDigits: true)
}

/// The values of the option `--theme`.
enum ThemeChoice: String, CaseIterable {
  case auto
  case dark
  case light

  /// Returns the theme for a run.
  ///
  /// `auto` follows the color scheme of the desktop. It is dark if the desktop specifies none, and in headless and
  /// simulated runs, whose frames are the same on every machine.
  func theme(for options: HostingOptions) -> ExampleTheme {
    switch self {
    case .auto:
      let isReproducible = options.isHeadless || options.clock.isSimulated
      return !isReproducible && ColorScheme.ofDesktop == .light ? .light : .dark
    case .dark: return .dark
    case .light: return .light
    }
  }
}
