import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineDiffableData
import VitrineFramePacing
import VitrineViews

/// The mapping of a large selection to the indices after a large update, in steps before the update is performed.
///
/// An update that changes the indices of very many items waits until the items selected at its start are mapped. In the
/// update's own frame only the items that were selected or deselected meanwhile remain. If these are too many, the
/// mapping starts again.
struct SelectionPreparation {
  /// The number of items that are mapped in one step.
  static let itemsPerStep = 1_024
  /// The maximum number of items that are mapped in the update's own frame.
  static let maximumItemsPerFrame = 2_000

  private var remapper: SelectionRemapper?
  /// The map of the update that is prepared.
  private var map: IndexMap?
  private var pacing = StepPacing()

  /// Whether items remain to be mapped.
  var hasWork: Bool { remapper?.isComplete == false }

  /// Returns whether a selection can be mapped in the update's own frame, and otherwise starts or continues mapping it in
  /// steps.
  ///
  /// - Parameters:
  ///   - items: The selected items.
  ///   - changes: The changes of the update.
  ///   - map: The map of the update.
  /// - Complexity: O(changed sections), and O(n / 64) for n items when the mapping starts.
  mutating func prepare(_ items: IndexRuns, for changes: Changeset, _ map: IndexMap) -> Bool {
    guard changes.hasManyRuns, items.count > Self.maximumItemsPerFrame,
      items.count < map.formerCounts.total || changes.allExceptInserted(in: map.counts) == nil
    else {
      cancel()
      return true
    }
    if let remapper {
      guard remapper.isComplete else { return false }
      if selection(items, after: changes, map) != nil { return true }
    }
    remapper = SelectionRemapper(items, to: map.counts.total)
    self.map = map
    return false
  }

  /// Discards what was mapped, because the update was performed or replaced.
  mutating func cancel() { (remapper, map) = (nil, nil) }

  /// Returns the selection after an update, or nil if it must be computed from the map.
  ///
  /// - Parameters:
  ///   - items: The selected items before the update.
  ///   - changes: The changes of the update.
  ///   - map: The map of the update.
  func selection(_ items: IndexRuns, after changes: Changeset, _ map: IndexMap) -> IndexRuns? {
    guard changes.hasManyRuns else { return nil }
    if !items.isEmpty, items.count == map.formerCounts.total, let rest = changes.allExceptInserted(in: map.counts) {
      return rest
    }
    return remapper?.remappedSelection(
      of: items, changedAtMost: Self.maximumItemsPerFrame, newIndex: map.newIndex(ofItem:))
  }

  // MARK: - Steps

  /// Phase 3: performs a step if the last frame had no slack time for one.
  ///
  /// - Returns: The number of items that were mapped.
  mutating func collect(_ clock: any FrameClock) -> Int {
    hasWork && pacing.isOverdue() ? performStep(clock) : 0
  }

  /// Phase 8: performs a step if one is needed and fits.
  ///
  /// - Returns: The number of items that were mapped, or nil if no step was performed.
  mutating func performSlackStep(_ budget: FrameBudget) -> Int? {
    hasWork && budget.allows(pacing.expectedCost) ? performStep(budget.clock) : nil
  }

  private mutating func performStep(_ clock: any FrameClock) -> Int {
    guard let map, let before = remapper?.remappedCount else { return 0 }
    let start = clock.now()
    remapper?.advance(atMost: Self.itemsPerStep, newIndex: map.newIndex(ofItem:))
    StepPacing.spendModelledCost(on: clock)
    pacing.recordStep(clock.now() - start)
    return (remapper?.remappedCount ?? before) - before
  }
}
