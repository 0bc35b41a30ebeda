public import VitrineGeometry
public import VitrineRendering
public import VitrineViews

/// The content of a cell that shows one line of text.
public struct TextContentConfiguration: ContentConfiguration, Hashable, Sendable {
  /// The text.
  public var text: String
  /// The typeface, weight and size.
  public var style: TextStyle
  /// The color, or nil for that of the collection view's palette.
  public var color: Color?
  /// The horizontal alignment.
  public var alignment: Label.Alignment
  /// The distances of the text from the cell's edges, in points.
  public var layoutMargins: Insets

  /// Creates content.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - style: The typeface, weight and size. Default: 15 points.
  ///   - color: The color, or nil for that of the collection view's palette. Default: nil.
  ///   - alignment: The horizontal alignment. Default: center.
  ///   - layoutMargins: The space around the text. Default: 4 points above and below, and 8 at the sides.
  public init(
    _ text: String, style: TextStyle = TextStyle(size: 15), color: Color? = nil, alignment: Label.Alignment = .center,
    layoutMargins: Insets = Insets(top: 4, left: 8, bottom: 4, right: 8)
  ) {
    self.text = text
    self.style = style
    self.color = color
    self.alignment = alignment
    self.layoutMargins = layoutMargins
  }

  /// Returns a view for the text.
  public func makeContentView() -> TextContentView { TextContentView(self) }

  /// Displays the text.
  public func update(_ view: TextContentView, in context: ContentContext) { view.show(self, context.palette) }

  /// Returns the height of the line with its margins, in the width that the layout computed.
  public func preferredSize(of view: TextContentView, fitting size: Size) -> Size? {
    Size(width: size.width, height: (style.size * 1.25 + layoutMargins.top + layoutMargins.bottom).rounded(.up))
  }
}

/// The view of a ``TextContentConfiguration``.
@MainActor
public final class TextContentView: View {
  private let label: Label
  private var margins: Insets

  fileprivate init(_ configuration: TextContentConfiguration) {
    label = Label(style: configuration.style, color: .white, alignment: configuration.alignment)
    margins = configuration.layoutMargins
    super.init()
    isUserInteractionEnabled = false
    addSubview(label)
  }

  fileprivate func show(_ configuration: TextContentConfiguration, _ palette: InterfacePalette) {
    label.text = configuration.text
    label.style = configuration.style
    label.textColor = configuration.color ?? palette.label
    label.textAlignment = configuration.alignment
    if margins != configuration.layoutMargins {
      margins = configuration.layoutMargins
      setNeedsLayout()
    }
  }

  public override func layoutSubviews() {
    label.frame = Rect(
      x: margins.left, y: margins.top, width: max(0, bounds.width - margins.left - margins.right),
      height: max(0, bounds.height - margins.top - margins.bottom))
  }
}
