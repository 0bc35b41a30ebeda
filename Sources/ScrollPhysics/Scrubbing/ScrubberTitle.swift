/// What a stretch of content is called beside the thumb that is dragged through it.
public struct ScrubberTitle: Hashable, Sendable {
  /// What the bubble beside the thumb says, such as `June 2021`.
  public var name: String
  /// What stands at the time line where the stretch begins, such as `Jun`.
  public var label: String
  /// What it is a part of, such as `2021`, which stands at the time line where the first such stretch begins; nothing
  /// where it is a part of nothing.
  public var group: String?

  /// Makes a title.
  public init(name: String, label: String, group: String? = nil) {
    self.name = name
    self.label = label
    self.group = group
  }
}
