/// Items for which nothing is to be done, looked for one after the other, upwards or downwards: most are the neighbour of
/// the one before them.
public struct ReadyItemSet: Sendable {
  private var items: [Int] = []
  /// Where the last one was found, or would have been.
  private var cursor = 0

  /// None.
  public init() {}

  /// How many they are.
  public var count: Int { items.count }

  /// Forgets the items; their memory is used again.
  public mutating func removeAll() {
    items.removeAll(keepingCapacity: true)
    cursor = 0
  }

  /// Takes an item.
  ///
  /// - Precondition: it comes behind all others.
  public mutating func append(_ item: Int) { items.append(item) }

  /// Whether an item is among them.
  ///
  /// - Complexity: O(1) for a neighbour of the item before, else O(log n); no allocation.
  public mutating func contains(_ item: Int) -> Bool {
    if isItem(item, at: cursor) { return true }
    if isItem(item, at: cursor + 1) {
      cursor += 1
      return true
    }
    if isItem(item, at: cursor - 1) {
      cursor -= 1
      return true
    }
    var low = 0
    var high = items.count
    while low < high {
      let middle = (low + high) / 2
      if items[middle] < item { low = middle + 1 } else { high = middle }
    }
    cursor = low
    return isItem(item, at: low)
  }

  private func isItem(_ item: Int, at place: Int) -> Bool { place >= 0 && place < items.count && items[place] == item }
}
