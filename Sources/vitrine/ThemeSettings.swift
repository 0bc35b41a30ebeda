import VitrineDiagnostics
import VitrineGalleryUI
import VitrineHosting

/// The values of the option `--theme`.
nonisolated enum ThemeChoice: String, CaseIterable {
  /// As the desktop is set.
  case auto
  case dark
  case light
}

/// The settings of the gallery's colors.
nonisolated struct ThemeSettings: Sendable {
  /// The requested theme.
  var choice = ThemeChoice.auto
  /// Whether high contrast is requested, also if the desktop does not request it.
  var hasHighContrast = false

  /// Returns the theme for an appearance of the desktop.
  ///
  /// It is dark if neither the options nor the desktop specify a color scheme.
  func theme(for appearance: DesktopAppearance) -> Theme {
    let isLight =
      switch choice {
      case .auto: appearance.colorScheme == .light
      case .dark: false
      case .light: true
      }
    return hasHighContrast || appearance.prefersHighContrast
      ? (isLight ? .highContrastLight : .highContrastDark) : (isLight ? .light : .dark)
  }
}

extension GalleryOptions {
  /// Whether the colors follow the desktop's settings.
  ///
  /// Headless and simulated runs must be equal on all machines, and a recording does not contain the settings.
  var followsDesktopAppearance: Bool {
    !hosting.isHeadless && !hosting.clock.isSimulated && common.record == nil
  }
}
