import Testing
import VitrineGeometry
import VitrineRendering
import VitrineSDLBackend
import VitrineTestSupport

@Suite("A generational cache stores recently used values within its bounds")
struct GenerationalCacheTests {
  @Test("A value is found until it is evicted, and only for its own key", arguments: 1...20 as ClosedRange<UInt64>)
  func bounds(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let capacity = 100
    var cache = GenerationalCache<Int, Int>(capacity: capacity)
    for step in 0..<1_000 {
      let key = Int.random(in: 0..<60, using: &random)
      if Bool.random(using: &random) {
        cache.insert(key * 1_000, for: key, cost: .random(in: 0...30, using: &random))
        let value = cache.value(for: key)
        #expect(value == key * 1_000, "step \(step)")
      } else if let value = cache.value(for: key) {
        #expect(value == key * 1_000)
      }
      #expect(cache.cost <= 2 * capacity && cache.cost >= 0)
    }
  }

  @Test("A value that is used again is retained while others are evicted")
  func retainsUsedValues() {
    var cache = GenerationalCache<Int, String>(capacity: 10)
    cache.insert("kept", for: 0)
    for key in 1...500 {
      cache.insert("other", for: key)
      let value = cache.value(for: 0)
      #expect(value == "kept" && cache.count <= 20)
    }
    let evicted = cache.value(for: 1)
    #expect(evicted == nil)
  }

  @Test("A value that costs more than the capacity is not stored, and removes the previous value")
  func tooLarge() {
    var cache = GenerationalCache<Int, String>(capacity: 10)
    cache.insert("small", for: 1, cost: 4)
    cache.insert("large", for: 1, cost: 11)
    let removed = cache.value(for: 1)
    #expect(removed == nil && cache.cost == 0 && cache.count == 0)
  }

  @Test("A value that is inserted again is counted once")
  func repeatedInsertion() {
    var cache = GenerationalCache<Int, Int>(capacity: 10)
    for value in 0..<50 { cache.insert(value, for: 1, cost: 6) }
    let latest = cache.value(for: 1)
    #expect(latest == 49 && cache.cost == 6 && cache.count == 1)
  }
}

@Suite("The measurement cache stores recently measured widths")
struct MeasurementCacheTests {
  private func key(_ number: Int) -> MeasurementCache.Key {
    MeasurementCache.Key(text: "\(number)", style: TextStyle(size: 12), scale: .one)
  }

  @Test("The most recent widths are found, at most twice as many are stored, and none is wrong")
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

  @Test("The style and the scale are part of the key")
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
