public import DiffableData

extension ItemIndexMap {
  /// How far around an item that is gone another one is looked for that stays.
  private static let searchDistance = 1_000

  /// The renumbering of few items alone, asked for one by one: where an update moves so many that all of them are too many.
  ///
  /// - Parameters:
  ///   - items: the items.
  ///   - places: items for which another one is to be known where they are gone: the next one that stays, or the one before.
  ///   - count: how many items there were.
  ///   - newIndex: the new number of an item, or nothing when it is gone.
  /// - Complexity: as many questions as there are items, and up to 2,000 for each place that is gone.
  public init(of items: IndexRuns, around places: [Int], in count: Int, newIndex: (Int) -> Int?) {
    var known: [Int: Int] = [:]
    items.forEach { item in if let new = newIndex(item) { known[item] = new } }
    for place in places where place >= 0 && place < count {
      if let (item, new) = ItemIndexMap.survivor(near: place, in: count, newIndex) { known[item] = new }
    }
    self.init(known.map { (old: $0.key..<($0.key + 1), new: $0.value) })
  }

  /// The first item from a place on that stays, or the last one before.
  private static func survivor(
    near place: Int, in count: Int, _ newIndex: (Int) -> Int?
  ) -> (item: Int, new: Int)? {
    for item in place..<min(count, place + searchDistance) { if let new = newIndex(item) { return (item, new) } }
    for item in (max(0, place - searchDistance)..<place).reversed() {
      if let new = newIndex(item) { return (item, new) }
    }
    return nil
  }
}
