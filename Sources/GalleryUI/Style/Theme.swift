import Rendering
import Views

/// Colours and type of the gallery: calm greys that leave colour to the photographs.
struct Theme: Hashable, Sendable {
  /// Behind everything.
  var background: Color
  /// A photograph's place before it is there.
  var placeholder: Color
  /// A photograph's place where it cannot be shown.
  var brokenSurface: Color
  /// Bars and panels.
  var bar: Color
  /// Hairlines.
  var separator: Color
  /// Names and titles.
  var primaryText: Color
  /// Captions and counts.
  var secondaryText: Color
  /// Hints.
  var tertiaryText: Color
  /// Progress and focus.
  var accent: Color
  /// What stands on the accent.
  var onAccent: Color
  /// A selected row's ground.
  var selectedRow: Color
  /// The ground of what lies over the photographs: menus, tips and sheets.
  var panel: Color
  /// The line around that.
  var panelEdge: Color
  /// The entry of a menu that is pointed at.
  var panelHighlight: Color
  /// A key's face, and its side.
  var keyFace: Color
  var keyEdge: Color
  /// Behind a picture that fills the window, and what lies over its edge.
  var viewer: Color
  var viewerBar: Color
  /// The thumb of the scroll indicator.
  var indicator: Color
  /// What stands beside it.
  var scrubber: ScrubberStyle

  /// Light type on a dark ground.
  static let dark = Theme(
    background: Color(hex: 0x121316), placeholder: Color(hex: 0x1E1F24), brokenSurface: Color(hex: 0x1A1B1F),
    bar: Color(hex: 0x16171B), separator: Color(hex: 0x26272D), primaryText: Color(hex: 0xECECEF),
    secondaryText: Color(hex: 0x9C9DA6), tertiaryText: Color(hex: 0x6D6E78), accent: Color(hex: 0x7FB2FF),
    onAccent: Color(hex: 0x0B1B33), selectedRow: Color(hex: 0x24344E), panel: Color(hex: 0x232429),
    panelEdge: Color(hex: 0x3A3B43), panelHighlight: Color(hex: 0x34496B),
    keyFace: Color(hex: 0x3A3B43), keyEdge: Color(hex: 0x17181B), viewer: Color(hex: 0x0A0A0C),
    viewerBar: Color(hex: 0x0A0A0C, alpha: 190),
    indicator: Color(hex: 0xFFFFFF, alpha: 84), scrubber: .dark)

  /// The title of a window's content.
  static let titleStyle = TextStyle(size: 15, weight: .semibold)
  /// The title of a section.
  static let sectionStyle = TextStyle(size: 15, weight: .semibold)
  /// A name in a list.
  static let rowStyle = TextStyle(size: 13)
  /// Counts beside a title.
  static let detailStyle = TextStyle(size: 13, hasMonospacedDigits: true)
  /// A photograph's name.
  static let captionStyle = TextStyle(size: 12)
  /// Why a photograph is not shown.
  static let reasonStyle = TextStyle(size: 12, weight: .medium)
  /// A word on a picture.
  static let badgeStyle = TextStyle(size: 11, weight: .medium)
  /// A key's name.
  static let keyStyle = TextStyle(size: 12, weight: .medium)
  /// The title of a group of keys.
  static let groupStyle = TextStyle(size: 13, weight: .semibold)
  /// The headline of an empty window.
  static let headlineStyle = TextStyle(size: 20, weight: .semibold)
}
