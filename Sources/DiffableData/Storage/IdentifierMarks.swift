/// Identifiers that were marked, each once, in the order of marking.
struct IdentifierMarks<ID: Hashable & Sendable>: Hashable, Sendable {
  private(set) var identifiers: [ID] = []
  private var members: Set<ID> = []

  var isEmpty: Bool { identifiers.isEmpty }

  func contains(_ id: ID) -> Bool { members.contains(id) }

  mutating func insert(_ id: ID) {
    if members.insert(id).inserted { identifiers.append(id) }
  }

  /// - Complexity: O(k), and O(m) in the number of marks when one of them goes.
  mutating func remove(_ ids: [ID]) {
    guard !members.isEmpty else { return }
    let before = members.count
    for id in ids { members.remove(id) }
    if members.count < before { identifiers.removeAll { !members.contains($0) } }
  }

  /// - Complexity: O(m) in the number of marks.
  mutating func keep(where isKept: (ID) -> Bool) {
    let gone = identifiers.filter { !isKept($0) }
    if !gone.isEmpty { remove(gone) }
  }
}
