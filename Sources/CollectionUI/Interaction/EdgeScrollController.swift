import VitrineCollectionEngine
import VitrineFramePacing
package import VitrineGeometry
import VitrineScrollPhysics

/// The owner of automatic scrolling near the edges of the viewport, during the drag of an item or a rubber band.
///
/// The nearer the pointer is to an edge, the faster the content scrolls (``EdgeAutoscroll``).
///
/// Invariant: only a scroll that the controller began is stopped by it.
package final class EdgeScrollController {
  /// The collection view, which owns the controller and outlives it.
  @exclusivity(unchecked) package unowned(unsafe) var host: (any InteractionHost)!
  private var isScrolling = false

  /// Creates a controller that does not scroll.
  package init() {}

  /// Scrolls the content if the pointer is near an edge, or stops scrolling if it is not.
  ///
  /// - Parameters:
  ///   - location: The position of the pointer, in the view's coordinates.
  ///   - start: The position where the drag began. A drag that began near an edge scrolls only toward that edge.
  package func scroll(near location: Point, from start: Point) {
    let (axis, now, scroll) = (host.scrollAxis, host.lastInstant, host.scroll)
    let viewport = host.uncoveredViewport
    let velocity = EdgeAutoscroll(from: viewport.start, to: viewport.end)
      .velocity(at: location[axis], from: start[axis])
    let canScroll = velocity < 0 ? host.contentOffset > scroll.range.minimum : host.contentOffset < scroll.range.maximum
    guard velocity != 0, canScroll else { return stop() }
    if scroll.phase(at: now) != .animating || scroll.velocity(at: now) != velocity {
      host.applyScrollEvent(.steady(velocity: velocity), at: now)
    }
    isScrolling = true
  }

  /// Stops the scrolling, because the drag ended.
  package func stop() {
    guard isScrolling else { return }
    isScrolling = false
    host.applyScrollEvent(.stop, at: host.lastInstant)
  }
}
