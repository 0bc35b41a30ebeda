/// The windows of a difference, in the order of the new snapshot.
///
/// The windows of deleted sections come last.
struct WindowList: Sendable {
  private(set) var windows: ContiguousArray<DifferenceWindow> = []
  /// The indexes of the windows in the order of the old snapshot.
  private(set) var oldOrder: [Int] = []
  /// The number of old items in all windows.
  private(set) var oldCount = 0
  /// The number of new items in all windows.
  private(set) var newCount = 0

  /// Creates an empty list.
  init() {}

  /// Creates a list and assigns slots to the items.
  ///
  /// Windows of deleted and inserted sections are omitted if nothing can match in them.
  init(_ all: ContiguousArray<DifferenceWindow>) {
    let mayMatch = all.contains { !$0.old.isEmpty } && all.contains { !$0.new.isEmpty }
    let areAllSurvivors = all.allSatisfy { $0.oldSection >= 0 && $0.newSection >= 0 }
    windows =
      mayMatch || areAllSurvivors ? all : all.filter { $0.oldSection >= 0 && $0.newSection >= 0 }
    for index in windows.indices {
      windows[index].newSlot = newCount
      newCount += windows[index].new.count
    }
    oldOrder = windows.indices.filter { windows[$0].oldSection >= 0 }
    if oldOrder.count > 1 {
      oldOrder.sort {
        (windows[$0].oldSection, windows[$0].old.lowerBound) < (windows[$1].oldSection, windows[$1].old.lowerBound)
      }
    }
    for index in oldOrder {
      windows[index].oldSlot = oldCount
      oldCount += windows[index].old.count
    }
    for index in windows.indices where windows[index].oldSection < 0 { windows[index].oldSlot = oldCount }
  }

  /// Returns the index of the window that contains an old item.
  ///
  /// - Complexity: O(log w) for w windows.
  func window(ofOldSlot slot: Int) -> Int {
    var low = 0
    var high = oldOrder.count - 1
    while low < high {
      let middle = (low + high + 1) / 2
      if windows[oldOrder[middle]].oldSlot <= slot { low = middle } else { high = middle - 1 }
    }
    // A window without old items has the same first slot as the next one.
    while windows[oldOrder[low]].old.isEmpty { low -= 1 }
    return oldOrder[low]
  }

  /// Joins consecutive windows if fewer items stay between them than move between the windows of the section.
  ///
  /// Keeping the items between two windows is right as long as they are at least as many as the moving ones: moving
  /// them instead would not reduce the number of moves.
  ///
  /// - Parameter crossings: The number of items that moved between windows of the same section, by new section index.
  /// - Returns: The new windows, or nil if none are joined.
  func joined(crossings: [Int: Int]) -> ContiguousArray<DifferenceWindow>? {
    var joined: ContiguousArray<DifferenceWindow> = []
    for window in windows {
      if let last = joined.last, last.newSection == window.newSection, window.newSection >= 0, window.oldSection >= 0,
        window.new.lowerBound - last.new.upperBound < crossings[window.newSection] ?? 0
      {
        joined[joined.count - 1].old = last.old.lowerBound..<window.old.upperBound
        joined[joined.count - 1].new = last.new.lowerBound..<window.new.upperBound
      } else {
        joined.append(window)
      }
    }
    return joined.count < windows.count ? joined : nil
  }
}

/// A range of items of a section that may differ, between items that both snapshots have in the same order.
struct DifferenceWindow: Sendable {
  /// The section's index in the old snapshot, or -1 for an inserted section.
  var oldSection: Int
  /// The section's index in the new snapshot, or -1 for a deleted section.
  var newSection: Int
  /// The old items.
  var old: Range<Int>
  /// The new items.
  var new: Range<Int>
  /// The slot of the first old item.
  ///
  /// Slots number the old items of all windows consecutively.
  var oldSlot = 0
  /// The slot of the first new item.
  ///
  /// Slots number the new items of all windows consecutively.
  var newSlot = 0

  /// The slots of the old items.
  var oldSlots: Range<Int> { oldSlot..<(oldSlot + old.count) }
  /// The slots of the new items.
  var newSlots: Range<Int> { newSlot..<(newSlot + new.count) }
}

/// Iterates over the items of all windows in pieces.
struct PieceCursor: Sendable {
  /// The maximum number of items in a piece.
  static let length = 2_048

  private var position = 0
  private var offset = 0

  /// Returns the next piece: the index of the window and a range of its items, or nil at the end.
  ///
  /// - Parameters:
  ///   - order: The indexes of the windows, in the order of iteration.
  ///   - count: Returns the number of items in a window.
  mutating func next(
    in order: some RandomAccessCollection<Int>, count: (Int) -> Int
  ) -> (window: Int, range: Range<Int>)? {
    while position < order.count {
      let window = order[order.index(order.startIndex, offsetBy: position)]
      let end = min(count(window), offset + PieceCursor.length)
      guard offset < end else {
        position += 1
        offset = 0
        continue
      }
      defer { offset = end }
      return (window, offset..<end)
    }
    return nil
  }
}
