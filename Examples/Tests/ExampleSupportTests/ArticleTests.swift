import Foundation
import Testing

@Suite("The articles about the examples")
struct ArticleTests {
  /// Returns the lines without indentation and comments, because the articles show methods without their type.
  private static func lines(_ text: String) -> String {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.hasPrefix("//") }
      .joined(separator: "\n")
  }

  @Test("Every code excerpt of an article is in the example's source", arguments: ["Destinations", "Emoji", "Outline"])
  func excerpts(name: String) throws {
    let root = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let file = root.appendingPathComponent("Documentation/Examples/\(name).md")
    let article = try String(contentsOf: file, encoding: .utf8)
    let blocks = article.components(separatedBy: "```").filter { $0.hasPrefix("swift\n") }.map { $0.dropFirst(6) }
    #expect(blocks.count >= 4)
    let folder = root.appendingPathComponent("Examples/\(name)")
    let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
    let code = try files.compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
      .map { Self.lines(try String(contentsOf: $0, encoding: .utf8)) }
    for block in blocks {
      let excerpt = Self.lines(String(block))
      #expect(code.contains { $0.contains(excerpt) }, "\(block)")
    }
  }
}
