/// Looks for a name that begins with what was typed, from one place on through all and around, a portion at a time.
///
/// A pure machine. Letters of either case are the same.
nonisolated struct NameSearch: Hashable, Sendable {
  /// How a search stands.
  enum State: Hashable {
    /// At this place.
    case found(Int)
    /// Not yet.
    case searching
    /// Nowhere.
    case notFound
  }

  private let prefix: [UInt8]
  private let count: Int
  private var nextIndex: Int
  private var remainingCount: Int

  /// Begins a search.
  ///
  /// - Parameters:
  ///   - text: what a name begins with.
  ///   - start: the first place that is looked at.
  ///   - count: how many there are.
  init(for text: String, from start: Int, of count: Int) {
    prefix = Array(text.lowercased().utf8)
    self.count = max(0, count)
    nextIndex = count > 0 ? max(0, start) % count : 0
    remainingCount = self.count
  }

  /// Looks at some more places.
  ///
  /// - Parameters:
  ///   - most: how many.
  ///   - name: the bytes of the name at a place.
  mutating func advance(atMost most: Int, name: (Int) -> ArraySlice<UInt8>?) -> State {
    guard !prefix.isEmpty else { return .notFound }
    for _ in 0..<min(most, remainingCount) {
      let place = nextIndex
      nextIndex = nextIndex + 1 == count ? 0 : nextIndex + 1
      remainingCount -= 1
      if let name = name(place), matchesPrefix(name) { return .found(place) }
    }
    return remainingCount == 0 ? .notFound : .searching
  }

  private func matchesPrefix(_ name: ArraySlice<UInt8>) -> Bool {
    var rest = name
    for byte in prefix {
      guard let other = rest.popFirst() else { return false }
      if byte == other || (NameSearch.isCapital(other) && byte == other | 0x20) { continue }
      // Beyond ASCII a capital has other bytes, and maybe more of them.
      guard byte >= 0x80 || other >= 0x80 else { return false }
      return String(decoding: name, as: UTF8.self).lowercased().utf8.starts(with: prefix)
    }
    return true
  }

  private static func isCapital(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) }
}
