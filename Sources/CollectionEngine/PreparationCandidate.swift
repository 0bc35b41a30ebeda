public import FramePacing

/// An item that is to be prepared.
public struct PreparationCandidate: Hashable, Sendable {
  /// Its flat index.
  public var index: Int
  /// Why.
  public var rank: PreparationRank
  /// The first refresh at which it will be on screen; the distant future where that takes another input.
  public var due: FrameInstant
  /// The points between it and what is on screen.
  public var distance: Double

  /// Makes a candidate.
  public init(index: Int, rank: PreparationRank, due: FrameInstant, distance: Double) {
    self.index = index
    self.rank = rank
    self.due = due
    self.distance = distance
  }

  /// The time until it will be on screen; nothing where that takes another input.
  public func timeToVisible(at now: FrameInstant) -> FrameDuration? {
    due == .distantFuture ? nil : max(.zero, due - now)
  }

  /// Whether it will be on screen at a frame's target, so that the frame's commit prepares it if nothing else does.
  public func isNeeded(at target: FrameInstant) -> Bool { due <= target }

  /// Whether it is to be prepared before another one.
  ///
  /// By rank; within one by when it will be seen, the path from its end backwards; then the nearer one, then in reading
  /// order.
  func precedes(_ other: PreparationCandidate) -> Bool {
    if rank != other.rank { return rank < other.rank }
    if due != other.due { return (due < other.due) != (rank == .path) }
    if distance != other.distance { return (distance < other.distance) != (rank == .path) }
    return index < other.index
  }
}
