import VitrineCollectionEngine
import VitrineDiffableData

/// What ``SelectionByteCountController`` needs from the screen.
protocol SelectionByteCountHost: AnyObject {
  /// The indices of the selected photographs.
  var selectedIndices: IndexRuns { get }
  /// Returns the size in bytes of the file of the photograph at an index, or 0.
  func byteCount(ofPhotographAt index: Int) -> Int64
  /// Updates what is shown of the count.
  func selectionByteCountDidChange()
}

/// The owner of the total size of the selected photographs' files.
///
/// Invariants:
/// - The count is complete or has a step in each frame.
/// - A selection of few photographs is counted when it changes.
final class SelectionByteCountController {
  /// The maximum number of selected photographs whose bytes are added up immediately.
  private static let immediateLimit = 256
  /// The number of photographs whose bytes are added up in a step.
  private static let itemsPerStep = 512

  /// The screen, which owns the controller.
  private unowned let host: any SelectionByteCountHost
  private(set) var total = SelectionByteCount()

  /// Creates the controller of a screen.
  init(host: any SelectionByteCountHost) { self.host = host }

  /// Whether the count covers the whole selection; otherwise frames are needed.
  var isComplete: Bool { total.isComplete }

  /// Records a change of the selection.
  func selectionDidChange(adding added: IndexRuns, removing removed: IndexRuns) {
    total.updateSelection(adding: added, removing: removed, to: host.selectedIndices)
  }

  /// Counts a small selection, after all of its changes.
  func selectionDidSettle() {
    if host.selectedIndices.count <= SelectionByteCountController.immediateLimit { _ = advance() }
  }

  /// Restarts the count, because indices or files changed.
  func restart() {
    total.restart(host.selectedIndices)
    host.selectionByteCountDidChange()
  }

  /// Restarts the count if there is anything to count, or was.
  func restartIfNeeded() {
    if !host.selectedIndices.isEmpty || total != SelectionByteCount() { restart() }
  }

  /// Adds up the bytes of more selected photographs.
  ///
  /// - Returns: Whether the count was incomplete.
  func advance() -> Bool {
    guard !total.isComplete else { return false }
    total.advance(
      atMost: SelectionByteCountController.itemsPerStep, of: host.selectedIndices,
      bytes: host.byteCount(ofPhotographAt:))
    if total.isComplete { host.selectionByteCountDidChange() }
    return true
  }
}

/// The total size of the selected photographs' files, added up in steps.
///
/// A cursor moves through the selection. Changes behind the cursor are added as corrections; changes ahead of it are
/// found by the cursor. So a change of the selection costs only as much as it differs, and a frame costs only one step,
/// regardless of the number of selected photographs and runs. The selection is not stored, because a second reference
/// would cause a copy at every change.
nonisolated struct SelectionByteCount: Hashable, Sendable {
  /// Photographs that were selected or deselected behind the cursor.
  private struct Correction: Hashable, Sendable {
    let items: IndexRuns
    let areAdded: Bool
    /// The number of photographs already processed, from the first one.
    var processedCount = 0
  }

  /// The sum so far, in bytes.
  private(set) var bytes: Int64 = 0
  /// Whether the sum covers the whole selection.
  var isComplete: Bool { cursor == .max && corrections.isEmpty }

  /// Selected items below this index have been added, apart from the corrections; `Int.max` when the end has been
  /// reached.
  private var cursor = Int.max
  /// The pending corrections, processed from the last one, and the number of photographs in them.
  private var corrections: [Correction] = []
  private var remainingCorrections = 0

  /// Updates the count after a change of the selection.
  ///
  /// - Parameters:
  ///   - added: The newly selected items.
  ///   - removed: The deselected items.
  ///   - items: The new selection.
  /// - Complexity: O(log *r* + *k*) for *r* runs in the selection and *k* runs in the difference.
  mutating func updateSelection(adding added: IndexRuns, removing removed: IndexRuns, to items: IndexRuns) {
    for (part, areAdded) in [(removed, false), (added, true)] {
      let behind = cursor == .max ? part : part.part(in: 0..<cursor)
      guard !behind.isEmpty else { continue }
      corrections.append(Correction(items: behind, areAdded: areAdded))
      remainingCorrections += behind.count
    }
    // Restarting is cheaper than correcting more photographs than are selected.
    if remainingCorrections > items.count { restart(items) }
  }

  /// Restarts the count, because indices or files changed.
  ///
  /// - Complexity: O(1), plus the release of the corrections.
  mutating func restart(_ items: IndexRuns) {
    self = SelectionByteCount()
    cursor = items.first ?? .max
  }

  /// Adds up the bytes of more photographs.
  ///
  /// - Parameters:
  ///   - most: The maximum number of photographs to query.
  ///   - items: The selection.
  ///   - bytes: Returns the size in bytes of the file at an index.
  /// - Complexity: O(*m* log *r*) for *m* photographs and *r* runs.
  mutating func advance(atMost most: Int, of items: IndexRuns, bytes: (Int) -> Int64) {
    var rest = most
    while rest > 0, var next = corrections.popLast() {
      let end = min(next.items.count, next.processedCount + rest)
      for ordinal in next.processedCount..<end {
        let size = bytes(next.items.index(at: ordinal))
        addBytes(next.areAdded ? size : -size)
      }
      rest -= end - next.processedCount
      remainingCorrections -= end - next.processedCount
      next.processedCount = end
      if end < next.items.count { corrections.append(next) }
    }
    guard cursor < .max else { return }
    var ordinal = items.count(below: cursor)
    while rest > 0, ordinal < items.count {
      addBytes(bytes(items.index(at: ordinal)))
      ordinal += 1
      rest -= 1
    }
    cursor = ordinal < items.count ? items.index(at: ordinal) : .max
  }

  /// The sizes come from a file system or a recording and may be arbitrary, so the sum saturates.
  private mutating func addBytes(_ size: Int64) {
    let (sum, isTooLarge) = bytes.addingReportingOverflow(size)
    bytes = isTooLarge ? (size > 0 ? .max : .min) : sum
  }
}

extension IndexRuns {
  /// Returns all items of the sections that contain at least one of these items.
  ///
  /// - Parameter counts: The number of items in each section.
  /// - Complexity: O(*s* log *r*) for *s* sections and *r* runs.
  nonisolated func expandedToWholeSections(counts: [Int]) -> IndexRuns {
    var whole = IndexRuns()
    var (start, before) = (0, 0)
    for count in counts {
      let upTo = self.count(below: start + count)
      if upTo > before { whole.append(contentsOf: start..<(start + count)) }
      (start, before) = (start + count, upTo)
    }
    return whole
  }
}
