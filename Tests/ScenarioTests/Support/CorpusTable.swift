import Foundation

/// The table of the pictures that may stand beside the package, and a folder of links to some of them.
struct CorpusTable {
  /// One picture.
  struct Row {
    var path: String
    var format: String
    var verdict: String
    var width: Int?
    var height: Int?

    /// The formats that have a decoder.
    var isDecoded: Bool { ["jpeg", "png", "webp", "gif", "bmp", "tiff", "avif", "heif", "qoi"].contains(format) }

    /// Whether its name says that it is a picture, so that it is listed whatever its bytes are.
    var hasPictureName: Bool {
      let endings = [
        "jpg", "jpeg", "jpe", "jfif", "png", "webp", "gif", "bmp", "dib", "tif", "tiff", "avif", "heic", "heif", "qoi",
        "jxl",
      ]
      let name = path.split(separator: "/").last ?? ""
      guard let dot = name.lastIndex(of: "."), dot != name.startIndex, name.first != "." else { return false }
      return endings.contains(name[name.index(after: dot)...].lowercased())
    }
  }

  /// The rows that were asked for.
  let rows: [Row]

  /// Reads the table.
  init(in images: URL, where isWanted: (Row) -> Bool) throws {
    let lines = try String(contentsOf: images.appending(path: "MANIFEST.tsv"), encoding: .utf8).split(separator: "\n")
    rows = lines.dropFirst().compactMap { line in
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard fields.count > 4 else { return nil }
      let row = Row(
        path: fields[0], format: fields[1], verdict: fields[2], width: Int(fields[3]), height: Int(fields[4]))
      return isWanted(row) ? row : nil
    }
  }

  /// Makes links to the pictures in a folder, under the paths that the table has.
  func link(into folder: TemporaryFolder, from images: URL) throws {
    var made: Set<String> = []
    for row in rows {
      let parent = row.path.split(separator: "/").dropLast().joined(separator: "/")
      if made.insert(parent).inserted { try folder.makeFolder(parent) }
      try folder.link(row.path, to: images.appending(path: row.path).path)
    }
  }
}
