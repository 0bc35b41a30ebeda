internal import DataStructures
internal import Geometry

/// A run of groups that follow each other: what was measured in it, and one template for all the rest.
///
/// A run of which nothing was measured is two numbers, however long it is; one with measures has at most ``most`` groups.
/// Sums of lengths are kept for the measured groups only, so that a place is found by halving.
struct MeasuredChunk: SummedLeaf {
  /// The most groups of a chunk in which something was measured.
  static let most = 512

  /// How many groups there are.
  private(set) var count: Int
  /// How long they are, each with the gap behind it.
  private(set) var length: Int
  /// What stands for a group that was not measured.
  private(set) var template: MeasuredTemplate
  /// Ascending by place.
  private(set) var groups: [MeasuredGroup] = []
  /// The items of measured groups, as many for each as a group has slots; none where a group is its one item.
  private(set) var frames: [PixelFrame] = []
  /// Ascending by place.
  var sizes: [ItemSize] = []
  /// Ascending by place; most often none.
  var restless: [RestlessItem] = []

  /// Makes a run of groups of which nothing is known.
  init(count: Int, template: MeasuredTemplate) {
    self.count = count
    self.template = template
    length = count * template.pitch
  }

  /// Whether nothing was measured.
  var isBlank: Bool { groups.isEmpty }
  /// Whether the template stands for no group.
  var isFull: Bool { groups.count == count }
  /// Whether the template stands for no item either.
  var isComplete: Bool { sizes.count == count * template.slots.frames.count }
  /// The lengths of all measured groups, without gaps.
  var measuredLength: Int { groups.last.map { Int($0.before) + Int($0.length) } ?? 0 }

  // MARK: Where groups are

