import VitrineRendering
import VitrineViews

/// The colors and text styles of the gallery: neutral greys that do not compete with the photographs, and one accent.
///
/// Text has a contrast of at least 4.5:1 with each background on which it is drawn, and 7:1 in the themes with high
/// contrast.
package nonisolated struct Theme: Hashable, Sendable {
  /// Whether the theme is for users who need high contrast.
  var hasHighContrast = false
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
  /// Names, titles and the ring that marks the keyboard focus.
  var primaryText: Color
  /// Captions and counts.
  var secondaryText: Color
  /// Hints and disabled entries.
  var tertiaryText: Color
  /// Progress, selection and titles of groups.
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
  /// The badge on a picture, and its text.
  var badge = Color(hex: 0x000000, alpha: 200)
  var badgeText = Color(hex: 0xECECEF)
  /// The background of the viewer, and of the bar at its lower edge.
  var viewer = Color(hex: 0x0A0A0C)
  var viewerBar = Color(hex: 0x0A0A0C, alpha: 224)
  /// The thumb of the scroll indicator.
  var indicator: Color
  /// The labels next to the scroll indicator.
  var scrubber: ScrubberStyle

  /// Light text on a dark background.
  package static let dark = Theme(
    background: Color(hex: 0x121316), placeholder: Color(hex: 0x2B2C32), brokenSurface: Color(hex: 0x2B2C32),
    bar: Color(hex: 0x17181C), separator: Color(hex: 0x2E2F36), primaryText: Color(hex: 0xECECEF),
    secondaryText: Color(hex: 0xA6A7B0), tertiaryText: Color(hex: 0x92939D), accent: Color(hex: 0x7FB2FF),
    onAccent: Color(hex: 0x0B1B33), selectedRow: Color(hex: 0x24344E), panel: Color(hex: 0x232429),
    panelEdge: Color(hex: 0x44454E), panelHighlight: Color(hex: 0x2A3D5B), keyFace: Color(hex: 0x3A3B43),
    keyEdge: Color(hex: 0x17181B), indicator: Color(hex: 0xFFFFFF, alpha: 84), scrubber: .dark)

  /// Dark text on a light background.
  package static let light = Theme(
    background: Color(hex: 0xF4F4F6), placeholder: Color(hex: 0xD5D5DB), brokenSurface: Color(hex: 0xD5D5DB),
    bar: Color(hex: 0xFBFBFC), separator: Color(hex: 0xDADADF), primaryText: Color(hex: 0x1B1C20),
    secondaryText: Color(hex: 0x50525B), tertiaryText: Color(hex: 0x595B64), accent: Color(hex: 0x1F63C6),
    onAccent: Color(hex: 0xFFFFFF), selectedRow: Color(hex: 0xCFDFF7), panel: Color(hex: 0xFFFFFF),
    panelEdge: Color(hex: 0xC9C9D0), panelHighlight: Color(hex: 0xD6E4FA), keyFace: Color(hex: 0xF0F0F3),
    keyEdge: Color(hex: 0xB9B9C2), indicator: Color(hex: 0x000000, alpha: 96), scrubber: .light)

  /// White text on black.
  package static let highContrastDark = Theme(
    hasHighContrast: true, background: Color(hex: 0x000000), placeholder: Color(hex: 0x26272C),
    brokenSurface: Color(hex: 0x26272C), bar: Color(hex: 0x000000), separator: Color(hex: 0x84858E),
    primaryText: Color(hex: 0xFFFFFF), secondaryText: Color(hex: 0xDCDDE2), tertiaryText: Color(hex: 0xC2C3CA),
    accent: Color(hex: 0x9CC5FF), onAccent: Color(hex: 0x000000), selectedRow: Color(hex: 0x1D3560),
    panel: Color(hex: 0x121316), panelEdge: Color(hex: 0xA0A1AA), panelHighlight: Color(hex: 0x233F6E),
    keyFace: Color(hex: 0x2A2B30), keyEdge: Color(hex: 0x84858E), badge: Color(hex: 0x000000, alpha: 232),
    badgeText: Color(hex: 0xFFFFFF), viewerBar: Color(hex: 0x000000), indicator: Color(hex: 0xFFFFFF, alpha: 200),
    scrubber: .highContrastDark)

  /// Black text on white.
  package static let highContrastLight = Theme(
    hasHighContrast: true, background: Color(hex: 0xFFFFFF), placeholder: Color(hex: 0xDDDDE2),
    brokenSurface: Color(hex: 0xDDDDE2), bar: Color(hex: 0xFFFFFF), separator: Color(hex: 0x76777F),
    primaryText: Color(hex: 0x000000), secondaryText: Color(hex: 0x2C2D33), tertiaryText: Color(hex: 0x3C3D45),
    accent: Color(hex: 0x0A47A0), onAccent: Color(hex: 0xFFFFFF), selectedRow: Color(hex: 0xCFE0FA),
    panel: Color(hex: 0xFFFFFF), panelEdge: Color(hex: 0x5C5E67), panelHighlight: Color(hex: 0xD3E3FB),
    keyFace: Color(hex: 0xF0F0F3), keyEdge: Color(hex: 0x76777F), badge: Color(hex: 0x000000, alpha: 232),
    badgeText: Color(hex: 0xFFFFFF), viewerBar: Color(hex: 0x000000), indicator: Color(hex: 0x000000, alpha: 200),
    scrubber: .highContrastLight)

  /// The theme of the viewer, which is dark in every theme, as a light surface around a photograph dazzles.
  var ofViewer: Theme { hasHighContrast ? .highContrastDark : .dark }

  /// The colors of the squares behind transparent pictures: neither black nor white drawings vanish before them.
  static let checkerboard = (Color(hex: 0x6C6C6C), Color(hex: 0x868686))

  /// The color over a control or row that is chosen, that the pointer is over, or that is pressed.
  var chosenOverlay: Color { accent.opacity(0.22) }
  var hoverOverlay: Color { primaryText.opacity(0.08) }
  var pressOverlay: Color { primaryText.opacity(0.16) }

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

/// A view with colors of the theme.
///
/// A view receives the theme when it is made, and every later one while it is in the screen's hierarchy.
protocol ThemedView: View {
  /// The colors.
  ///
  /// A new value makes the view set its labels' colors and draw again.
  var theme: Theme { get set }
}

extension View {
  /// Sets the theme of this view and its descendants.
  ///
  /// Subviews of a view that adapts the theme, as the viewer does, receive the adapted one.
  func applyTheme(_ theme: Theme) {
    let view = self as? any ThemedView
    view?.theme = theme
    let adapted = view?.theme ?? theme
    for subview in subviews { subview.applyTheme(adapted) }
  }
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
  /// The maximum width of a label of the timeline.
  static let timelineLabelWidth = 34.0
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
