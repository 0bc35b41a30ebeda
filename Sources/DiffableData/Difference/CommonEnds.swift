/// The number of items that two lists have in common at their starts and ends, determined in steps.
struct CommonEnds: Sendable {
  private let old: HandleList
  private let new: HandleList
  private var front: (old: HandleCursor, new: HandleCursor)
  private var back: (old: HandleCursor, new: HandleCursor)
  private var isHeadDone = false

  /// The number of common items at the start, as far as it is known.
  private(set) var head = 0
  /// The number of common items at the end, without those at the start, as far as it is known.
  private(set) var tail = 0

  init(_ old: HandleList, _ new: HandleList) {
    self.old = old
    self.new = new
    front = (HandleCursor(old, isForward: true), HandleCursor(new, isForward: true))
    back = (HandleCursor(old, isForward: false), HandleCursor(new, isForward: false))
  }

  /// Continues until both ends are known or the steps are used up.
  ///
  /// A step is an item, or a block that both lists share.
  ///
  /// - Returns: Whether both ends are known.
  mutating func advance<ID>(_ mapping: HandleMapping<ID>, steps: inout Int) -> Bool {
    if !isHeadDone {
      isHeadDone = CommonEnds.advance(&front, (old, new), &head, limit: .max, mapping, &steps)
      guard isHeadDone else { return false }
    }
    return CommonEnds.advance(&back, (old, new), &tail, limit: min(old.count, new.count) - head, mapping, &steps)
  }

  private static func advance<ID>(
    _ cursors: inout (old: HandleCursor, new: HandleCursor), _ lists: (old: HandleList, new: HandleList),
    _ length: inout Int, limit: Int, _ mapping: HandleMapping<ID>, _ steps: inout Int
  ) -> Bool {
    while length < limit, !cursors.old.isAtEnd(of: lists.old), !cursors.new.isAtEnd(of: lists.new) {
      guard steps > 0 else { return false }
      steps -= 1
      if let oldBlock = cursors.old.wholeBlock(of: lists.old), let newBlock = cursors.new.wholeBlock(of: lists.new),
        oldBlock.isSame(as: newBlock)
      {
        length += oldBlock.count
        cursors.old.passBlock(of: lists.old)
        cursors.new.passBlock(of: lists.new)
        continue
      }
      let run = min(cursors.old.runLength(in: lists.old), cursors.new.runLength(in: lists.new))
      var equal = run
      if !isSameLeaf(cursors, lists, mapping.commonHandleCount) {
        equal = mapping.commonLength(cursors.old.run(of: lists.old), cursors.new.run(of: lists.new), count: run)
        steps -= equal
      }
      length += equal
      guard equal == run else { break }
      cursors.old.pass(run, of: lists.old)
      cursors.new.pass(run, of: lists.new)
    }
    length = min(length, limit)
    return true
  }

  private static func isSameLeaf(
    _ cursors: (old: HandleCursor, new: HandleCursor), _ lists: (old: HandleList, new: HandleList),
    _ commonHandleCount: Int
  ) -> Bool {
    guard let oldLeaf = cursors.old.wholeLeaf(of: lists.old), let newLeaf = cursors.new.wholeLeaf(of: lists.new) else {
      return false
    }
    return oldLeaf.isSame(as: newLeaf, commonHandleCount: commonHandleCount)
  }
}

/// A run of items whose storage is shared by two lists.
struct SharedRun: Sendable {
  /// The index of the first item in the old list.
  var old: Int
  /// The index of the first item in the new list.
  var new: Int
  /// The number of items.
  var count: Int
}

extension SharedRun {
  /// Returns the shared runs of two lists between their common ends that are in the same order in both.
  ///
  /// Copies of blocks and leaves keep their keys, so equal keys identify candidates for shared storage. Runs in a
  /// different order are omitted.
  ///
  /// - Parameters:
  ///   - old: The old list.
  ///   - new: The new list.
  ///   - ends: The ranges between the common ends.
  ///   - commonHandleCount: The number of handles that have the same meaning in both snapshots.
  /// - Complexity: O(n / 2^16), and up to 128 for each block that differs.
  static func find(
    in old: HandleList, _ new: HandleList, within ends: (old: Range<Int>, new: Range<Int>), _ commonHandleCount: Int
  ) -> [Self] {
    let length = min(ends.old.count, ends.new.count)
    // Unrelated snapshots share nothing, and runs within two leaves are not worth the search.
    guard commonHandleCount > 0, length > 2 * HandleLeaf.capacity else { return [] }
    var runs: [SharedRun] = []
    func add(_ run: SharedRun) {
      let skipped = max(0, ends.old.lowerBound - run.old, ends.new.lowerBound - run.new)
      let remaining = min(run.count, ends.old.upperBound - run.old, ends.new.upperBound - run.new) - skipped
      guard remaining > 0 else { return }
      let next = SharedRun(old: run.old + skipped, new: run.new + skipped, count: remaining)
      if let last = runs.last, last.old + last.count == next.old, last.new + last.count == next.new {
        runs[runs.count - 1].count += remaining
      } else {
        runs.append(next)
      }
    }
    let blocks = pairs(
      old.blocks.map { ($0.key, $0.count) }, new.blocks.map { ($0.key, $0.count) }, isIncluded: { _, _ in true })
    for pair in blocks {
      let (oldBlock, newBlock) = (old.blocks[pair.old], new.blocks[pair.new])
      guard pair.oldStart < ends.old.upperBound, pair.newStart < ends.new.upperBound,
        pair.oldStart + oldBlock.count > ends.old.lowerBound, pair.newStart + newBlock.count > ends.new.lowerBound
      else { continue }
      if oldBlock.isSame(as: newBlock) {
        add(SharedRun(old: pair.oldStart, new: pair.newStart, count: oldBlock.count))
        continue
      }
      let leaves = pairs(
        oldBlock.leaves.map { ($0.key, $0.count) }, newBlock.leaves.map { ($0.key, $0.count) },
        isIncluded: {
          oldBlock.leaves[$0].isSame(as: newBlock.leaves[$1], commonHandleCount: commonHandleCount)
        })
      for leaf in leaves {
        add(
          SharedRun(
            old: pair.oldStart + leaf.oldStart, new: pair.newStart + leaf.newStart,
            count: oldBlock.leaves[leaf.old].count))
      }
    }
    // If most items differ, a single window is faster than many.
    let shared = runs.reduce(0) { $0 + $1.count }
    return shared * 8 >= length ? runs : []
  }

  /// Returns the parts of two lists with equal keys that are in the same order in both, chosen greedily from the start.
  private static func pairs(
    _ old: [(key: Int32, count: Int)], _ new: [(key: Int32, count: Int)], isIncluded: (Int, Int) -> Bool
  ) -> [(old: Int, oldStart: Int, new: Int, newStart: Int)] {
    var positions: [Int32: (index: Int, start: Int)] = [:]
    positions.reserveCapacity(old.count)
    var start = 0
    for (index, part) in old.enumerated() {
      positions[part.key] = (index, start)
      start += part.count
    }
    var found: [(old: Int, oldStart: Int, new: Int, newStart: Int)] = []
    start = 0
    for (index, part) in new.enumerated() {
      if let position = positions[part.key], position.index > found.last?.old ?? -1, isIncluded(position.index, index) {
        found.append((position.index, position.start, index, start))
      }
      start += part.count
    }
    return found
  }
}
