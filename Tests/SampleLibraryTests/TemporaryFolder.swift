import Foundation
import PhotoLibrary

/// A folder for one test, removed with its contents.
final class TemporaryFolder {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "vitrine-sample-tests-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Returns the names of a subfolder's files, sorted.
  func names(in folder: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: path + "/" + folder))?.sorted() ?? []
  }

  /// Replaces the contents of a file.
  func write(_ content: [UInt8], to name: String) throws {
    try Data(content).write(to: URL(fileURLWithPath: path + "/" + name))
  }

  /// Returns the contents of a file.
  static func content(of path: PhotoPath) throws -> [UInt8] {
    try Array(Data(contentsOf: URL(fileURLWithPath: path.printable)))
  }
}
