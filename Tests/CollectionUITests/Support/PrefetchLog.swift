import CollectionUI
import struct FoundationEssentials.IndexPath
import Testing
import VitrineCollectionEngine

/// Records prefetching by identifier, and expects that only items prefetched and not displayed since are cancelled.
final class PrefetchLog: DataPrefetching {
  /// The items that were prefetched, and neither displayed nor cancelled since.
  private(set) var pendingItems: Set<String> = []
  /// The items that are displayed, or have stayed near the screen since.
  private(set) var displayedItems: Set<String> = []
  /// The number of prefetched items.
  private(set) var requestedCount = 0
  private(set) var cancelledCount = 0
  private(set) var prefetches: [[String]] = []
  private(set) var cancels: [[String]] = []
  private(set) var releases: [[String]] = []
  /// Returns whether an item exists.
  var itemExists: (String) -> Bool = { _ in true }
  /// Called with prefetched items.
  var onPrefetch: (([String]) -> Void)?

  func clearLog() {
    prefetches = []
    cancels = []
    releases = []
  }

  /// Records the displayed items.
  func recordDisplayed(_ items: [String]) {
    pendingItems.subtract(items)
    displayedItems.formUnion(items)
  }

  func prefetchItems(_ items: [String]) {
    #expect(!items.isEmpty && Set(items).count == items.count)
    for item in items {
      #expect(itemExists(item), "\(item) is prefetched and does not exist")
      #expect(pendingItems.insert(item).inserted, "\(item) is prefetched twice")
      #expect(!displayedItems.contains(item), "\(item) is prefetched and was displayed")
    }
    requestedCount += items.count
    prefetches.append(items)
    onPrefetch?(items)
  }

  func cancelPrefetchingItems(_ items: [String]) {
    #expect(!items.isEmpty && Set(items).count == items.count)
    for item in items { #expect(pendingItems.remove(item) != nil, "\(item) is cancelled and was not prefetched") }
    cancelledCount += items.count
    cancels.append(items)
  }

  func releaseItems(_ items: [String]) {
    #expect(!items.isEmpty && Set(items).count == items.count)
    for item in items { #expect(displayedItems.remove(item) != nil, "\(item) is released and was not displayed") }
    releases.append(items)
  }
}

/// Stores a request for each index path, as UIKit clients do, and expects no duplicate start and no unknown cancellation.
final class PathPrefetchLog: CollectionViewDataSourcePrefetching {
  /// The requests, each with the word for which it was started.
  private(set) var requests: [IndexPath: String] = [:]
  private(set) var lines: [String] = []
  /// Returns the word at an index path.
  var word: (IndexPath) -> String? = { _ in nil }

  func clearLog() { lines = [] }

  /// Removes the requests of displayed items, and expects that they were started for the displayed words.
  func removeRequests(forDisplayed items: [(IndexPath, String)]) {
    for (path, word) in items {
      guard let requested = requests.removeValue(forKey: path) else { continue }
      #expect(requested == word, "the request of \(requested) is used for \(word)")
    }
  }

  func collectionView(_ view: CollectionView, prefetchItemsAt indexPaths: [IndexPath]) {
    for path in indexPaths {
      #expect(requests[path] == nil, "\(path) is prefetched twice")
      requests[path] = word(path)
    }
    lines.append("+" + indexPaths.map { "\($0.item)" }.joined(separator: ","))
  }

  func collectionView(_ view: CollectionView, cancelPrefetchingForItemsAt indexPaths: [IndexPath]) {
    for path in indexPaths {
      #expect(requests.removeValue(forKey: path) != nil, "\(path) is cancelled and was not prefetched")
    }
    lines.append("-" + indexPaths.map { "\($0.item)" }.joined(separator: ","))
  }
}
