public import CollectionLayout
public import DiffableData
public import Geometry

/// Finds the place among the others that is meant for an item that is carried over them.
///
/// A place is better than another where the item would stand nearer to where it is carried, by the middles of both, with
/// the others where they are by then. As every step brings it nearer, a hand that is still ends in one place, whatever
/// sizes items have.
public struct GapFinder {
  /// How much nearer a place has to be, in points: less than that is a rounding error.
  public static let leastGain = 0.5
  /// So many neighbours are looked at in one step.
  static let mostNeighbours = 3
  /// So many sections without items are looked at in one step.
  static let mostEmptySections = 2

  private let solution: any SolvedLayout
  private let item: Int
  private let source: ItemPosition

  /// Looks at an item among others.
  ///
  /// - Precondition: There is such an item.
  public init(of item: Int, in solution: any SolvedLayout) {
    self.solution = solution
    self.item = item
    let place = solution.itemCounts.position(of: item) ?? (section: 0, item: item)
    source = ItemPosition(section: place.section, item: place.item)
  }

  /// A place, and how far the item's middle would be there from where it is carried, in points.
  public typealias Gap = (place: ItemPosition, distance: Double)

  /// The place that is meant, as the item stands there afterwards; nothing where it stands at the best of its neighbours'.
  ///
  /// - Parameters:
  ///   - middle: where the item's middle is carried, in the content's coordinates.
  ///   - viewport: what is seen: places beyond are not meant.
  /// - Complexity: that of a few questions to the layout, and of taking a few moves of one item in.
  public func place(nearest middle: Point, in viewport: Rect) -> ItemPosition? {
    gaps(nearTo: middle, in: viewport).first?.place
  }

  /// The neighbours' places that are better than where the item stands, the best first; no place twice.
  ///
  /// - Complexity: as that of ``place(nearest:in:)``.
  public func gaps(nearTo middle: Point, in viewport: Rect) -> [Gap] {
    guard farthest(from: middle) > 0 else { return [] }
    var gaps: [Gap] = []
    for place in candidates(around: middle, in: viewport) where !gaps.contains(where: { $0.place == place }) {
      if let gap = gap(at: place, from: middle) { gaps.append(gap) }
    }
    return gaps.sorted { ($0.distance, $0.place) < ($1.distance, $1.place) }
  }

  /// A place, where it is better than that at which the item stands.
  ///
  /// - Complexity: that of taking a move of one item in.
  public func gap(at place: ItemPosition, from middle: Point) -> Gap? {
    guard let distance = frameOfItem(movedTo: place)?.distanceOfMiddle(to: middle), distance < farthest(from: middle)
    else { return nil }
    return (place, distance)
  }

  /// How far a better place is at most.
  private func farthest(from middle: Point) -> Double {
    solution.frame(ofItem: item).distanceOfMiddle(to: middle) - GapFinder.leastGain
  }

  /// Where the item would stand if it were elsewhere among the others.
  ///
  /// - Complexity: that of taking a move of one item in.
  public func frameOfItem(movedTo place: ItemPosition) -> Rect? {
    guard let update = update(movingTo: place) else { return nil }
    var moved = solution
    moved.invalidate(.items(update))
    return moved.itemCounts.index(section: place.section, item: place.item).map { index in
      // What was measured of it goes along.
      if moved.asksForSize(ofItem: index) {
        _ = moved.setPreferredSize(solution.frame(ofItem: item).size, ofItem: index)
      }
      return moved.frame(ofItem: index)
    }
  }

  /// The move as a layout takes it in; nothing for one to where there is no place, or where the item stands.
  public func update(movingTo place: ItemPosition) -> LayoutUpdate? {
    let counts = solution.itemCounts
    guard place != source, (0..<counts.numberOfSections).contains(place.section), place.item >= 0 else { return nil }
    var sizes = (0..<counts.numberOfSections).map { counts.items(inSection: $0).count }
    sizes[source.section] -= 1
    guard place.item <= sizes[place.section] else { return nil }
    sizes[place.section] += 1
    let (removal, insertion) = (source.item..<(source.item + 1), place.item..<(place.item + 1))
    var edits = [SectionEdits(section: source.section, removals: [removal])]
    if place.section == source.section {
      edits[0].insertions = [insertion]
    } else {
      let other = SectionEdits(section: place.section, insertions: [insertion])
      edits.insert(other, at: place.section < source.section ? 0 : 1)
    }
    return LayoutUpdate(counts: ItemCounts(sizes), edits: edits)
  }

  // MARK: Candidates

  private func candidates(around middle: Point, in viewport: Rect) -> [ItemPosition] {
    var places: [ItemPosition] = []
    for neighbour in neighbours(of: middle, in: viewport) {
      guard let place = solution.itemCounts.position(of: neighbour) else { continue }
      places.append(ItemPosition(section: place.section, item: place.item))
      if place.section != source.section {
        places.append(ItemPosition(section: place.section, item: place.item + 1))
      }
    }
    return places + emptySections(near: middle, in: viewport).map { ItemPosition(section: $0, item: 0) }
  }

  /// The items on screen that are nearest to a point, the nearest first.
  private func neighbours(of middle: Point, in viewport: Rect) -> [Int] {
    var nearest: [(item: Int, distance: Double, far: Double)] = []
    solution.visitItems(in: viewport) { run in
      for index in run where index != item {
        let frame = solution.frame(ofItem: index)
        let distance = frame.distance(to: middle)
        if nearest.count == GapFinder.mostNeighbours, let last = nearest.last, last.distance < distance { continue }
        nearest.append((index, distance, frame.distanceOfMiddle(to: middle)))
        nearest.sort { ($0.distance, $0.far, $0.item) < ($1.distance, $1.far, $1.item) }
        if nearest.count > GapFinder.mostNeighbours { nearest.removeLast() }
      }
    }
    return nearest.map(\.item)
  }

  /// Sections that have views beside the cells on screen and no items, the nearest first.
  private func emptySections(near middle: Point, in viewport: Rect) -> [Int] {
    let counts = solution.itemCounts
    guard (0..<counts.numberOfSections).contains(where: { counts.items(inSection: $0).isEmpty }) else { return [] }
    var elements: [ElementAttributes] = []
    solution.appendElements(in: viewport, to: &elements)
    var nearest: [Int: Double] = [:]
    for element in elements {
      guard let section = element.identity.section, counts.items(inSection: section).isEmpty else { continue }
      nearest[section] = min(nearest[section] ?? .infinity, element.frame.distance(to: middle))
    }
    let sorted = nearest.sorted { ($0.value, $0.key) < ($1.value, $1.key) }
    return sorted.prefix(GapFinder.mostEmptySections).map(\.key)
  }
}

extension Rect {
  /// How far a point lies outside, horizontally and vertically together, in points.
  fileprivate func distance(to point: Point) -> Double {
    max(0, minX - point.x, point.x - maxX) + max(0, minY - point.y, point.y - maxY)
  }

  /// How far the middle is from a point, in points.
  fileprivate func distanceOfMiddle(to point: Point) -> Double {
    let (x, y) = (midX - point.x, midY - point.y)
    return (x * x + y * y).squareRoot()
  }
}
