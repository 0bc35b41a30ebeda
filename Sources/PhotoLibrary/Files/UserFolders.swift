/// The folders of the user's pictures and of this program's files.
///
/// They are a pure function of the environment: the XDG base directories and the user directories file. Without a home
/// folder, the folders inside it are nil. The home folder is never created.
package struct UserFolders: Hashable, Sendable {
  /// The user's pictures folder, or nil if there is none.
  package let pictures: PhotoPath?
  /// The program's folder for caches.
  package let cache: PhotoPath?
  /// The program's folder for persistent state, such as the window's frame.
  package let state: PhotoPath?
  /// The program's folder for settings.
  package let configuration: PhotoPath?
  /// The folder of shared thumbnails.
  package let thumbnails: PhotoPath?

  /// Determines the folders.
  ///
  /// - Parameters:
  ///   - environment: The environment of the process.
  ///   - userDirectories: The bytes of the file at ``userDirectoriesFile(environment:)``, or nil if there is none.
  ///   - name: The name of the program's folders. Default: "vitrine".
  ///   - folderExists: A closure that returns whether a folder exists. It is called for the home folder and for the
  ///     parent of a base directory that the environment names, because only that directory may be created.
  package init(
    environment: [String: String], userDirectories: [UInt8]? = nil, name: String = "vitrine",
    folderExists: (PhotoPath) -> Bool
  ) {
    var base = UserFolders.baseDirectories(environment)
    if let home = base.home, !folderExists(home) { base.home = nil }
    pictures = UserDirectoriesFile(userDirectories ?? [], home: base.home).pictures
    let cacheHome = base.directory("XDG_CACHE_HOME", ".cache", folderExists)
    cache = cacheHome?.appending(name)
    thumbnails = cacheHome?.appending("thumbnails")
    state = base.directory("XDG_STATE_HOME", ".local/state", folderExists)?.appending(name)
    configuration = base.directory("XDG_CONFIG_HOME", ".config", folderExists)?.appending(name)
  }

  /// Returns the path of the user directories file, or nil if there is no home folder.
  package static func userDirectoriesFile(environment: [String: String]) -> PhotoPath? {
    baseDirectories(environment).directory("XDG_CONFIG_HOME", ".config") { _ in true }?.appending("user-dirs.dirs")
  }

  private struct BaseDirectories {
    var environment: [String: String]
    var home: PhotoPath?

    /// Returns a base directory.
    ///
    /// A relative path is ignored, as the specification requires.
    func directory(_ variable: String, _ inHome: String, _ folderExists: (PhotoPath) -> Bool) -> PhotoPath? {
      if let path = UserFolders.absolutePath(environment[variable]) { return folderExists(path.parent) ? path : nil }
      return home?.appending(inHome)
    }
  }

  private static func baseDirectories(_ environment: [String: String]) -> BaseDirectories {
    BaseDirectories(environment: environment, home: absolutePath(environment["HOME"]))
  }

  private static func absolutePath(_ text: String?) -> PhotoPath? {
    text.map { PhotoPath($0) }.flatMap { $0.isAbsolute ? $0 : nil }
  }
}

/// The file `user-dirs.dirs`, in which desktop environments store the locations of the user's folders.
///
/// Its lines have the form `XDG_PICTURES_DIR="$HOME/Pictures"`: an absolute path, or one in the home folder, with a
/// backslash before characters that are special in a shell.
private struct UserDirectoriesFile: Hashable, Sendable {
  /// The pictures folder: the one in the file, or else "Pictures" in the home folder.
  ///
  /// It is nil if there is no home folder, or if the file names the home folder itself, which means that the user has
  /// no pictures folder.
  let pictures: PhotoPath?

  /// Parses the bytes of the file.
  ///
  /// Invalid lines are ignored.
  init(_ bytes: [UInt8], home: PhotoPath?) {
    var named: PhotoPath?
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      // The last line wins, as it would in a shell.
      named = UserDirectoriesFile.value(of: "XDG_PICTURES_DIR", in: line, home: home) ?? named
    }
    let chosen = named ?? home?.appending("Pictures")
    pictures = chosen == home ? nil : chosen
  }

  private static func value(of variable: String, in line: ArraySlice<UInt8>, home: PhotoPath?) -> PhotoPath? {
    var rest = trimmingLeadingWhitespace(line)
    guard rest.starts(with: variable.utf8) else { return nil }
    rest = trimmingLeadingWhitespace(rest.dropFirst(variable.utf8.count))
    guard rest.popFirst() == UInt8(ascii: "=") else { return nil }
    rest = trimmingLeadingWhitespace(rest)
    guard rest.popFirst() == UInt8(ascii: "\""), let text = unquoted(rest) else { return nil }
    if text.first == PhotoPath.slash { return PhotoPath(text) }
    let prefix = Array("$HOME".utf8)
    guard let home, text.starts(with: prefix) else { return nil }
    let inHome = text.dropFirst(prefix.count)
    guard inHome.isEmpty || inHome.first == PhotoPath.slash else { return nil }
    return PhotoPath(home.bytes + inHome)
  }

  /// Returns the text up to the closing quotation mark, without backslashes, or nil if there is no such mark.
  ///
  /// An escaped dollar sign at the very beginning would be read as `$HOME`; no desktop environment writes one.
  private static func unquoted(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
    var text: [UInt8] = []
    var rest = bytes
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "\"") { return text }
      guard byte == UInt8(ascii: "\\") else {
        text.append(byte)
        continue
      }
      guard let escaped = rest.popFirst() else { return nil }
      text.append(escaped)
    }
    return nil
  }

  private static func trimmingLeadingWhitespace(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    bytes.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
  }
}
