/// A table of text in columns as wide as their widest entry.
public struct TextTable: Hashable, Sendable {
  /// On which side of its column an entry stands.
  public enum Alignment: Hashable, Sendable {
    /// Words.
    case left
    /// Numbers.
    case right
  }

  private let alignments: [Alignment]
  private var rows: [[String]]

  /// Makes a table from the heads of its columns.
  public init(_ columns: [(head: String, alignment: Alignment)]) {
    alignments = columns.map(\.alignment)
    rows = [columns.map(\.head)]
  }

  /// Adds a row; entries that are missing at its end are empty, and those that are too many are left out.
  public mutating func add(_ entries: [String]) {
    let missing = max(0, alignments.count - entries.count)
    rows.append(Array(entries.prefix(alignments.count)) + [String](repeating: "", count: missing))
  }

  /// The lines: heads, a rule, rows; no line ends in a space.
  ///
  /// - Complexity: O(c) for c characters.
  public var lines: [String] {
    let widths = alignments.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    let rule = widths.map { String(repeating: "-", count: $0) }
    return ([rows[0], rule] + rows.dropFirst()).map { row in
      let line = alignments.indices.map { column in
        let space = String(repeating: " ", count: widths[column] - row[column].count)
        return alignments[column] == .left ? row[column] + space : space + row[column]
      }.joined(separator: "  ")
      return String(line.reversed().drop { $0 == " " }.reversed())
    }
  }
}
