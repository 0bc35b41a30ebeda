public import VitrineRendering

/// The colors of standard cells, menus and swipe actions, in a dark and a light variant.
///
/// Text on ``background``, ``secondaryBackground`` and ``selection`` has a contrast of at least 4.5 to 1 in both.
public nonisolated struct InterfacePalette: Hashable, Sendable {
  /// The color of the collection view's background.
  public var background: Color
  /// The color of cells and groups on the background.
  public var secondaryBackground: Color
  /// The color of text.
  public var label: Color
  /// The color of less important text, and of symbols.
  public var secondaryLabel: Color
  /// The color of lines between cells.
  public var separator: Color
  /// The color of controls, check marks and rings.
  public var tint: Color
  /// The background of a selected cell.
  public var selection: Color
  /// The background of a cell under the pointer.
  public var hover: Color
  /// The background of a pressed cell.
  public var highlight: Color
  /// The color of text that names a destructive action, such as one that deletes an item.
  public var destructive: Color

  /// Creates a palette.
  public init(
    background: Color, secondaryBackground: Color, label: Color, secondaryLabel: Color, separator: Color, tint: Color,
    selection: Color, hover: Color, highlight: Color, destructive: Color = Color(hex: 0xFF8A80)
  ) {
    self.background = background
    self.secondaryBackground = secondaryBackground
    self.label = label
    self.secondaryLabel = secondaryLabel
    self.separator = separator
    self.tint = tint
    self.selection = selection
    self.hover = hover
    self.highlight = highlight
    self.destructive = destructive
  }

  /// Light text on dark backgrounds.
  public static let dark = InterfacePalette(
    background: Color(hex: 0x16171A), secondaryBackground: Color(hex: 0x222327), label: Color(hex: 0xF2F2F4),
    secondaryLabel: Color(hex: 0xB2B4BA), separator: Color(hex: 0x3A3B40), tint: Color(hex: 0x6EA8FE),
    selection: Color(hex: 0x2A4166), hover: Color(hex: 0x2A2B30), highlight: Color(hex: 0x35363C),
    destructive: Color(hex: 0xFF8A80))

  /// Dark text on light backgrounds.
  public static let light = InterfacePalette(
    background: Color(hex: 0xF3F3F5), secondaryBackground: Color(hex: 0xFFFFFF), label: Color(hex: 0x1B1C1F),
    secondaryLabel: Color(hex: 0x5D6067), separator: Color(hex: 0xD5D6DA), tint: Color(hex: 0x1F5FBF),
    selection: Color(hex: 0xCFE0FA), hover: Color(hex: 0xE9EAED), highlight: Color(hex: 0xDCDDE1),
    destructive: Color(hex: 0xB3261E))
}
