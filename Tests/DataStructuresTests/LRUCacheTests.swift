import Testing
import VitrineTestSupport

@testable import VitrineDataStructures

/// A reference implementation of ``LRUCache``: an array with the most recently used entry last.
private struct ReferenceCache {
  var entries: [(key: Int, value: Int, cost: Int)] = []
  var limit: Int

  var totalCost: Int { entries.reduce(0) { $0 + $1.cost } }

  mutating func value(for key: Int) -> Int? {
    guard let index = entries.firstIndex(where: { $0.key == key }) else { return nil }
    let entry = entries.remove(at: index)
    entries.append(entry)
    return entry.value
  }

  mutating func remove(_ key: Int) -> Int? {
    guard let index = entries.firstIndex(where: { $0.key == key }) else { return nil }
    return entries.remove(at: index).value
  }

  mutating func shrink(to cost: Int) -> [Int] {
    var evicted: [Int] = []
    while totalCost > cost { evicted.append(entries.removeFirst().key) }
    return evicted
  }

  mutating func insert(_ value: Int, for key: Int, cost: Int) -> [Int] {
    _ = remove(key)
    guard cost <= limit else { return [] }
    let evicted = shrink(to: limit - cost)
    entries.append((key, value, cost))
    return evicted
  }
}

@Suite("LRUCache")
struct LRUCacheTests {
  @Test("Matches the reference implementation over random operations", arguments: 0..<20)
  func matchesReference(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var cache = LRUCache<Int, Int>(costLimit: 100)
    var model = ReferenceCache(limit: 100)
    for step in 0..<2_000 {
      let key = Int.random(in: 0..<40, using: &random)
      switch Int.random(in: 0..<20, using: &random) {
      case 0..<9:
        let cost = Int.random(in: 0...120, using: &random) / (key.isMultiple(of: 3) ? 1 : 10)
        let evicted = cache.insert(step, for: key, cost: cost)
        #expect(evicted.map(\.key) == model.insert(step, for: key, cost: cost))
      case 9..<15: #expect(cache.value(for: key) == model.value(for: key))
      case 15..<17: #expect(cache.peekValue(for: key) == model.entries.first { $0.key == key }?.value)
      case 17..<19: #expect(cache.remove(key) == model.remove(key))
      default:
        let limit = Int.random(in: 0...200, using: &random)
        model.limit = limit
        #expect(cache.setCostLimit(limit).map(\.key) == model.shrink(to: limit))
      }
      #expect(cache.invariantViolation == nil)
      #expect(cache.totalCost == model.totalCost)
      #expect(cache.keys == model.entries.reversed().map(\.key))
    }
    cache.removeAll()
    #expect(cache.count == 0)
    #expect(cache.totalCost == 0)
    #expect(cache.invariantViolation == nil)
  }

  @Test("Evicts the least recently used value first")
  func evictionOrder() {
    var cache = LRUCache<String, Int>(costLimit: 3)
    cache.insert(1, for: "a", cost: 1)
    cache.insert(2, for: "b", cost: 1)
    cache.insert(3, for: "c", cost: 1)
    #expect(cache.value(for: "a") == 1)
    let evicted = cache.insert(4, for: "d", cost: 2)
    #expect(evicted.map(\.key) == ["b", "c"])
    #expect(cache.keys == ["d", "a"])
  }

  @Test("Peeking does not change the order")
  func peeking() {
    var cache = LRUCache<String, Int>(costLimit: 2)
    cache.insert(1, for: "a", cost: 1)
    cache.insert(2, for: "b", cost: 1)
    #expect(cache.peekValue(for: "a") == 1)
    #expect(cache.insert(3, for: "c", cost: 1).map(\.key) == ["a"])
  }

  @Test("A value that exceeds the cost limit is not stored and evicts no other value")
  func exceedsCostLimit() {
    var cache = LRUCache<String, Int>(costLimit: 2)
    cache.insert(1, for: "a", cost: 1)
    cache.insert(2, for: "b", cost: 1)
    #expect(cache.insert(3, for: "b", cost: 3).isEmpty)
    #expect(cache.keys == ["a"])
  }

  @Test("Releases evicted values")
  func releasesEvictedValues() {
    final class Element: Sendable {}
    var cache = LRUCache<Int, Element>(costLimit: 1)
    weak var element: Element?
    do {
      let made = Element()
      element = made
      cache.insert(made, for: 1, cost: 1)
    }
    #expect(element != nil)
    cache.insert(Element(), for: 2, cost: 1)
    #expect(element == nil)
  }
}
