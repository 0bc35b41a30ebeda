internal import VitrineDataStructures

/// A change that invalidates a solved layout.
public enum LayoutInvalidation: Hashable, Sendable {
  /// The layout's rules or any item may have changed.
  ///
  /// All sections are solved again, for the current environment and item counts.
  case everything
  /// The environment, such as the size of the container, changed to the given one.
  case environment(LayoutEnvironment)
  /// Items or sections were inserted, removed or moved, or the data of items changed.
  case items(LayoutUpdate)
}

/// The amount of work of an invalidation, to which its time is proportional.
public struct InvalidationCost: Hashable, Sendable {
  /// The number of sections that are solved again.
  public var sections: Int
  /// The number of items, rows or groups that are processed individually during the invalidation.
  public var items: Int

  /// Creates a cost.
  public init(sections: Int, items: Int) {
    self.sections = sections
    self.items = items
  }
}

/// The changes of items and sections after a layout was solved for them.
public struct LayoutUpdate: Hashable, Sendable {
  /// The number of items in each section after the update.
  public var counts: ItemCounts
  /// For each section after the update, its index before the update, or nil if it was inserted.
  ///
  /// The array is nil if no section was inserted, removed or moved.
  public var previousSections: [Int?]?
  /// The edits within sections that existed before the update, in ascending order of sections.
  ///
  /// Sections without edits did not change.
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
    var itemCounts = (0..<counts.numberOfSections).map { counts.items(inSection: $0).count }
    itemCounts[origin.section] -= 1
    guard target.item <= itemCounts[target.section] else { return nil }
    itemCounts[target.section] += 1
    let (removal, insertion) = (origin.item..<(origin.item + 1), target.item..<(target.item + 1))
    var edits = [SectionEdits(section: origin.section, removals: [removal])]
    if target.section == origin.section {
      edits[0].insertions = [insertion]
    } else {
      let other = SectionEdits(section: target.section, insertions: [insertion])
      edits.insert(other, at: target.section < origin.section ? 0 : 1)
    }
    self.init(counts: ItemCounts(itemCounts), edits: edits)
  }
}

/// The changes of the items in one section, as indices within the section.
///
/// Items that are neither removed nor inserted keep their order.
public struct SectionEdits: Hashable, Sendable {
  /// The index of the section after the update.
  public var section: Int
  /// The indices of removed items before the update, as ascending disjoint ranges.
  public var removals: [Range<Int>]
  /// The indices of inserted items after the update, as ascending disjoint ranges.
  public var insertions: [Range<Int>]
  /// The indices after the update of items whose data changed, such as their aspect ratio, as ascending disjoint
  /// ranges.
  public var dataChanges: [Range<Int>]

  /// Creates edits of the section with the given index after the update.
  public init(
    section: Int, removals: [Range<Int>] = [], insertions: [Range<Int>] = [], dataChanges: [Range<Int>] = []
  ) {
    self.section = section
    self.removals = removals
    self.insertions = insertions
    self.dataChanges = dataChanges
  }

  /// Whether no item was removed, inserted or changed.
  public var isEmpty: Bool { removals.isEmpty && insertions.isEmpty && dataChanges.isEmpty }

  /// The number of items after the update minus the number before it.
  public var countDelta: Int {
    insertions.reduce(0) { $0 + $1.count } - removals.reduce(0) { $0 + $1.count }
  }
}

// MARK: - Consistency check

/// A check that an update is consistent with the items for which a layout was solved.
struct UpdateCheck {
  private let update: LayoutUpdate
  private let previousCounts: ItemCounts

  /// Creates a check.
  ///
  /// - Parameters:
  ///   - update: The update.
  ///   - previousCounts: The number of items in each section before the update.
  init(_ update: LayoutUpdate, from previousCounts: ItemCounts) {
    self.update = update
    self.previousCounts = previousCounts
  }

