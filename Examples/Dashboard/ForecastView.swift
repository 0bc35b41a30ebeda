import CollectionUI

/// A panel with a weather report: styles, colors, links and emoji in one text, in several scripts.
final class ForecastView: PanelView {
  private let label = Label(style: TextStyle(size: 15), color: Theme.text)

  init() {
    super.init(title: "Forecast")
    label.numberOfLines = 0
    label.linkColor = Theme.blue
    label.attributedText = ForecastView.report
    addSubview(label)
  }

  override func layoutSubviews() {
    let size = label.sizeThatFits(Size(width: content.width, height: 0))
    label.frame = Rect(
      x: content.minX, y: content.minY, width: content.width, height: min(size.height, content.height))
  }

  private static var report: AttributedString {
    var warning = AttributedString(" storms ")
    warning.textStyle = TextStyle(size: 15, weight: .semibold)
    warning.foregroundColor = .white
    warning.backgroundColor = Color(hex: 0xB3261E)
    var coast = AttributedString("the coast")
    coast.textStyle = TextStyle(size: 15, isItalic: true)
    var friday = AttributedString("Friday")
    friday.strikethroughStyle = .single
    var link = AttributedString("details")
    link.link = URL(string: "https://example.org/forecast")
    var degrees = AttributedString("24°")
    degrees.textStyle = TextStyle(size: 22, weight: .semibold)
    degrees.foregroundColor = Theme.pink
    return AttributedString("Mild, then ") + warning + " along " + coast + " 🌊 until " + friday + " Saturday: " + link
      + "\n東京 晴れ ☀️ " + degrees + "\nתל אביב: שמש, " + degrees + "\nالقاهرة: مشمس، " + degrees
  }
}
