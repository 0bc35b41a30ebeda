package import VitrineCollectionLayout
package import VitrineGeometry

/// The owner of the layout queries for visible items: whether the coming frame makes one, what the last one found, and
/// what the frame must do with the result.
///
/// A query has a result in two phases of a frame. The layout phase determines the visible items (``beginQuery()``,
/// ``visibleRuns(of:in:including:)``), and the commit phase provides them with cells (``takeNeedsCells()``). Whatever
/// makes other items visible, or changes their frames, requests a query (``setNeedsQuery()``).
///
/// Invariants:
/// - A query that was begun is followed by one commit that provides cells.
/// - A request during a query, or by client code after it, is answered by the next query.
/// - Memory for the found runs is reused from frame to frame.
package final class LayoutQueryController {
  // Unchecked: nothing that changes it calls client code, so that it cannot be read while it is being modified.
  @exclusivity(unchecked) private var isQueryNeeded = false
  @exclusivity(unchecked) private var areCellsNeeded = false
  /// Whether an orthogonal section scrolled since the cells were positioned.
  @exclusivity(unchecked) private var isPositioningNeeded = false
  /// The runs of items that the layout has in the viewport.
  @exclusivity(unchecked) private var foundRuns: [Range<Int>] = []
  private var count = 0

  /// Creates a controller that needs no query.
  package init() {}

  // MARK: - State

  /// Whether the layout is to be queried.
  package var needsQuery: Bool { isQueryNeeded }

  /// Whether the visible items are to be provided with cells.
  package var needsCells: Bool { areCellsNeeded }

  /// The number of queries, for measurements.
  package var queryCount: Int { count }

  // MARK: - Requests

  /// Requests a query.
  package func setNeedsQuery() { isQueryNeeded = true }

  /// Requests cells for the visible items, without a query.
  package func setNeedsCells() { areCellsNeeded = true }

  /// Requests a query and the positioning of displayed cells, because an orthogonal section scrolled.
  package func setNeedsPositioning() {
    isQueryNeeded = true
    isPositioningNeeded = true
  }

  // MARK: - Queries

  /// Begins a query, whose result will need cells.
  ///
  /// - Returns: Whether displayed cells are to be positioned first, because an orthogonal section scrolled.
  package func beginQuery() -> Bool {
    count += 1
    let needsPositioning = isPositioningNeeded
    (isQueryNeeded, areCellsNeeded, isPositioningNeeded) = (false, true, false)
    return needsPositioning
  }

  /// Returns the runs of visible items, ascending.
  ///
  /// - Parameters:
  ///   - solution: The layout.
  ///   - rect: The visible part of the content.
  ///   - item: An item that is visible even if its frame is outside of `rect`, or nil. It is ignored if it does not
  ///     exist.
  /// - Complexity: That of the layout's query, and O(runs).
  package func visibleRuns(of solution: any SolvedLayout, in rect: Rect, including item: Int?) -> [Range<Int>] {
    foundRuns.removeAll(keepingCapacity: true)
    solution.visitItems(in: rect) { foundRuns.append($0) }
    if let item, item < solution.itemCounts.total { addItem(item) }
    return foundRuns
  }

  private func addItem(_ item: Int) {
    guard !foundRuns.contains(where: { $0.contains(item) }) else { return }
    let position = foundRuns.firstIndex { $0.lowerBound > item } ?? foundRuns.endIndex
    foundRuns.insert(item..<(item + 1), at: position)
  }

  /// Returns whether the visible items are to be provided with cells, and resets the request.
  package func takeNeedsCells() -> Bool {
    defer { areCellsNeeded = false }
    return areCellsNeeded
  }
}
