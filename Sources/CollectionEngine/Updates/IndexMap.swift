public import VitrineCollectionLayout
public import VitrineDiffableData

/// The effect of an update on indices: where each item and each section is after it, and where it was before.
///
/// Items are identified by their flat indices. Types that store indices have a method `apply(_:)` that takes a map, and
/// then equal ones that are created for the new items.
///
/// A map is created in O(1), whatever the number of items and changes. That of a changeset finds an item by binary
/// search.
public struct IndexMap: Sendable {
  /// How the items correspond.
  private enum Correspondence: Sendable {
    /// By a changeset.
    case changes(Changeset)
    /// No item remains.
    case replacement
    /// By identifier. Sections do not correspond, and no items are known to be adjacent.
    case lookup(newIndex: @Sendable (Int) -> Int?, oldIndex: @Sendable (Int) -> Int?)
  }

  /// The number of items of each section before the update.
  public let formerCounts: ItemCounts
  /// The number of items of each section after the update.
  public let counts: ItemCounts
  private let correspondence: Correspondence

  /// Creates the map of a changeset.
  ///
  /// - Parameters:
  ///   - changes: The changeset.
  ///   - formerCounts: The item counts before the update.
  ///   - counts: The item counts after the update.
  /// - Complexity: O(1).
  public init(_ changes: Changeset, from formerCounts: ItemCounts, to counts: ItemCounts) {
    self.init(.changes(changes), formerCounts, counts)
  }

  /// Creates the map of an update that replaces all items and sections.
  ///
  /// - Parameters:
  ///   - formerCounts: The item counts before the update.
  ///   - counts: The item counts after the update.
  /// - Complexity: O(1).
  public init(replacing formerCounts: ItemCounts, by counts: ItemCounts) {
    self.init(.replacement, formerCounts, counts)
  }

  /// Creates the map of an update whose items are looked up by identifier, for collections that take too long to
  /// compare.
  ///
  /// - Parameters:
  ///   - formerCounts: The item counts before the update.
  ///   - counts: The item counts after the update.
  ///   - newIndex: A closure that returns the new index of an item, or nil if it was deleted.
  ///   - oldIndex: A closure that returns the old index of an item, or nil if it was inserted.
  /// - Complexity: O(1). The closures are called for every question.
  public init(
    from formerCounts: ItemCounts, to counts: ItemCounts, newIndex: @escaping @Sendable (Int) -> Int?,
    oldIndex: @escaping @Sendable (Int) -> Int?
  ) {
    self.init(.lookup(newIndex: newIndex, oldIndex: oldIndex), formerCounts, counts)
  }

  private init(_ correspondence: Correspondence, _ formerCounts: ItemCounts, _ counts: ItemCounts) {
    self.correspondence = correspondence
    self.formerCounts = formerCounts
    self.counts = counts
  }

  /// Whether the update replaces all items and sections.
  public var replacesAll: Bool { if case .replacement = correspondence { true } else { false } }

  // MARK: - Items

  /// Returns the new index of an item, or nil if the item was deleted or does not exist.
  ///
  /// - Complexity: O(log s + log c) for s sections and c changes.
  public func newIndex(ofItem old: Int) -> Int? {
    switch correspondence {
    case .changes(let changes):
      formerCounts.position(of: old)
        .flatMap { changes.position(afterUpdateOf: ItemPosition(section: $0.section, item: $0.item)) }
        .flatMap { counts.index(section: $0.section, item: $0.item) }
    case .replacement: nil
    case .lookup(let newIndex, _): (0..<formerCounts.total).contains(old) ? newIndex(old) : nil
    }
  }

  /// Returns the old index of an item, or nil if the item was inserted or does not exist.
  ///
  /// - Complexity: O(log s + log c) for s sections and c changes.
  public func oldIndex(ofItem new: Int) -> Int? {
    switch correspondence {
    case .changes(let changes):
      counts.position(of: new)
        .flatMap { changes.position(beforeUpdateOf: ItemPosition(section: $0.section, item: $0.item)) }
        .flatMap { formerCounts.index(section: $0.section, item: $0.item) }
    case .replacement: nil
    case .lookup(_, let oldIndex): (0..<counts.total).contains(new) ? oldIndex(new) : nil
    }
  }

  /// Returns whether the item with a new index was moved, rather than shifted by other changes.
  ///
  /// Always false unless the map is that of a changeset.
  ///
  /// - Complexity: O(log s + log c) for s sections and c changes.
  public func isMoved(item new: Int) -> Bool {
    guard case .changes(let changes) = correspondence, let position = counts.position(of: new) else { return false }
    return changes.isMoved(to: ItemPosition(section: position.section, item: position.item))
  }

  // MARK: - Sections

  /// Returns the new index of a section, or nil if the section was deleted or does not exist.
  ///
  /// Always nil unless the map is that of a changeset.
  ///
  /// - Complexity: O(m + log r) for m moved sections and r runs of deleted and inserted ones.
  public func newIndex(ofSection old: Int) -> Int? {
    guard case .changes(let changes) = correspondence, (0..<formerCounts.numberOfSections).contains(old) else {
      return nil
    }
    return changes.section(afterUpdateOf: old)
  }

