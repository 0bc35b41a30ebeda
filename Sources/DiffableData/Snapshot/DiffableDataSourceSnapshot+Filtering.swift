extension DiffableDataSourceSnapshot {
  /// Returns the snapshot with those of its items that satisfy a predicate, in the same order.
  ///
  /// Sections without such items are omitted, and marks are not copied. The result shares the identifiers of this
  /// snapshot, so that a difference between them compares numbers.
  ///
  /// - Parameters:
  ///   - isIncluded: Returns whether an item is in the result.
  ///   - shouldContinue: A closure called once for each few hundred items, which returns false to stop. Default: always
  ///     true.
  /// - Returns: The new snapshot, or nil if it was stopped.
  /// - Complexity: O(n + s).
  public func filteringItems(
    _ isIncluded: (ItemID) -> Bool, shouldContinue: () -> Bool = { true }
  ) -> Self? {
    var result = Self()
    result.interner = interner
    result.registry.leafKeys.grow(to: interner.count)
    // The other items are likely to be added again, so their identifiers are not forgotten.
    result.expectedItems = max(expectedItems, interner.count / 2)
    let identifiers = interner.soleIdentifiers
    var handles = ContiguousArray<Handle>()
    var isStopped = false
    for record in table.records {
      handles.removeAll(keepingCapacity: true)
      record.items.forEachRun(in: 0..<record.items.count) { run in
        isStopped = isStopped || !shouldContinue()
        guard !isStopped else { return }
        for handle in run where isIncluded(identifiers?[Int(handle)] ?? interner[handle]) { handles.append(handle) }
      }
      if isStopped { return nil }
      guard !handles.isEmpty else { continue }
      let rank = result.table.records.count
      _ = result.table.insert(record.identifier, at: rank)
      result.table.records[rank].items.append(
        handles[...], owner: result.table.records[rank].key, in: &result.registry)
      result.numberOfItems += handles.count
    }
    result.table.renumber(from: 0)
    return result
  }
}
