import FramePacing
import PhotoLibrary

/// When a pointer that rests on a photograph is to be told its name: a pure machine on the frames' clock.
nonisolated struct ToolTipTimer: Hashable, Sendable {
  /// How long a pointer rests before it is told anything.
  static let delay = FrameDuration.milliseconds(500)

  /// The photograph that is pointed at.
  private(set) var item: PhotoID?
  /// When its name is to be shown; nothing where it is shown, or is not to be.
  private(set) var fireInstant: FrameInstant?
  /// Whether there is more to the name than is seen.
  private var isTruncated = false
  /// Whether the name is shown.
  private(set) var isShown = false

  /// Something else may be pointed at.
  ///
  /// - Parameters:
  ///   - item: the photograph.
  ///   - hasMore: whether there is more to its name than is seen.
  mutating func setItem(_ item: PhotoID?, isTruncated: Bool, at instant: FrameInstant) {
    guard item != self.item else { return }
    self.item = item
    isShown = false
    self.isTruncated = item != nil && isTruncated
    fireInstant = self.isTruncated ? instant + ToolTipTimer.delay : nil
  }

  /// The pointer moved, maybe over the same photograph: what is not shown is told when it rests again.
  mutating func pointerDidMove(at instant: FrameInstant) {
    if isTruncated, !isShown { fireInstant = instant + ToolTipTimer.delay }
  }

  /// Something was done: nothing is told until the pointer moves.
  mutating func cancel() {
    fireInstant = nil
    isShown = false
  }

  /// The frame's moment: whether the name is to be shown from now on.
  mutating func advance(to instant: FrameInstant) -> Bool {
    guard let fireInstant, fireInstant <= instant else { return false }
    self.fireInstant = nil
    isShown = true
    return true
  }
}
