/// The vertical measures of a style at a scale, in pixels.
public struct TextMetrics: Hashable, Sendable {
  /// From the baseline up to the top of the tallest letter.
  public var ascent: Int
  /// From the baseline down to the foot of the deepest letter, positive.
  public var descent: Int
  /// From one baseline to the next.
  public var lineHeight: Int

  /// Makes metrics.
  public init(ascent: Int, descent: Int, lineHeight: Int) {
    self.ascent = ascent
    self.descent = descent
    self.lineHeight = lineHeight
  }
}
