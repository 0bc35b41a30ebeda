/// A place on a time line at which something begins.
public struct ScrubberMark: Hashable, Sendable {
  /// The stretch that begins there, by its number.
  public var stretch: Int
  /// Where it stands, as a share of the way from the first offset to the last, 0 to 1.
  public var place: Double
  /// What begins there: a group, or a stretch.
  public var text: String
  /// Whether a group of stretches begins.
  public var beginsGroup: Bool
  /// Whether there is room for the text.
  public var isLabelled = false

  /// Makes a mark without room for its text.
  public init(stretch: Int, place: Double, text: String, beginsGroup: Bool) {
    self.stretch = stretch
    self.place = place
    self.text = text
    self.beginsGroup = beginsGroup
  }
}
