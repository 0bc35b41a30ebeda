internal import DataStructures

extension DiffableDataSourceSnapshot {
  /// Marks sections whose content is to be shown anew.
  ///
  /// - Precondition: They are there.
  /// - Complexity: O(k) for k sections.
  public mutating func reloadSections(_ identifiers: [SectionID]) {
    for identifier in identifiers {
      _ = rank(of: identifier)
      reloadedSections.insert(identifier)
    }
  }

  /// Marks items that are to get a new cell.
  ///
  /// - Precondition: They are there.
  /// - Complexity: O(k log n) for k items.
  public mutating func reloadItems(_ identifiers: [ItemID]) {
    for identifier in identifiers {
      checkPrecondition(
        contains(identifier), "Attempted to reload the item \(identifier), which is not in the snapshot.")
      reloadedItems.insert(identifier)
    }
  }

  /// Marks items whose cell, if they have one, is to be configured again.
  ///
  /// - Precondition: They are there.
  /// - Complexity: O(k log n) for k items.
  public mutating func reconfigureItems(_ identifiers: [ItemID]) {
    for identifier in identifiers {
      checkPrecondition(
        contains(identifier), "Attempted to reconfigure the item \(identifier), which is not in the snapshot.")
      reconfiguredItems.insert(identifier)
    }
  }

  /// Removes every mark, and the note of what was relocated, as apply does when it has carried them out.
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
