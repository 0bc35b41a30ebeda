internal import VitrineGeometry

/// A run of consecutive items with the sizes of those that were measured.
///
/// Its length in a summed list is the number of measured items, so that the list counts them before an item and finds
/// the next one.
struct SizeRun: SplicedRun {
  /// The maximum number of items of a run with measured items.
  static let maximumCount = 512

  /// The effect of recording a size.
  enum Outcome: Hashable {
    case unchanged
    case recorded
    case frozen(MeasuredSize)
  }

  private(set) var count: Int
  /// The measured sizes, in ascending order of items.
  private(set) var sizes: [ItemSize] = []
  /// The items whose size changed, in ascending order; usually empty.
  private(set) var unstableItems: [UnstableItem] = []

  /// Creates a run of items of which none was measured.
  init(count: Int) { self.count = count }

  /// The number of measured items.
  var length: Int { sizes.count }
  var isBlank: Bool { sizes.isEmpty }

  /// Returns the number of measured items before an item.
  func rank(ofItem place: Int) -> Int {
    if sizes.count == count { return min(place, count) }
    var low = 0
    var high = sizes.count
    while low < high {
      let middle = (low + high) / 2
      if sizes[middle].index < place { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Returns the size of an item, or nil if it was not measured.
  func size(ofItem place: Int) -> MeasuredSize? {
    let rank = rank(ofItem: place)
    return rank < sizes.count && sizes[rank].index == place ? sizes[rank].size : nil
  }

  /// Returns whether the size of an item is fixed.
  func isFrozen(item place: Int) -> Bool { unstableItems.contains { $0.index == place && $0.stability.isFrozen } }

  /// Records the size of an item.
  mutating func record(_ size: MeasuredSize, ofItem place: Int, burst: UInt32) -> Outcome {
    let rank = rank(ofItem: place)
    guard rank < sizes.count, sizes[rank].index == place else {
      sizes.insert(ItemSize(index: Int32(place), size: size), at: rank)
      return .recorded
    }
    let old = sizes[rank].size
    guard size != old else { return .unchanged }
    let index = unstableItems.firstIndex { $0.index >= place } ?? unstableItems.count
    if index == unstableItems.count || unstableItems[index].index != place {
      let stability = SizeStability(size: old, burst: burst)
      unstableItems.insert(UnstableItem(index: Int32(place), stability: stability), at: index)
    }
    guard !unstableItems[index].stability.isFrozen else { return .unchanged }
    sizes[rank].size = unstableItems[index].stability.change(from: old, to: size, burst: burst)
    return unstableItems[index].stability.isFrozen ? .frozen(sizes[rank].size) : .recorded
  }

  /// Permits the size of an item to change again.
  mutating func unfreeze(item place: Int) { unstableItems.removeAll { $0.index == place } }

  // MARK: - Inserting and removing items

  func blank(_ number: Int) -> SizeRun { SizeRun(count: number) }

  mutating func insert(_ number: Int, at index: Int) {
    move(from: index, by: number)
    count += number
  }

  mutating func remove(_ range: Range<Int>) {
    let ranks = rank(ofItem: range.lowerBound)..<rank(ofItem: range.upperBound)
    sizes.removeSubrange(ranks)
    if !unstableItems.isEmpty { unstableItems.removeAll { range.contains(Int($0.index)) } }
    move(from: range.upperBound, by: -range.count)
    count -= range.count
  }

  /// Moves the recorded items from an index on.
  private mutating func move(from place: Int, by distance: Int) {
    guard !sizes.isEmpty else { return }
    for index in sizes.indices.reversed() {
      guard sizes[index].index >= place else { break }
      sizes[index].index += Int32(distance)
    }
    for index in unstableItems.indices where unstableItems[index].index >= place {
      unstableItems[index].index += Int32(distance)
    }
  }

  func part(_ range: Range<Int>) -> SizeRun {
    var part = SizeRun(count: range.count)
    guard !isBlank else { return part }
    part.sizes = Array(sizes[rank(ofItem: range.lowerBound)..<rank(ofItem: range.upperBound)])
    part.unstableItems = unstableItems.filter { range.contains(Int($0.index)) }
    part.move(from: range.lowerBound, by: -range.lowerBound)
    return part
  }

  /// Appends another run.
  mutating func append(_ other: SizeRun) {
    var other = other
    other.move(from: 0, by: count)
    sizes += other.sizes
    unstableItems += other.unstableItems
    count += other.count
  }
}

/// An item whose cell has preferred different sizes.
struct UnstableItem: Hashable, Sendable {
  /// The index of the item in its run.
  var index: Int32
  var stability: SizeStability
}

/// The measured size of an item.
struct ItemSize: Hashable, Sendable {
  /// The index of the item in its run.
  var index: Int32
  var size: MeasuredSize
}

/// A size that a cell prefers, in pixels, with sides in 1...``SectionContainer/maximumLength``.
struct MeasuredSize: Hashable, Sendable {
  private(set) var widthBits: Int32
  private(set) var heightBits: Int32

  var width: Int { Int(widthBits) }
  var height: Int { Int(heightBits) }

  /// Creates a size whose sides are clamped to the valid range.
  init(width: Int, height: Int) {
    widthBits = Int32(max(1, min(width, SectionContainer.maximumLength)))
    heightBits = Int32(max(1, min(height, SectionContainer.maximumLength)))
  }

  /// Returns the larger length of both sizes on each side.
  func union(_ other: MeasuredSize) -> MeasuredSize {
    MeasuredSize(width: max(width, other.width), height: max(height, other.height))
  }

  /// Returns the length along an axis.
  func side(_ axis: Axis) -> Int { axis == .horizontal ? width : height }
}
