public import FoundationEssentials
public import VitrineGeometry
public import VitrineRendering

/// A text of one line or several, truncated with an ellipsis if it does not fit.
///
/// Parts of an ``attributedText`` have styles and colors of their own. The size of a label with several lines is that of
/// ``sizeThatFits(_:)``.
///
/// A line that needs several fonts, several directions or colors, such as one in Hebrew, in Chinese or with emoji, is laid
/// out and rendered by another thread, so the label is empty for the first frame or two.
@MainActor
public final class Label: View {
  /// The horizontal alignment of the text.
  public enum Alignment: Sendable {
    /// At the right edge if the text starts with letters that are written from right to left, otherwise at the left edge.
    case natural
    /// At the left edge.
    case leading
    /// In the middle.
    case center
    /// At the right edge.
    case trailing
  }

  /// An element with the text, or nil if it is empty.
  public override var accessibility: AccessibilityElement? {
    text.isEmpty ? nil : AccessibilityElement(role: .text, label: text, frame: frameInWindow)
  }

  /// The text.
  public var text = "" {
    didSet { if text != oldValue || content?.isAttributed == true { textDidChange() } }
  }
  /// The typeface, weight and size.
  public var style: TextStyle {
    didSet { if style != oldValue { setNeedsLine() } }
  }
  /// The text color; to color emoji only its alpha applies.
  public var textColor: Color {
    didSet { if textColor != oldValue { colorDidChange() } }
  }
  /// The horizontal alignment of the text.
  ///
  /// Default: natural.
  public var textAlignment: Alignment = .natural {
    didSet { if textAlignment != oldValue { setNeedsLayout() } }
  }
  /// The position of the ellipsis in a text that is too long; of several lines, in the last one.
  public var lineBreakMode: LineBreakMode = .byTruncatingTail {
    didSet { if lineBreakMode != oldValue { setNeedsLine() } }
  }

  /// The text with styles, colors, underlines and links of its parts, or nil for ``text`` in one style.
  ///
  /// Parts without an attribute have the style and the color of the label. Setting it sets ``text`` too; setting ``text``
  /// makes it nil. See `AttributeScopes.VitrineAttributes`. Default: nil.
  public var attributedText: AttributedString? {
    get { content?.attributedText }
    set {
      guard newValue != attributedText else { return }
      text = newValue.map { String($0.characters) } ?? ""
      guard let newValue else { return }
      makeContent().attributedText = newValue
      setNeedsLine()
    }
  }
  /// The color of links in ``attributedText`` that have no color of their own, or nil for that of the text.
  ///
  /// Default: nil.
  public var linkColor: Color? {
    get { content?.linkColor }
    set {
      guard newValue != linkColor else { return }
      makeContent().linkColor = newValue
      setNeedsLine()
    }
  }
  /// The maximum number of lines, or 0 for as many as necessary.
  ///
  /// The text is broken between words. Lines that do not fit the height of the label are not displayed; the last line is
  /// truncated. Default: 1.
  public var numberOfLines: Int {
    get { content?.numberOfLines ?? 1 }
    set {
      guard newValue != numberOfLines else { return }
      let content = makeContent()
      content.numberOfLines = max(0, newValue)
      if !content.hasSeveralLines { content.removeLines() }
      setNeedsLine()
    }
  }

  /// Whether the text can appear a few frames later if a frame has no time to render it.
  ///
  /// For captions of images; nothing is displayed in the meantime. Default: false.
  public var allowsDeferredLine = false
  /// Whether the last line is displayed until another thread has finished the next one.
  ///
  /// For text that changes while it is displayed. Default: false.
  var keepsLineUntilReplaced = false
  /// Whether the label is queued for a deferred line.
  var isAwaitingLine = false

  /// What only labels with attributes or several lines have, so that others stay small.
  // Unchecked: it is read for each new text, and what changes it calls no client code.
  @exclusivity(unchecked) private var content: LabelContent?
  private var lease = TextureLease()
  /// The width in pixels for which the leased line was truncated; nil if it must be truncated again.
  private var leasedLineWidth: Int?
  private var lineGeneration = -1
  /// The contents of the leased bitmap.
  private var layers = RenderedLine.Layers.mask
  private var isRightToLeft = false

