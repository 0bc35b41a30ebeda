internal import DataStructures

/// A change that invalidates a solved layout.
public enum LayoutInvalidation: Hashable, Sendable {
  /// The rules, the environment and the items changed.
  case everything
  /// The environment changed to the given one.
  case environment(LayoutEnvironment)
  /// Items were inserted, removed, moved, or changed their data.
  case items(LayoutUpdate)
}

/// The number of sections and items that an invalidation processes, to which its time is proportional.
public struct InvalidationCost: Hashable, Sendable {
  /// The number of sections that are solved again.
  public var sections: Int
  /// The number of items, rows or groups that are processed one by one before the next query.
  public var items: Int

  /// Creates a cost.
  public init(sections: Int, items: Int) {
    self.sections = sections
    self.items = items
  }
}

/// The changes of the items for which a layout was solved.
public struct LayoutUpdate: Hashable, Sendable {
  /// The number of items in each section after the update.
  public var counts: ItemCounts
  /// For each section after the update its index before it, or nil for a new one; nil if the sections did not change.
  public var previousSections: [Int?]?
  /// The edits within retained sections, in ascending order; sections without edits did not change.
  public var edits: [SectionEdits]

  /// Creates an update.
  public init(counts: ItemCounts, previousSections: [Int?]? = nil, edits: [SectionEdits] = []) {
    self.counts = counts
    self.previousSections = previousSections
    self.edits = edits
  }

  /// Creates an update that moves an item, or returns nil if the target does not exist or is the item's current
  /// position.
  ///
  /// - Parameters:
  ///   - origin: The item's section and its position in that section.
  ///   - target: The target section, and the number of its items that precede the item after the move.
  ///   - counts: The number of items in each section before the move.
  /// - Precondition: The item exists.
  /// - Complexity: O(s) for s sections.
  public init?(
    moving origin: (section: Int, item: Int), to target: (section: Int, item: Int), in counts: ItemCounts
  ) {
    guard origin != target, (0..<counts.numberOfSections).contains(target.section), target.item >= 0 else { return nil }
    var sizes = (0..<counts.numberOfSections).map { counts.items(inSection: $0).count }
    sizes[origin.section] -= 1
    guard target.item <= sizes[target.section] else { return nil }
    sizes[target.section] += 1
    let (removal, insertion) = (origin.item..<(origin.item + 1), target.item..<(target.item + 1))
    var edits = [SectionEdits(section: origin.section, removals: [removal])]
    if target.section == origin.section {
      edits[0].insertions = [insertion]
    } else {
      let other = SectionEdits(section: target.section, insertions: [insertion])
      edits.insert(other, at: target.section < origin.section ? 0 : 1)
    }
    self.init(counts: ItemCounts(sizes), edits: edits)
  }
}

/// The changes of the items in one section, as indexes within the section.
///
/// Items that are neither removed nor inserted keep their order.
public struct SectionEdits: Hashable, Sendable {
  /// The index of the section after the update.
  public var section: Int
  /// The indexes before the update of removed items, as ascending disjoint ranges.
  public var removals: [Range<Int>]
  /// The indexes after the update of inserted items, as ascending disjoint ranges.
  public var insertions: [Range<Int>]
  /// The indexes after the update of items whose data changed, such as their aspect ratio, as ascending disjoint
  /// ranges.
  public var changes: [Range<Int>]

  /// Creates edits.
  ///
  /// Default: no ranges.
  public init(
    section: Int, removals: [Range<Int>] = [], insertions: [Range<Int>] = [], changes: [Range<Int>] = []
  ) {
    self.section = section
    self.removals = removals
    self.insertions = insertions
    self.changes = changes
  }

  /// The number of items after the update minus the number before it.
  public var growth: Int {
    insertions.reduce(0) { $0 + $1.count } - removals.reduce(0) { $0 + $1.count }
  }
}

// MARK: - Consistency check

/// A check that an update is consistent with the items for which a layout was solved.
struct UpdateCheck {
  private let update: LayoutUpdate
  private let former: ItemCounts

  init(_ update: LayoutUpdate, from former: ItemCounts) {
    self.update = update
    self.former = former
  }

  /// Traps with a message about the first contradiction, if there is one.
  ///
  /// - Complexity: O(e) for e ranges of edits, plus O(s) if sections were inserted, removed or moved.
  func checkConsistency() {
    checkSections()
    var growth = 0
    var last = -1
    for edit in update.edits {
      checkPrecondition(
        (0..<update.counts.numberOfSections).contains(edit.section),
        "An update edits section \(edit.section) of \(update.counts.numberOfSections).")
      checkPrecondition(
        edit.section > last, "An update names the edits of section \(edit.section) behind those of \(last).")
      last = edit.section
      let before = formerCount(of: edit.section)
      let after = update.counts.items(inSection: edit.section).count
      checkRanges(edit.removals, within: before, "removes", edit.section)
      checkRanges(edit.insertions, within: after, "inserts", edit.section)
      checkRanges(edit.changes, within: after, "changes", edit.section)
      checkGrowth(of: edit.section, from: before, by: edit.growth, to: after)
      growth += edit.growth
    }
    guard update.previousSections == nil else { return checkUneditedSections() }
    checkPrecondition(
      former.total + growth == update.counts.total,
      "There were \(former.total) items and an update's edits add \(growth), but it counts \(update.counts.total).")
  }

  private func formerCount(of section: Int) -> Int {
    guard let previousSections = update.previousSections else { return former.items(inSection: section).count }
    return previousSections[section].map { former.items(inSection: $0).count } ?? 0
  }

  private func checkSections() {
    guard let previousSections = update.previousSections else {
      checkPrecondition(
        former.numberOfSections == update.counts.numberOfSections,
        "There were \(former.numberOfSections) sections and an update counts \(update.counts.numberOfSections), but"
          + " names no sections that came or went.")
      return
    }
    checkPrecondition(
      previousSections.count == update.counts.numberOfSections,
      "An update counts \(update.counts.numberOfSections) sections and says of \(previousSections.count) which they were."
    )
    var isTaken = [Bool](repeating: false, count: former.numberOfSections)
    for case let formerSection? in previousSections {
      checkPrecondition(
        isTaken.indices.contains(formerSection),
        "An update names section \(formerSection) of \(former.numberOfSections) before.")
      checkPrecondition(
        !isTaken[formerSection], "An update says of two sections that they were section \(formerSection).")
      isTaken[formerSection] = true
    }
  }

  /// Checks that retained sections without edits have the same number of items as before.
  private func checkUneditedSections() {
    guard let previousSections = update.previousSections else { return }
    var edits = update.edits[...]
    for (section, formerSection) in previousSections.enumerated() {
      if edits.first?.section == section {
        edits = edits.dropFirst()
      } else if let formerSection {
        checkGrowth(
          of: section, from: former.items(inSection: formerSection).count, by: 0,
          to: update.counts.items(inSection: section).count)
      }
    }
  }

  private func checkGrowth(of section: Int, from before: Int, by growth: Int, to after: Int) {
    // A new section may contain items without edits.
    if growth == 0, before == 0, update.previousSections?[section] == .some(nil) { return }
    checkPrecondition(
      before + growth == after,
      "Section \(section) had \(before) items and an update's edits add \(growth), but it counts \(after).")
  }

  private func checkRanges(_ ranges: [Range<Int>], within count: Int, _ verb: String, _ section: Int) {
    var end = 0
    for range in ranges {
      checkPrecondition(
        range.lowerBound >= end && range.upperBound <= count,
        "An update \(verb) places \(range) of section \(section), which do not ascend within its \(count) items.")
      end = range.upperBound
    }
  }
}
