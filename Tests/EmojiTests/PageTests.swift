import Foundation
import Testing

@Suite("The page about the emoji example")
struct PageTests {
  /// The lines without how far they are indented, as a page shows methods by themselves.
  private static func lines(_ text: String) -> String {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "\n")
  }

  @Test("Every block of code stands in the example")
  func code() throws {
    let package = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let file = package.appendingPathComponent("Documentation/Examples/Emoji.md")
    let page = try String(contentsOf: file, encoding: .utf8)
    let blocks = page.components(separatedBy: "```").filter { $0.hasPrefix("swift\n") }.map { $0.dropFirst(6) }
    #expect(blocks.count >= 6)
    let folder = package.appendingPathComponent("Examples/Emoji")
    let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
    let code = try files.compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
      .map { Self.lines(try String(contentsOf: $0, encoding: .utf8)) }
    for block in blocks {
      let wanted = Self.lines(String(block))
      #expect(code.contains { $0.contains(wanted) }, "\(block)")
    }
  }
}
