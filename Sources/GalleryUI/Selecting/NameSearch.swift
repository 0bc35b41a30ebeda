/// Looks for a name that begins with what was typed, from one place on through all and around, a portion at a time.
///
/// A pure machine. Letters of either case are the same.
nonisolated struct NameSearch: Hashable, Sendable {
  /// How a search stands.
  enum Finding: Hashable {
    /// At this place.
    case found(Int)
    /// Not yet.
    case searching
    /// Nowhere.
    case nowhere
  }

  private let beginning: [UInt8]
  private let count: Int
  private var next: Int
  private var left: Int

  /// Begins a search.
  ///
  /// - Parameters:
  ///   - text: what a name begins with.
  ///   - start: the first place that is looked at.
  ///   - count: how many there are.
  init(for text: String, from start: Int, of count: Int) {
    beginning = Array(text.lowercased().utf8)
    self.count = max(0, count)
    next = count > 0 ? max(0, start) % count : 0
    left = self.count
  }

  /// Looks at some more places.
  ///
  /// - Parameters:
  ///   - most: how many.
  ///   - name: the bytes of the name at a place.
  mutating func advance(atMost most: Int, name: (Int) -> ArraySlice<UInt8>?) -> Finding {
    guard !beginning.isEmpty else { return .nowhere }
    for _ in 0..<min(most, left) {
      let place = next
      next = next + 1 == count ? 0 : next + 1
      left -= 1
      if let name = name(place), begins(name) { return .found(place) }
    }
    return left == 0 ? .nowhere : .searching
  }

  private func begins(_ name: ArraySlice<UInt8>) -> Bool {
    var rest = name
    for byte in beginning {
      guard let other = rest.popFirst() else { return false }
      if byte == other || (NameSearch.isCapital(other) && byte == other | 0x20) { continue }
      // Beyond ASCII a capital has other bytes, and maybe more of them.
      guard byte >= 0x80 || other >= 0x80 else { return false }
      return String(decoding: name, as: UTF8.self).lowercased().utf8.starts(with: beginning)
    }
    return true
  }

  private static func isCapital(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) }
}
