import FoundationEssentials
import Glibc

/// The user's desktop settings that are stored in key files in the configuration folder.
private nonisolated struct DesktopSettings {
  /// The number of bytes of a file that are read.
  ///
  /// The rest of a longer file is ignored.
  private static let maximumBytes = 256 << 10

  private let folder: String

  /// Creates settings for the configuration folder that an environment specifies, or nil if it specifies none.
  init?(_ environment: [String: String]) {
    // The XDG base directory specification ignores relative paths.
    if let folder = environment["XDG_CONFIG_HOME"], folder.hasPrefix("/") {
      self.folder = folder
    } else if let home = environment["HOME"], home.hasPrefix("/") {
      folder = home + "/.config"
    } else {
      return nil
    }
  }

  /// Returns the value of a key in a group of a file, or nil if it cannot be read.
  ///
  /// The last of several values wins.
  func value(of key: String, in group: String, of file: String) -> String? {
    var isWithin = false
    var found: String?
    for line in (contents(of: folder + "/" + file) ?? "").split(whereSeparator: \.isNewline) {
      let line = line.trimmed
      if line.hasPrefix("[") {
        isWithin = line == "[\(group)]"
      } else if isWithin, let sign = line.firstIndex(of: "="),
        line[..<sign].trimmed == key
      {
        found = String(line[line.index(after: sign)...].trimmed)
      }
    }
    return found
  }

  private func contents(of path: String) -> String? {
    // A pipe would not answer.
    let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    let bytes = [UInt8](unsafeUninitializedCapacity: DesktopSettings.maximumBytes) { buffer, count in
      while count < buffer.count {
        let length = read(file, buffer.baseAddress?.advanced(by: count), buffer.count - count)
        guard length > 0 else { break }
        count += length
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }
}

extension Substring {
  /// The text without spaces and tabs at its ends.
  fileprivate nonisolated var trimmed: Substring {
    func isSpace(_ character: Character) -> Bool { character == " " || character == "\t" }
    let start = drop(while: isSpace)
    return start.lastIndex { !isSpace($0) }.map { start[...$0] } ?? ""
  }
}

/// The color scheme of a desktop's applications.
public nonisolated enum ColorScheme: Sendable {
  /// Light text on a dark background.
  case dark
  /// Dark text on a light background.
  case light

  /// The desktop's color scheme according to the environment and settings files, or nil if they do not specify one.
  ///
  /// Reads GTK's settings, which the settings applications of Xfce and Plasma write for other applications, and
  /// Plasma's own settings. Other desktops, such as GNOME, tell theirs to ``DesktopAppearanceMonitor``.
  public static var ofDesktop: ColorScheme? { ColorScheme(environment: ProcessInfo.processInfo.environment) }

  /// Reads the color scheme from an environment or from the files in its configuration folder.
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

  /// Derives the color scheme from a theme's name, such as `Adwaita:dark`, `Yaru-dark` or `BreezeDark`.
  private init(theme: String) { self = theme.lowercased().contains("dark") ? .dark : .light }
}

/// The desktop's setting for reduced motion, as far as settings files specify it.
///
/// Reads GTK's settings (`gtk-enable-animations` in `gtk-4.0/settings.ini` and `gtk-3.0/settings.ini`, which the
/// settings applications of GNOME, Xfce and KDE write for other applications) and KDE's (`AnimationDurationFactor` in
/// `kdeglobals`), in the user's configuration folder.
nonisolated enum ReducedMotionSetting {
  /// Returns whether a settings file requests reduced motion.
  ///
  /// A file that cannot be read requests nothing.
  ///
  /// - Parameter environment: The process's environment, which specifies the folder.
  static func isEnabled(_ environment: [String: String] = ProcessInfo.processInfo.environment) -> Bool {
    guard let settings = DesktopSettings(environment) else { return false }
    for version in ["gtk-4.0", "gtk-3.0"] {
      // GTK 4's setting takes precedence.
      let value = settings.value(of: "gtk-enable-animations", in: "Settings", of: version + "/settings.ini")
      if let value { return ["false", "0"].contains(value.lowercased()) }
    }
    return settings.value(of: "AnimationDurationFactor", in: "KDE", of: "kdeglobals").flatMap(Double.init) == 0
  }
}
