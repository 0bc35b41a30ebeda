import CollectionEngine
import CollectionUI
import struct FoundationEssentials.IndexPath
import Testing

/// Keeps a request a path, as UIKit's users do, and checks that none is begun twice or given up in vain.
final class PathPrefetchLog: CollectionViewDataSourcePrefetching {
  /// The requests, and the word that each was begun for.
  private(set) var requests: [IndexPath: String] = [:]
  private(set) var lines: [String] = []
  /// The word at a path.
  var word: (IndexPath) -> String? = { _ in nil }

  func forget() { lines = [] }

  /// Takes the requests of what is on screen, and checks that they were for those words.
  func take(_ shown: [(IndexPath, String)]) {
    for (path, word) in shown {
      guard let begun = requests.removeValue(forKey: path) else { continue }
      #expect(begun == word, "the request of \(begun) is taken for \(word)")
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
      #expect(requests.removeValue(forKey: path) != nil, "\(path) is given up and was not announced")
    }
    lines.append("-" + indexPaths.map { "\($0.item)" }.joined(separator: ","))
  }
}
