/// What kind of thing something on the screen is, for whoever cannot see it; named as in AT-SPI and ARIA.
public nonisolated enum AccessibilityRole: String, Hashable, Sendable {
  /// A window.
  case window
  /// Items in rows and columns.
  case grid
  /// Items one below the other.
  case list
  /// An item of a grid.
  case cell
  /// An item of a list.
  case listItem
  /// What names the items behind it.
  case heading
  /// Words.
  case text
}
