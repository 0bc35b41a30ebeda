public import VitrineGeometry
public import VitrineRendering
public import VitrineViews

/// The content of a standard list cell: an image, a text, and a secondary text below or beside it.
///
///     var content = ListContentConfiguration()
///     content.text = "Paris"
///     content.secondaryText = "2,102,650 inhabitants"
///     cell.contentConfiguration = content
public struct ListContentConfiguration: ContentConfiguration, Hashable, Sendable {
  /// The style and the color of a text.
  public struct TextProperties: Hashable, Sendable {
    /// The typeface, weight and size.
    public var style: TextStyle
    /// The color, or nil for that of the collection view's palette.
    public var color: Color?

    /// Creates properties.
    public init(style: TextStyle, color: Color? = nil) {
      self.style = style
      self.color = color
    }
  }

  /// The image at the leading edge, or nil for none.
  ///
  /// Default: nil.
  public var image: Bitmap?
  /// The size of the image, in points.
  ///
  /// Default: 28 by 28.
  public var imageSize = Size(width: 28, height: 28)
  /// The text.
  ///
  /// Default: empty.
  public var text: String
  /// The secondary text.
  ///
  /// Default: empty.
  public var secondaryText: String
  /// The style of the text.
  public var textProperties = TextProperties(style: TextStyle(size: 15))
  /// The style of the secondary text.
  public var secondaryTextProperties = TextProperties(style: TextStyle(size: 13))
  /// Whether the secondary text is beside the text, at the trailing edge.
  ///
  /// Default: false.
  public var prefersSideBySideTextAndSecondaryText = false
  /// The distances of the content from the cell's edges, in points.
  public var layoutMargins = Insets(top: 8, left: 16, bottom: 8, right: 16)
  /// The space between the image and the text, in points.
  ///
  /// Default: 12.
  public var imageToTextPadding = 12.0
  /// The space between the text and the secondary text, in points.
  ///
  /// Default: 2.
  public var textToSecondaryTextVerticalPadding = 2.0
  /// The minimum height, in points.
  ///
  /// Default: 40.
  public var minimumHeight = 40.0

  /// Creates content with a text.
  public init(text: String = "", secondaryText: String = "", image: Bitmap? = nil) {
    self.text = text
    self.secondaryText = secondaryText
    self.image = image
  }

  /// Content whose secondary text is beside the text, as a value in a list of settings.
  public static var valueCell: ListContentConfiguration {
    var content = ListContentConfiguration()
    content.prefersSideBySideTextAndSecondaryText = true
    return content
  }

  /// Content of a header: a smaller, stronger text.
  public static var groupedHeader: ListContentConfiguration {
    var content = ListContentConfiguration()
    content.textProperties.style = TextStyle(size: 12, weight: .semibold)
    content.minimumHeight = 28
    return content
  }

  /// Returns whether two contents look the same; images are compared by identity.
  public static func == (left: Self, right: Self) -> Bool {
    left.image === right.image && left.imageSize == right.imageSize && left.text == right.text
      && left.secondaryText == right.secondaryText && left.textProperties == right.textProperties
      && left.secondaryTextProperties == right.secondaryTextProperties
      && left.prefersSideBySideTextAndSecondaryText == right.prefersSideBySideTextAndSecondaryText
      && left.layoutMargins == right.layoutMargins && left.imageToTextPadding == right.imageToTextPadding
      && left.textToSecondaryTextVerticalPadding == right.textToSecondaryTextVerticalPadding
      && left.minimumHeight == right.minimumHeight
  }

  /// Hashes the texts and the image.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(text)
    hasher.combine(secondaryText)
    hasher.combine(image.map(ObjectIdentifier.init))
  }

  /// Returns a view for the content.
  public func makeContentView() -> ListContentView { ListContentView(self) }

  /// Displays the content.
  public func update(_ view: ListContentView, in context: ContentContext) { view.show(self, context.palette) }

  /// Returns the size of the content in the width that the layout computed.
  public func preferredSize(of view: ListContentView, fitting size: Size) -> Size? {
    Size(width: size.width, height: view.preferredHeight)
  }
}

