import Geometry
public import Rendering

/// One line of type, cut with an ellipsis where it does not fit.
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

  /// The text.
  public var text = "" {
    didSet { if text != oldValue { setNeedsDisplay() } }
  }
  /// Face, weight and size.
  public var style: TextStyle {
    didSet { if style != oldValue { setNeedsDisplay() } }
  }
  /// The colour of the type.
  public var color: Color {
    didSet { if color != oldValue { setNeedsDisplay() } }
  }
  /// How the line stands in the width.
  public var alignment: Alignment = .leading
  /// Where a line that is too long is cut.
  public var truncation: Truncation = .tail

  private var lease = TextureLease()

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
    let fitted = context.resources.lines.fit(text, style: style, scale: scale, width: width, truncation: truncation)
    let line = context.resources.lines.bitmap(for: fitted, style: style, scale: scale)
    lease.replace(with: line)
    guard let line, let texture = lease.texture(in: context.resources, isDemanded: true) else { return }
    let metrics = context.resources.text.metrics(style, scale: scale)
    let used = scale.points(Int32(line.size.width))
    let x =
      switch alignment {
      case .leading: 0.0
      case .center: (frame.width - used) / 2
      case .trailing: frame.width - used
      }
    // The line of type, ascent and descent, stands in the middle of the label's height.
    let height = scale.points(Int32(metrics.ascent + metrics.descent))
    context.draw(
      texture, size: line.size, at: Point(x: scale.snapped(x), y: scale.snapped((frame.height - height) / 2)),
      isOpaque: false, tint: color)
  }

  /// The width in points that the whole text takes.
  public func measuredWidth(in resources: RenderResources) -> Double {
    let scale = resources.scale
    return scale.points(Int32(resources.text.width(of: text, style: style, scale: scale)))
  }
}
