import Testing
import VitrineDataStructures

@Suite("SplitMix64")
struct SplitMix64Tests {
  @Test("Generates the sequence of the reference implementation")
  func published() {
    var random = SplitMix64(seed: 1_234_567)
    let numbers = (0..<5).map { _ in random.next() }
    #expect(
      numbers == [
        6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423, 4_593_380_528_125_082_431,
        16_408_922_859_458_223_821,
      ])
  }

  @Test(
    "The same seed generates the same sequence, which starts with the mixed seed", arguments: [0, 1, 42, UInt64.max])
  func repeatable(seed: UInt64) {
    var first = SplitMix64(seed: seed)
    var second = SplitMix64(seed: seed)
    #expect(first.next() == SplitMix64.mix(seed))
    _ = second.next()
    for _ in 0..<1_000 { #expect(first.next() == second.next()) }
  }

  @Test("Fractions are uniformly distributed and less than 1")
  func fractions() {
    var random = SplitMix64(seed: 7)
    var tenths = [Int](repeating: 0, count: 10)
    for _ in 0..<10_000 {
      let fraction = random.nextFraction()
      #expect(fraction >= 0 && fraction < 1)
      tenths[Int(fraction * 10)] += 1
    }
    #expect(tenths.allSatisfy { (850...1_150).contains($0) })
  }
}
