import Testing

@testable import PhotoLibrary

@Suite("The size of a batch")
struct BatchGaugeTests {
  @Test("The first is a screenful, later ones a thousand")
  func sizes() {
    var gauge = BatchPolicy(isTimed: false)
    var answers = [gauge.isDue(count: 63, at: 0), gauge.isDue(count: 64, at: 0)]
    gauge.reset()
    answers += [gauge.isDue(count: 64, at: 0), gauge.isDue(count: 999, at: .max), gauge.isDue(count: 1000, at: 0)]
    #expect(answers == [false, true, false, false, true])
  }

  @Test("Where somebody watches, a batch gets no older than 50 milliseconds")
  func patience() {
    var gauge = BatchPolicy(isTimed: true)
    gauge.reset()
    let answers = [
      gauge.isDue(count: 0, at: 0), gauge.isDue(count: 1, at: 100_000_000), gauge.isDue(count: 2, at: 149_999_999),
      gauge.isDue(count: 2, at: 150_000_000),
    ]
    #expect(answers == [false, false, false, true])
  }
}
