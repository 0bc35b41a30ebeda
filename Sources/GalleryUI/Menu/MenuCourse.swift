/// Which entry of a menu is lit up: a pure machine.
nonisolated struct MenuSelection: Hashable, Sendable {
  /// The entry that is lit up; nothing at first.
  private(set) var highlightedIndex: Int?
  private let isEnabled: [Bool]

  /// Begins with no entry.
  init(isEnabled: [Bool]) { self.isEnabled = isEnabled }

  /// The pointer is over an entry, or over none; one that cannot be chosen is not lit up.
  mutating func highlight(_ entry: Int?) {
    highlightedIndex = entry.flatMap { isEnabled.indices.contains($0) && isEnabled[$0] ? $0 : nil }
  }

  /// Goes to the next entry that can be chosen, or to the one before, around the ends.
  mutating func moveHighlight(by direction: Int) {
    guard isEnabled.contains(true) else { return }
    let count = isEnabled.count
    var next = highlightedIndex ?? (direction > 0 ? -1 : count)
    repeat { next = (next + direction + count) % count } while !isEnabled[next]
    highlightedIndex = next
  }

  /// Goes to the first entry that can be chosen.
  mutating func highlightFirst() { highlightedIndex = isEnabled.firstIndex(of: true) }

  /// Goes to the last entry that can be chosen.
  mutating func highlightLast() { highlightedIndex = isEnabled.lastIndex(of: true) }
}
