internal import VitrineDataStructures
internal import VitrineGeometry

/// A run of consecutive groups, which stores the measured groups and one template for all others.
///
/// A run without measured groups has a constant size, regardless of its length. A run with measured groups has at most
/// ``maximumCount`` groups. Partial sums of lengths are stored only for measured groups, so that a position is found by
/// binary search.
struct MeasuredChunk: SplicedRun {
  /// The maximum number of groups of a chunk with measured groups.
  static let maximumCount = 512

  /// The number of groups.
  private(set) var count: Int
  /// The length of the groups, each including the space after it.
  private(set) var length: Int
  /// The layout of unmeasured groups.
  private(set) var template: MeasuredTemplate
  /// The measured groups in ascending order.
  private(set) var groups: [MeasuredGroup] = []
  /// The frames of the items of measured groups, one for each slot; empty if a group consists of its one item.
  private(set) var frames: [PixelFrame] = []

  /// Creates a run of unmeasured groups.
  init(count: Int, template: MeasuredTemplate) {
    self.count = count
    self.template = template
    length = count * template.pitch
  }

  /// Whether no group was measured.
  var isBlank: Bool { groups.isEmpty }
  /// Whether all groups were measured.
  var isFull: Bool { groups.count == count }
  /// The number of items of a group.
  var slotCount: Int { template.slots.frames.count }
  /// The total length of the measured groups, without the space between them.
  var measuredLength: Int { groups.last.map { Int($0.before) + Int($0.length) } ?? 0 }
  /// The number of measured groups and their length.
  var measured: (groups: Int, length: Int) { (groups.count, measuredLength) }

  /// Returns the number of measured groups in a range and their length.
  func measured(in indexes: Range<Int>) -> (groups: Int, length: Int) {
    let ranks = rank(ofGroup: indexes.lowerBound)..<rank(ofGroup: indexes.upperBound)
    return (ranks.count, measuredLength(before: ranks.upperBound) - measuredLength(before: ranks.lowerBound))
  }

  // MARK: - Positions of groups

  /// Returns the number of measured groups before a group.
  func rank(ofGroup index: Int) -> Int {
    if isFull { return index }
    var low = 0
    var high = groups.count
    while low < high {
      let middle = (low + high) / 2
      if groups[middle].index < index { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Returns the start and length of a group, and its rank among the measured groups, or nil if it was not measured.
  func group(_ index: Int) -> (start: Int, length: Int, rank: Int?) {
    let rank = rank(ofGroup: index)
    let isMeasured = rank < groups.count && groups[rank].index == index
    let before = rank == 0 ? 0 : Int(groups[rank - 1].before) + Int(groups[rank - 1].length)
    let start = before + rank * template.spacing + (index - rank) * template.pitch
    return isMeasured ? (start, Int(groups[rank].length), rank) : (start, template.slots.length, nil)
  }

  /// Returns the last group that starts at or before a line, or the first group.
  func group(atOffset line: Int) -> Int {
    // Finds the last measured group that starts at or before the line. The groups between it and the line are not
    // measured.
    var low = 0
    var high = groups.count
    while low < high {
      let middle = (low + high) / 2
      if start(ofRank: middle) <= line { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return min(max(0, line) / template.pitch, count - 1) }
    let group = groups[low - 1]
    let beyond = line - start(ofRank: low - 1) - Int(group.length) - template.spacing
    return beyond < 0 ? Int(group.index) : min(Int(group.index) + 1 + beyond / template.pitch, count - 1)
  }

  private func start(ofRank rank: Int) -> Int {
    let group = groups[rank]
    return Int(group.before) + rank * template.spacing + (Int(group.index) - rank) * template.pitch
  }

  /// Returns the frame of an item relative to the corner of its group.
  func frame(ofSlot slot: Int, length: Int, rank: Int?, flow: Axis) -> PixelFrame {
    guard let rank else { return template.slots.frames[slot] }
    guard frames.isEmpty else { return frames[rank * slotCount + slot] }
    var frame = template.slots.frames[slot]
    if flow == .vertical { frame.maxY = length } else { frame.maxX = length }
    return frame
  }

  /// Returns the frames of the items of a group, relative to its corner.
  func frames(ofGroup index: Int, flow: Axis) -> [PixelFrame] {
    let group = group(index)
    return (0..<slotCount).map { frame(ofSlot: $0, length: group.length, rank: group.rank, flow: flow) }
  }

  // MARK: - Changing groups

  /// Sets the layout of groups; groups that were not placed use the template.
  ///
  /// - Returns: Whether the layout changed.
  /// - Complexity: O(``maximumCount``).
  mutating func setGroups(_ indexes: Range<Int>, to placed: PlacedGroups) -> Bool {
    let ranks = rank(ofGroup: indexes.lowerBound)..<rank(ofGroup: indexes.upperBound)
    var end = measuredLength(before: ranks.lowerBound)
    let behind = measuredLength(before: ranks.upperBound)
    let new = placed.groups.map { group in
      defer { end += group.length }
      return MeasuredGroup(index: Int32(group.index), length: Int32(group.length), before: Int32(end))
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

  /// Moves the measured groups from a rank on.
  private mutating func move(fromRank rank: Int, by indexOffset: Int, _ distance: Int) {
    guard indexOffset != 0 || distance != 0 else { return }
    for index in groups.indices.dropFirst(rank) {
      groups[index].index += Int32(indexOffset)
      groups[index].before += Int32(distance)
    }
  }

  /// Sets the layout of all unmeasured groups.
  mutating func setTemplate(_ template: MeasuredTemplate) {
    self.template = template
    length = measuredLength + groups.count * template.spacing + (count - groups.count) * template.pitch
  }

  // MARK: - Inserting and removing groups

  func blank(_ number: Int) -> MeasuredChunk { MeasuredChunk(count: number, template: template) }

  /// Appends unmeasured groups, or removes them with a negative number.
  mutating func append(_ groups: Int) {
    count += groups
    length += groups * template.pitch
  }

  mutating func insert(_ inserted: Int, at index: Int) {
    if !isBlank { move(fromRank: rank(ofGroup: index), by: inserted, 0) }
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

  /// Appends another chunk with the same spacing.
  ///
  /// - Precondition: The template is valid for both chunks.
  mutating func append(_ other: MeasuredChunk) {
    var other = other
    other.move(fromRank: 0, by: count, measuredLength)
    groups += other.groups
    frames += other.frames
    count += other.count
    setTemplate(template)
  }
}

/// The length of a measured group.
struct MeasuredGroup: Hashable, Sendable {
  /// The index of the group in its chunk.
  var index: Int32
  /// The length along the flow axis, in pixels.
  var length: Int32
  /// The total length of all measured groups of the chunk before it, in pixels.
  var before: Int32
}
