public import FramePacing

/// Keeps a trackpad's burst on the axis on which it began: fingers never go quite straight.
public struct AxisLatch: Hashable, Sendable {
  /// A pause this long ends a burst.
  public static let pause = FrameDuration.milliseconds(200)

  private var isAcross = false
  private var last: FrameInstant?

  /// Makes a latch that has seen nothing.
  public init() {}

  /// Takes a movement and says whether its burst goes across.
  ///
  /// - Parameters:
  ///   - along: how far it goes along the content's axis.
  ///   - across: how far it goes across.
  ///   - instant: when.
  /// - Complexity: O(1).
  public mutating func goesAcross(along: Double, across: Double, at instant: FrameInstant) -> Bool {
    let instant = ScrollLimits.bounded(instant)
    if last.map({ instant - $0 >= AxisLatch.pause }) ?? true { isAcross = across.magnitude > along.magnitude }
    last = max(instant, last ?? instant)
    return isAcross
  }
}
