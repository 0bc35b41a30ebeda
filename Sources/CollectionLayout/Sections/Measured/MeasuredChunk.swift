internal import DataStructures
internal import Geometry

/// A run of groups that follow each other: how those stand in which an item was measured, and one template for all the
/// rest.
///
/// A run of which nothing was measured is two numbers, however long it is; one with measures has at most ``most`` groups.
/// Sums of lengths are kept for the measured groups only, so that a place is found by halving.
struct MeasuredChunk: SplicedRun {
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
  /// How many items a group has.
  var slotCount: Int { template.slots.frames.count }
  /// The lengths of all measured groups, without gaps.
  var measuredLength: Int { groups.last.map { Int($0.before) + Int($0.length) } ?? 0 }
  /// How many groups were measured, and how long they are.
  var measured: (groups: Int, length: Int) { (groups.count, measuredLength) }

  /// How many of some groups were measured, and how long they are.
  func measured(in places: Range<Int>) -> (groups: Int, length: Int) {
    let ranks = rank(ofGroup: places.lowerBound)..<rank(ofGroup: places.upperBound)
    return (ranks.count, measuredLength(before: ranks.upperBound) - measuredLength(before: ranks.lowerBound))
  }

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
  func frame(ofSlot slot: Int, length: Int, rank: Int?, flow: Axis) -> PixelFrame {
    guard let rank else { return template.slots.frames[slot] }
    guard frames.isEmpty else { return frames[rank * slotCount + slot] }
    var frame = template.slots.frames[slot]
    if flow == .vertical { frame.maxY = length } else { frame.maxX = length }
    return frame
  }

  /// The items of a group from its corner.
  func frames(ofGroup place: Int, flow: Axis) -> [PixelFrame] {
    let group = group(place)
    return (0..<slotCount).map { frame(ofSlot: $0, length: group.length, rank: group.rank, flow: flow) }
  }

  // MARK: Changing them

  /// Lets groups stand as they were placed, and as the template has them where they were not.
  ///
  /// - Returns: whether that is another way than they stood.
  /// - Complexity: O(``most``).
  mutating func setGroups(_ places: Range<Int>, to placed: PlacedGroups) -> Bool {
    let ranks = rank(ofGroup: places.lowerBound)..<rank(ofGroup: places.upperBound)
    var end = measuredLength(before: ranks.lowerBound)
    let behind = measuredLength(before: ranks.upperBound)
    let new = placed.groups.map { group in
      defer { end += group.length }
      return MeasuredGroup(place: Int32(group.place), length: Int32(group.length), before: Int32(end))
    }
    let slots = placed.frames.isEmpty && frames.isEmpty ? 0 : slotCount
    let slotRange = (ranks.lowerBound * slots)..<(ranks.upperBound * slots)
    guard groups[ranks] != new[...] || frames[slotRange] != placed.frames[...] else { return false }
    groups.replaceSubrange(ranks, with: new)
    frames.replaceSubrange(slotRange, with: placed.frames)
    move(fromRank: ranks.lowerBound + new.count, by: 0, end - behind)
    setTemplate(template)
    return true
  }

  private func measuredLength(before rank: Int) -> Int {
    rank == 0 ? 0 : Int(groups[rank - 1].before) + Int(groups[rank - 1].length)
  }

  /// Moves what was measured from a group on.
  private mutating func move(fromRank rank: Int, by places: Int, _ distance: Int) {
    guard places != 0 || distance != 0 else { return }
    for index in groups.indices.dropFirst(rank) {
      groups[index].place += Int32(places)
      groups[index].before += Int32(distance)
    }
  }

  /// Gives all that was not measured another template.
  mutating func setTemplate(_ template: MeasuredTemplate) {
    self.template = template
    length = measuredLength + groups.count * template.spacing + (count - groups.count) * template.pitch
  }

  // MARK: Groups that come and go

  func blank(_ number: Int) -> MeasuredChunk { MeasuredChunk(count: number, template: template) }

  /// Takes groups of which nothing is known in behind the last, or with a negative number out.
  mutating func append(_ groups: Int) {
    count += groups
    length += groups * template.pitch
  }

  mutating func insert(_ inserted: Int, at place: Int) {
    if !isBlank { move(fromRank: rank(ofGroup: place), by: inserted, 0) }
    append(inserted)
  }

  mutating func remove(_ range: Range<Int>) {
    guard !isBlank else { return append(-range.count) }
    let ranks = rank(ofGroup: range.lowerBound)..<rank(ofGroup: range.upperBound)
    let removed = measuredLength(before: ranks.upperBound) - measuredLength(before: ranks.lowerBound)
    if !frames.isEmpty { frames.removeSubrange((ranks.lowerBound * slotCount)..<(ranks.upperBound * slotCount)) }
    groups.removeSubrange(ranks)
    move(fromRank: ranks.lowerBound, by: -range.count, -removed)
    count -= range.count
    setTemplate(template)
  }

  func part(_ range: Range<Int>) -> MeasuredChunk {
    var part = blank(range.count)
    guard !isBlank else { return part }
    let ranks = rank(ofGroup: range.lowerBound)..<rank(ofGroup: range.upperBound)
    part.groups = Array(groups[ranks])
    part.move(fromRank: 0, by: -range.lowerBound, -measuredLength(before: ranks.lowerBound))
    if !frames.isEmpty {
      part.frames = Array(frames[(ranks.lowerBound * slotCount)..<(ranks.upperBound * slotCount)])
    }
    part.setTemplate(template)
    return part
  }

  /// Takes another chunk in behind the last group, with gaps of the same length; the caller knows that the template fits
  /// both.
  mutating func append(_ other: MeasuredChunk) {
    var other = other
    other.move(fromRank: 0, by: count, measuredLength)
    groups += other.groups
    frames += other.frames
    count += other.count
    setTemplate(template)
  }
}
