internal import Geometry

extension MeasuredChunk {
  /// What became of a size.
  enum Outcome: Hashable {
    case same
    case taken
    case frozen(MeasuredSize)
  }

  /// Where the size of an item is or belongs.
  private func rank(ofItem place: Int) -> (rank: Int, isThere: Bool) {
    var low = 0
    var high = sizes.count
    while low < high {
      let middle = (low + high) / 2
      if sizes[middle].place < place { low = middle + 1 } else { high = middle }
    }
    return (low, low < sizes.count && sizes[low].place == place)
  }

  /// The size of an item, counted from the first of the chunk.
  func size(ofItem place: Int) -> MeasuredSize? {
    let (rank, isThere) = rank(ofItem: place)
    return isThere ? sizes[rank].size : nil
  }

  /// Whether an item keeps its size whatever its cell asks for.
  func isFrozen(item place: Int) -> Bool { restless.contains { $0.place == place && $0.isFrozen } }

  /// Takes the size of an item; the group that it belongs to is to be placed anew.
  mutating func record(_ size: MeasuredSize, ofItem place: Int, epoch: UInt32) -> Outcome {
    let (rank, isThere) = rank(ofItem: place)
    guard isThere else {
      sizes.insert(ItemSize(place: Int32(place), size: size), at: rank)
      return .taken
    }
    let old = sizes[rank].size
    guard size != old else { return .same }
    var index = restless.firstIndex { $0.place >= place } ?? restless.count
    if index == restless.count || restless[index].place != place {
      index = restless.firstIndex { $0.place > place } ?? restless.count
      restless.insert(RestlessItem(place: Int32(place), size: old, epoch: epoch), at: index)
    }
    guard !restless[index].isFrozen else { return .same }
    sizes[rank].size = restless[index].change(from: old, to: size, in: epoch)
    return restless[index].isFrozen ? .frozen(sizes[rank].size) : .taken
  }

  /// How many groups were measured, and how long they are.
  var measured: (groups: Int, length: Int) { (groups.count, measuredLength) }

  /// The items of a group from its corner.
  func frames(of place: Int, slotCount: Int, flow: Axis) -> [PixelFrame] {
    let group = group(place)
    return (0..<slotCount).map {
      frame(ofSlot: $0, slotCount: slotCount, length: group.length, rank: group.rank, flow: flow)
    }
  }

  /// Places a group of which an item was measured.
  ///
  /// - Returns: how it was placed.
  mutating func place(_ place: Int, by group: any MeasurableGroup) -> MeasuredSlots {
    let slots = group.solved(measured: { measured(slot: $0, of: place) }, atLeast: 0)
    setGroup(place, length: slots.length, frames: group.isRow ? [] : slots.frames)
    return slots
  }

  /// What a slot of a measured group is placed by: its size, or what the template has for it.
  func measured(slot: Int, of place: Int) -> MeasuredSize? {
    if let size = size(ofItem: place * template.slots.frames.count + slot) { return size }
    let frame = template.slots.frames[slot]
    return MeasuredSize(width: frame.width, height: frame.height)
  }

  // MARK: Neighbours

  /// Whether groups of which nothing is known, with a template, may follow the last without changing any length.
  func canTake(_ number: Int, as template: MeasuredTemplate) -> Bool {
    guard self.template == template || isComplete else { return false }
    return isBlank || count + number <= MeasuredChunk.most
  }

  /// Takes such groups in.
  mutating func take(_ number: Int, as template: MeasuredTemplate) {
    if isComplete { setTemplate(template) }
    append(number)
  }
}