/// The view of a ``ListContentConfiguration``.
@MainActor
public final class ListContentView: View {
  private let imageView = ImageView()
  private let label: Label
  private let secondaryLabel: Label
  private var configuration: ListContentConfiguration

  fileprivate init(_ configuration: ListContentConfiguration) {
    self.configuration = configuration
    label = Label(style: configuration.textProperties.style, color: .white)
    secondaryLabel = Label(style: configuration.secondaryTextProperties.style, color: .white)
    super.init()
    isUserInteractionEnabled = false
    imageView.isUserInteractionEnabled = false
    for view in [imageView, label, secondaryLabel] as [View] { addSubview(view) }
  }

  fileprivate func show(_ configuration: ListContentConfiguration, _ palette: InterfacePalette) {
    self.configuration = configuration
    imageView.image = configuration.image
    imageView.isHidden = configuration.image == nil
    label.text = configuration.text
    label.style = configuration.textProperties.style
    label.textColor = configuration.textProperties.color ?? palette.label
    secondaryLabel.text = configuration.secondaryText
    secondaryLabel.style = configuration.secondaryTextProperties.style
    secondaryLabel.textColor = configuration.secondaryTextProperties.color ?? palette.secondaryLabel
    secondaryLabel.isHidden = configuration.secondaryText.isEmpty
    secondaryLabel.textAlignment = configuration.prefersSideBySideTextAndSecondaryText ? .trailing : .leading
    setNeedsLayout()
  }

  /// The height of the content with its margins, in points.
  fileprivate var preferredHeight: Double {
    let (first, second) = (lineHeight(configuration.textProperties.style), secondaryLineHeight)
    let lines =
      configuration.prefersSideBySideTextAndSecondaryText
      ? max(first, second) : first + (second > 0 ? configuration.textToSecondaryTextVerticalPadding + second : 0)
    let image = configuration.image == nil ? 0 : configuration.imageSize.height
    let margins = configuration.layoutMargins
    return max(configuration.minimumHeight, max(lines, image) + margins.top + margins.bottom).rounded(.up)
  }

  private var secondaryLineHeight: Double {
    configuration.secondaryText.isEmpty ? 0 : lineHeight(configuration.secondaryTextProperties.style)
  }

  /// Returns the distance between lines of a style; an estimate outside a window.
  private func lineHeight(_ style: TextStyle) -> Double {
    guard let resources = window?.resources else { return (style.size * 1.25).rounded(.up) }
    let metrics = resources.text.metrics(style, scale: resources.scale)
    return resources.scale.length(ofPixels: Int32(metrics.lineHeight))
  }

  public override func layoutSubviews() {
    let margins = configuration.layoutMargins
    var x = margins.left
    if configuration.image != nil {
      let size = configuration.imageSize
      imageView.frame = Rect(
        x: x, y: ((bounds.height - size.height) / 2).rounded(), width: size.width, height: size.height)
      x += size.width + configuration.imageToTextPadding
    }
    let width = max(0, bounds.width - x - margins.right)
    let (first, second) = (lineHeight(label.style), secondaryLineHeight)
    if configuration.prefersSideBySideTextAndSecondaryText {
      let half = second > 0 ? (width * 0.6).rounded() : width
      label.frame = Rect(x: x, y: 0, width: half, height: bounds.height)
      secondaryLabel.frame = Rect(x: x + half + 8, y: 0, width: max(0, width - half - 8), height: bounds.height)
    } else {
      let padding = second > 0 ? configuration.textToSecondaryTextVerticalPadding : 0
      let top = ((bounds.height - first - padding - second) / 2).rounded()
      label.frame = Rect(x: x, y: top, width: width, height: first)
      secondaryLabel.frame = Rect(x: x, y: top + first + padding, width: width, height: second)
    }
  }
}
