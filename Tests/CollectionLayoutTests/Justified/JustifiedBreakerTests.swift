import Geometry
import TestSupport
import Testing

@testable import CollectionLayout

@Suite("Breaking justified rows")
struct JustifiedBreakerTests {
  @Test("no other rows cost less", arguments: 0..<60)
  func isOptimal(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    for count in 1...11 {
      var gallery = JustifiedGallery(&random, of: count, wild: random.chance(oneIn: 2))
      gallery.target = min(gallery.target, gallery.width / 2)
      let shares = ContiguousArray(gallery.ratios.map { gallery.rules.share(ofRatio: $0) })
      for isLast in [false, true] {
        var breaker = JustifiedBreaker(gallery.rules)
        let firstItems = breaker.firstItems(of: shares, isLast: isLast).map { Int($0) }
        #expect(firstItems.first == 0 && firstItems.last == count)
        // The nearest rows that the pictures allow, by the first tolerance that allows any.
        let tolerances = JustifiedRules.nearTolerances.map { Optional($0) } + [nil]
        var best = Double.infinity
        var found = Double.infinity
        for near in tolerances where best == .infinity {
          best = leastCost(of: shares.map(\.value), gallery.rules, isLast: isLast, near: near)
          found = cost(of: shares.map(\.value), firstItems, gallery.rules, isLast: isLast, near: near)
        }
        #expect(abs(found - best) <= 1e-9 * max(1, best))
      }
    }
  }

  /// The cost of rows, or infinity when one of them is too low or too high.
  ///
  /// - Parameter near: how far from the target rows may be; nothing for the last resort.
  private func cost(
    of shares: [Double], _ firstItems: [Int], _ rules: JustifiedRules, isLast: Bool, near: Double?
  ) -> Double {
    var cost = 0.0
    for (first, end) in zip(firstItems, firstItems.dropFirst()) {
      let width = shares[first..<end].reduce(0, +) * Double(rules.target)
      let room = Double(rules.room(of: end - first))
      if isLast, end == shares.count, width < room { continue }
      let isTooLow = width > (near ?? JustifiedRules.tolerance) * room
      let isTooHigh = near.map { width < room / $0 } ?? false
      if isTooHigh || (isTooLow && (near != nil || end - first > 1)) { return .infinity }
      let height = room / width
      cost += (height - 1 / height) * (height - 1 / height)
    }
    return cost
  }

  /// The least cost of all ways to break: each bit says whether a row ends behind an item.
  private func leastCost(of shares: [Double], _ rules: JustifiedRules, isLast: Bool, near: Double?) -> Double {
    (0..<(1 << (shares.count - 1))).reduce(Double.infinity) { least, ends in
      let firstItems = [0] + (1..<shares.count).filter { ends >> ($0 - 1) & 1 == 1 } + [shares.count]
      return min(least, cost(of: shares, firstItems, rules, isLast: isLast, near: near))
    }
  }

  @Test("a breaker that is used again finds the same")
  func forgets() {
    var random = SeededGenerator(seed: 5)
    let gallery = JustifiedGallery(&random, of: 600)
    let shares = ContiguousArray(gallery.ratios.map { gallery.rules.share(ofRatio: $0) })
    var breaker = JustifiedBreaker(gallery.rules)
    let all = breaker.firstItems(of: shares, isLast: true)
    _ = breaker.firstItems(of: ContiguousArray(shares[..<100]), isLast: false)
    #expect(breaker.firstItems(of: shares, isLast: true) == all)
  }
}