  /// Creates a label.
  public init(style: TextStyle, color: Color, alignment: Alignment = .natural) {
    self.style = style
    self.textColor = color
    self.textAlignment = alignment
    super.init()
    isUserInteractionEnabled = false
  }

  isolated deinit { lease.release() }

  private func makeContent() -> LabelContent {
    if let content { return content }
    let made = LabelContent()
    content = made
    return made
  }

  private func textDidChange() {
    content?.attributedText = nil
    content?.line = nil
    setNeedsLine()
  }

  private func colorDidChange() {
    if let content { for label in content.labels { label.textColor = textColor } }
    setNeedsDisplay()
  }

  /// Displays a line that a superview broke.
  func displayLine(_ line: StyledText, style: TextStyle, _ resources: RenderResources) {
    self.style = style
    guard line.isPlain(in: style), line.direction != .rightToLeft,
      !resources.text.needsLayout(line.string, style: style, scale: resources.scale)
    else {
      guard line != content?.line else { return }
      text = line.string
      makeContent().line = line
      return setNeedsLine()
    }
    if text != line.string || content?.line != nil { text = line.string }
  }

  // MARK: - Several lines

  public override func layoutSubviews() {
    guard let content, content.hasSeveralLines, let resources = window?.resources else { return }
    content.layOutLines(of: self, resources)
    lineGeneration = resources.generation
  }

  /// Returns the size of the text in a width, in points.
  ///
  /// Outside a window text cannot be measured, and the height is estimated.
  ///
  /// - Parameter size: The available size; a width of 0 is not a limit.
  /// - Returns: The width of the widest line, and the height of at most ``numberOfLines`` lines.
  /// - Complexity: O(characters) for a line, O(log n) measurements for each of several lines of n words.
  public func sizeThatFits(_ size: Size) -> Size {
    guard let resources = window?.resources else {
      return Size(width: size.width, height: text.isEmpty ? 0 : (style.size * 1.25).rounded(.up))
    }
    let scale = resources.scale
    // Every renderer supports this width.
    let limit = size.width > 0 && size.width < 8_192 ? max(1, Int(scale.pixel(size.width))) : 8_192
    let content = makeContent()
    let lines = content.lines(of: self, width: limit, limit: numberOfLines, resources)
    let (width, height) = content.size(of: lines, style, resources)
    return Size(
      width: scale.length(ofPixels: Int32(min(width, limit))), height: scale.length(ofPixels: Int32(height)))
  }

  // MARK: - Drawing

  public override func draw(in context: DrawContext) {
    if let content, content.hasSeveralLines {
      // Another scale has other lines.
      if lineGeneration != context.resources.generation { layoutSubviews() }
      return
    }
    let scale = context.scale
    let width = Int(scale.pixel(frame.width))
    if allowsDeferredLine, !hasLine(ofWidth: width, context.resources), !context.resources.deferredLines.canPaintLine()
    {
      lease.replace(with: nil)
      // Also if the width is unchanged, because its line has been released.
      leasedLineWidth = nil
      return context.resources.deferredLines.addLabel(self)
    }
    truncateLine(to: width, context.resources)
    guard let line = lease.bitmap, let texture = lease.texture(in: context.resources, createsIfNeeded: true) else {
      return
    }
    let used = scale.length(ofPixels: Int32(line.size.width))
    let x =
      switch textAlignment {
      case .natural: isRightToLeft ? frame.width - used : 0.0
      case .leading: 0.0
      case .center: (frame.width - used) / 2
      case .trailing: frame.width - used
      }
    // The line, ascent plus descent, is centered vertically.
    let height = scale.length(ofPixels: Int32(layers.hasTwoHalves ? line.size.height / 2 : line.size.height))
    let corner = Point(x: scale.snapped(x), y: scale.snapped((frame.height - height) / 2))
    guard layers == .mask else { return drawColors(texture, line.size, at: corner, in: context) }
    context.draw(texture, size: line.size, at: corner, isOpaque: false, tint: textColor)
  }

