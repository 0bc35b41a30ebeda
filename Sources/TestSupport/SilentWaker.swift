public import FramePacing

/// For loops on simulated clocks, which ask when results arrive.
public struct SilentWaker: LoopWaker {
  /// Makes one that wakes nobody.
  public init() {}

  /// Wakes nobody.
  public func wake() {}
}
