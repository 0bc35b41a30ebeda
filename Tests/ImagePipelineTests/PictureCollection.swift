import Foundation

/// Odd and hostile pictures beside the package, where somebody has put them; tests do without them.
enum PictureCollection {
  /// A file, and what its list says of it.
  struct File: Sendable {
    /// The path's bytes.
    var path: [UInt8]
    /// `ok`, `error` or `either`.
    var expected: String
  }

  private static let folder = "../shared/images/"

  /// Whether the pictures are there.
  static let isPresent = FileManager.default.fileExists(atPath: folder + "MANIFEST.tsv")

  /// The pictures, in the order of their list.
  static func files() throws -> [File] {
    let list = try String(contentsOfFile: folder + "MANIFEST.tsv", encoding: .utf8)
    return list.split(separator: "\n").dropFirst().compactMap { line in
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
      guard fields.count > 2 else { return nil }
      return File(path: Array((folder + fields[0]).utf8), expected: String(fields[2]))
    }
  }
}

extension Data {
  /// Reads a file by its path's bytes.
  init(contentsOfPath path: [UInt8]) throws {
    self = try Data(contentsOf: URL(fileURLWithPath: String(decoding: path, as: UTF8.self)))
  }
}
