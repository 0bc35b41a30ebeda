/// What an invalidation makes a layout look at: the work is in proportion to it.
public struct InvalidationCost: Hashable, Sendable {
  /// Sections that are solved anew.
  public var sections: Int
  /// Items, rows or groups that are looked at one by one before the next question is answered.
  public var items: Int

  /// Makes a cost.
  public init(sections: Int, items: Int) {
    self.sections = sections
    self.items = items
  }
}
