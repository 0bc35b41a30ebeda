import PhotoLibrary

/// The lines that `--verdicts` wrote.
struct VerdictTable {
  /// One line.
  struct Line: Equatable {
    var path: PhotoPath
    var verdict: String
    var width: Int?
    var height: Int?
    var orientation: Int?
    var reason: String
  }

  /// A line that is not what it should be.
  struct Malformed: Error, CustomStringConvertible {
    var description: String
  }

  /// The lines in their order.
  let lines: [Line]

  /// Reads the table, refusing every line that is not exactly as promised.
  init(_ bytes: [UInt8]) throws {
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.isEmpty || text.hasSuffix("\n") else { throw Malformed(description: "the last line has no end") }
    lines = try text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map { line in
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard fields.count == 6, ["ok", "error"].contains(fields[1]), let path = PhotoPath(escaped: fields[0]),
        path.escaped == fields[0]
      else { throw Malformed(description: String(line)) }
      return Line(
        path: path, verdict: fields[1], width: Int(fields[2]), height: Int(fields[3]), orientation: Int(fields[4]),
        reason: fields[5])
    }
  }

  /// The line of a file in a folder.
  func line(_ name: [UInt8], in folder: TemporaryFolder) -> Line? {
    let path = PhotoPath(folder.bytes(of: name))
    return lines.first { $0.path == path }
  }

  /// The line of a file in a folder.
  func line(_ name: String, in folder: TemporaryFolder) -> Line? { line(Array(name.utf8), in: folder) }
}
