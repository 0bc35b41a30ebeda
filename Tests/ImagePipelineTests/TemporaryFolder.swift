import Foundation
import Glibc
import TestSupport

/// A folder for one test, removed with all it holds.
final class TemporaryFolder {
  /// The folder's path.
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "vitrine-tests-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of something in the folder.
  func path(of name: String) -> String { path + "/" + name }

  /// The path of something in the folder, in bytes.
  func bytes(of name: String) -> [UInt8] { Array(path(of: name).utf8) }

  /// Whether something is in the folder.
  func has(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(of: name)) }

  /// Writes a file.
  /// - Returns: its path's bytes.
  @discardableResult
  func write(_ content: some Sequence<UInt8>, to name: String, permissions: Int = 0o644) throws -> [UInt8] {
    try Data(content).write(to: URL(fileURLWithPath: path(of: name)))
    try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: path(of: name))
    return bytes(of: name)
  }

  /// Writes a file that can be started.
  ///
  /// A file that somebody has open for writing cannot be started (ETXTBSY), and a process that another test starts at
  /// this moment has our descriptor until its exec. A read lease is given only when nobody has.
  /// - Returns: its path.
  func writeExecutable(_ content: String, to name: String) throws -> String {
    try write(content.utf8, to: name, permissions: 0o755)
    let file = open(path(of: name), O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    let setLease: Int32 = 1_024
    try Deadline().wait(for: "the last writer of \(name) to close it") {
      fcntl(file, setLease, F_RDLCK) == 0 || errno != EAGAIN ? () : nil
    }
    _ = fcntl(file, setLease, F_UNLCK)
    return path(of: name)
  }
}
