/// The items on screen whose cells are to be configured again, and in which order: a pure machine.
///
/// What waits longest comes first, so that a stream of answers leaves nobody behind; of what was asked for before the same
/// frame, what is nearest to where one looks.
public struct ReconfigureQueue: Sendable {
  private struct Entry: Sendable {
    var index: Int
    var frame: Int
    var distance = 0.0
  }

  /// From the last to be done to the first.
  private var entries: [Entry] = []
  private var frame = 0
  private var isSorted = true
  /// When the item that was taken last was asked for.
  private var lastPoppedFrame = 0

  /// Nothing is to be done.
  public init() {}

  /// Whether nothing is to be done.
  public var isEmpty: Bool { entries.isEmpty }

  /// How many items wait.
  public var count: Int { entries.count }

  /// An item's cell is to be configured again; once is enough, and its first place in the row holds.
  ///
  /// - Complexity: O(n).
  public mutating func add(_ index: Int) {
    guard !contains(index) else { return }
    entries.append(Entry(index: index, frame: frame))
    isSorted = false
  }

  /// Whether an item waits.
  ///
  /// - Complexity: O(n).
  public func contains(_ index: Int) -> Bool { entries.contains { $0.index == index } }

  /// A frame begins: what is added from now on comes after what is there.
  public mutating func beginFrame() { frame += 1 }

  /// Takes the item that is to be done next.
  ///
  /// - Parameter distance: how far an item is from where one looks; asked for each where something was added.
  /// - Complexity: O(1), or O(n log n) where something was added since.
  public mutating func popNext(distance: (Int) -> Double) -> Int? {
    if !isSorted {
      for place in entries.indices { entries[place].distance = distance(entries[place].index) }
      entries.sort { first, second in
        if first.frame != second.frame { return first.frame > second.frame }
        if first.distance != second.distance { return first.distance > second.distance }
        return first.index > second.index
      }
      isSorted = true
    }
    guard let taken = entries.popLast() else { return nil }
    lastPoppedFrame = taken.frame
    return taken.index
  }

  /// The item that was taken last does not fit: it is the next one to be done.
  public mutating func reinsert(_ index: Int) {
    entries.append(Entry(index: index, frame: lastPoppedFrame))
  }

  /// An item needs it no more.
  ///
  /// - Returns: whether it waited.
  /// - Complexity: O(n).
  public mutating func remove(_ index: Int) -> Bool {
    guard let place = entries.firstIndex(where: { $0.index == index }) else { return false }
    entries.remove(at: place)
    return true
  }

  /// The items are numbered anew: those that are gone need nothing more.
  ///
  /// - Parameter newIndex: the new number of an item by its old one, no number twice; nothing for one that is gone.
  public mutating func remapIndices(_ newIndex: (Int) -> Int?) {
    entries = entries.compactMap { entry in
      newIndex(entry.index).map { Entry(index: $0, frame: entry.frame, distance: entry.distance) }
    }
    isSorted = entries.isEmpty
  }

  /// Nothing is to be done any more.
  public mutating func removeAll() {
    entries.removeAll(keepingCapacity: true)
    isSorted = true
  }
}
