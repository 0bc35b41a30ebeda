import Foundation
import Hosting

/// Writes verdicts as they come, to a temporary file that is renamed when all are there; `-` is standard output.
final class VerdictFile {
  private let path: String
  private let temporary: String
  private let handle: FileHandle

  /// Opens the file.
  ///
  /// - Throws: `UsageError` where nothing can be written there.
  init(_ path: String) throws(UsageError) {
    self.path = path
    temporary = path + ".part"
    if path == "-" {
      handle = .standardOutput
      return
    }
    guard FileManager.default.createFile(atPath: temporary, contents: nil),
      let handle = FileHandle(forWritingAtPath: temporary)
    else { throw UsageError("--verdicts \(path): cannot be written; give a path in a folder that you may write to") }
    self.handle = handle
  }

  /// Writes a line.
  func write(_ line: String) throws { try handle.write(contentsOf: Data((line + "\n").utf8)) }

  /// Puts the file in its place.
  func close() throws {
    guard path != "-" else { return }
    try handle.close()
    guard rename(temporary, path) == 0 else {
      throw UsageError("--verdicts \(path): cannot be written")
    }
  }
}
