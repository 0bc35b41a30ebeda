/// Items that two lists share as memory, between places where they differ.
struct SharedStretch: Sendable {
  /// The index of the first in the old list.
  var old: Int
  /// The index of the first in the new list.
  var new: Int
  /// How many they are.
  var count: Int
}

extension SharedStretch {
  /// What two lists share between their common ends, in order in both.
  ///
  /// Blocks and leaves keep their keys when they are copied: the same key is where to look for the same memory. What is
  /// not in the same order in both is left out.
  ///
  /// - Complexity: O(n / 2^16), and up to 128 for each block that differs.
  ///
  /// - Parameter common: how many handles mean the same in both.
  static func find(
    in old: HandleList, _ new: HandleList, within ends: (old: Range<Int>, new: Range<Int>), _ common: Int
  ) -> [Self] {
    let length = min(ends.old.count, ends.new.count)
    // Nothing is shared by strangers, and nothing worth while lies within two leaves.
    guard common > 0, length > 2 * HandleLeaf.capacity else { return [] }
    var stretches: [SharedStretch] = []
    func add(_ stretch: SharedStretch) {
      let cut = max(0, ends.old.lowerBound - stretch.old, ends.new.lowerBound - stretch.new)
      let rest = min(stretch.count, ends.old.upperBound - stretch.old, ends.new.upperBound - stretch.new) - cut
      guard rest > 0 else { return }
      let next = SharedStretch(old: stretch.old + cut, new: stretch.new + cut, count: rest)
      if let last = stretches.last, last.old + last.count == next.old, last.new + last.count == next.new {
        stretches[stretches.count - 1].count += rest
      } else {
        stretches.append(next)
      }
    }
    let blocks = pairs(
      old.blocks.map { ($0.key, $0.count) }, new.blocks.map { ($0.key, $0.count) }, isWanted: { _, _ in true })
    for pair in blocks {
      let (mine, theirs) = (old.blocks[pair.old], new.blocks[pair.new])
      guard pair.oldStart < ends.old.upperBound, pair.newStart < ends.new.upperBound,
        pair.oldStart + mine.count > ends.old.lowerBound, pair.newStart + theirs.count > ends.new.lowerBound
      else { continue }
      if mine.isSame(as: theirs) {
        add(SharedStretch(old: pair.oldStart, new: pair.newStart, count: mine.count))
        continue
      }
      let leaves = pairs(
        mine.leaves.map { ($0.key, $0.count) }, theirs.leaves.map { ($0.key, $0.count) },
        isWanted: { mine.leaves[$0].isSame(as: theirs.leaves[$1]) })
      for leaf in leaves {
        add(
          SharedStretch(
            old: pair.oldStart + leaf.oldStart, new: pair.newStart + leaf.newStart, count: mine.leaves[leaf.old].count))
      }
    }
    // Where most differs, one window is dealt with faster than many.
    let shared = stretches.reduce(0) { $0 + $1.count }
    return shared * 8 >= length ? stretches : []
  }

  /// Parts of two lists with the same key, as many as are in the same order when taken from the beginning.
  private static func pairs(
    _ old: [(key: Int32, count: Int)], _ new: [(key: Int32, count: Int)], isWanted: (Int, Int) -> Bool
  ) -> [(old: Int, oldStart: Int, new: Int, newStart: Int)] {
    var places: [Int32: (index: Int, start: Int)] = [:]
    places.reserveCapacity(old.count)
    var start = 0
    for (index, part) in old.enumerated() {
      places[part.key] = (index, start)
      start += part.count
    }
    var found: [(old: Int, oldStart: Int, new: Int, newStart: Int)] = []
    start = 0
    for (index, part) in new.enumerated() {
      if let place = places[part.key], place.index > found.last?.old ?? -1, isWanted(place.index, index) {
        found.append((place.index, place.start, index, start))
      }
      start += part.count
    }
    return found
  }
}
