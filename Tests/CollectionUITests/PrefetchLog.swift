import CollectionUI
import Testing

/// Writes down what is wanted ahead, and checks that only what was announced or on screen is given up.
final class PrefetchLog: DataPrefetching {
  /// Announced, or seen on screen, and not given up since.
  private(set) var wanted: Set<String> = []
  private(set) var prefetches: [[String]] = []
  private(set) var cancels: [[String]] = []
  /// The items that there are.
  var isThere: (String) -> Bool = { _ in true }

  func forget() {
    prefetches = []
    cancels = []
  }

  /// Notes what is on screen: it may be given up without having been announced.
  func note(shown: [String]) { wanted.formUnion(shown) }

  func prefetchItems(_ items: [String]) {
    #expect(!items.isEmpty && Set(items).count == items.count)
    for item in items {
      #expect(isThere(item), "\(item) is prefetched and does not exist")
      #expect(wanted.insert(item).inserted, "\(item) is prefetched twice")
    }
    prefetches.append(items)
  }

  func cancelPrefetchingItems(_ items: [String]) {
    #expect(!items.isEmpty && Set(items).count == items.count)
    for item in items { #expect(wanted.remove(item) != nil, "\(item) is given up and was never wanted") }
    cancels.append(items)
  }
}
