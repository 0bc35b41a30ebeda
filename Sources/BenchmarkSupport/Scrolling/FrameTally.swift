/// What happened to cells in one frame.
public struct FrameTally: Hashable, Sendable {
  /// Cells that came on screen.
  public var entered = 0
  /// Of those, cells that were prepared in the frame for want of a waiting one.
  public var forced = 0
  /// Of those, cells that were made.
  public var created = 0
  /// Cells that left the screen.
  public var left = 0
  /// Pictures that arrived.
  public var arrived = 0

  /// Nothing happened.
  public init() {}

  /// The kind of frame; nothing where more than one thing happened that costs.
  public var kind: FrameKind? {
    if arrived > 0 { return entered == 0 && left == 0 ? .arrival : nil }
    if entered == 0 { return left == 0 ? .offsetOnly : .leaving }
    if forced == 0 { return .bind }
    guard forced == entered else { return nil }
    return created == 0 ? .reuse : created == entered ? .create : nil
  }
}
