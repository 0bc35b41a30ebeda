import Testing
import VitrineGeometry
import VitrineTestSupport

@testable import VitrineCollectionLayout

@Suite("Breaking items into justified rows")
struct JustifiedBreakerTests {
  @Test("The rows have the minimum cost", arguments: TestScale.seeds(0..<60))
  func isOptimal(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    for count in 1...11 {
      var gallery = JustifiedGallery(&random, of: count, extreme: random.chance(oneIn: 2))
      gallery.target = min(gallery.target, gallery.width / 2)
      let ratios = ContiguousArray(gallery.ratios.map { gallery.rules.ratio(forAspectRatio: $0) })
      for isLast in [false, true] {
        var breaker = JustifiedBreaker(gallery.rules)
        let firstItems = breaker.firstItems(of: ratios, isLast: isLast).map { Int($0) }
        #expect(firstItems.first == 0 && firstItems.last == count)
        // The minimum cost with the first tolerance for which rows are possible.
        let tolerances = JustifiedRules.nearTolerances.map { Optional($0) } + [nil]
        var minimum = Double.infinity
        var found = Double.infinity
        for tolerance in tolerances where minimum == .infinity {
          minimum = minimumCost(of: ratios.map(\.value), gallery.rules, isLast: isLast, tolerance: tolerance)
          found = cost(of: ratios.map(\.value), firstItems, gallery.rules, isLast: isLast, tolerance: tolerance)
        }
        #expect(abs(found - minimum) <= 1e-9 * max(1, minimum))
      }
    }
  }

  /// Returns the cost of rows, or infinity if a row is too low or too high.
  ///
  /// - Parameter tolerance: The maximum factor between a row's height and the target, or nil if the maximum tolerance
  ///   applies and a single item may exceed it.
  private func cost(
    of ratios: [Double], _ firstItems: [Int], _ rules: JustifiedRules, isLast: Bool, tolerance: Double?
  ) -> Double {
    var cost = 0.0
    for (first, end) in zip(firstItems, firstItems.dropFirst()) {
      let width = ratios[first..<end].reduce(0, +) * Double(rules.target)
      let availableWidth = Double(rules.availableBreadth(forItems: end - first))
      if isLast, end == ratios.count, width < availableWidth { continue }
      let isTooLow = width > (tolerance ?? JustifiedRules.tolerance) * availableWidth
      let isTooHigh = tolerance.map { width < availableWidth / $0 } ?? false
      if isTooHigh || (isTooLow && (tolerance != nil || end - first > 1)) { return .infinity }
      let height = availableWidth / width
      cost += (height - 1 / height) * (height - 1 / height)
    }
    return cost
  }

  /// Returns the minimum cost of all possible rows.
  ///
  /// Each bit of a candidate indicates whether a row ends after an item.
  private func minimumCost(of ratios: [Double], _ rules: JustifiedRules, isLast: Bool, tolerance: Double?) -> Double {
    (0..<(1 << (ratios.count - 1))).reduce(Double.infinity) { minimum, ends in
      let firstItems = [0] + (1..<ratios.count).filter { ends >> ($0 - 1) & 1 == 1 } + [ratios.count]
      return min(minimum, cost(of: ratios, firstItems, rules, isLast: isLast, tolerance: tolerance))
    }
  }

  @Test("A breaker can be used repeatedly")
  func isReusable() {
    var random = SeededGenerator(seed: 5)
    let gallery = JustifiedGallery(&random, of: 600)
    let ratios = ContiguousArray(gallery.ratios.map { gallery.rules.ratio(forAspectRatio: $0) })
    var breaker = JustifiedBreaker(gallery.rules)
    let all = breaker.firstItems(of: ratios, isLast: true)
    _ = breaker.firstItems(of: ContiguousArray(ratios[..<100]), isLast: false)
    #expect(breaker.firstItems(of: ratios, isLast: true) == all)
  }
}
