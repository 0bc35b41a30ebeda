import Foundation
import Testing
import VitrineImageMetadata
import VitrinePhotoLibrary

extension CommandLineScenarios {
  /// Verdicts for thousands of valid, unusual, damaged and hostile images from the test suites of other programs.
  ///
  /// A debug build needs minutes for all images. Therefore the test takes every third of the small images that can be
  /// decoded, and every twelfth of the others, unless `VITRINE_WHOLE_CORPUS` is set.
  @Suite(
    "Every image of a large corpus has its verdict",
    .enabled(if: BuiltProgram.corpus != nil, "SKIPPED: there is no ../shared/images next to the package"))
  struct CorpusTests {
    static let includesAll = ProcessInfo.processInfo.environment["VITRINE_WHOLE_CORPUS"] != nil

    private static func table(_ images: URL) throws -> CorpusTable {
      var (decoded, others) = (0, 0)
      return try CorpusTable(in: images) { row in
        if includesAll { return true }
        if row.isDecoded, row.verdict == "ok" {
          guard (row.width ?? 0) * (row.height ?? 0) <= 1 << 15 else { return false }
          decoded += 1
          return decoded % 3 == 0
        }
        others += 1
        return others % 12 == 0
      }
    }

    @Test("Every file has a line, and images that other programs decode are decoded in the right size")
    func verdicts() throws {
      let images = try #require(BuiltProgram.corpus)
      let table = try Self.table(images)
      #expect(table.rows.count > 300)
      let folder = try TemporaryFolder()
      try table.link(into: folder, from: images)
      let result = try VitrineRun(["--verdicts", "-"], on: folder).waitForExit()
      try #require(result.status == 0 && result.errorOutput.isEmpty, "\(result)")
      var lines: [String: VerdictTable.Line] = [:]
      for line in try VerdictTable(result.output).lines {
        lines[String(decoding: line.path.bytes.dropFirst(folder.path.utf8.count + 1), as: UTF8.self)] = line
      }
      var decodable = 0
      var wrong: [String] = []
      for row in table.rows {
        guard let line = lines[row.path] else {
          // Files are listed by name or by their first bytes. A file without either is not an image.
          #expect(!row.hasPictureName && !(row.isDecoded && row.verdict == "ok"), "\(row.path) has no line")
          continue
        }
        #expect(line.verdict == "ok" || !line.reason.isEmpty, "\(row.path)")
        if row.isDecoded, row.verdict == "ok" {
          decodable += 1
          if line.verdict != "ok" || line.width != row.width || line.height != row.height {
            wrong.append("\(row.path): \(line)")
          }
        }
        if row.verdict == "bomb" { #expect(line.verdict == "error", "\(row.path)") }
        if row.verdict == "ok", ["jp2", "jxl", "psd", "ico"].contains(row.format) {
          #expect(line.verdict == "error" && line.reason.contains("no preview"), "\(row.path): \(line)")
        }
      }
      #expect(decodable > 150)
      #expect(Double(wrong.count) <= Double(decodable) * 0.005, "\(wrong)")
      #expect(lines.count <= table.rows.count)
    }
  }
}

/// The manifest of the optional corpus of images next to the package.
private struct CorpusTable {
  /// An image.
  struct Row {
    var path: String
    var format: String
    var verdict: String
    var width: Int?
    var height: Int?

    /// Whether the program has a decoder for the format.
    ///
    /// The manifest names formats by a file name extension.
    var isDecoded: Bool { ImageFormat.table.contains { $0.decoding != .none && $0.fileExtensions.contains(format) } }

    /// Whether the file extension is that of an image, so that the file is listed whatever it contains.
    var hasPictureName: Bool {
      let name = path.split(separator: "/").last ?? ""
      guard let dot = name.lastIndex(of: "."), dot != name.startIndex, name.first != "." else { return false }
      return ImageFormat.table.contains { $0.fileExtensions.contains(name[name.index(after: dot)...].lowercased()) }
    }
  }

  /// The included rows.
  let rows: [Row]

  /// Reads the manifest, and includes the rows that the closure accepts.
  init(in images: URL, where isIncluded: (Row) -> Bool) throws {
    let lines = try String(contentsOf: images.appending(path: "MANIFEST.tsv"), encoding: .utf8).split(separator: "\n")
    rows = lines.dropFirst().compactMap { line in
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard fields.count > 4 else { return nil }
      let row = Row(
        path: fields[0], format: fields[1], verdict: fields[2], width: Int(fields[3]), height: Int(fields[4]))
      return isIncluded(row) ? row : nil
    }
  }

  /// Creates links to the included images in a folder, with the paths of the manifest.
  func link(into folder: TemporaryFolder, from images: URL) throws {
    var made: Set<String> = []
    for row in rows {
      let parent = row.path.split(separator: "/").dropLast().joined(separator: "/")
      if made.insert(parent).inserted { try folder.makeFolder(parent) }
      try folder.link(row.path, to: images.appending(path: row.path).path)
    }
  }
}
