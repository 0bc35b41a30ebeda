import CollectionEngine
import CollectionLayout
import DiffableData
import Geometry

/// An item on its way from place to place, as long as there is a better one for a hand.
struct GapWalk {
  private var layout: any SolvedLayout
  private var item: Int
  /// Whether the item stands where the last step said it would.
  private(set) var isWhereItSaid = true
  /// Whether the last step brought it nearer.
  private(set) var cameNearer = true

  init(_ item: Int, _ layout: any SolvedLayout) {
    self.item = item
    self.layout = layout
  }

  var place: ItemPosition {
    let place = layout.itemCounts.position(of: item) ?? (section: -1, item: -1)
    return ItemPosition(section: place.section, item: place.item)
  }

  /// Goes one step, if there is one.
  mutating func step(towards hand: Point) -> Bool {
    var finder = DropPositionFinder(of: item, in: layout, at: hand, viewport: layout.visibleRect(at: 0))
    guard let place = finder.next(), let from = layout.itemCounts.position(of: item),
      let update = LayoutUpdate(moving: from, to: (place.section, place.item), in: layout.itemCounts),
      let said = layout.frame(ofItem: item, movedTo: place.section, at: place.item)
    else { return false }
    let before = distance(to: hand)
    layout.invalidate(.items(update))
    guard let next = layout.itemCounts.index(section: place.section, item: place.item) else { return false }
    item = next
    isWhereItSaid = layout.frame(ofItem: item) == said
    cameNearer = distance(to: hand) <= before - DropPositionFinder.minimumImprovement
    return true
  }

  private func distance(to hand: Point) -> Double {
    let frame = layout.frame(ofItem: item)
    let (x, y) = (frame.midX - hand.x, frame.midY - hand.y)
    return (x * x + y * y).squareRoot()
  }
}
