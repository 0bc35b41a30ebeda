import Geometry
import Rendering
import SDLBackend
import TestSupport
import Testing

@Suite("Measured widths are kept for a while")
struct MeasurementCacheTests {
  private func key(_ number: Int) -> MeasurementCache.Key {
    MeasurementCache.Key(text: "\(number)", style: TextStyle(size: 12), scale: .one)
  }

  @Test("The last so many are known, at most twice as many are kept, and none is wrong")
  func bounds() {
    var random = SeededGenerator(seed: 7)
    var cache = MeasurementCache(capacity: 10)
    var recent: [Int] = []
    for _ in 0..<2_000 {
      let number = Int.random(in: 0..<60, using: &random)
      let known = cache.width(for: key(number))
      #expect(known == nil || known == number * 3)
      if recent.suffix(10).contains(number) { #expect(known == number * 3) }
      if known == nil { cache.insertWidth(number * 3, for: key(number)) }
      recent.removeAll { $0 == number }
      recent.append(number)
      #expect(cache.count <= 20)
    }
  }

  @Test("Style and scale are part of what was measured")
  func keys() {
    var cache = MeasurementCache()
    cache.insertWidth(1, for: MeasurementCache.Key(text: "a", style: TextStyle(size: 12), scale: .one))
    let others = [
      MeasurementCache.Key(text: "a", style: TextStyle(size: 13), scale: .one),
      MeasurementCache.Key(text: "a", style: TextStyle(size: 12, weight: .medium), scale: .one),
      MeasurementCache.Key(text: "a", style: TextStyle(size: 12, hasMonospacedDigits: true), scale: .one),
      MeasurementCache.Key(text: "a", style: TextStyle(size: 12), scale: DisplayScale(pixelsPerPoint: 2)),
    ]
    for other in others {
      let known = cache.width(for: other)
      #expect(known == nil)
    }
  }
}
