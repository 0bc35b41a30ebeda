import CollectionLayout
import DiffableData
import Geometry

/// What lies behind what is seen.
extension RubberBand {
  /// What is seen came nearer to where the band began: what is in it is not behind it.
  ///
  /// - Returns: what was behind it.
  mutating func shrinkSearch(to edge: Double, in layout: any SolvedLayout) -> IndexRuns {
    let start = origin[axis]
    // On the other side of the beginning all was in front.
    let rest = (searchedEdge - start) * (edge - start) < 0 ? start : edge
    guard (searchedEdge - start).magnitude > (rest - start).magnitude else { return IndexRuns() }
    let last = searchedEdge
    searchedEdge = rest
    guard !hiddenHits.isEmpty, let part = searchArea(from: rest, to: last) else { return IndexRuns() }
    var gone = IndexRuns()
    let kept = searchArea(from: start, to: rest)
    layout.visitItems(in: part) { run in
      for index in run where kept.map({ !layout.frame(ofItem: index).intersects($0) }) ?? true { gone.append(index) }
    }
    gone = gone.intersection(hiddenHits.part(in: gone.hull))
    hiddenHits.subtract(gone)
    return gone
  }

  /// Goes on towards what is seen.
  ///
  /// - Returns: what was found, and whether it got there.
  mutating func extendSearch(
    to edge: Double, in layout: any SolvedLayout, stride: Double
  ) -> (found: IndexRuns, isWhole: Bool) {
    let direction = edge < searchedEdge ? -1.0 : 1
    var left = itemsPerStep
    // Joined once, as there may be many.
    var found: [Range<Int>] = []
    while searchedEdge != edge {
      guard left > 0 else { return (IndexRuns(joining: found), false) }
      let next = direction > 0 ? min(edge, searchedEdge + stride) : max(edge, searchedEdge - stride)
      // A stride that is lost in so large a number is none.
      guard next != searchedEdge else { break }
      if let part = searchArea(from: searchedEdge, to: next) {
        var looked = 0
        found += RubberBand.items(in: part, of: layout, looked: &looked).ranges
        left -= max(1, looked)
      }
      searchedEdge = next
    }
    return (IndexRuns(joining: found), true)
  }

  /// What the band covers between two lines.
  private func searchArea(from one: Double, to other: Double) -> Rect? {
    guard one != other else { return nil }
    var part = frame
    part.origin[axis] = min(one, other)
    part.size[axis] = (one - other).magnitude
    return part
  }

  /// The items that share a point with a rectangle.
  static func items(in rect: Rect, of layout: any SolvedLayout) -> IndexRuns {
    var looked = 0
    return items(in: rect, of: layout, looked: &looked)
  }

  /// The items that share a point with a rectangle: of a run of the layout's, those that really do.
  private static func items(in rect: Rect, of layout: any SolvedLayout, looked: inout Int) -> IndexRuns {
    var items = IndexRuns()
    guard rect.width > 0, rect.height > 0 else { return items }
    var count = 0
    layout.visitItems(in: rect) { run in
      count += run.count
      for index in run where layout.frame(ofItem: index).intersects(rect) { items.append(index) }
    }
    looked += count
    return items
  }
}

extension SolvedLayout {
  /// Of some items the one whose frame is nearest to a point, the first of equal ones.
  func item(of items: IndexRuns, nearestTo point: Point) -> Int? {
    var nearest: (item: Int, distance: Double)?
    items.forEach { item in
      let frame = frame(ofItem: item)
      let across = max(0, frame.minX - point.x, point.x - frame.maxX)
      let along = max(0, frame.minY - point.y, point.y - frame.maxY)
      let distance = across * across + along * along
      if distance < nearest?.distance ?? .infinity { nearest = (item, distance) }
    }
    return nearest?.item
  }
}
