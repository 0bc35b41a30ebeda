/// A run of items that follow each other, with the sizes of those that were measured.
///
/// In a summed list its length is how many were: so the list counts them before an item, and finds the next.
struct SizeRun: SplicedRun {
  /// The most items of a run in which one was measured.
  static let most = 512

  /// What became of a size.
  enum Outcome: Hashable {
    case same
    case taken
    case frozen(MeasuredSize)
  }

  private(set) var count: Int
  /// Ascending by place.
  private(set) var sizes: [ItemSize] = []
  /// Ascending by place; most often none.
  private(set) var restless: [RestlessItem] = []

  /// Makes a run of items of which none was measured.
  init(count: Int) { self.count = count }

  /// How many items were measured.
  var length: Int { sizes.count }
  var isBlank: Bool { sizes.isEmpty }

  /// How many of the items before a place were measured.
  func rank(ofItem place: Int) -> Int {
    if sizes.count == count { return min(place, count) }
    var low = 0
    var high = sizes.count
    while low < high {
      let middle = (low + high) / 2
      if sizes[middle].place < place { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The size of an item, or nothing where it was not measured.
  func size(ofItem place: Int) -> MeasuredSize? {
    let rank = rank(ofItem: place)
    return rank < sizes.count && sizes[rank].place == place ? sizes[rank].size : nil
  }

  /// Whether an item keeps its size whatever its cell asks for.
  func isFrozen(item place: Int) -> Bool { restless.contains { $0.place == place && $0.isFrozen } }

  /// Takes the size of an item.
  mutating func record(_ size: MeasuredSize, ofItem place: Int, epoch: UInt32) -> Outcome {
    let rank = rank(ofItem: place)
    guard rank < sizes.count, sizes[rank].place == place else {
      sizes.insert(ItemSize(place: Int32(place), size: size), at: rank)
      return .taken
    }
    let old = sizes[rank].size
    guard size != old else { return .same }
    let index = restless.firstIndex { $0.place >= place } ?? restless.count
    if index == restless.count || restless[index].place != place {
      restless.insert(RestlessItem(place: Int32(place), size: old, epoch: epoch), at: index)
    }
    guard !restless[index].isFrozen else { return .same }
    sizes[rank].size = restless[index].change(from: old, to: size, in: epoch)
    return restless[index].isFrozen ? .frozen(sizes[rank].size) : .taken
  }

  // MARK: Items that come and go

  func blank(_ number: Int) -> SizeRun { SizeRun(count: number) }

  mutating func insert(_ number: Int, at place: Int) {
    move(from: place, by: number)
    count += number
  }

  mutating func remove(_ range: Range<Int>) {
    let ranks = rank(ofItem: range.lowerBound)..<rank(ofItem: range.upperBound)
    sizes.removeSubrange(ranks)
    if !restless.isEmpty { restless.removeAll { range.contains(Int($0.place)) } }
    move(from: range.upperBound, by: -range.count)
    count -= range.count
  }

  /// Gives what is known of the items from a place on other places.
  private mutating func move(from place: Int, by distance: Int) {
    guard !sizes.isEmpty else { return }
    for index in sizes.indices.reversed() {
      guard sizes[index].place >= place else { break }
      sizes[index].place += Int32(distance)
    }
    for index in restless.indices where restless[index].place >= place { restless[index].place += Int32(distance) }
  }

  func part(_ range: Range<Int>) -> SizeRun {
    var part = SizeRun(count: range.count)
    guard !isBlank else { return part }
    part.sizes = Array(sizes[rank(ofItem: range.lowerBound)..<rank(ofItem: range.upperBound)])
    part.restless = restless.filter { range.contains(Int($0.place)) }
    part.move(from: range.lowerBound, by: -range.lowerBound)
    return part
  }

  /// Takes another run in behind the last item.
  mutating func append(_ other: SizeRun) {
    var other = other
    other.move(from: 0, by: count)
    sizes += other.sizes
    restless += other.restless
    count += other.count
  }
}
