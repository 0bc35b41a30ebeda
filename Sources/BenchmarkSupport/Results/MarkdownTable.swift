/// A table as Markdown has it, in columns as wide as their widest entry, so that it can be read as text as well.
public struct MarkdownTable: Hashable, Sendable {
  private let alignments: [TextTable.Alignment]
  private var rows: [[String]]

  /// Makes a table from the heads of its columns.
  public init(_ columns: [(head: String, alignment: TextTable.Alignment)]) {
    alignments = columns.map(\.alignment)
    rows = [columns.map { MarkdownTable.escaped($0.head) }]
  }

  /// Adds a row; entries that are missing at its end are empty, and those that are too many are left out.
  public mutating func add(_ entries: [String]) {
    let missing = max(0, alignments.count - entries.count)
    rows.append(
      entries.prefix(alignments.count).map(MarkdownTable.escaped) + [String](repeating: "", count: missing))
  }

  /// The lines: heads, a rule that says on which side entries stand, rows.
  ///
  /// - Complexity: O(c) for c characters.
  public var lines: [String] {
    let widths = alignments.indices.map { column in max(3, rows.map { $0[column].count }.max() ?? 0) }
    let rule = alignments.indices.map { column in
      alignments[column] == .right
        ? String(repeating: "-", count: widths[column] - 1) + ":" : String(repeating: "-", count: widths[column])
    }
    let texts = rows.map { row in
      alignments.indices.map { column in
        let space = String(repeating: " ", count: widths[column] - row[column].count)
        return alignments[column] == .left ? row[column] + space : space + row[column]
      }
    }
    return ([texts[0], rule] + texts.dropFirst()).map { "| " + $0.joined(separator: " | ") + " |" }
  }

  /// A bar within an entry would end it, and a line's end the row.
  private static func escaped(_ entry: String) -> String {
    entry.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
      .split(separator: "\n", omittingEmptySubsequences: false).joined(separator: " ")
  }
}
