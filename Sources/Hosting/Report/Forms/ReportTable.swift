/// A report as aligned rows of text, for somebody at a terminal.
struct ReportTable {
  /// The figures.
  let sections: [ReportSection]

  /// The text: names in a column, values beside it, a line between sections.
  var text: String {
    let width = sections.flatMap(\.rows).reduce(0) { max($0, $1.name.count) }
    return sections.map { section in
      section.title + "\n"
        + section.rows.map { row in
          let gap = String(repeating: " ", count: width - row.name.count + 2)
          return "  " + row.name + gap + row.value + (row.rating.map { " (\($0.rawValue))" } ?? "") + "\n"
        }.joined()
    }.joined(separator: "\n")
  }
}
