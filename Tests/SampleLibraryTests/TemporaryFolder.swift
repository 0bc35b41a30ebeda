import Foundation

/// A folder for one test, removed with all it holds.
final class TemporaryFolder {
  /// The folder's path.
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "vitrine-sample-tests-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of something in the folder, in bytes.
  func bytes(of name: String) -> [UInt8] { Array((path + "/" + name).utf8) }

  /// The names of what a folder within holds, in order.
  func names(in folder: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: path + "/" + folder))?.sorted() ?? []
  }

  /// The contents of a file.
  func content(of name: String) throws -> [UInt8] { try Self.content(of: bytes(of: name)) }

  /// Replaces the contents of a file.
  func write(_ content: [UInt8], to name: String) throws {
    try Data(content).write(to: URL(fileURLWithPath: path + "/" + name))
  }

  /// The contents of a file by its path's bytes.
  static func content(of path: [UInt8]) throws -> [UInt8] {
    try Array(Data(contentsOf: URL(fileURLWithPath: String(decoding: path, as: UTF8.self))))
  }
}
