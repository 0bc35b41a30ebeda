import Foundation

/// Whether the user told the desktop that motion disturbs, as far as files say so.
///
/// Read are GTK's settings (`gtk-enable-animations` in `gtk-4.0/settings.ini` and `gtk-3.0/settings.ini`, which GNOME's,
/// Xfce's and KDE's settings programs write for other programs) and KDE's (`AnimationDurationFactor` in `kdeglobals`), in the
/// folder of the user's settings.
nonisolated enum DesktopMotion {
  /// The longest file that is read, in bytes.
  private static let mostBytes = 256 << 10

  /// Whether one of the files says so; what cannot be read says nothing.
  ///
  /// - Parameter environment: the process's, which names the folder.
  static func isReduced(_ environment: [String: String] = ProcessInfo.processInfo.environment) -> Bool {
    guard let folder = configurationFolder(environment) else { return false }
    for version in ["gtk-4.0", "gtk-3.0"] {
      let text = contents(of: folder + "/\(version)/settings.ini")
      // The newer program's word counts.
      if let value = text.flatMap({ self.value(of: "gtk-enable-animations", in: "Settings", of: $0) }) {
        return ["false", "0"].contains(value.lowercased())
      }
    }
    let globals = contents(of: folder + "/kdeglobals")
    let factor = globals.flatMap { value(of: "AnimationDurationFactor", in: "KDE", of: $0) }.flatMap(Double.init)
    return factor == 0
  }

  /// The value of a key in a group of a file of keys; the last one where there are several.
  static func value(of key: String, in group: String, of text: String) -> String? {
    var isWithin = false
    var found: String?
    for line in text.split(whereSeparator: \.isNewline) {
      let line = line.trimmingCharacters(in: .whitespaces)
      if line.hasPrefix("[") {
        isWithin = line == "[\(group)]"
      } else if isWithin, let sign = line.firstIndex(of: "="),
        line[..<sign].trimmingCharacters(in: .whitespaces) == key
      {
        found = line[line.index(after: sign)...].trimmingCharacters(in: .whitespaces)
      }
    }
    return found
  }

  private static func configurationFolder(_ environment: [String: String]) -> String? {
    // Only a path from the root counts, says the XDG base directory specification.
    if let folder = environment["XDG_CONFIG_HOME"], folder.hasPrefix("/") { return folder }
    guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
    return home + "/.config"
  }

  private static func contents(of path: String) -> String? {
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
      [.typeRegular, .typeSymbolicLink].contains(attributes[.type] as? FileAttributeType ?? .typeUnknown),
      let handle = FileHandle(forReadingAtPath: path), let data = try? handle.read(upToCount: mostBytes)
    else { return nil }
    return String(data: data, encoding: .utf8)
  }
}
