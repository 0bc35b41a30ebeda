/// Which old item each new one is, among those that may differ.
struct ItemMatching: Sendable {
  /// For each new item: the number of the old one that it is and that may stay, `-1` for one that was not there, and
  /// `-2 - n` for one that was number n and moves.
  var origins: ContiguousArray<Int32>
  /// The old items that were found.
  private(set) var found: SlotSet
  /// How many items move, as far as is known.
  var movedCount = 0
  /// How many items went from one window to another of the same section, by new section.
  private(set) var crossings: [Int: Int] = [:]
  /// For each window whether those that may stay are in order as they are.
  private(set) var isSorted: [Bool]

  private var slots: SlotMap
  private var last: Int32 = -1
  /// How many new items were looked up.
  private var matched = 0

  /// Makes a matching of nothing.
  init() {
    (slots, origins, found, isSorted) = (.empty, [], SlotSet(below: 0), [])
  }

  /// Makes a matching in which nothing is known.
  init(_ list: WindowList, handles: Int) {
    slots = SlotMap(count: list.oldCount, handles: handles)
    origins = ContiguousArray(repeating: -1, count: list.newCount)
    found = SlotSet(below: list.oldCount)
    isSorted = [Bool](repeating: true, count: list.windows.count)
  }

  /// The origin of an item that moves.
  static func moved(_ slot: Int32) -> Int32 { -2 - slot }

  /// Learns old items of a window.
  mutating func note(_ range: Range<Int>, of list: HandleList, from slot: Int) {
    slots.set(range, of: list, from: slot)
  }

  /// Finds new items of a window; pieces come in order.
  mutating func match<ID>(
    _ range: Range<Int>, of list: HandleList, window: Int, in windows: WindowList, _ names: HandleNames<ID>
  ) {
    let place = windows.windows[window]
    let own = Int32(truncatingIfNeeded: place.oldSlot)..<Int32(truncatingIfNeeded: place.oldSlots.upperBound)
    var last = range.lowerBound == place.new.lowerBound ? -1 : self.last
    var isInOrder = isSorted[window]
    var (crossed, moved) = (0, 0)
    var number = Int32(truncatingIfNeeded: matched)
    origins.withUnsafeMutableBufferPointer { origins in
      found.withWords { found in
        slots.forEachSlot(range, of: list, names) { slot in
          var origin = slot
          if slot >= 0 {
            found[Int(slot) &>> 6] |= 1 &<< UInt64(slot & 63)
            if own.contains(slot) {
              isInOrder = isInOrder && slot > last
              last = slot
            } else {
              let other = windows.windows[windows.window(ofOldSlot: Int(slot))]
              if other.newSection == place.newSection { crossed += 1 }
              origin = ItemMatching.moved(slot)
              moved += 1
            }
          }
          origins[Int(number)] = origin
          number &+= 1
        }
      }
    }
    self.last = last
    matched = Int(number)
    movedCount += moved
    isSorted[window] = isInOrder
    if crossed > 0 { crossings[place.newSection, default: 0] += crossed }
  }

  /// Lets some items move that may stay, from a new item on.
  mutating func move(_ count: Int, from first: Int) {
    var (slot, rest) = (first, count)
    while rest > 0 {
      if origins[slot] >= 0 {
        origins[slot] = ItemMatching.moved(origins[slot])
        rest -= 1
      }
      slot += 1
    }
    movedCount += count
  }

  /// Lets those items of a window move that may stay and are not in a run.
  mutating func move(allBut run: LongestIncreasingRun, from slots: Range<Int>) {
    var end = slots.upperBound
    var count = 0
    origins.withUnsafeMutableBufferPointer { origins in
      func moveAll(_ slots: Range<Int>) {
        for slot in slots where origins[slot] >= 0 {
          origins[slot] = ItemMatching.moved(origins[slot])
          count += 1
        }
      }
      run.forEachMemberBackwards { index in
        moveAll((slots.lowerBound + index + 1)..<end)
        end = slots.lowerBound + index
      }
      moveAll(slots.lowerBound..<end)
    }
    movedCount += count
  }

  /// Lets those items of a window move that may stay and that one from further behind has overtaken.
  mutating func moveAllThatFellBehind(in slots: Range<Int>) {
    var (front, count): (Int32, Int) = (-1, 0)
    origins.withUnsafeMutableBufferPointer { origins in
      for slot in slots where origins[slot] >= 0 {
        if origins[slot] < front {
          origins[slot] = ItemMatching.moved(origins[slot])
          count += 1
        } else {
          front = origins[slot]
        }
      }
    }
    movedCount += count
  }

  /// Forgets what is needed only to find items.
  mutating func endMatching() { slots = .empty }
}
