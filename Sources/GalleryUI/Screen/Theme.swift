import Rendering
import Views

/// The colors and text styles of the gallery: neutral greys that do not compete with the photographs.
struct Theme: Hashable, Sendable {
  /// The background of the window.
  var background: Color
  /// The placeholder of a picture that is not available yet.
  var placeholder: Color
  /// The background of a photograph that cannot be shown.
  var brokenSurface: Color
  /// The title bar.
  var bar: Color
  /// Separators.
  var separator: Color
  /// Names and titles.
  var primaryText: Color
  /// Captions and counts.
  var secondaryText: Color
  /// Hints.
  var tertiaryText: Color
  /// Progress and focus.
  var accent: Color
  /// Content on the accent color.
  var onAccent: Color
  /// The background of a selected row.
  var selectedRow: Color
  /// The background of menus, tool tips and the list of keyboard shortcuts.
  var panel: Color
  /// The border of panels.
  var panelEdge: Color
  /// The highlighted entry of a menu.
  var panelHighlight: Color
  /// The face of a key cap, and its edge.
  var keyFace: Color
  var keyEdge: Color
  /// The background of the viewer, and of the bar at its lower edge.
  var viewer: Color
  var viewerBar: Color
  /// The thumb of the scroll indicator.
  var indicator: Color
  /// The labels next to the scroll indicator.
  var scrubber: ScrubberStyle

  /// The dark theme.
  static let dark = Theme(
    background: Color(hex: 0x121316), placeholder: Color(hex: 0x1E1F24), brokenSurface: Color(hex: 0x1A1B1F),
    bar: Color(hex: 0x16171B), separator: Color(hex: 0x26272D), primaryText: Color(hex: 0xECECEF),
    secondaryText: Color(hex: 0x9C9DA6), tertiaryText: Color(hex: 0x6D6E78), accent: Color(hex: 0x7FB2FF),
    onAccent: Color(hex: 0x0B1B33), selectedRow: Color(hex: 0x24344E), panel: Color(hex: 0x232429),
    panelEdge: Color(hex: 0x3A3B43), panelHighlight: Color(hex: 0x34496B),
    keyFace: Color(hex: 0x3A3B43), keyEdge: Color(hex: 0x17181B), viewer: Color(hex: 0x0A0A0C),
    viewerBar: Color(hex: 0x0A0A0C, alpha: 190),
    indicator: Color(hex: 0xFFFFFF, alpha: 84), scrubber: .dark)

  /// The title of the window's content.
  static let titleStyle = TextStyle(size: 15, weight: .semibold)
  /// The title of a section.
  static let sectionStyle = TextStyle(size: 15, weight: .semibold)
  /// A name in a list or menu.
  static let rowStyle = TextStyle(size: 13)
  /// Counts and details.
  static let detailStyle = TextStyle(size: 13, hasMonospacedDigits: true)
  /// The name of a photograph.
  static let captionStyle = TextStyle(size: 12)
  /// The reason why a photograph cannot be shown.
  static let reasonStyle = TextStyle(size: 12, weight: .medium)
  /// The badge on a picture.
  static let badgeStyle = TextStyle(size: 11, weight: .medium)
  /// The label of a key.
  static let keyStyle = TextStyle(size: 12, weight: .medium)
  /// The title of a group of keys.
  static let groupStyle = TextStyle(size: 13, weight: .semibold)
  /// The headline of an empty window.
  static let headlineStyle = TextStyle(size: 20, weight: .semibold)
}

/// The metrics of the gallery in points, mostly multiples of four.
nonisolated enum Metrics {
  /// The maximum number of pixels of a picture in the grid.
  ///
  /// A larger cell shows the picture enlarged.
  static let maximumPictureArea = 2 << 20

  /// The distance between the window's edges and the photographs.
  static let margin = 16.0
  /// The spacing between photographs with captions.
  static let spacing = 12.0
  /// The spacing between pictures without captions.
  static let narrowSpacing = 6.0
  /// The height of a section header.
  static let headerHeight = 48.0
  /// The height of the title bar.
  static let barHeight = 48.0
  /// The corner radius of photographs.
  static let cornerRadius = 8.0
  /// The corner radius of small or closely spaced photographs.
  static let smallCornerRadius = 4.0
  /// The width of the ring around a selected photograph.
  static let selectionWidth = 3.0
  /// The width of the ring that marks the keyboard focus.
  static let focusWidth = 2.0
  /// The width of the border of a focused row.
  static let rowFocusWidth = 1.5
  /// The height of a caption.
  static let captionHeight = 28.0
  /// The height of a photograph's cell divided by its width, without the caption.
  static let cellAspect = 3.0 / 4.0
}
