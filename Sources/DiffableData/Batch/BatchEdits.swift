/// Edits of sections and items by index that make up one update.
///
/// What is deleted, reloaded, reconfigured and moved from is named by its place before, what is inserted and moved to by its
/// place afterwards; the order in which edits are named means nothing.
public struct BatchEdits: Hashable, Sendable {
  /// An item's way.
  public struct Move: Hashable, Sendable {
    /// Where it was.
    public var from: ItemPosition
    /// Where it is.
    public var to: ItemPosition

    /// Makes a move.
    public init(from: ItemPosition, to: ItemPosition) {
      self.from = from
      self.to = to
    }
  }

  /// Sections that are gone, with their items.
  public var sectionDeletes: [Int] = []
  /// Sections that are new, with their items.
  public var sectionInserts: [Int] = []
  /// Sections that are elsewhere among the others, with their items.
  public var sectionMoves: [SectionMove] = []
  /// Sections whose items are all other ones, however many.
  public var sectionReloads: [Int] = []
  /// Items that are gone.
  public var deletes: [ItemPosition] = []
  /// Items that are new.
  public var inserts: [ItemPosition] = []
  /// Items that are elsewhere.
  public var moves: [Move] = []
  /// Items that are to get other cells.
  public var reloads: [ItemPosition] = []
  /// Items whose cells are to be configured again.
  public var reconfigures: [ItemPosition] = []

  /// No edits.
  public init() {}

  /// Whether nothing is edited.
  public var isEmpty: Bool { self == BatchEdits() }
}
