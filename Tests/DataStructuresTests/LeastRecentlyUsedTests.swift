import TestSupport
import Testing

@testable import DataStructures

/// The same as ``LeastRecentlyUsed``, slowly: an array with the most recently used last.
private struct NaiveStore {
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

@Suite("Least recently used store")
struct LeastRecentlyUsedTests {
  @Test("does what the naive one does, over random operations", arguments: 0..<20)
  func behavesAsTheNaiveOne(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var store = LRUCache<Int, Int>(costLimit: 100)
    var model = NaiveStore(limit: 100)
    for step in 0..<2_000 {
      let key = Int.random(in: 0..<40, using: &random)
      switch Int.random(in: 0..<20, using: &random) {
      case 0..<9:
        let cost = Int.random(in: 0...120, using: &random) / (key.isMultiple(of: 3) ? 1 : 10)
        let evicted = store.insert(step, for: key, cost: cost)
        #expect(evicted.map(\.key) == model.insert(step, for: key, cost: cost))
      case 9..<15: #expect(store.value(for: key) == model.value(for: key))
      case 15..<17: #expect(store.peekValue(for: key) == model.entries.first { $0.key == key }?.value)
      case 17..<19: #expect(store.remove(key) == model.remove(key))
      default:
        let limit = Int.random(in: 0...200, using: &random)
        model.limit = limit
        #expect(store.setCostLimit(limit).map(\.key) == model.shrink(to: limit))
      }
      #expect(store.invariantViolation == nil)
      #expect(store.totalCost == model.totalCost)
      #expect(store.keys == model.entries.reversed().map(\.key))
    }
    store.removeAll()
    #expect(store.count == 0)
    #expect(store.totalCost == 0)
    #expect(store.invariantViolation == nil)
  }

  @Test("the value that was not used for longest leaves first")
  func order() {
    var store = LRUCache<String, Int>(costLimit: 3)
    store.insert(1, for: "a", cost: 1)
    store.insert(2, for: "b", cost: 1)
    store.insert(3, for: "c", cost: 1)
    #expect(store.value(for: "a") == 1)
    let evicted = store.insert(4, for: "d", cost: 2)
    #expect(evicted.map(\.key) == ["b", "c"])
    #expect(store.keys == ["d", "a"])
  }

  @Test("looking without using leaves the order as it is")
  func peeking() {
    var store = LRUCache<String, Int>(costLimit: 2)
    store.insert(1, for: "a", cost: 1)
    store.insert(2, for: "b", cost: 1)
    #expect(store.peekValue(for: "a") == 1)
    #expect(store.insert(3, for: "c", cost: 1).map(\.key) == ["a"])
  }

  @Test("a value that costs more than the limit is not kept, and no other leaves for it")
  func tooCostly() {
    var store = LRUCache<String, Int>(costLimit: 2)
    store.insert(1, for: "a", cost: 1)
    store.insert(2, for: "b", cost: 1)
    #expect(store.insert(3, for: "b", cost: 3).isEmpty)
    #expect(store.keys == ["a"])
  }

  @Test("lets go of what leaves")
  func letsGo() {
    final class Element: Sendable {}
    var store = LRUCache<Int, Element>(costLimit: 1)
    weak var element: Element?
    do {
      let made = Element()
      element = made
      store.insert(made, for: 1, cost: 1)
    }
    #expect(element != nil)
    store.insert(Element(), for: 2, cost: 1)
    #expect(element == nil)
  }
}
