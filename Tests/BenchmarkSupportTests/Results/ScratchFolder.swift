import Foundation

/// A folder that is there as long as the object is.
final class ScratchFolder {
  /// Where it is.
  let path: String

  init() throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "vitrine-results-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
