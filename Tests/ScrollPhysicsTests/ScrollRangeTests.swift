import ScrollPhysics
import TestSupport
import Testing

@Suite("A scroll range holds the offsets that are allowed")
struct ScrollRangeTests {
  @Test("Content longer than the viewport scrolls by the difference")
  func longContent() {
    let range = ScrollRange(contentLength: 1_000, viewportLength: 300)
    #expect(range == ScrollRange(minimum: 0, maximum: 700, viewportLength: 300))
    #expect(range.clamp(-5) == 0)
    #expect(range.clamp(701) == 700)
    #expect(range.clamp(12.5) == 12.5)
  }

  @Test("Content that fits rests at its beginning")
  func shortContent() {
    let range = ScrollRange(contentLength: 100, viewportLength: 300, leadingInset: 20, trailingInset: 10)
    #expect(range.minimum == -20)
    #expect(range.maximum == -20)
    #expect(range.length == 0)
  }

  @Test("Insets are room before and after")
  func insets() {
    let range = ScrollRange(contentLength: 1_000, viewportLength: 300, leadingInset: 20, trailingInset: 10)
    #expect(range.minimum == -20)
    #expect(range.maximum == 710)
  }

  @Test("No number makes an offset that is not allowed")
  func extremes() {
    for first in EdgeCaseNumbers.doubles {
      for second in EdgeCaseNumbers.doubles {
        for range in [
          ScrollRange(minimum: first, maximum: second, viewportLength: first),
          ScrollRange(contentLength: first, viewportLength: second, leadingInset: second, trailingInset: first),
        ] {
          #expect(range.minimum.isFinite && range.maximum.isFinite && range.length >= 0)
          #expect(range.viewportLength >= 0)
          for offset in EdgeCaseNumbers.doubles { #expect(range.contains(range.clamp(offset))) }
        }
      }
    }
  }
}
