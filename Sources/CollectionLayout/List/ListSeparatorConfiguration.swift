/// Which lines stand between rows of a list, and how far they reach.
///
/// A line is one pixel thick and lies within its row, at the row's top or bottom.
public struct ListSeparatorConfiguration: Hashable, Sendable {
  /// Whether a line is there.
  public enum Visibility: Hashable, Sendable {
    /// As the list's appearance has it.
    case automatic
    /// It is.
    case visible
    /// It is not.
    case hidden
  }

  /// Whether there is a line at the top of a row; none is drawn where the row before has one at its bottom.
  public var topSeparatorVisibility: Visibility
  /// Whether there is a line at the bottom of a row.
  public var bottomSeparatorVisibility: Visibility
  /// How far the line at the top stays away from the row's sides, in points; top and bottom do not count.
  ///
  /// What is no number or negative counts as none. A line that nothing is left of is not there.
  public var topSeparatorInsets: DirectionalInsets
  /// How far the line at the bottom stays away from the row's sides, in points, like that at the top.
  public var bottomSeparatorInsets: DirectionalInsets

  /// Makes a configuration.
  public init(
    topSeparatorVisibility: Visibility = .automatic, bottomSeparatorVisibility: Visibility = .automatic,
    topSeparatorInsets: DirectionalInsets = .zero, bottomSeparatorInsets: DirectionalInsets = .zero
  ) {
    self.topSeparatorVisibility = topSeparatorVisibility
    self.bottomSeparatorVisibility = bottomSeparatorVisibility
    self.topSeparatorInsets = topSeparatorInsets
    self.bottomSeparatorInsets = bottomSeparatorInsets
  }
}
