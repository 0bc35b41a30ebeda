import Foundation
import Testing

@Suite("The code of articles and documents")
struct DocumentTests {
  private static let root = URL(filePath: #filePath).appending(path: "../../../../").standardized

  /// The documents for clients: all articles, the README, and the pages about the library.
  private static let documents =
    [
      "README.md", "Documentation/Library.md", "Documentation/HowTo/WriteALayout.md",
      "Documentation/HowTo/DrawAView.md",
    ]
    + files(in: "Sources", withExtension: "md").filter { $0.contains(".docc/") }

  /// The article with the manifest, which `scripts/client` builds.
  private static let firstGrid = "Sources/CollectionUI/CollectionUI.docc/FirstGrid.md"

  /// The sources that the build compiles, without indentation and empty lines.
  private static let sources =
    (files(in: "Examples", withExtension: "swift")
    + files(in: "Tests/CollectionUITests/Articles", withExtension: "swift"))
    .filter { !$0.hasSuffix("/DocumentTests.swift") }.map { trimmedLines(text(of: $0)) }
    + excerpts(of: text(of: firstGrid)).filter { $0.hasPrefix("// swift-tools-version") }

  private static func files(in folder: String, withExtension name: String) -> [String] {
    let paths = FileManager.default.enumerator(atPath: root.appending(path: folder).path())?.allObjects ?? []
    return paths.compactMap { $0 as? String }.filter { $0.hasSuffix("." + name) }.map { folder + "/" + $0 }.sorted()
  }

  private static func text(of path: String) -> String {
    (try? String(contentsOf: root.appending(path: path), encoding: .utf8)) ?? ""
  }

  /// Returns the lines without indentation, because an article shows methods without their type.
  private static func trimmedLines(_ text: some StringProtocol) -> String {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
      .joined(separator: "\n")
  }

  /// Returns the parts of the Swift blocks of a document.
  ///
  /// A line `// …` stands for what a block omits.
  private static func excerpts(of document: String) -> [String] {
    document.components(separatedBy: "```").enumerated()
      .filter { $0.offset % 2 == 1 && $0.element.hasPrefix("swift\n") }
      .flatMap { trimmedLines($0.element.dropFirst("swift\n".count)).components(separatedBy: "// …") }
      .map { trimmedLines($0) }.filter { !$0.isEmpty }
  }

  @Test("Every Swift block is in a source that is compiled", arguments: documents)
  func code(document: String) {
    for excerpt in Self.excerpts(of: Self.text(of: document)) {
      #expect(Self.sources.contains { $0.contains(excerpt) }, "\(excerpt)")
    }
  }

  @Test("The check finds articles, their blocks and what is not compiled")
  func check() {
    #expect(Self.documents.count > 20)
    #expect(Self.excerpts(of: "```swift\na\n  // …\n\n  b\n```\n```sh\nc\n```\n") == ["a", "b"])
    #expect(Self.sources.contains { $0.contains("struct Staircase: SectionLayout {") })
    #expect(!Self.sources.contains { $0.contains("struct Staircase: SectionLayout { }") })
  }
}
