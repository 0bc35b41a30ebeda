import Geometry
public import Rendering

/// One line of type, cut with an ellipsis where it does not fit.
///
/// A line of emoji alone is shown in their own colours, where the system has them: another thread paints it, and the label is
/// empty until it is there, a frame or two later.
public final class Label: View {
  /// How a line stands in the label's width.
  public enum Alignment: Sendable {
    /// At the left edge.
    case leading
    /// In the middle.
    case center
    /// At the right edge.
    case trailing
  }

  /// Its text, where it has one.
  public override var accessibility: AccessibilityElement? {
    text.isEmpty ? nil : AccessibilityElement(role: .text, label: text, frame: frameInWindow)
  }

  /// The text.
  public var text = "" {
    didSet { if text != oldValue { setNeedsLine() } }
  }
  /// Face, weight and size.
  public var style: TextStyle {
    didSet { if style != oldValue { setNeedsLine() } }
  }
  /// The colour of the type; of emoji in their own colours only how opaque they are.
  public var color: Color {
    didSet { if color != oldValue { setNeedsDisplay() } }
  }
  /// How the line stands in the width.
  public var alignment: Alignment = .leading {
    didSet { if alignment != oldValue { setNeedsDisplay() } }
  }
  /// Where a line that is too long is cut.
  public var truncation: Truncation = .tail {
    didSet { if truncation != oldValue { setNeedsLine() } }
  }

  /// Whether the line may come some frames after the rest, where a frame has no time to paint it.
  ///
  /// For words beneath a picture: nothing is shown in their place. Default: false.
  public var allowsDeferredLine = false
  /// Whether it is among those that wait for their line.
  var isAwaitingLine = false

  private var lease = TextureLease()
  /// The width in pixels for which the leased line was cut; nil where it must be cut again.
  private var leasedLineWidth: Int?
  private var lineGeneration = -1
  /// Whether the leased line is not to be tinted.
  private var hasOwnColors = false

  /// Makes a label.
  public init(style: TextStyle, color: Color, alignment: Alignment = .leading) {
    self.style = style
    self.color = color
    self.alignment = alignment
    super.init()
    isInteractive = false
  }

  isolated deinit { lease.release() }

  public override func draw(in context: DrawContext) {
    let scale = context.scale
    let width = Int(scale.pixel(frame.width))
    if allowsDeferredLine, !hasLine(ofWidth: width, context.resources), !context.resources.deferredLines.canPaintLine()
    {
      lease.replace(with: nil)
      // Also of the width that it had: that line is gone.
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
      switch alignment {
      case .leading: 0.0
      case .center: (frame.width - used) / 2
      case .trailing: frame.width - used
      }
    // The line of type, ascent and descent, stands in the middle of the label's height.
    let height = scale.length(ofPixels: Int32(metrics.ascent + metrics.descent))
    context.draw(
      texture, size: line.size, at: Point(x: scale.snapped(x), y: scale.snapped((frame.height - height) / 2)),
      isOpaque: false, tint: hasOwnColors ? Color.white.opacity(Double(color.alpha) / 255) : color)
  }

  /// Forgets the painted line and asks for another one.
  private func setNeedsLine() {
    leasedLineWidth = nil
    setNeedsDisplay()
  }

  /// Paints the line that a frame had no time for, and asks for a frame that shows it.
  func paintLine() {
    guard let resources = window?.resources else { return }
    truncateLine(to: Int(resources.scale.pixel(frame.width)), resources)
    _ = lease.texture(in: resources, createsIfNeeded: true)
    setNeedsDisplay()
  }

  /// Another thread has painted the line that the label waits for.
  func lineDidArrive() { setNeedsLine() }

  /// Whether the line as it fits a width is leased.
  private func hasLine(ofWidth width: Int, _ resources: RenderResources) -> Bool {
    leasedLineWidth == width && lineGeneration == resources.generation
  }

  /// Leases the line as it fits a width, unless that is the one that is leased.
  private func truncateLine(to width: Int, _ resources: RenderResources) {
    guard !hasLine(ofWidth: width, resources) else { return }
    leasedLineWidth = width
    lineGeneration = resources.generation
    let fitted = resources.lines.truncatedText(
      text, style: style, scale: resources.scale, width: width, truncation: truncation)
    hasOwnColors = resources.text.hasOwnColors(fitted)
    lease.replace(with: resources.lines.bitmap(for: fitted, style: style, scale: resources.scale, label: self))
  }

  /// The width in points that the whole text takes.
  public func measuredWidth(in resources: RenderResources) -> Double {
    let scale = resources.scale
    return scale.length(ofPixels: Int32(resources.text.width(of: text, style: style, scale: scale)))
  }
}
