/// Identifiers that were marked, each once, in the order of marking.
struct IdentifierMarks<ID: Hashable & Sendable>: Sendable {
  /// The marked ones, with gaps where marks went.
  private var slots: ContiguousArray<ID?> = []
  private var places: [ID: Int] = [:]

  /// The marked ones in order.
  ///
  /// - Complexity: O(m) for m marks, and for those that went since.
  var identifiers: [ID] { places.isEmpty ? [] : slots.compactMap { $0 } }

  /// Whether nothing is marked.
  var isEmpty: Bool { places.isEmpty }

  func contains(_ id: ID) -> Bool { places[id] != nil }

  /// - Complexity: O(1) expected.
  mutating func insert(_ id: ID) {
    guard places[id] == nil else { return }
    places[id] = slots.count
    slots.append(id)
  }

  /// - Complexity: O(k) expected for k identifiers.
  mutating func remove(_ ids: [ID]) {
    guard !places.isEmpty else { return }
    for id in ids {
      if let place = places.removeValue(forKey: id) { slots[place] = nil }
    }
    if places.isEmpty { slots = [] }
  }

  /// - Complexity: O(m) for m marks.
  mutating func keep(where isKept: (ID) -> Bool) {
    guard !places.isEmpty else { return }
    remove(identifiers.filter { !isKept($0) })
  }
}

extension IdentifierMarks: Equatable {
  static func == (left: IdentifierMarks, right: IdentifierMarks) -> Bool {
    left.places.count == right.places.count && left.identifiers == right.identifiers
  }
}
