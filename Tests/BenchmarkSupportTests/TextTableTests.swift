import BenchmarkSupport
import Testing

@Suite("Tables of text")
struct TextTableTests {
  @Test("have columns as wide as their widest entry, words on the left and numbers on the right")
  func columns() {
    var table = TextTable([("case", .left), ("time", .right), ("aim", .left)])
    table.add(["append", "9.00 µs", "none"])
    table.add(["reversed", "12 ms"])
    table.add(["x", "1", "", "beyond the last column"])
    #expect(
      table.lines == [
        "case         time  aim",
        "--------  -------  ----",
        "append    9.00 µs  none",
        "reversed    12 ms",
        "x               1",
      ])
  }
}
