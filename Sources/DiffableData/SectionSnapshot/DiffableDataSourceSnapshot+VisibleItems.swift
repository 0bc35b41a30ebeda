extension DiffableDataSourceSnapshot {
  /// Makes a section hold the visible items of its tree and no others; a section that is not there is appended.
  ///
  /// What both begin and end with stays as it is. An item that is in another section is moved.
  /// - Complexity: O(v + k log n + n / 512) for v visible items, of which k are not in the common beginning and end, and
  ///   O(c) for the c items that the section held.
  public mutating func showVisibleItems(
    of outline: DiffableDataSourceSectionSnapshot<ItemID>, inSection section: SectionID
  ) {
    if indexOfSection(section) == nil { appendSections([section]) }
    let last = itemIdentifiers(inSection: section)
    let next = outline.visibleItems
    let shorter = min(last.count, next.count)
    let prefix = (0..<shorter).first { last[$0] != next[$0] } ?? shorter
    let rest = shorter - prefix
    let suffix = (0..<rest).first { last[last.count - 1 - $0] != next[next.count - 1 - $0] } ?? rest

    let coming = Array(next[prefix..<(next.count - suffix)])
    let isComing = Set(coming)
    let going = last[prefix..<(last.count - suffix)].filter { !isComing.contains($0) }
    if !going.isEmpty { deleteItems(going) }
    guard !coming.isEmpty else { return }
    if prefix > 0 {
      insertItems(coming, afterItem: next[prefix - 1])
    } else if suffix > 0 {
      insertItems(coming, beforeItem: next[next.count - suffix])
    } else {
      appendItems(coming, toSection: section)
    }
  }
}
