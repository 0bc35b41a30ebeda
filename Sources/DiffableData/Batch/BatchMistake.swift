/// Why edits do not lead from what was to what is.
public enum BatchMistake: Error, Hashable, Sendable, CustomStringConvertible {
  /// An edit names a section that is not there: its index, how many there are, and whether that is before the update.
  case noSection(Int, of: Int, isBefore: Bool)
  /// An edit names an item that is not there: its place, how many its section has, and whether that is before the update.
  case noItem(ItemPosition, of: Int, isBefore: Bool)
  /// Two edits that exclude each other name a section.
  case sectionConflict(Int, BatchVerb, BatchVerb)
  /// Two edits that exclude each other name an item.
  case itemConflict(ItemPosition, BatchVerb, BatchVerb)
  /// There are more or fewer sections than the edits lead to.
  case sectionCount(before: Int, after: Int, inserted: Int, deleted: Int)
  /// A section has more or fewer items than the edits lead to; its index is that after the update.
  case itemCount(section: Int, before: Int, after: Int, inserted: Int, deleted: Int, movedIn: Int, movedOut: Int)

  /// The sentences that name the mistake and say what to do.
  public var description: String {
    switch self {
    case .noSection(let section, let count, let isBefore):
      "An update names section \(section), and \(Self.number(count, "section", isBefore))."
    case .noItem(let place, let count, let isBefore):
      """
      An update names section \(place.section), item \(place.item), and in that section \
      \(Self.number(count, "item", isBefore)).
      """
    case .sectionConflict(let section, let first, let second):
      Self.conflict("section \(section)", first, second)
    case .itemConflict(let place, let first, let second):
      Self.conflict("section \(place.section), item \(place.item)", first, second)
    case .sectionCount(let before, let after, let inserted, let deleted):
      """
      The number of sections contradicts the update: the data source has \(after), and there were \(before), of which \
      \(deleted) were deleted, and \(inserted) were inserted. Change the data within the update, and name every change.
      """
    case .itemCount(let section, let before, let after, let inserted, let deleted, let movedIn, let movedOut):
      """
      The number of items in section \(section) contradicts the update: the data source has \(after), and there were \
      \(before), of which \(deleted) were deleted and \(movedOut) moved out, and \(inserted) were inserted and \(movedIn) \
      moved in. Change the data within the update, and name every change.
      """
    }
  }

  private static func number(_ count: Int, _ noun: String, _ isBefore: Bool) -> String {
    let verb = isBefore ? (count == 1 ? "was" : "were") : count == 1 ? "is" : "are"
    let when =
      isBefore ? "before it, where deletions, reloads and origins of moves count" : "after it, where insertions count"
    return "there \(verb) \(count) \(count == 1 ? noun : noun + "s") \(when)"
  }

  private static func conflict(_ name: String, _ first: BatchVerb, _ second: BatchVerb) -> String {
    guard first != second else { return "An update is to \(first.rawValue) \(name) twice. Name it once." }
    return "An update is to \(first.rawValue) and to \(second.rawValue) \(name). One of them excludes the other."
  }
}
