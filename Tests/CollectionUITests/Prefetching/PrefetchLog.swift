import CollectionUI
import Testing

/// Writes down what is wanted ahead, and checks that only what was announced and not seen since is given up.
final class PrefetchLog: DataPrefetching {
  /// Announced, not seen since, and not given up.
  private(set) var wanted: Set<String> = []
  /// On screen, or near since it was.
  private(set) var seen: Set<String> = []
  /// How many were announced and given up.
  private(set) var requested = 0
  private(set) var cancelled = 0
  private(set) var prefetches: [[String]] = []
  private(set) var cancels: [[String]] = []
  private(set) var releases: [[String]] = []
  /// The items that there are.
  var isThere: (String) -> Bool = { _ in true }
  /// Called with what is announced.
  var onPrefetch: (([String]) -> Void)?

  func forget() {
    prefetches = []
    cancels = []
    releases = []
  }

  /// Notes what is on screen.
  func note(shown: [String]) {
    wanted.subtract(shown)
    seen.formUnion(shown)
  }

  func prefetchItems(_ items: [String]) {
    #expect(!items.isEmpty && Set(items).count == items.count)
    for item in items {
      #expect(isThere(item), "\(item) is prefetched and does not exist")
      #expect(wanted.insert(item).inserted, "\(item) is prefetched twice")
      #expect(!seen.contains(item), "\(item) is prefetched and was on screen")
    }
    requested += items.count
    prefetches.append(items)
    onPrefetch?(items)
  }

  func cancelPrefetchingItems(_ items: [String]) {
    #expect(!items.isEmpty && Set(items).count == items.count)
    for item in items { #expect(wanted.remove(item) != nil, "\(item) is given up and was not announced") }
    cancelled += items.count
    cancels.append(items)
  }

  func releaseItems(_ items: [String]) {
    #expect(!items.isEmpty && Set(items).count == items.count)
    for item in items { #expect(seen.remove(item) != nil, "\(item) is released and was not on screen") }
    releases.append(items)
  }
}
