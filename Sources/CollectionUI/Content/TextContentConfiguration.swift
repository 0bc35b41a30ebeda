public import FoundationEssentials
public import VitrineGeometry
public import VitrineRendering
public import VitrineViews

/// The content of a cell that shows a text, by default in one line.
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

  /// The text with styles, colors and links of its parts, which is displayed instead of ``text``, or nil.
  ///
  /// Default: nil.
  public var attributedText: AttributedString?
  /// The maximum number of lines, or 0 for as many as necessary.
  ///
  /// A cell that sizes itself has the height of the lines. Default: 1.
  public var numberOfLines = 1
  /// The part that a text loses if it is too long.
  ///
  /// Default: the end.
  public var lineBreakMode = LineBreakMode.byTruncatingTail

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

  /// Returns the height of the lines with their margins, in the width that the layout computed.
  public func preferredSize(of view: TextContentView, fitting size: Size) -> Size? {
    let line = style.size * 1.25
    let lines = numberOfLines == 1 && attributedText == nil ? line : max(line, view.height(ofLinesIn: size.width))
    return Size(width: size.width, height: (lines + layoutMargins.top + layoutMargins.bottom).rounded(.up))
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
    if let attributedText = configuration.attributedText {
      label.attributedText = attributedText
    } else {
      label.text = configuration.text
    }
    label.numberOfLines = configuration.numberOfLines
    label.lineBreakMode = configuration.lineBreakMode
    label.style = configuration.style
    label.textColor = configuration.color ?? palette.label
    label.textAlignment = configuration.alignment
    if margins != configuration.layoutMargins {
      margins = configuration.layoutMargins
      setNeedsLayout()
    }
  }

  fileprivate func height(ofLinesIn width: Double) -> Double {
    label.sizeThatFits(Size(width: max(1, width - margins.left - margins.right), height: 0)).height
  }

  public override func layoutSubviews() {
    label.frame = Rect(
      x: margins.left, y: margins.top, width: max(0, bounds.width - margins.left - margins.right),
      height: max(0, bounds.height - margins.top - margins.bottom))
  }
}
