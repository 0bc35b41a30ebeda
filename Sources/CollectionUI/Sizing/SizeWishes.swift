import CollectionLayout
import Geometry

/// Sizes that cells and supplementary views asked for, until the layout takes them in the same frame.
struct PreferredSizeRequests {
  /// Those of items.
  var items: [(item: Int, size: Size)] = []
  /// Those of supplementary views.
  var elements: [(element: ElementIdentity, size: Size)] = []
  /// Whether cells said that their content has another size, and were not asked yet.
  var hasStaleCells = false

  /// Whether there are none.
  var isEmpty: Bool { items.isEmpty && elements.isEmpty }

  /// They were taken, or mean nothing any more.
  mutating func removeAll() {
    items.removeAll(keepingCapacity: true)
    elements.removeAll(keepingCapacity: true)
  }
}
