import VitrineGeometry
public import VitrineRendering

/// A single line of text, truncated with an ellipsis if it does not fit.
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
    didSet { if text != oldValue { setNeedsLine() } }
  }
  /// The typeface, weight and size.
  public var style: TextStyle {
    didSet { if style != oldValue { setNeedsLine() } }
  }
  /// The text color; to color emoji only its alpha applies.
  public var textColor: Color {
    didSet { if textColor != oldValue { setNeedsDisplay() } }
  }
  /// The horizontal alignment of the text.
  ///
  /// Default: natural.
  public var textAlignment: Alignment = .natural {
    didSet { if textAlignment != oldValue { setNeedsDisplay() } }
  }
  /// The position of the ellipsis in a text that is too long.
  public var lineBreakMode: LineBreakMode = .byTruncatingTail {
    didSet { if lineBreakMode != oldValue { setNeedsLine() } }
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

  public override func draw(in context: DrawContext) {
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
    let metrics = context.resources.text.metrics(style, scale: scale)
    let used = scale.length(ofPixels: Int32(line.size.width))
    let x =
      switch textAlignment {
      case .natural: isRightToLeft ? frame.width - used : 0.0
      case .leading: 0.0
      case .center: (frame.width - used) / 2
      case .trailing: frame.width - used
      }
    // The line, ascent plus descent, is centered vertically.
    let height = scale.length(ofPixels: Int32(metrics.ascent + metrics.descent))
    let corner = Point(x: scale.snapped(x), y: scale.snapped((frame.height - height) / 2))
    guard layers == .mask else { return drawColors(texture, line.size, at: corner, in: context) }
    context.draw(texture, size: line.size, at: corner, isOpaque: false, tint: textColor)
  }

  /// Draws a line with glyphs in their own colors, which are not tinted.
  private func drawColors(_ texture: TextureID, _ size: PixelSize, at corner: Point, in context: DrawContext) {
    let untinted = Color.white.opacity(Double(textColor.alpha) / 255)
    guard layers == .maskAndColors else {
      return context.draw(texture, size: size, at: corner, isOpaque: false, tint: untinted)
    }
    let half = PixelRect(x: 0, y: 0, width: Int32(size.width), height: Int32(size.height / 2))
    context.draw(texture, part: half, at: corner, tint: textColor)
    context.draw(
      texture, part: PixelRect(x: 0, y: half.height, width: half.width, height: half.height), at: corner, tint: untinted
    )
  }

  /// Discards the rendered line and requests another one.
  private func setNeedsLine() {
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
  func lineDidArrive() { setNeedsLine() }

  /// Returns whether the line for a width is leased.
  private func hasLine(ofWidth width: Int, _ resources: RenderResources) -> Bool {
    leasedLineWidth == width && lineGeneration == resources.generation
  }

  /// Leases the line for a width, unless it is leased already.
  private func truncateLine(to width: Int, _ resources: RenderResources) {
    guard !hasLine(ofWidth: width, resources) else { return }
    leasedLineWidth = width
    lineGeneration = resources.generation
    if resources.text.needsLayout(text, style: style, scale: resources.scale) {
      let line = resources.lines.line(
        for: LineRequest(
          text: text, style: style, scale: resources.scale, maximumWidth: width, truncation: lineBreakMode),
        label: self)
      if line == nil, keepsLineUntilReplaced, !text.isEmpty { return }
      layers = line?.layers ?? .mask
      isRightToLeft = line?.isRightToLeft ?? false
      return lease.replace(with: line?.bitmap)
    }
    let fitted = resources.lines.truncatedText(
      text, style: style, scale: resources.scale, width: width, truncation: lineBreakMode)
    layers = .mask
    isRightToLeft = false
    lease.replace(with: resources.lines.bitmap(for: fitted, style: style, scale: resources.scale))
  }

  /// Returns the width of the whole text in points.
  public func measuredWidth(in resources: RenderResources) -> Double {
    let scale = resources.scale
    return scale.length(ofPixels: Int32(resources.text.width(of: text, style: style, scale: scale)))
  }
}
