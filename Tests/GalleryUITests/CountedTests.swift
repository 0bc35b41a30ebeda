import Testing

@testable import GalleryUI

@Suite("Counts read as people write them")
struct CountedTests {
  @Test(
    "Numbers are grouped by three",
    arguments: [(0, "0"), (999, "999"), (1_000, "1,000"), (-12_345, "-12,345"), (1_000_000, "1,000,000")])
  func numbers(number: Int, text: String) {
    #expect(CountFormat.number(number) == text)
  }

  @Test(
    "One thing is one, and all else are many", arguments: [(0, "0 folders"), (1, "1 folder"), (2_048, "2,048 folders")])
  func things(count: Int, text: String) {
    #expect(CountFormat.quantity(count, "folder") == text)
  }
}
