/// Which supplementary or decoration view an element is.
public struct ElementIdentity: Hashable, Sendable {
  /// What it is.
  public var kind: ElementKind
  /// The section that it belongs to, or nothing for one that belongs to the whole layout.
  public var section: Int?
  /// Which one of its kind in its section: a badge's item; for others they are counted from 0.
  public var item: Int
  /// Which one of several of its kind at that item, counted from 0: a group's before those of its items.
  public var ordinal: Int

  /// Names an element.
  public init(kind: ElementKind, section: Int?, item: Int = 0, ordinal: Int = 0) {
    self.kind = kind
    self.section = section
    self.item = item
    self.ordinal = ordinal
  }
}
