/// Lists moves, by destination, and the order of their origins.
struct MoveListing: Sendable {
  /// The moves, by destination.
  private(set) var moves: ContiguousArray<ItemMove> = []
  /// The moves' indexes by origin, as far as the old items were read.
  private(set) var byOrigin: ContiguousArray<Int32> = []
  /// How many items move.
  private(set) var itemCount = 0

  /// The old items that move.
  private var moved: SlotSet
  /// For each old item with which a move begins the move's index, where there are moves.
  private var firsts: ContiguousArray<Int32>

  /// Makes a listing of moves that are known, by destination.
  init(_ known: [ItemMove]) {
    moves = ContiguousArray(known)
    byOrigin = ContiguousArray(known.indices.sorted { known[$0].from < known[$1].from }.map(Int32.init))
    itemCount = known.reduce(0) { $0 + $1.count }
    moved = SlotSet(below: 0)
    firsts = []
  }

  /// Makes a listing of nothing yet.
  ///
  /// - Parameter count: how many items move.
  init(_ windows: WindowList, moves count: Int) {
    moves.reserveCapacity(count)
    moved = SlotSet(below: count > 0 ? windows.oldCount : 0)
    firsts = ContiguousArray(repeating: -1, count: count > 0 ? windows.oldCount : 0)
  }

  /// Reads runs of new items of a window; they come in order.
  ///
  /// A run that moves is one move, as its old items are of one window.
  mutating func readNew(
    _ range: Range<Int>, of runs: ContiguousArray<OriginRun>, in place: DifferenceWindow, of windows: WindowList
  ) {
    // Without moves there are no marks for them either.
    guard !firsts.isEmpty else { return }
    let shift = place.new.lowerBound - place.newSlot
    // Numbers, and no window, which would be kept in memory.
    var (sourceStart, sourceEnd, sourceShift, sourceSection) = (0, 0, 0, 0)
    var items = 0
    withUnsafeTemporaryAllocation(of: ItemMove.self, capacity: range.count) { found in
      var count = 0
      runs.withUnsafeBufferPointer { runs in
        moved.withWords { moved in
          firsts.withUnsafeMutableBufferPointer { firsts in
            for index in range where runs[index].origin < -1 {
              let origin = Int(-2 &- runs[index].origin)
              if origin < sourceStart || origin >= sourceEnd {
                let source = windows.windows[windows.window(ofOldSlot: origin)]
                (sourceStart, sourceEnd) = (source.oldSlots.lowerBound, source.oldSlots.upperBound)
                (sourceShift, sourceSection) = (source.old.lowerBound - source.oldSlot, source.oldSection)
              }
              let slot = Int(runs[index].slot)
              let length = Int(runs[index &+ 1].slot) &- slot
              SlotSet.insert(origin..<(origin &+ length), into: moved)
              firsts[origin] = Int32(truncatingIfNeeded: moves.count &+ count)
              found[count] = ItemMove(
                from: ItemPosition(section: sourceSection, item: origin &+ sourceShift),
                to: ItemPosition(section: place.newSection, item: slot &+ shift), count: length)
              count &+= 1
              items &+= length
            }
          }
        }
      }
      moves.append(contentsOf: UnsafeBufferPointer(rebasing: found[..<count]))
    }
    itemCount += items
  }

  /// Ends the pass over the new items.
  mutating func endNew() { byOrigin.reserveCapacity(moves.count) }

  /// Which of old items that share a word move, a bit for each; these are read, and come in the order of the old snapshot.
  ///
  /// - Parameter mask: the bits of those that are to be read.
  mutating func readOld(around slot: Int, _ mask: UInt64) -> UInt64 {
    guard itemCount > 0 else { return 0 }
    let leaving = moved.word(around: slot) & mask
    var rest = leaving
    while rest != 0 {
      let move = firsts[slot & ~63 | rest.trailingZeroBitCount]
      if move >= 0 { byOrigin.append(move) }
      rest &= rest &- 1
    }
    return leaving
  }
}
