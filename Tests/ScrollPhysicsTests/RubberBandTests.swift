import ScrollPhysics
import TestSupport
import Testing

@Suite("Content follows a finger beyond its edge less and less")
struct RubberBandTests {
  @Test(
    "The curve is UIKit's", arguments: [(10.0, 5.5), (100, 51.5), (400, 172.5), (800, 283.9)])
  func publishedFigures(pulled: Double, shown: Double) {
    let band = RubberBand(viewportLength: 800)
    #expect((band.shown(pulled: pulled) - shown).magnitude < 0.1)
    #expect((band.shown(pulled: -pulled) + shown).magnitude < 0.1)
  }

  @Test("The inverse undoes it")
  func inverse() {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<2_000 {
      let band = RubberBand(viewportLength: .random(in: 1...4_000, using: &random))
      let pulled = Double.random(in: -1e5...1e5, using: &random)
      let again = band.pulled(shown: band.shown(pulled: pulled))
      #expect((again - pulled).magnitude <= 1e-9 * max(1, pulled * pulled))
    }
  }

  @Test("No number makes it exceed the viewport or lose itself")
  func extremes() {
    for length in EdgeCaseNumbers.doubles {
      for number in EdgeCaseNumbers.doubles {
        let band = RubberBand(viewportLength: length, coefficient: number)
        for pull in EdgeCaseNumbers.doubles {
          #expect(band.shown(pulled: pull).magnitude <= band.viewportLength)
          #expect(band.pulled(shown: pull).isFinite)
        }
      }
    }
  }
}
