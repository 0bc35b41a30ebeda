/// What an update did to the items of one section, in places within it.
///
/// What is neither removed nor inserted kept its order.
public struct SectionEdits: Hashable, Sendable {
  /// The section, counted after the update.
  public var section: Int
  /// Places before the update of items that are gone: ascending, apart from each other.
  public var removals: [Range<Int>]
  /// Places after the update of items that are new: ascending, apart from each other.
  public var insertions: [Range<Int>]
  /// Places after the update of items whose facts changed, such as the extent of a picture: ascending, apart.
  public var changes: [Range<Int>]

  /// Makes edits.
  public init(
    section: Int, removals: [Range<Int>] = [], insertions: [Range<Int>] = [], changes: [Range<Int>] = []
  ) {
    self.section = section
    self.removals = removals
    self.insertions = insertions
    self.changes = changes
  }

  /// How many items more there are than before.
  public var growth: Int {
    insertions.reduce(0) { $0 + $1.count } - removals.reduce(0) { $0 + $1.count }
  }
}
