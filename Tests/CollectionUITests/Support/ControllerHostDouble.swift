import CollectionUI
import struct FoundationEssentials.IndexPath
import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineFramePacing
import VitrineGeometry
import VitrineScrollPhysics
import VitrineViews

/// A double of the collection view for the tests of controllers: a layout and a scroll state, without a view, frames and
/// a window.
///
/// The tests of each controller refine it by what the controller needs in addition.
class ControllerHostDouble: ControllerHost {
  var solution: any SolvedLayout
  var bounds: Rect
  var scroll: ScrollState
  var isTracked = false
  var lastInstant = FrameInstant.zero

  /// Creates a double with items of 50 points height, all with a width of an equal share of 200 points.
  ///
  /// - Parameters:
  ///   - count: The number of items.
  ///   - columns: The number of items in a row.
  init(count: Int, columns: Int = 1) {
    bounds = Rect(x: 0, y: 0, width: 200, height: 300)
    solution = Self.layout(of: count, columns: columns)
    scroll = ScrollState(
      range: ScrollRange(
        minimum: 0, maximum: max(0, Double((count + columns - 1) / columns * 50 - 300)), viewportLength: 300))
  }

  static func layout(of count: Int, columns: Int = 1) -> any SolvedLayout {
    GridLayout(columns: .count(columns), heightRatio: 0, captionHeight: 50)
      .solved(in: LayoutEnvironment(containerSize: Size(width: 200, height: 300)), for: ItemCounts([count]))
  }

  var itemCount: Int { solution.itemCounts.total }
  var scrollAxis: Axis { .vertical }
  var contentOffset: Double { scroll.offset(at: lastInstant) }
  var visibleRect: Rect { Rect(x: 0, y: contentOffset, width: bounds.width, height: bounds.height) }
  func indexPath(at index: Int) -> IndexPath { IndexPath(item: index, section: 0) }
  func deferringUpdates(_ body: () -> Void) { body() }
  func performWhenReady(_ update: @escaping () -> Void) { update() }
  func setNeedsDisplay() {}
  func setNeedsVisibleUpdate() {}
}
