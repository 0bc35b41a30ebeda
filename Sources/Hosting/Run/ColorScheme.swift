import Foundation

/// Whether the programs of a desktop are to be dark or light.
public nonisolated enum ColorScheme: Sendable {
  /// Light type on a dark ground.
  case dark
  /// Dark type on a light ground.
  case light

  /// What this desktop is set to, as the environment and GTK's settings files tell; nothing where they do not.
  ///
  /// Plasma, Xfce and others write these files; GNOME tells it its own programs alone. Reads at most two files.
  public static var ofDesktop: ColorScheme? {
    ColorScheme(environment: ProcessInfo.processInfo.environment) { path in
      FileManager.default.contents(atPath: path).map { String(decoding: $0.prefix(1 << 16), as: UTF8.self) }
    }
  }

  /// What is told by an environment, and by the files that it leads to.
  ///
  /// - Parameters:
  ///   - environment: its variables.
  ///   - read: the text of a file; nothing where there is none.
  init?(environment: [String: String], read: (String) -> String?) {
    if let theme = environment["GTK_THEME"], !theme.isEmpty {
      self = ColorScheme(theme: theme)
      return
    }
    let folder =
      environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
      ?? environment["HOME"].map { $0 + "/.config" }
    guard let folder else { return nil }
    for version in ["gtk-4.0", "gtk-3.0"] {
      guard let text = read("\(folder)/\(version)/settings.ini"), let scheme = ColorScheme(settings: text) else {
        continue
      }
      self = scheme
      return
    }
    return nil
  }

  /// What a settings file of GTK tells.
  private init?(settings text: String) {
    var values: [String: String] = [:]
    for line in text.split(whereSeparator: \.isNewline) {
      let parts = line.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
      if parts.count == 2 { values[parts[0]] = parts[1] }
    }
    if let preference = values["gtk-application-prefer-dark-theme"] {
      self = ["1", "true", "yes"].contains(preference.lowercased()) ? .dark : .light
    } else if let theme = values["gtk-theme-name"] {
      self = ColorScheme(theme: theme)
    } else {
      return nil
    }
  }

  /// What the name of a theme tells: `Adwaita:dark`, `Breeze-Dark`.
  private init(theme: String) {
    let name = theme.lowercased()
    self = name.hasSuffix(":dark") || name.hasSuffix("-dark") ? .dark : .light
  }
}
