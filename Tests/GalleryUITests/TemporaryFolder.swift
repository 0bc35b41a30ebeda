import Foundation

/// A folder for one test, removed with all it holds.
final class TemporaryFolder {
  /// The bytes of the folder's path.
  let path: [UInt8]

  init() throws {
    let path = NSTemporaryDirectory() + "vitrine-tests-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    self.path = Array(path.utf8)
  }

  deinit { try? FileManager.default.removeItem(atPath: String(decoding: path, as: UTF8.self)) }
}
