public import FramePacing

/// Whether content that is dragged by its thumb passes by faster than anybody could look at it.
///
/// Offsets go in, one a frame. It is fast from two viewports a second on, and slow again below that, after 80 ms without a
/// movement, or when the thumb is let go: what is seen then is worth a decode.
public struct ScrubPace: Sendable {
  /// From how many viewports a second on nobody looks.
  public static let fastSpeed = 2.0
  /// After how long without movement somebody does.
  public static let patience = FrameDuration.milliseconds(80)

  /// Whether it passes by.
  public private(set) var isFast = false
  private var offset: Double?
  private var movement = FrameInstant.distantPast

  /// Begins with content that rests.
  public init() {}

  /// Takes in where the content stands in a frame.
  ///
  /// - Parameters:
  ///   - offset: where, in points.
  ///   - viewportLength: how much of it is seen, in points.
  ///   - isHeld: whether the thumb is held.
  ///   - instant: the frame's target.
  /// - Returns: whether it is fast now and was not, or the other way round.
  public mutating func note(
    offset: Double, viewportLength: Double, isHeld: Bool, at instant: FrameInstant
  ) -> Bool {
    let wasFast = isFast
    let last = self.offset ?? offset
    self.offset = offset
    if offset != last {
      // Longer than that nobody was moving it: it has come this far since then.
      let time = max(.milliseconds(1), min(ScrubPace.patience, instant - movement))
      movement = instant
      isFast = isHeld && (offset - last).magnitude >= ScrubPace.fastSpeed * viewportLength * time.seconds
    } else if !isHeld || instant - movement >= ScrubPace.patience {
      isFast = false
    }
    return isFast != wasFast
  }
}
