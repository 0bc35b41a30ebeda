import Glibc

/// Files of results: read whole, written anew as a whole, or lengthened by lines.
public enum ResultFile {
  /// A file's text; nothing where there is no such file.
  ///
  /// - Throws: ``ResultError`` where it is there and cannot be read.
  public static func text(of path: String) throws(ResultError) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw failure(path)
    }
    defer { close(descriptor) }
    var text: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65_536)
    while true {
      let got = piece.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      if got == 0 { return String(decoding: text, as: UTF8.self) }
      guard got > 0 else { throw failure(path) }
      text += piece[..<got]
    }
  }

  /// Writes a file; who reads it meanwhile has the old one or the new one.
  ///
  /// - Throws: ``ResultError``.
  public static func write(_ text: String, to path: String) throws(ResultError) {
    let made = path + ".new"
    let descriptor = open(made, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw failure(path) }
    let isWritten = put(text, to: descriptor)
    guard close(descriptor) == 0, isWritten, rename(made, path) == 0 else {
      let error = failure(path)
      unlink(made)
      throw error
    }
  }

  /// Adds a line to the end of a file, which is made where there is none.
  ///
  /// A last line that was not written to its end is left as it is, and the new one begins behind it.
  ///
  /// - Throws: ``ResultError``.
  public static func append(line: String, to path: String) throws(ResultError) {
    let isTorn = try text(of: path).map { !$0.isEmpty && !$0.hasSuffix("\n") } ?? false
    let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw failure(path) }
    let isWritten = put((isTorn ? "\n" : "") + line + "\n", to: descriptor)
    guard close(descriptor) == 0, isWritten else { throw failure(path) }
  }

  private static func put(_ text: String, to descriptor: Int32) -> Bool {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      guard written > 0 else { return false }
      rest.removeFirst(written)
    }
    return true
  }

  private static func failure(_ path: String) -> ResultError {
    ResultError("\(path): \(String(cString: strerror(errno)))")
  }
}
