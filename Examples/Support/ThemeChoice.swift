import Hosting

/// The colours by name.
enum ThemeChoice: String, CaseIterable {
  case auto
  case dark
  case light

  /// The colours: those that the desktop is set to where it is asked, dark where it does not say.
  ///
  /// - Parameter options: of the run, which is the same on every machine where nobody watches or time is simulated.
  func theme(for options: HostingOptions) -> ExampleTheme {
    switch self {
    case .auto:
      let isAlike = options.isHeadless || options.clock.isSimulated
      return !isAlike && ColorScheme.ofDesktop == .light ? .light : .dark
    case .dark: return .dark
    case .light: return .light
    }
  }
}
