import BenchmarkSupport
import Testing

@Suite("The ledger of operations")
struct OperationLedgerTests {
  private func add(
    _ ledger: inout OperationLedger, _ type: String, _ operation: String, _ count: Int, _ nanoseconds: Double
  ) {
    let stated: StatedCost = operation == "items" ? .linear("n") : .flat("1")
    ledger.add(type: type, operation: operation, stated: stated, count: count, nanoseconds: nanoseconds)
  }

  @Test("prints a table for each type, rows in the order in which they came, and counts the verdicts")
  func tables() {
    var ledger = OperationLedger(sizes: [1_000, 10_000])
    for (count, times) in [(1_000, (20.0, 40.0, 1_000.0)), (10_000, (22.0, 800.0, 10_000.0))] {
      add(&ledger, "Tree", "level", count, times.0)
      add(&ledger, "List", "contains", count, times.1)
      add(&ledger, "Tree", "items", count, times.2)
    }
    #expect(
      ledger.lines == [
        "",
        "Tree",
        "  operation    1,000   10,000    x10   mean  stated  verdict",
        "  ---------  -------  -------  -----  -----  ------  ---------",
        "  level      20.0 ns  22.0 ns  1.10x  1.10x  1       as stated",
        "  items      1.00 µs  10.0 µs  10.0x  10.0x  n       as stated",
        "",
        "List",
        "  operation    1,000  10,000    x10   mean  stated  verdict",
        "  ---------  -------  ------  -----  -----  ------  ------------------",
        "  contains   40.0 ns  800 ns  20.0x  20.0x  1       SLOWER THAN STATED",
        "",
        "3 figures: 2 as stated, 1 slower than stated.",
      ])
  }

  @Test("shows what was not measured as a dash")
  func gaps() {
    var ledger = OperationLedger(sizes: [1_000, 10_000, 100_000])
    add(&ledger, "Tree", "level", 1_000, 5)
    #expect(
      ledger.lines == [
        "",
        "Tree",
        "  operation    1,000  10,000  100,000  x10  x10  mean  stated  verdict",
        "  ---------  -------  ------  -------  ---  ---  ----  ------  -------",
        "  level      5.00 ns       -        -    -    -     -  1       -",
        "",
        "1 figures: 0 as stated, 0 slower than stated.",
      ])
  }
}
