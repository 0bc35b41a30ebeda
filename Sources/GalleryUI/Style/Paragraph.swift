import Geometry
import Rendering
import Views

/// A text in as many lines as it needs, each in the middle.
final class Paragraph: View {
  /// The text.
  var text = "" {
    didSet { if text != oldValue { superview?.setNeedsLayout() } }
  }
  private let style: TextStyle
  private let linePitch: Double
  private let lines: [Label]

  /// Makes a paragraph.
  ///
  /// - Parameters:
  ///   - style: face, weight and size.
  ///   - color: the colour of the type.
  ///   - linePitch: points from line to line.
  ///   - mostLines: the most lines; what does not fit into the last one is cut.
  init(style: TextStyle, color: Color, linePitch: Double, mostLines: Int) {
    self.style = style
    self.linePitch = linePitch
    lines = (0..<mostLines).map { _ in Label(style: style, color: color, alignment: .center) }
    super.init()
    isInteractive = false
    for line in lines { addSubview(line) }
  }

  /// Breaks the text for a width in points and takes the height that it then has.
  func fit(width: Double) {
    let texts = broken(width: width)
    frame.size = Size(width: width, height: linePitch * Double(texts.count))
    for (place, line) in lines.enumerated() {
      line.frame = Rect(x: 0, y: linePitch * Double(place), width: width, height: linePitch)
      line.isHidden = place >= texts.count
      line.text = place < texts.count ? texts[place] : ""
    }
  }

  private func broken(width: Double) -> [String] {
    // Outside a window there is no type to measure.
    guard let resources = window?.resources else { return [text] }
    let scale = resources.scale
    return LineBreaking.lines(text, width: Int(scale.pixel(width)), atMost: lines.count) { line in
      resources.text.width(of: line, style: style, scale: scale)
    }
  }
}
