import Foundation

/// Whether the user told the desktop that motion disturbs, as far as files say so.
///
/// Read are GTK's settings (`gtk-enable-animations` in `gtk-4.0/settings.ini` and `gtk-3.0/settings.ini`, which GNOME's,
/// Xfce's and KDE's settings programs write for other programs) and KDE's (`AnimationDurationFactor` in `kdeglobals`), in the
/// folder of the user's settings.
nonisolated enum ReducedMotionSetting {
  /// Whether one of the files says so; what cannot be read says nothing.
  ///
  /// - Parameter environment: the process's, which names the folder.
  static func isEnabled(_ environment: [String: String] = ProcessInfo.processInfo.environment) -> Bool {
    guard let settings = DesktopSettings(environment) else { return false }
    for version in ["gtk-4.0", "gtk-3.0"] {
      // The newer program's word counts.
      let value = settings.value(of: "gtk-enable-animations", in: "Settings", of: version + "/settings.ini")
      if let value { return ["false", "0"].contains(value.lowercased()) }
    }
    return settings.value(of: "AnimationDurationFactor", in: "KDE", of: "kdeglobals").flatMap(Double.init) == 0
  }
}
