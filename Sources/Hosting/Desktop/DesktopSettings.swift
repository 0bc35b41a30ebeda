import Foundation

/// What the user told the desktop, as far as it stands in files of keys in the folder of the user's settings.
nonisolated struct DesktopSettings {
  /// The longest file that is read, in bytes.
  private static let maximumBytes = 256 << 10

  private let folder: String

  /// Takes the folder that an environment names; nothing where it names none.
  init?(_ environment: [String: String]) {
    // Only a path from the root counts, says the XDG base directory specification.
    if let folder = environment["XDG_CONFIG_HOME"], folder.hasPrefix("/") {
      self.folder = folder
    } else if let home = environment["HOME"], home.hasPrefix("/") {
      folder = home + "/.config"
    } else {
      return nil
    }
  }

  /// The value of a key in a group of a file; the last one where there are several, nothing where it cannot be read.
  func value(of key: String, in group: String, of file: String) -> String? {
    var isWithin = false
    var found: String?
    for line in (contents(of: folder + "/" + file) ?? "").split(whereSeparator: \.isNewline) {
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

  private func contents(of path: String) -> String? {
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
      [.typeRegular, .typeSymbolicLink].contains(attributes[.type] as? FileAttributeType ?? .typeUnknown),
      let handle = FileHandle(forReadingAtPath: path),
      let data = try? handle.read(upToCount: DesktopSettings.maximumBytes)
    else { return nil }
    return String(data: data, encoding: .utf8)
  }
}