  /// Returns the old index of a section, or nil if the section was inserted or does not exist.
  ///
  /// Always nil unless the map is that of a changeset.
  ///
  /// - Complexity: O(m + log r) for m moved sections and r runs of deleted and inserted ones.
  public func oldIndex(ofSection new: Int) -> Int? {
    guard case .changes(let changes) = correspondence, (0..<counts.numberOfSections).contains(new) else { return nil }
    return changes.section(beforeUpdateOf: new)
  }

  // MARK: - Elements

  /// Returns the identity of a supplementary or decoration view after the update, or nil if its section was deleted.
  ///
  /// A view of the whole layout keeps its identity.
  public func newIdentity(of identity: ElementIdentity) -> ElementIdentity? {
    guard let section = identity.section else { return identity }
    return newIndex(ofSection: section).map { section in
      var identity = identity
      identity.section = section
      return identity
    }
  }

  /// Returns the identity of an animated element after the update, or nil if its item or its section was deleted.
  ///
  /// - Parameters:
  ///   - element: The element.
  ///   - leaving: The new identities of deleted items whose cells stay on screen, by their old indices.
  func newElement(of element: AnimatedElement, leaving: [Int: AnimatedElement]) -> AnimatedElement? {
    switch element {
    case .item(let old): newIndex(ofItem: old).map(AnimatedElement.item) ?? leaving[old]
    case .element(let identity): newIdentity(of: identity).map(AnimatedElement.element)
    case .disappearing: element
    }
  }

  // MARK: - Many items

  /// Returns the run of items around an item that the update keeps together, and the new index of its first item, or
  /// nil if the run is deleted.
  ///
  /// The items of a run are all deleted, or all remain and are adjacent in the same order. A map that looks items up
  /// knows runs of one item only.
  private func run(around old: Int) -> (old: Range<Int>, new: Int?) {
    switch correspondence {
    case .replacement: return (0..<formerCounts.total, nil)
    case .lookup(let newIndex, _): return (old..<(old + 1), newIndex(old))
    case .changes(let changes):
      guard let position = formerCounts.position(of: old) else { return (old..<(old + 1), nil) }
      let items = formerCounts.items(inSection: position.section)
      let run = changes.run(
        around: ItemPosition(section: position.section, item: position.item), sectionCount: items.count)
      return (
        (items.lowerBound + run.items.lowerBound)..<(items.lowerBound + run.items.upperBound),
        run.new.flatMap { counts.index(section: $0.section, item: $0.item) }
      )
    }
  }

  /// The number of runs or items that are examined for a neighbour of a deleted item, in each direction.
  private static let maximumNeighbours = 1_000

  /// Returns the new index of an item or, if the item was deleted, of the next item that remains, otherwise of the one
  /// before.
  ///
  /// - Returns: The index, or nil if no item remains, or if there are more than a thousand new items and the nearest
  ///   thousand runs in each direction were deleted.
  /// - Complexity: O(log s + log c) for s sections and c changes, and as much for each run that is examined, or if there
  ///   are at most a thousand new items, for each of these.
  public func newIndex(atOrAround old: Int) -> Int? {
    guard (0..<formerCounts.total).contains(old) else { return nil }
    if let same = newIndex(ofItem: old) { return same }
    guard counts.total > IndexMap.maximumNeighbours else { return neighbour(of: old) }
    var next = old
    for _ in 0..<IndexMap.maximumNeighbours where next < formerCounts.total {
      let run = run(around: next)
      if let new = run.new { return new + next - run.old.lowerBound }
      next = run.old.upperBound
    }
    var last = old
    for _ in 0..<IndexMap.maximumNeighbours where last >= 0 {
      let run = run(around: last)
      if let new = run.new { return new + last - run.old.lowerBound }
      last = run.old.lowerBound - 1
    }
    return nil
  }

  /// Returns the new index of the remaining item after a deleted one, otherwise of the one before, by examining all new
  /// items.
  private func neighbour(of deleted: Int) -> Int? {
    var (next, last): ((old: Int, new: Int)?, (old: Int, new: Int)?)
    for new in 0..<counts.total {
      guard let old = oldIndex(ofItem: new) else { continue }
      if old > deleted, old < next?.old ?? .max { next = (old, new) }
      if old < deleted, old > last?.old ?? -1 { last = (old, new) }
    }
    return (next ?? last)?.new
  }

  /// The number of runs above which a bit set is used instead of sorting.
  private static let manyRuns = 4_096

  /// Returns the new indices of a set of items, without the deleted ones.
  ///
  /// - Complexity: O(k (log s + log c) + k log k) for k runs of these items that the update keeps together. For very
  ///   many runs the sorting takes one bit for each item instead.
  public func newIndices(of items: IndexRuns) -> IndexRuns {
    var ranges: [Range<Int>] = []
    for range in items.ranges {
      var old = max(0, range.lowerBound)
      let end = min(range.upperBound, formerCounts.total)
      while old < end {
        let run = run(around: old)
        let upper = min(end, run.old.upperBound)
        if let new = run.new {
          let start = new + old - run.old.lowerBound
          ranges.append(start..<(start + upper - old))
        }
        old = upper
      }
    }
    return ranges.count > IndexMap.manyRuns ? IndexRuns(marking: ranges) : IndexRuns(joining: ranges)
  }
}
