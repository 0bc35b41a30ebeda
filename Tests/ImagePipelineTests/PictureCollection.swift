import Foundation

/// Odd and hostile pictures beside the package, where somebody has put them; tests do without them.
enum PictureCollection {
  private static let folder = "../shared/images/"

  /// Whether the pictures are there.
  static let isPresent = FileManager.default.fileExists(atPath: folder + "MANIFEST.tsv")

  /// The pictures' paths in bytes, in the order of their list.
  static func files() throws -> [[UInt8]] {
    let list = try String(contentsOfFile: folder + "MANIFEST.tsv", encoding: .utf8)
    return list.split(separator: "\n").dropFirst().map { line in
      Array((folder + line.prefix { $0 != "\t" }).utf8)
    }
  }
}

extension Data {
  /// Reads a file by its path's bytes.
  init(contentsOfPath path: [UInt8]) throws {
    self = try Data(contentsOf: URL(fileURLWithPath: String(decoding: path, as: UTF8.self)))
  }
}
