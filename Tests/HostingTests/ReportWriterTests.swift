import Foundation
import Testing

@testable import Hosting

@Suite("A report's file is there whole or not at all")
struct ReportWriterTests {
  private func withFolder(_ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "vitrine-report-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder)
  }

  @Test("It replaces an older one and leaves nothing beside it")
  func replaces() throws {
    try withFolder { folder in
      let file = folder.appending(path: "report ä.json")
      try Data("older and longer than what will stand here, as it is repeated".utf8).write(to: file)
      let report = RunReportTests.report(RunReportTests.history([RunReportTests.record(0)]))
      try ReportWriter(destination: file.path).write(report)
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      #expect(names == ["report ä.json"])
      let object = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any]
      #expect(object?["schema"] as? Int == 1)
      #expect(object?["version"] as? String == "1.2.3")
    }
  }

  @Test("Where it cannot be written, nothing is left behind")
  func refuses() throws {
    try withFolder { folder in
      let report = RunReportTests.report(RunReportTests.history([]))
      let absent = folder.appending(path: "absent/report.json").path
      #expect(throws: (any Error).self) { try ReportWriter(destination: absent).write(report) }
      #expect(throws: (any Error).self) { try ReportWriter(destination: folder.path).write(report) }
      let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      #expect(left.isEmpty)
    }
  }
}
