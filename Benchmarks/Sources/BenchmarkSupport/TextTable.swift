/// A table of plain text whose columns are as wide as their widest entry.
public struct TextTable: Hashable, Sendable {
  /// The alignment of the entries of a column.
  public enum Alignment: Hashable, Sendable {
    /// Left, for words.
    case left
    /// Right, for numbers.
    case right
  }

  private let alignments: [Alignment]
  private var rows: [[String]]

  /// Creates a table with the given column headings.
  public init(_ columns: [(head: String, alignment: Alignment)]) {
    alignments = columns.map(\.alignment)
    rows = [columns.map(\.head)]
  }

  /// Adds a row.
  ///
  /// Missing entries at the end are empty, and surplus entries are ignored.
  public mutating func add(_ entries: [String]) {
    let missing = max(0, alignments.count - entries.count)
    rows.append(Array(entries.prefix(alignments.count)) + [String](repeating: "", count: missing))
  }

  /// The lines: headings, a rule and the rows, without trailing spaces.
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

/// A Markdown table whose columns are padded to the width of their widest entry, so that it is also readable as text.
public struct MarkdownTable: Hashable, Sendable {
  private let alignments: [TextTable.Alignment]
  private var rows: [[String]]

  /// Creates a table with the given column headings.
  public init(_ columns: [(head: String, alignment: TextTable.Alignment)]) {
    alignments = columns.map(\.alignment)
    rows = [columns.map { MarkdownTable.escaped($0.head) }]
  }

  /// Adds a row.
  ///
  /// Missing entries at the end are empty, and surplus entries are ignored.
  public mutating func add(_ entries: [String]) {
    let missing = max(0, alignments.count - entries.count)
    rows.append(
      entries.prefix(alignments.count).map(MarkdownTable.escaped) + [String](repeating: "", count: missing))
  }

  /// The lines: headings, a rule that specifies the alignment, and the rows.
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

  /// Escapes vertical bars, which would end the entry, and replaces newlines, which would end the row.
  private static func escaped(_ entry: String) -> String {
    entry.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
      .split(separator: "\n", omittingEmptySubsequences: false).joined(separator: " ")
  }
}

/// Formatting of numbers for tables, with three significant digits and one unit.
public enum FigureText {
  /// Formats a time in nanoseconds as microseconds, or as milliseconds from one millisecond on.
  public static func time(_ nanoseconds: Double) -> String {
    nanoseconds < 999_500
      ? significantDigits(nanoseconds / 1_000) + " µs" : significantDigits(nanoseconds / 1_000_000) + " ms"
  }

  /// Formats a time in nanoseconds as nanoseconds below one microsecond, and like ``time(_:)`` from there on.
  public static func callTime(_ nanoseconds: Double) -> String {
    nanoseconds < 999.5 ? significantDigits(nanoseconds) + " ns" : time(nanoseconds)
  }

  /// Formats a number with one fraction digit.
  public static func tenths(_ number: Double) -> String { fixed(number, digits: 1) }

  /// Formats a number with three significant digits.
  public static func number(_ number: Double) -> String { significantDigits(number) }

  /// Formats a share as a percentage with two fraction digits, such as `0.10 %`.
  public static func percent(_ share: Double) -> String {
    share.isFinite ? fixed(share * 100, digits: 2) + " %" : "-"
  }

  /// Formats the relative change from an earlier number as a percentage, such as `+0.31 %`, or returns nil if the
  /// earlier number is 0.
  public static func change(from earlier: Double, to number: Double) -> String? {
    guard earlier != 0 else { return nil }
    let share = (number - earlier) / abs(earlier)
    return (share >= 0 ? "+" : "") + percent(share)
  }

  /// Formats a ratio with three fraction digits.
  public static func exactRatio(_ ratio: Double) -> String { fixed(ratio, digits: 3) + "x" }

  /// Formats a ratio with three significant digits.
  public static func ratio(_ ratio: Double) -> String { significantDigits(ratio) + "x" }

  /// Formats a number of bytes with one fraction digit.
  public static func bytes(_ bytes: Double) -> String { fixed(bytes, digits: 1) + " B" }

  /// Formats a whole number with thousands separators.
  public static func count(_ number: Double) -> String { grouped(number.rounded()) }

  /// Formats a whole number with thousands separators.
  public static func count(_ number: Int) -> String { grouped(Double(number)) }

  private static func significantDigits(_ number: Double) -> String {
    switch abs(number) {
    case ..<9.995: fixed(number, digits: 2)
    case ..<99.95: fixed(number, digits: 1)
    default: grouped(number.rounded())
    }
  }

  /// Formats a number with a fixed number of fraction digits.
  private static func fixed(_ number: Double, digits: Int) -> String {
    let scale = (0..<digits).reduce(1) { scale, _ in scale * 10 }
    let scaled = Int((abs(number) * Double(scale)).rounded())
    let fraction = String(scaled % scale)
    let sign = number < 0 && scaled != 0 ? "-" : ""
    return sign + String(scaled / scale) + "." + String(repeating: "0", count: digits - fraction.count) + fraction
  }

  private static func grouped(_ whole: Double) -> String {
    guard let number = Int(exactly: whole) else { return "\(whole)" }
    var text = ""
    for (index, digit) in String(number.magnitude).reversed().enumerated() {
      if index > 0, index.isMultiple(of: 3) { text.append(",") }
      text.append(digit)
    }
    return (number < 0 ? "-" : "") + String(text.reversed())
  }
}
