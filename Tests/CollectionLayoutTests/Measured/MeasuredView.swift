import Geometry
import TestSupport

@testable import CollectionLayout

/// As much of a collection view as scrolls over cells that tell their size: it holds an anchor, and derives the offset.
struct MeasuredView {
  private(set) var layout: SolvedComposition
  private(set) var anchor = ContentAnchor.start
  private(set) var offset = 0.0
  /// How high the cell of each item wants to be, by the item's name.
  private let height: (Int) -> Double
  /// The names of items, in order.
  private(set) var names: [Int]
  /// The items that were reported as frozen.
  private(set) var frozen: [Int] = []
  /// The most rounds of measuring that a frame took.
  private(set) var longestFrame = 0

  init(_ layout: CompositionalLayout, size: Size, names: [Int], scale: Double = 1, height: @escaping (Int) -> Double) {
    self.names = names
    self.height = height
    self.layout = layout.solved(
      in: LayoutEnvironment(containerSize: size, scale: DisplayScale(pixelsPerPoint: scale)),
      for: ItemCounts([names.count]))
  }

  /// Where the anchored item's place is on screen.
  var anchoredLine: Double? {
    guard case .item(let anchor) = anchor, anchor.item < names.count else { return nil }
    let frame = layout.frame(ofItem: anchor.item)
    return frame.minY + anchor.itemUnit * frame.height - offset
  }

  /// The name of the anchored item.
  var anchored: Int? {
    guard case .item(let anchor) = anchor else { return nil }
    return names[anchor.item]
  }

  mutating func scroll(to target: Double) {
    offset = min(max(0, target), layout.maximumOffset)
    anchor = layout.anchor(at: offset)
    frame()
  }

  /// Scrolls by a distance: until the cells that come into view are measured, what was seen before is what is held.
  mutating func scroll(by distance: Double) {
    guard case .item(var held) = anchor else { return scroll(to: offset + distance) }
    held.points -= distance
    anchor = .item(held)
    frame()
    anchor = layout.anchor(at: offset)
  }

  /// Begins where another view was.
  mutating func restore(_ kept: ContentAnchor) {
    anchor = kept
    frame()
  }

  /// Where each item that is seen begins on screen.
  var screen: [(name: Int, line: Double)] {
    layout.items(in: layout.visibleRect(at: offset)).map { (names[$0], layout.frame(ofItem: $0).minY - offset) }
  }

  /// One frame: whatever is seen is asked for its size until nothing changes.
  mutating func frame() {
    var rounds = 0
    repeat {
      rounds += 1
      offset = layout.offset(of: anchor)
      _ = layout.settle(in: layout.visibleRect(at: offset))
      offset = layout.offset(of: anchor)
    } while measureVisible() && rounds < 100
    longestFrame = max(longestFrame, rounds)
  }

  private mutating func measureVisible() -> Bool {
    var hasChanged = false
    for item in layout.items(in: layout.visibleRect(at: offset)) where measure(item) { hasChanged = true }
    return hasChanged
  }

  /// Asks one cell, wherever it is, and tells whether something moved.
  mutating func measure(_ item: Int) -> Bool {
    guard layout.asksForSize(ofItem: item) else { return false }
    let old = layout.frame(ofItem: item)
    let verdict = layout.setPreferredSize(
      Size(width: old.width, height: height(names[item])), ofItem: item)
    if case .frozen = verdict { frozen.append(names[item]) }
    if verdict != .unchanged { offset = layout.offset(of: anchor) }
    return verdict != .unchanged
  }

  /// Inserts and removes items, and keeps the anchored one if it stays.
  mutating func update(_ edits: SectionEdits, inserting newNames: [Int]) {
    let held = anchored
    for range in edits.removals.reversed() { names.removeSubrange(range) }
    var rest = newNames[...]
    for range in edits.insertions {
      names.insert(contentsOf: rest.prefix(range.count), at: range.lowerBound)
      rest.removeFirst(range.count)
    }
    layout.invalidate(.items(LayoutUpdate(counts: ItemCounts([names.count]), edits: [edits])))
    if case .item(var anchor) = anchor, let held {
      if let place = names.firstIndex(of: held) {
        anchor.item = place
        self.anchor = .item(anchor)
      } else {
        offset = min(offset, layout.maximumOffset)
        self.anchor = layout.anchor(at: offset)
      }
    }
    offset = layout.offset(of: anchor)
  }

  /// Makes some more places final.
  mutating func refine(atMost items: Int) {
    guard layout.refine(atMost: items) else { return }
    offset = layout.offset(of: anchor)
  }

  mutating func resize(to size: Size) {
    layout.invalidate(.environment(LayoutEnvironment(containerSize: size, scale: layout.environment.scale)))
    offset = layout.offset(of: anchor)
  }
}
