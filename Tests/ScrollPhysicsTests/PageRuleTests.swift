import ScrollPhysics
import Testing

@Suite("Pages turn by a flick, or go back to the nearest")
struct PageRuleTests {
  private let range = ScrollRange(contentLength: 3_000, viewportLength: 800)

  @Test(
    "From where it is let go, by how fast",
    arguments: [
      (0.0, 0.0, 0.0), (390, 0, 0), (410, 0, 800), (410, 299, 800), (10, 300, 800), (790, 300, 800), (800, 300, 1_600),
      (810, -300, 800), (799.5, -300, 0), (800, -300, 0), (1_700, 0, 1_600), (1_950, 0, 2_200), (1_600, 500, 2_200),
      (-50, 0, 0), (-50, 900, 800), (5_000, 0, 2_200), (2_200, 900, 2_200),
    ])
  func table(offset: Double, velocity: Double, page: Double) {
    #expect(PageRule.offset(from: offset, velocity: velocity, in: range) == page)
  }

  @Test("Without room there is one page")
  func noRoom() {
    #expect(PageRule.offset(from: 7, velocity: 900, in: .zero) == 0)
    #expect(PageRule.offset(from: .nan, velocity: .nan, in: range) == 0)
  }
}
