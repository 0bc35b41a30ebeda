import BenchmarkSupport
import Testing

@Suite("Tables as Markdown has them")
struct MarkdownTableTests {
  @Test("stand in columns, and nothing in an entry ends it")
  func lines() {
    var table = MarkdownTable([("name", .left), ("n", .right)])
    table.add(["a|b", "12,345"])
    table.add(["c\nd"])
    table.add(["e", "1", "too many"])
    #expect(
      table.lines == [
        "| name |      n |", "| ---- | -----: |", "| a\\|b | 12,345 |", "| c d  |        |", "| e    |      1 |",
      ])
  }
}