  /// How many measured groups there are before a place.
  func rank(ofGroup place: Int) -> Int {
    if isFull { return place }
    var low = 0
    var high = groups.count
    while low < high {
      let middle = (low + high) / 2
      if groups[middle].place < place { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Where a group begins, and how long it is, and which of the measured ones it is.
  func group(_ place: Int) -> (start: Int, length: Int, rank: Int?) {
    let rank = rank(ofGroup: place)
    let isMeasured = rank < groups.count && groups[rank].place == place
    let before = rank == 0 ? 0 : Int(groups[rank - 1].before) + Int(groups[rank - 1].length)
    let start = before + rank * template.spacing + (place - rank) * template.pitch
    return isMeasured ? (start, Int(groups[rank].length), rank) : (start, template.slots.length, nil)
  }

  /// The last group that begins at or before a line, or the first.
  func group(atOffset line: Int) -> Int {
    // The last measured group that begins at or before it; what is before that has one pitch.
    var low = 0
    var high = groups.count
    while low < high {
      let middle = (low + high) / 2
      if start(ofRank: middle) <= line { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return min(max(0, line) / template.pitch, count - 1) }
    let group = groups[low - 1]
    let beyond = line - start(ofRank: low - 1) - Int(group.length) - template.spacing
    return beyond < 0 ? Int(group.place) : min(Int(group.place) + 1 + beyond / template.pitch, count - 1)
  }

  private func start(ofRank rank: Int) -> Int {
    let group = groups[rank]
    return Int(group.before) + rank * template.spacing + (Int(group.place) - rank) * template.pitch
  }

  /// An item of a group, from the group's corner.
  func frame(ofSlot slot: Int, slotCount: Int, length: Int, rank: Int?, flow: Axis) -> PixelFrame {
    guard let rank else { return template.slots.frames[slot] }
    guard frames.isEmpty else { return frames[rank * slotCount + slot] }
    var frame = template.slots.frames[slot]
    if flow == .vertical { frame.maxY = length } else { frame.maxX = length }
    return frame
  }

  // MARK: Changing them

  /// Gives a group a length of its own and, unless it is its one item, the frames of its items.
  ///
  /// - Complexity: O(``most``).
  mutating func setGroup(_ place: Int, length newLength: Int, frames newFrames: [PixelFrame]) {
    let rank = rank(ofGroup: place)
    let slots = rank * newFrames.count
    let difference: Int
    if rank < groups.count && groups[rank].place == place {
      difference = newLength - Int(groups[rank].length)
      groups[rank].length = Int32(newLength)
      frames.replaceSubrange(slots..<(slots + newFrames.count), with: newFrames)
      length += difference
    } else {
      let before = rank == 0 ? 0 : groups[rank - 1].before + groups[rank - 1].length
      groups.insert(MeasuredGroup(place: Int32(place), length: Int32(newLength), before: before), at: rank)
      frames.insert(contentsOf: newFrames, at: slots)
      difference = newLength
      length += newLength - template.slots.length
    }
    if difference != 0 {
      for later in groups.indices.dropFirst(rank + 1) { groups[later].before += Int32(difference) }
    }
  }

  /// Gives all that was not measured another template, in a chunk of which places are not final.
  mutating func setTemplate(_ template: MeasuredTemplate) {
    self.template = template
    length = measuredLength + groups.count * template.spacing + (count - groups.count) * template.pitch
  }

  /// Takes groups of which nothing is known in behind the last.
  mutating func append(_ groups: Int) {
    count += groups
    length += groups * template.pitch
  }

  /// Moves what is known of the groups from a place on behind groups of which nothing is known.
  mutating func insert(_ inserted: Int, at place: Int) {
    guard !isBlank else { return append(inserted) }
    let first = Int32(place * template.slots.frames.count)
    let items = Int32(inserted * template.slots.frames.count)
    for index in groups.indices where groups[index].place >= place { groups[index].place += Int32(inserted) }
    for index in sizes.indices where sizes[index].place >= first { sizes[index].place += items }
    for index in restless.indices where restless[index].place >= first { restless[index].place += items }
    append(inserted)
  }

  /// Takes groups out.
  mutating func remove(_ range: Range<Int>) {
    guard !isBlank else { return append(-range.count) }
    self = MeasuredChunk([part(0..<range.lowerBound), part(range.upperBound..<count)], template: template)
  }

  /// Gives groups of which nothing is known away from the end.
  mutating func drop(_ groups: Int) { append(-groups) }

  /// Takes what another chunk holds, with gaps of the same length; the caller knows that the template fits both.
  init(_ parts: [MeasuredChunk], template: MeasuredTemplate) {
    self.init(count: 0, template: template)
    for part in parts {
      let offset = Int32(count)
      let before = Int32(measuredLength)
      groups += part.groups.map {
        MeasuredGroup(place: $0.place + offset, length: $0.length, before: $0.before + before)
      }
      frames += part.frames
      let items = Int32(count * template.slots.frames.count)
      sizes += part.sizes.map { ItemSize(place: $0.place + items, size: $0.size) }
      restless += part.restless.map { item in
        var item = item
        item.place += items
        return item
      }
      count += part.count
    }
    setTemplate(template)
  }

  /// The chunk of some of its groups, without those around them.
  func part(_ range: Range<Int>) -> MeasuredChunk {
    var part = MeasuredChunk(count: range.count, template: template)
    guard !isBlank else { return part }
    let slotCount = template.slots.frames.count
    let ranks = rank(ofGroup: range.lowerBound)..<rank(ofGroup: range.upperBound)
    let before = ranks.isEmpty ? 0 : groups[ranks.lowerBound].before
    let offset = Int32(range.lowerBound)
    part.groups = groups[ranks].map {
      MeasuredGroup(place: $0.place - offset, length: $0.length, before: $0.before - before)
    }
    if !frames.isEmpty {
      part.frames = Array(frames[(ranks.lowerBound * slotCount)..<(ranks.upperBound * slotCount)])
    }
    let first = Int32(range.lowerBound * slotCount)
    let end = Int32(range.upperBound * slotCount)
    part.sizes = sizes.filter { $0.place >= first && $0.place < end }
      .map { ItemSize(place: $0.place - first, size: $0.size) }
    part.restless = restless.filter { $0.place >= first && $0.place < end }.map { item in
      var item = item
      item.place -= first
      return item
    }
    part.setTemplate(template)
    return part
  }
}
