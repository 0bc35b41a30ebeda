import Foundation
import PhotoLibrary
import Testing

extension Scenarios {
  /// Thousands of pictures, valid, odd, damaged and hostile, from the test suites of other programs.
  ///
  /// Of those that decode and are small every third is taken, of the rest every twelfth: a build for debugging needs
  /// minutes for all. With `VITRINE_WHOLE_CORPUS` set it gets them all.
  @Suite(
    "Every picture of a large collection has its verdict",
    .enabled(if: BuiltProgram.corpus != nil, "SKIPPED: there is no ../shared/images beside the package"))
  struct CorpusTests {
    static let takesAll = ProcessInfo.processInfo.environment["VITRINE_WHOLE_CORPUS"] != nil

    static func table(_ images: URL) throws -> CorpusTable {
      var (decoded, others) = (0, 0)
      return try CorpusTable(in: images) { row in
        if takesAll { return true }
        if row.isDecoded, row.verdict == "ok" {
          guard (row.width ?? 0) * (row.height ?? 0) <= 1 << 15 else { return false }
          decoded += 1
          return decoded % 3 == 0
        }
        others += 1
        return others % 12 == 0
      }
    }

    @Test("Nothing hangs, every file has its line, and what others decode is decoded in its right size")
    func verdicts() throws {
      let images = try #require(BuiltProgram.corpus)
      let table = try Self.table(images)
      #expect(table.rows.count > 300)
      let folder = try TemporaryFolder()
      try table.link(into: folder, from: images)
      let end = try VitrineRun(["--verdicts", "-"], on: folder).end()
      try #require(end.status == 0 && end.complaints.isEmpty, "\(end)")
      var lines: [String: VerdictTable.Line] = [:]
      for line in try VerdictTable(end.output).lines {
        lines[String(decoding: line.path.bytes.dropFirst(folder.path.utf8.count + 1), as: UTF8.self)] = line
      }
      var decodable = 0
      var wrong: [String] = []
      for row in table.rows {
        guard let line = lines[row.path] else {
          // Listed by name or by its first bytes; what has neither is no picture of ours.
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
