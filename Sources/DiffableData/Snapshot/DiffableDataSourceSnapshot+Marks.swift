internal import VitrineDataStructures

extension DiffableDataSourceSnapshot {
  /// Marks sections to be reloaded.
  ///
  /// - Precondition: The sections exist.
  /// - Complexity: O(k) for k sections.
  public mutating func reloadSections(_ identifiers: [SectionID]) {
    for identifier in identifiers {
      _ = rank(of: identifier)
      reloadedSections.insert(identifier)
    }
  }

  /// Marks items to be reloaded with a new cell.
  ///
  /// - Precondition: The items exist.
  /// - Complexity: O(k log n) for k items.
  public mutating func reloadItems(_ identifiers: [ItemID]) {
    for identifier in identifiers {
      checkPrecondition(
        contains(identifier), "Attempted to reload the item \(identifier), which is not in the snapshot.")
      reloadedItems.insert(identifier)
    }
  }

  /// Marks items to be reconfigured: their existing cells are configured again.
  ///
  /// - Precondition: The items exist.
  /// - Complexity: O(k log n) for k items.
  public mutating func reconfigureItems(_ identifiers: [ItemID]) {
    for identifier in identifiers {
      checkPrecondition(
        contains(identifier), "Attempted to reconfigure the item \(identifier), which is not in the snapshot.")
      reconfiguredItems.insert(identifier)
    }
  }

  /// Removes all marks and the relocated items, as the data source does after applying the snapshot.
  ///
  /// - Complexity: O(1), or O(m) for m marks that no copy shares.
  public mutating func removeMarks() {
    reloadedSections = IdentifierMarks()
    reloadedItems = IdentifierMarks()
    reconfiguredItems = IdentifierMarks()
    relocatedItems = IdentifierMarks()
    expectedItems = 0
  }
}

/// A set of marked identifiers, in the order of marking.
struct IdentifierMarks<ID: Hashable & Sendable>: Sendable {
  /// The marked identifiers, with nil for removed ones.
  private var slots: ContiguousArray<ID?> = []
  private var positions: [ID: Int] = [:]

  /// The marked identifiers, in order.
  ///
  /// - Complexity: O(m) for m marks, including removed ones.
  var identifiers: [ID] { positions.isEmpty ? [] : slots.compactMap { $0 } }

  /// Whether no identifier is marked.
  var isEmpty: Bool { positions.isEmpty }

  func contains(_ id: ID) -> Bool { positions[id] != nil }

  /// Adds a mark unless it exists.
  ///
  /// - Complexity: O(1) expected.
  mutating func insert(_ id: ID) {
    guard positions[id] == nil else { return }
    positions[id] = slots.count
    slots.append(id)
  }

  /// Removes marks.
  ///
  /// - Complexity: O(k) expected for k identifiers.
  mutating func remove(_ ids: [ID]) {
    guard !positions.isEmpty else { return }
    for id in ids {
      if let position = positions.removeValue(forKey: id) { slots[position] = nil }
    }
    if positions.isEmpty { slots = [] }
  }

  /// Removes the marks that do not satisfy a predicate.
  ///
  /// - Complexity: O(m) for m marks.
  mutating func keep(where isIncluded: (ID) -> Bool) {
    guard !positions.isEmpty else { return }
    remove(identifiers.filter { !isIncluded($0) })
  }
}

extension IdentifierMarks: Equatable {
  static func == (left: IdentifierMarks, right: IdentifierMarks) -> Bool {
    left.positions.count == right.positions.count && left.identifiers == right.identifiers
  }
}
