/// The file `user-dirs.dirs`, in which a desktop keeps where the user's pictures lie.
///
/// Lines such as `XDG_PICTURES_DIR="$HOME/Pictures"`: an absolute path, or one in the home folder, with a backslash
/// before characters that mean something to a shell.
struct UserDirectoriesFile: Hashable, Sendable {
  /// The folder of pictures: the one that the file names, else "Pictures" in the home folder.
  ///
  /// Nothing where there is no home, or where the file names the home folder itself, which is how a user says that
  /// there is no such folder.
  let pictures: PhotoPath?

  /// Reads the file's bytes; lines that make no sense are passed over.
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

  /// What stands up to the closing quotation mark, without backslashes; nothing where there is none.
  ///
  /// An escaped dollar sign at the very beginning would read as `$HOME`; no desktop writes one.
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
