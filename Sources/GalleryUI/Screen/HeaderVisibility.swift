import FramePacing
import Geometry

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
