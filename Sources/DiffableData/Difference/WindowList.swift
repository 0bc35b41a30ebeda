/// The windows of a difference, in the order of the new snapshot, those of deleted sections last.
struct WindowList: Sendable {
  private(set) var windows: ContiguousArray<DifferenceWindow> = []
  /// The windows' indexes in the order of the old snapshot.
  private(set) var oldOrder: [Int] = []
  /// How many old items there are in all windows.
  private(set) var oldCount = 0
  /// How many new items there are in all windows.
  private(set) var newCount = 0

  /// Makes an empty list.
  init() {}

  /// Numbers the items of windows; those of deleted or inserted sections in which nothing can be found are left out.
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

  /// The window of an old item by its number.
  ///
  /// - Complexity: O(log w) for w windows.
  func window(ofOldSlot slot: Int) -> Int {
    var low = 0
    var high = oldOrder.count - 1
    while low < high {
      let middle = (low + high + 1) / 2
      if windows[oldOrder[middle]].oldSlot <= slot { low = middle } else { high = middle - 1 }
    }
    // Windows without old items begin at the same number as the next one.
    while windows[oldOrder[low]].old.isEmpty { low -= 1 }
    return oldOrder[low]
  }

  /// The windows with those made one between which fewer items stay than cross from one window to another.
  ///
  /// To keep the items between two windows is right as long as they are as many as those that cross: giving them up for
  /// some of these would move no fewer.
  ///
  /// - Parameter crossings: how many items went from one window to another of their section, by new section.
  /// - Returns: nothing where all can stay as they are.
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
