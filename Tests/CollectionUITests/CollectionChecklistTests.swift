import FoundationEssentials
import Testing

/// Checks that the checklist names existing tests, so that a renamed test is renamed there too.
@Suite("Every test named in the collection view's checklist exists")
struct CollectionChecklistTests {
  /// The package's folder, also if the tests are reached through a symbolic link.
  private static let package = URL(filePath: #filePath).resolvingSymlinksInPath()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Returns all tests of the package as `Suite.function`.
  private static func tests() throws -> Set<String> {
    var tests: Set<String> = []
    let folder = package.appending(path: "Tests").path
    for path in try FileManager.default.subpathsOfDirectory(atPath: folder) where path.hasSuffix("Tests.swift") {
      guard let text = FileManager.default.contents(atPath: folder + "/" + path) else { continue }
      var suite: Substring?
      var isTest = false
      for line in String(decoding: text, as: UTF8.self).split(separator: "\n") {
        if line.hasPrefix("struct ") || line.hasPrefix("final class ") {
          suite = line.firstMatch(of: /(?:struct|class) (\w+)/)?.output.1
        }
        isTest = isTest || line.contains("@Test")
        guard isTest, line.contains("func "), let name = line.firstMatch(of: /func (\w+)\(/)?.output.1 else {
          continue
        }
        isTest = false
        if let suite { tests.insert("\(suite).\(name)") }
      }
    }
    return tests
  }

  @Test("Each name in backquotes with a dot is a suite and a test, and each promise has a test")
  func names() throws {
    let page = Self.package.appending(path: "Documentation/CollectionChecklist.md").path
    let text = String(decoding: try #require(FileManager.default.contents(atPath: page)), as: UTF8.self)
    let tests = try Self.tests()
    #expect(tests.count > 500)
    var named = 0
    for line in text.split(separator: "\n") where line.hasPrefix("| ") && !line.hasPrefix("| Promise") {
      let cells = line.split(separator: "|")
      guard cells.count == 2, !cells[0].contains("---") else { continue }
      let names = cells[1].matches(of: /`(\w+\.\w+)`/).map { String($0.output.1) }
      #expect(!names.isEmpty, "\(line)")
      // Evaluated outside the expectation, which would print all tests.
      let missing = names.filter { !tests.contains($0) }
      #expect(missing.isEmpty)
      named += names.count
    }
    #expect(named > 100)
  }
}
