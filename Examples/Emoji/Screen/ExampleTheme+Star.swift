import ExampleSupport
import Rendering

extension ExampleTheme {
  /// Stars: a gold that reads on the theme's cards.
  var star: Color { self == .light ? Color(hex: 0xB07A12) : Color(hex: 0xE3B85C) }
}
