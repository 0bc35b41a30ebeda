/// The colours by name.
enum ThemeChoice: String, CaseIterable {
  case dark
  case light

  /// The colours.
  var theme: ExampleTheme {
    switch self {
    case .dark: .dark
    case .light: .light
    }
  }
}
