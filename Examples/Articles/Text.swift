// The code of the article “Text”.
import CollectionUI

/// Views with text.
@MainActor
enum Texts {
  static func makeLabels() -> [Label] {
    let caption = Label(style: TextStyle(size: 15, weight: .semibold), color: .white)
    caption.text = "Vitrine, ויטרינה, 陈列柜"
    let code = Label(style: TextStyle(size: 13, design: .monospaced), color: .white)
    code.text = "swift run"
    let quote = Label(style: TextStyle(size: 17, isItalic: true, family: "DejaVu Serif"), color: .white)
    quote.text = "In a family of its own"
    return [caption, code, quote]
  }

  static func registerFonts(in window: Window) {
    window.resources.registerFonts(atPath: "/usr/share/example/Example.ttf")
  }

  static func breakLines(of caption: Label) -> Size {
    caption.numberOfLines = 2
    caption.lineBreakMode = .byTruncatingMiddle
    let size = caption.sizeThatFits(Size(width: 240, height: 400))
    return size
  }

  static func showForecast(in forecast: Label) {
    var text = AttributedString("Mild, then ")
    var warning = AttributedString("storms")
    warning.textStyle = TextStyle(size: 15, weight: .bold)
    warning.foregroundColor = .white
    warning.backgroundColor = Color(hex: 0xB3261E)
    text += warning
    forecast.attributedText = text
  }

  static func makeSearchField(_ search: @escaping (String) -> Void) -> TextField {
    let field = TextField(style: TextStyle(size: 15), color: .white, tintColor: Color(hex: 0x7FB2FF))
    field.placeholder = "Search"
    field.onEditingChanged = { text in search(text) }
    field.onReturn = { [unowned field] in search(field.text) }
    field.onCancel = { [unowned field] in field.text = "" }
    return field
  }

  static func makePage(of story: String) -> TextView {
    let page = TextView(style: TextStyle(size: 15), color: .white)
    page.text = story
    page.isSelectable = true
    return page
  }
}