  /// Draws a line with glyphs in their own colors, which are not tinted.
  private func drawColors(_ texture: TextureID, _ size: PixelSize, at corner: Point, in context: DrawContext) {
    let untinted = Color.white.opacity(Double(textColor.alpha) / 255)
    guard layers.hasTwoHalves else {
      return context.draw(texture, size: size, at: corner, isOpaque: false, tint: untinted)
    }
    let half = PixelRect(x: 0, y: 0, width: Int32(size.width), height: Int32(size.height / 2))
    let lower = PixelRect(x: 0, y: half.height, width: half.width, height: half.height)
    if layers == .maskOverColors { context.draw(texture, part: lower, at: corner, tint: untinted) }
    context.draw(texture, part: half, at: corner, tint: textColor)
    if layers == .maskAndColors { context.draw(texture, part: lower, at: corner, tint: untinted) }
  }

  /// Discards the rendered line and requests another one.
  private func setNeedsLine() {
    if let content {
      content.invalidate()
      if content.hasSeveralLines { setNeedsLayout() }
    }
    leasedLineWidth = nil
    setNeedsDisplay()
  }

  /// Renders the line that a frame had no time for, and requests a frame that displays it.
  func paintLine() {
    guard let resources = window?.resources else { return }
    truncateLine(to: Int(resources.scale.pixel(frame.width)), resources)
    _ = lease.texture(in: resources, createsIfNeeded: true)
    setNeedsDisplay()
  }

  /// Called when another thread has rendered the line that the label waits for.
  func lineDidArrive() {
    leasedLineWidth = nil
    setNeedsDisplay()
  }

  /// Returns whether the line for a width is leased.
  private func hasLine(ofWidth width: Int, _ resources: RenderResources) -> Bool {
    leasedLineWidth == width && lineGeneration == resources.generation
  }

  /// Leases the line for a width, unless it is leased already.
  private func truncateLine(to width: Int, _ resources: RenderResources) {
    guard !hasLine(ofWidth: width, resources) else { return }
    leasedLineWidth = width
    lineGeneration = resources.generation
    if let styledText = content?.styledLine(style: style) {
      return leaseLine(
        LineRequest(
          styledText: styledText, style: style, scale: resources.scale, maximumWidth: width, truncation: lineBreakMode),
        resources)
    }
    if resources.text.needsLayout(text, style: style, scale: resources.scale) {
      return leaseLine(
        LineRequest(
          text: text, style: style, scale: resources.scale, maximumWidth: width, truncation: lineBreakMode), resources)
    }
    let fitted = resources.lines.truncatedText(
      text, style: style, scale: resources.scale, width: width, truncation: lineBreakMode)
    layers = .mask
    isRightToLeft = false
    lease.replace(with: resources.lines.bitmap(for: fitted, style: style, scale: resources.scale))
  }

  /// Leases a line that another thread renders.
  private func leaseLine(_ request: LineRequest, _ resources: RenderResources) {
    let line = resources.lines.line(for: request, label: self)
    if line == nil, keepsLineUntilReplaced, !text.isEmpty { return }
    layers = line?.layers ?? .mask
    isRightToLeft = line?.isRightToLeft ?? false
    lease.replace(with: line?.bitmap)
  }

  /// Returns the width of the whole text in points.
  public func measuredWidth(in resources: RenderResources) -> Double {
    let scale = resources.scale
    let width =
      content?.styledLine(style: style).map { resources.text.width(of: $0, scale: scale) }
      ?? resources.text.width(of: text, style: style, scale: scale)
    return scale.length(ofPixels: Int32(width))
  }
}

extension RenderedLine.Layers {
  /// Whether the bitmap has two layers, one above the other.
  fileprivate var hasTwoHalves: Bool { self == .maskAndColors || self == .maskOverColors }
}