  /// Traps with a message about the first contradiction, if there is one.
  ///
  /// - Complexity: O(e) for e ranges of edits, plus O(s) if sections were inserted, removed or moved.
  func checkConsistency() {
    checkSections()
    var countDelta = 0
    var last = -1
    for edit in update.edits {
      checkPrecondition(
        (0..<update.counts.numberOfSections).contains(edit.section),
        "The edits of an update refer to section \(edit.section), but there are \(update.counts.numberOfSections) sections"
          + " after it.")
      checkPrecondition(
        edit.section > last,
        "The edits of section \(edit.section) follow those of section \(last). Pass each section's edits once, in ascending"
          + " order.")
      last = edit.section
      let before = previousCount(of: edit.section)
      let after = update.counts.items(inSection: edit.section).count
      checkRanges(edit.removals, within: before, "removes", edit.section)
      checkRanges(edit.insertions, within: after, "inserts", edit.section)
      checkRanges(edit.dataChanges, within: after, "changes", edit.section)
      checkCount(of: edit.section, from: before, by: edit.countDelta, to: after)
      countDelta += edit.countDelta
    }
    guard update.previousSections == nil else { return checkUneditedSections() }
    checkPrecondition(
      previousCounts.total + countDelta == update.counts.total,
      "There were \(previousCounts.total) items, and the edits of an update add \(countDelta), but `counts` has"
        + " \(update.counts.total).")
  }

  /// Returns the number of items before the update in a section, given by its index after the update.
  private func previousCount(of section: Int) -> Int {
    guard let previousSections = update.previousSections else { return previousCounts.items(inSection: section).count }
    return previousSections[section].map { previousCounts.items(inSection: $0).count } ?? 0
  }

  private func checkSections() {
    guard let previousSections = update.previousSections else {
      checkPrecondition(
        previousCounts.numberOfSections == update.counts.numberOfSections,
        "There were \(previousCounts.numberOfSections) sections, and there are \(update.counts.numberOfSections) after an"
          + " update without `previousSections`. Pass the previous index of each section.")
      return
    }
    checkPrecondition(
      previousSections.count == update.counts.numberOfSections,
      "`previousSections` has \(previousSections.count) sections, but `counts` has \(update.counts.numberOfSections).")
    var isUsed = [Bool](repeating: false, count: previousCounts.numberOfSections)
    for case let previousSection? in previousSections {
      checkPrecondition(
        isUsed.indices.contains(previousSection),
        "`previousSections` contains section \(previousSection), but there were \(previousCounts.numberOfSections)"
          + " sections.")
      checkPrecondition(!isUsed[previousSection], "`previousSections` contains section \(previousSection) twice.")
      isUsed[previousSection] = true
    }
  }

  /// Checks that sections without edits that existed before have the same number of items as before.
  private func checkUneditedSections() {
    guard let previousSections = update.previousSections else { return }
    var edits = update.edits[...]
    for (section, previousSection) in previousSections.enumerated() {
      if edits.first?.section == section {
        edits = edits.dropFirst()
      } else if let previousSection {
        checkCount(
          of: section, from: previousCounts.items(inSection: previousSection).count, by: 0,
          to: update.counts.items(inSection: section).count)
      }
    }
  }

  private func checkCount(of section: Int, from before: Int, by countDelta: Int, to after: Int) {
    // A new section may contain items without edits.
    if countDelta == 0, before == 0, update.previousSections?[section] == .some(nil) { return }
    checkPrecondition(
      before + countDelta == after,
      "Section \(section) had \(before) items, and the edits of an update add \(countDelta), but `counts` has \(after)."
    )
  }

  private func checkRanges(_ ranges: [Range<Int>], within count: Int, _ verb: String, _ section: Int) {
    var end = 0
    for range in ranges {
      checkPrecondition(
        range.lowerBound >= end && range.upperBound <= count,
        "The range \(range) that an update \(verb) in section \(section) overlaps or precedes the range before it, or"
          + " exceeds the section's \(count) items.")
      end = range.upperBound
    }
  }
}
