extension [ElementAttributes] {
  /// Puts what lies behind before what lies over it, from a place to the end; otherwise the order stays.
  ///
  /// - Complexity: O(n log n), and O(n) for what is in order.
  mutating func sortBehindFirst(from first: Int) {
    var isInOrder = true
    for place in indices.dropFirst(first + 1) where self[place].zIndex < self[place - 1].zIndex { isInOrder = false }
    guard !isInOrder else { return }
    let sorted = self[first...].enumerated().sorted { a, b in
      (a.element.zIndex, a.offset) < (b.element.zIndex, b.offset)
    }
    replaceSubrange(first..., with: sorted.lazy.map(\.element))
  }
}
