import VitrineDataStructures
import VitrineGeometry
import VitrineTestSupport

@testable import VitrineCollectionLayout

/// A client's layout of lanes: item i is in lane i mod n, as long as its cell prefers.
///
/// Each query visits all items. Lanes have different lengths, so items are not in the order of the flow axis.
struct LanesLayout: SectionLayout {
  /// The lengths of the items until they were measured, by a seed.
  var seed: UInt64
  var laneCount = 3
  var spacing = 2.0
  /// Whether edits are applied without preparing again.
  var appliesEdits = false
  /// Whether the layout is kept if the visible length changes.
  var keepsItemsOnResize = false
  /// The target of all moves of the focus.
  var focusTarget: Int?

  private var axis = Axis.vertical
  private var breadth = 0.0
  private(set) var lengths: [Double] = []
  /// The number of times the layout was prepared.
  private(set) var preparations = 0

  init(seed: UInt64, laneCount: Int = 3) {
    self.seed = seed
    self.laneCount = laneCount
  }

  mutating func prepare(itemCount: Int, in environment: SectionLayoutEnvironment) {
    (axis, breadth) = (environment.flowAxis, environment.breadth)
    preparations += 1
    lengths = (0..<itemCount).map(estimate)
  }

  private func estimate(of item: Int) -> Double { Double(SplitMix64.mix(seed &+ UInt64(item)) % 40) + 5 }

  private func end(ofLane lane: Int, before item: Int) -> Double {
    stride(from: lane, to: item, by: laneCount).reduce(0) { $0 + lengths[$1] + spacing }
  }

  var contentLength: Double {
    max(0, (0..<laneCount).reduce(0) { max($0, end(ofLane: $1, before: lengths.count)) } - spacing)
  }

  func frame(ofItem item: Int) -> Rect {
    let (lane, width) = (item % laneCount, breadth / Double(laneCount))
    var frame = Rect.zero
    frame.origin[axis] = end(ofLane: lane, before: item)
    frame.origin[axis.cross] = Double(lane) * width
    frame.size[axis] = lengths[item]
    frame.size[axis.cross] = width
    return frame
  }

  /// Returns the items lane by lane, from the end.
  func items(in rect: Rect) -> [Int] {
    lengths.indices.sorted { ($0 % laneCount, $1) < ($1 % laneCount, $0) }.filter { frame(ofItem: $0).intersects(rect) }
  }

  var usesPreferredSizes: Bool { true }

  mutating func setPreferredSize(_ size: Size, ofItem item: Int) -> Bool {
    defer { lengths[item] = size[axis] }
    return lengths[item] != size[axis]
  }

  mutating func update(_ edits: SectionEdits, adopting rules: LanesLayout) -> Bool {
    guard appliesEdits else { return false }
    for range in edits.removals.reversed() { lengths.removeSubrange(range) }
    for range in edits.insertions { lengths.insert(contentsOf: range.map(estimate), at: range.lowerBound) }
    return true
  }

  mutating func resize(to environment: SectionLayoutEnvironment, adopting rules: LanesLayout) -> Bool {
    keepsItemsOnResize && environment.breadth == breadth
  }

  func item(from item: Int, _ heading: FocusHeading) -> Int? { focusTarget }
}

extension SeededGenerator {
  /// Returns a section of lanes with random insets and a header.
  mutating func lanesSection(_ change: (inout LanesLayout) -> Void = { _ in }) -> CollectionLayoutSection {
    var layout = LanesLayout(seed: next(), laneCount: .random(in: 1...4, using: &self))
    change(&layout)
    var section = CollectionLayoutSection(layout: layout)
    section.contentInsets = smallInsets()
    if chance(oneIn: 2) { section.boundarySupplementaryItems = [.across("H", .top, 7, pins: chance(oneIn: 2))] }
    return section
  }
}
