import FramePacing
import PhotoLibrary

/// When a pointer that rests on a photograph is to be told its name: a pure machine on the frames' clock.
nonisolated struct HoverRest: Hashable, Sendable {
  /// How long a pointer rests before it is told anything.
  static let patience = FrameDuration.milliseconds(500)

  /// The photograph that is pointed at.
  private(set) var item: PhotoID?
  /// When its name is to be shown; nothing where it is shown, or is not to be.
  private(set) var due: FrameInstant?
  /// Whether there is more to the name than is seen.
  private var hasMore = false
  /// Whether the name is shown.
  private(set) var isShown = false

  /// Something else may be pointed at.
  ///
  /// - Parameters:
  ///   - item: the photograph.
  ///   - hasMore: whether there is more to its name than is seen.
  mutating func point(at item: PhotoID?, hasMore: Bool, at instant: FrameInstant) {
    guard item != self.item else { return }
    self.item = item
    isShown = false
    self.hasMore = item != nil && hasMore
    due = self.hasMore ? instant + HoverRest.patience : nil
  }

  /// The pointer moved, maybe over the same photograph: what is not shown is told when it rests again.
  mutating func move(at instant: FrameInstant) {
    if hasMore, !isShown { due = instant + HoverRest.patience }
  }

  /// Something was done: nothing is told until the pointer moves.
  mutating func disturb() {
    due = nil
    isShown = false
  }

  /// The frame's moment: whether the name is to be shown from now on.
  mutating func advance(to instant: FrameInstant) -> Bool {
    guard let due, due <= instant else { return false }
    self.due = nil
    isShown = true
    return true
  }
}
