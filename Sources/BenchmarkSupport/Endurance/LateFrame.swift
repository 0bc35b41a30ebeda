/// A frame that was late in a run.
public struct LateFrame: Hashable, Sendable {
  /// The refresh at which it was due, counted from the script's beginning: equal runs have equal refreshes.
  public var refresh: Int
  /// How late it was, in nanoseconds.
  public var hitch: Double
  /// Whether work ahead was to blame.
  public var isSlackOverrun: Bool
  /// Why it was late, in words.
  public var cause: String

  /// Makes a late frame.
  public init(refresh: Int, hitch: Double, isSlackOverrun: Bool, cause: String) {
    (self.refresh, self.hitch) = (refresh, hitch)
    (self.isSlackOverrun, self.cause) = (isSlackOverrun, cause)
  }
}
