import Foundation

/// Whether the programs of a desktop are to be dark or light.
public nonisolated enum ColorScheme: Sendable {
  /// Light type on a dark ground.
  case dark
  /// Dark type on a light ground.
  case light

  /// What this desktop is set to, as far as the environment and files say so; nothing where they do not.
  ///
  /// Read are GTK's settings, which Xfce's and Plasma's settings programs write for other programs, and Plasma's own. GNOME
  /// tells its own programs alone.
  public static var ofDesktop: ColorScheme? { ColorScheme(environment: ProcessInfo.processInfo.environment) }

  /// What an environment tells, or the files in the folder that it names.
  init?(environment: [String: String]) {
    if let theme = environment["GTK_THEME"], !theme.isEmpty {
      self.init(theme: theme)
      return
    }
    guard let settings = DesktopSettings(environment) else { return nil }
    for version in ["gtk-4.0", "gtk-3.0"] {
      let file = version + "/settings.ini"
      if let isDark = settings.value(of: "gtk-application-prefer-dark-theme", in: "Settings", of: file) {
        self = ["1", "true"].contains(isDark.lowercased()) ? .dark : .light
        return
      }
      if let theme = settings.value(of: "gtk-theme-name", in: "Settings", of: file) {
        self.init(theme: theme)
        return
      }
    }
    guard let theme = settings.value(of: "ColorScheme", in: "General", of: "kdeglobals") else { return nil }
    self.init(theme: theme)
  }

  /// What a theme's name tells: `Adwaita:dark`, `Yaru-dark`, `BreezeDark`.
  private init(theme: String) { self = theme.lowercased().contains("dark") ? .dark : .light }
}
