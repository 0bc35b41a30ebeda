import Geometry
public import Rendering

/// A text in as many lines as it needs, as even as these can be, up to a number.
///
/// Who places it tells it its width, and has its height from that:
///
///     caption.fit(width: bounds.width - 24)
///     caption.frame.origin = Point(x: 12, y: picture.frame.maxY + 8)
public final class Paragraph: View {
  /// Its text, where it has one.
  public override var accessibility: AccessibilityElement? {
    text.isEmpty ? nil : AccessibilityElement(role: .text, label: text, frame: frameInWindow)
  }

  /// The text.
  public var text = "" {
    didSet {
      guard text != oldValue else { return }
      lastFitting = nil
      superview?.setNeedsLayout()
    }
  }
  /// The colour of the type.
  public var color: Color {
    didSet { for line in lines { line.color = color } }
  }

  /// For what the lines were broken last.
  private struct Fitting: Hashable {
    var width: Double
    var generation: Int?
  }

  private let style: TextStyle
  private let lineHeight: Double
  private let lines: [Label]
  private var lastFitting: Fitting?

  /// Makes a paragraph.
  ///
  /// - Parameters:
  ///   - style: face, weight and size.
  ///   - color: the colour of the type.
  ///   - linePitch: points from line to line.
  ///   - mostLines: the most lines, at least 1; what does not fit into the last one is cut.
  ///   - alignment: how the lines stand in the width.
  public init(
    style: TextStyle, color: Color, lineHeight: Double, numberOfLines: Int, alignment: Label.Alignment = .center
  ) {
    self.style = style
    self.color = color
    self.lineHeight = lineHeight
    lines = (0..<max(1, numberOfLines)).map { _ in Label(style: style, color: color, alignment: alignment) }
    super.init()
    isInteractive = false
    for line in lines { addSubview(line) }
  }

  /// Breaks the text for a width in points and takes the height that it then has; nothing where it is so broken already.
  ///
  /// Outside of a window there is no type to measure, and one line is taken.
  ///
  /// - Complexity: O(words · log width) measurements of type.
  public func sizeToFit(width: Double) {
    let resources = window?.resources
    let fitting = Fitting(width: width, generation: resources?.generation)
    guard fitting != lastFitting else { return }
    lastFitting = fitting
    let texts = resources.map { brokenLines(width: width, $0) } ?? [text]
    frame.size = Size(width: width, height: lineHeight * Double(texts.count))
    for (place, line) in lines.enumerated() {
      line.frame = Rect(x: 0, y: lineHeight * Double(place), width: width, height: lineHeight)
      line.isHidden = place >= texts.count
      line.text = place < texts.count ? texts[place] : ""
    }
  }

  private func brokenLines(width: Double, _ resources: RenderResources) -> [String] {
    let scale = resources.scale
    return LineBreaker.lines(of: text, width: Int(scale.pixel(width)), maximumCount: lines.count) { line in
      resources.text.width(of: line, style: style, scale: scale)
    }
  }
}
