import CollectionUI
import VitrineFramePacing
import VitrineGeometry
import VitrineViews

/// What ``HeaderVisibilityController`` needs from the screen.
protocol HeaderVisibilityHost: AnyObject {
  /// The photographs below the bar.
  var grid: CollectionView { get }
  /// The bar.
  var headerBar: HeaderBar { get }
  /// Whether the bar must be visible, because it is used, or what it says has just changed.
  var needsHeader: Bool { get }
}

/// The owner of how much of the header bar is visible, and of where it and the pinned section headers below it are.
///
/// Invariants:
/// - The bar is visible while it is needed, while there is nothing to scroll, and while the pointer is on it. It comes back
///   for a pointer at the upper edge of the screen.
/// - Moving the bar lays out nothing else and scrolls nothing.
final class HeaderVisibilityController {
  /// The screen, which owns the controller.
  unowned var host: (any HeaderVisibilityHost)!
  private var visibility = HeaderVisibility()
  private var height = 0.0
  private var isPointerAtBar = false
  /// The length of the upper edge at which the pointer brings the bar back, in points.
  private static let edgeLength = 4.0

  /// Whether the next frames move the bar.
  var needsFrames: Bool { visibility.needsFrames(height: height) }

  /// Lays out the bar.
  ///
  /// - Parameters:
  ///   - width: The width of the screen.
  ///   - height: The height of the bar.
  func layout(width: Double, height: Double) {
    self.height = height
    host.headerBar.frame.size = Size(width: width, height: height)
    place()
  }

  /// Moves the bar with the content, before the content is laid out.
  func update(at instant: FrameInstant) {
    let before = visibility.hiddenLength
    let (grid, offset) = (host.grid, host.grid.contentOffset)
    visibility.update(
      with: HeaderVisibility.Content(
        offset: offset, lengthBefore: offset + grid.contentInset.top, isScrolling: grid.isScrolling,
        needsBar: isPointerAtBar || !grid.canScroll || host.needsHeader),
      height: height, at: instant)
    if visibility.hiddenLength != before { place() }
  }

  /// Updates whether the pointer is on the bar, or at the edge.
  ///
  /// - Parameter point: The location of the pointer on the screen, or nil if it left the window.
  func pointerDidMove(to point: Point?) {
    let end = visibility.hiddenLength > 0 ? HeaderVisibilityController.edgeLength : height
    isPointerAtBar = point.map { $0.y < end } ?? false
    // A frame, in which the bar begins to come back.
    if isPointerAtBar, visibility.hiddenLength > 0 { host.headerBar.setNeedsDisplay() }
  }

  private func place() {
    let hidden = min(height, visibility.hiddenLength)
    let grid = host.grid
    host.headerBar.frame.origin = Point(x: 0, y: -hidden)
    grid.pinningInset = hidden == 0 ? nil : max(0, grid.contentInset.top - hidden)
  }
}

/// How much of the header bar is visible: the bar moves out of the way of content that scrolls down, and comes back when
/// it scrolls up.
///
/// The bar moves as far as the content, as if it was a part of it. When the content comes to rest, a bar that is partly
/// visible moves to the nearer of its two positions.
///
/// Invariants:
/// - The bar never leaves a gap above the beginning of the content.
/// - A motion starts from where the bar is.
nonisolated struct HeaderVisibility: Hashable, Sendable {
  /// The time in which a bar that is partly visible comes to rest.
  static let settlingDuration = FrameDuration.milliseconds(150)

  /// The length of the bar that is hidden, in points.
  private(set) var hiddenLength = 0.0
  private var settling: Settling?
  private var lastOffset: Double?

  private struct Settling: Hashable, Sendable {
    let start: FrameInstant
    let from: Double
    let to: Double

    /// Returns the hidden length at an instant, which slows down toward the end.
    func hiddenLength(at instant: FrameInstant) -> Double {
      let elapsed = Double((instant - start).nanoseconds)
      let part = min(1, max(0, elapsed / Double(HeaderVisibility.settlingDuration.nanoseconds)))
      return from + (to - from) * part * (2 - part)
    }

    func isComplete(at instant: FrameInstant) -> Bool { instant - start >= HeaderVisibility.settlingDuration }
  }

  /// What the content does in a frame.
  struct Content: Hashable, Sendable {
    /// The offset of the content, in points.
    var offset: Double
    /// The length of the content before the beginning of the view, in points.
    var lengthBefore: Double
    /// Whether the content scrolls, by the user or by an animation.
    var isScrolling: Bool
    /// Whether the bar must be visible, because it is used or there is nothing to scroll.
    var needsBar: Bool
  }

  /// Returns whether the bar is between its positions, and the next frames move it.
  func needsFrames(height: Double) -> Bool { settling != nil || hiddenLength > 0 && hiddenLength < height }

  /// Moves the bar with the content.
  ///
  /// - Parameters:
  ///   - content: What the content does in the frame.
  ///   - height: The height of the bar, in points.
  ///   - instant: The time of the frame.
  mutating func update(with content: Content, height: Double, at instant: FrameInstant) {
    let distance = content.offset - (lastOffset ?? content.offset)
    lastOffset = content.offset
    if content.needsBar {
      settle(to: 0, at: instant)
    } else if content.isScrolling {
      if distance != 0 {
        settling = nil
        hiddenLength = min(height, max(0, hiddenLength + distance))
      }
    } else if hiddenLength > 0, hiddenLength < height, settling == nil {
      let hides = hiddenLength >= height / 2 && content.lengthBefore >= height
      settle(to: hides ? height : 0, at: instant)
    }
    if let settling {
      hiddenLength = settling.hiddenLength(at: instant)
      if settling.isComplete(at: instant) { self.settling = nil }
    }
    hiddenLength = min(hiddenLength, height, max(0, content.lengthBefore))
  }

  private mutating func settle(to length: Double, at instant: FrameInstant) {
    guard hiddenLength != length, settling?.to != length else { return }
    settling = Settling(start: instant, from: hiddenLength, to: length)
  }
}
