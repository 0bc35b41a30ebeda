import TestSupport
import Testing

@Suite("Whatever happens to a view in whichever order, by whomever it is called, its laws hold")
struct StormTests {
  @Test(
    "Applies, layouts, scrolls, selections, settings and data sources at random, from everywhere", arguments: 1...20)
  func storm(seed: UInt64) { drive(Storm(Array(0..<120), seed: seed)) }

  @Test("So they do with headers that stay at the top", arguments: 1...20)
  func headers(seed: UInt64) { drive(Storm(Array(0..<120), seed: seed, hasHeaders: true)) }

  @Test("So they do where a data source is asked by index path", arguments: 1...20)
  func classic(seed: UInt64) {
    let storm = ClassicStorm(seed: seed)
    for round in 1...120 {
      storm.step()
      storm.checkLaws()
      if round % 40 == 0 { storm.checkRest() }
    }
  }

  private func drive(_ storm: Storm) {
    for round in 1...120 {
      storm.step()
      storm.checkLaws()
      if round % 40 == 0 { storm.checkRest() }
    }
  }
}
