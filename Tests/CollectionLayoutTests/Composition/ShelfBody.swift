import DataStructures
import Geometry

@testable import CollectionLayout

/// Shelves, each answer found by looking at all of them.
struct ShelfBody: SectionBody, Hashable {
  let content: ShelfContent
  private(set) var itemCount: Int
  let room: SectionRoom
  /// The lengths of shelves that are known.
  private var known: [Int?]
  /// What cells asked for.
  private var preferred: [Int: Int] = [:]

  init(content: ShelfContent, itemCount: Int, room: SectionRoom) {
    self.content = content
    self.itemCount = itemCount
    self.room = room
    known = []
    addShelves()
  }

  private mutating func addShelves() {
    let count = (itemCount + content.itemsAShelf - 1) / content.itemsAShelf
    known = Array(known.prefix(count))
    while known.count < count { known.append(content.guess == nil ? trueLength(known.count) : nil) }
  }

  private func trueLength(_ shelf: Int) -> Int {
    Int(SplitMix64.mix(content.seed &+ UInt64(shelf)) % UInt64(content.longest)) + 1
  }

  private func length(ofShelf shelf: Int) -> Int { preferred[shelf] ?? known[shelf] ?? content.guess ?? 1 }

  private var gap: Int { room.pixels(room.interGroupSpacing) }

  private func start(ofShelf shelf: Int) -> Int { (0..<shelf).reduce(0) { $0 + length(ofShelf: $1) + gap } }

  var length: Int { known.isEmpty ? 0 : start(ofShelf: known.count) - gap }
  var breadth: Int { room.flow == .vertical ? room.pixelLength(.horizontal) : min(30, room.pixelLength(.vertical)) }

  func frame(ofItem item: Int) -> PixelFrame {
    let (shelf, place) = item.quotientAndRemainder(dividingBy: content.itemsAShelf)
    let along = start(ofShelf: shelf)
    let across = (place * breadth / content.itemsAShelf, (place + 1) * breadth / content.itemsAShelf)
    // Some items are shorter than their shelf.
    let length = max(1, length(ofShelf: shelf) - Int(SplitMix64.mix(content.seed ^ UInt64(item)) % 3))
    let end = max(across.0 + 1, across.1)
    return room.flow == .vertical
      ? PixelFrame(minX: across.0, minY: along, maxX: end, maxY: along + length)
      : PixelFrame(minX: along, minY: across.0, maxX: along + length, maxY: end)
  }

  func firstItem(in rect: PixelFrame) -> Int? { (0..<itemCount).first { frame(ofItem: $0).intersects(rect) } }
  func lastItem(in rect: PixelFrame) -> Int? { (0..<itemCount).last { frame(ofItem: $0).intersects(rect) } }

  func groupStarts(around line: Int) -> (atOrBefore: Int, behind: Int?)? {
    let starts = known.indices.map { start(ofShelf: $0) }
    guard let first = starts.first else { return nil }
    return (starts.last { $0 <= line } ?? first, starts.first { $0 > line })
  }

  var isSettled: Bool { !known.contains(nil) }

  mutating func settle(_ stretch: Range<Int>) -> Bool {
    let length = length
    for (shelf, start) in known.indices.map({ ($0, start(ofShelf: $0)) })
    where start < stretch.upperBound && start + self.length(ofShelf: shelf) + gap > stretch.lowerBound {
      known[shelf] = trueLength(shelf)
    }
    return self.length != length
  }

  mutating func refine(atMost items: Int) -> Bool {
    let length = length
    for shelf in known.indices.filter({ known[$0] == nil }).prefix(max(1, items / content.itemsAShelf)) {
      known[shelf] = trueLength(shelf)
    }
    return self.length != length
  }

  func asksForSize(ofItem item: Int) -> Bool { content.asksForSizes }

  mutating func setPreferredSize(width: Int, height: Int, ofItem item: Int) -> SizeVerdict {
    let shelf = item / content.itemsAShelf
    let wanted = room.flow == .vertical ? height : width
    guard length(ofShelf: shelf) != wanted else { return .unchanged }
    preferred[shelf] = wanted
    return .changed
  }

  mutating func update(_ edits: SectionEdits, content: any SectionContent, room: SectionRoom) -> Bool {
    guard content as? ShelfContent == self.content else { return false }
    itemCount += edits.growth
    addShelves()
    preferred = preferred.filter { $0.key < known.count }
    return true
  }

  func cost(of edits: SectionEdits) -> Int { edits.insertions.reduce(0) { $0 + $1.count } }
}
