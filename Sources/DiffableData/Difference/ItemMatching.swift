/// Which old item each new one is, among those that may differ.
struct ItemMatching: Sendable {
  /// For each new item: the number of the old one that it is and that may stay, `-1` for one that was not there, and
  /// `-2 - n` for one that was number n and moves.
  var origins: ContiguousArray<Int32>
  /// For each old item the number of the new one that it is, or -1.
  var targets: ContiguousArray<Int32>
  /// How many items went from one window to another of the same section, by new section.
  private(set) var crossings: [Int: Int] = [:]
  /// For each window whether those that may stay are in order as they are.
  private(set) var isSorted: [Bool]

  private var slots: SlotMap
  private var last: Int32 = -1

  /// Makes a matching in which nothing is known.
  init(_ list: WindowList, handles: Int) {
    slots = SlotMap(count: list.oldCount, handles: handles)
    origins = ContiguousArray()
    origins.reserveCapacity(list.newCount)
    targets = ContiguousArray(repeating: -1, count: list.oldCount)
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
    let own = place.oldSlots
    // The numbers of the section's old items end where its windows end; only neighbours can be of the same section.
    if range.lowerBound == place.new.lowerBound { last = -1 }
    list.forEachRun(in: range) { handles in
      for handle in handles {
        let slot = slots[names.oldHandle(of: handle)]
        guard slot >= 0 else {
          origins.append(-1)
          continue
        }
        targets[Int(slot)] = Int32(truncatingIfNeeded: origins.count)
        if own.contains(Int(slot)) {
          if slot < last { isSorted[window] = false }
          last = slot
          origins.append(slot)
        } else {
          if windows.windows[windows.window(ofOldSlot: Int(slot))].newSection == place.newSection {
            crossings[place.newSection, default: 0] += 1
          }
          origins.append(ItemMatching.moved(slot))
        }
      }
    }
  }

  /// Forgets what is needed only to find items.
  mutating func endMatching() { slots = .empty }
}
