import BenchmarkSupport
import FoundationEssentials
import Testing

@Suite("Identifiers to measure with")
struct BenchmarkIdentifierTests {
  private func check<ID: BenchmarkIdentifier>(_: ID.Type) {
    let first = (0..<10_000).map(ID.identifier)
    #expect(first == (0..<10_000).map(ID.identifier))
    #expect(Set(first).count == 10_000)
  }

  @Test("are equal for equal numbers and different for different ones")
  func distinct() {
    check(Int.self)
    check(UUID.self)
    check(String.self)
  }

  @Test("of text have 32 bytes of ASCII")
  func text() {
    for number in [0, 1, -1, .max, .min, 123_456] {
      let text = String.identifier(of: number)
      #expect(text.utf8.count == 32)
      #expect(text.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) })
    }
  }
}
