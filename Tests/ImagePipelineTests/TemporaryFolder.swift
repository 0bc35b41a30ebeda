import Foundation

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
}
