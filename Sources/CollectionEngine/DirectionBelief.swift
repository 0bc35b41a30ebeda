/// Which way the content is being scrolled, slow to believe a turn.
///
/// A turn is believed once it has gone on for eight points, or for two frames one after the other: a trembling wheel does
/// not throw away what is prepared ahead and ask for it again.
public struct ScrollDirectionTracker: Hashable, Sendable {
  /// Points against the believed direction after which a turn is believed.
  public static let pointThreshold = 8.0
  /// Frames in a row against the believed direction after which a turn is believed.
  public static let frameThreshold = 2

  /// Whether the believed direction is towards larger offsets.
  public private(set) var isForward: Bool
  private var opposingDistance = 0.0
  private var opposingFrames = 0

  /// Believes in a direction, until another one shows.
  public init(isForward: Bool = true) { self.isForward = isForward }

  /// The content moved in a frame.
  ///
  /// - Parameter step: how far, in points; what is not a number counts as no movement.
  /// - Returns: whether a turn is now believed.
  public mutating func recordMovement(by step: Double) -> Bool {
    guard step < 0 || step > 0 else { return false }
    guard (step > 0) != isForward else {
      opposingDistance = 0
      opposingFrames = 0
      return false
    }
    opposingDistance += step.magnitude
    opposingFrames += 1
    guard
      opposingDistance >= ScrollDirectionTracker.pointThreshold
        || opposingFrames >= ScrollDirectionTracker.frameThreshold
    else {
      return false
    }
    isForward.toggle()
    opposingDistance = 0
    opposingFrames = 0
    return true
  }
}
