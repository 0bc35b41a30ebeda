public import VitrineCollectionLayout
public import VitrineDiffableData
public import VitrineGeometry

/// Finds the drop position for an item that is dragged over other items.
///
/// A position is better than another if the item's center would be nearer to the dragged center, with the other items
/// laid out around it. Every step brings the item nearer, so a drag that pauses always ends at one position, whatever
/// the sizes of the items.
///
/// The caller requests better positions one at a time until one is allowed. The neighbour under the dragged center
/// comes first, and usually no other is evaluated.
public struct DropPositionFinder {
  /// The minimum improvement of the distance, in points.
  ///
  /// Smaller differences are rounding errors.
  public static let minimumImprovement = 0.5
  /// The maximum distance without a new search, in points.
  ///
  /// Farther away, other items may be neighbours.
  static let maximumReach = 32.0
  /// The maximum number of neighbours to evaluate.
  static let maximumNeighbours = 3
  /// The maximum number of empty sections to evaluate.
  static let maximumEmptySections = 2

  private let solution: any SolvedLayout
  private let item: Int
  private let source: ItemPosition
  private let center: Point
  private let viewport: Rect
  /// The maximum distance of a better position.
  private let maximumDistance: Double
  /// The positions still to be evaluated, grouped by neighbour, nearest last.
  private var candidates: [[ItemPosition]]
  /// The better positions that have not been returned yet, best last.
  private var found: [(position: ItemPosition, distance: Double)] = []
  /// The smallest excess distance of the positions that are not better.
  private var nearestMiss = Double.infinity

  /// Creates a finder for a dragged item.
  ///
  /// - Parameters:
  ///   - item: The flat index of the item.
  ///   - solution: The current layout of all items.
  ///   - center: The dragged center of the item, in content coordinates.
  ///   - viewport: The visible rectangle. Positions outside are not considered.
  /// - Precondition: The item exists.
  /// - Complexity: O(n) for n items and supplementary views in the viewport.
  public init(of item: Int, in solution: any SolvedLayout, at center: Point, viewport: Rect) {
    self.solution = solution
    self.item = item
    self.center = center
    self.viewport = viewport
    let position = solution.itemCounts.position(of: item) ?? (section: 0, item: item)
    source = ItemPosition(section: position.section, item: position.item)
    maximumDistance = solution.frame(ofItem: item).distanceOfCenter(to: center) - DropPositionFinder.minimumImprovement
    candidates = []
    let near = (neighbours() + emptySections()).enumerated().sorted {
      ($0.element.distance, $0.offset) < ($1.element.distance, $1.offset)
    }
    candidates = near.reversed().map(\.element.positions)
  }

  /// Returns the next position that is better than the item's current one, or nil if there is no other.
  ///
  /// The position is the item's index path after the move.
  ///
  /// - Complexity: That of `SolvedLayout.frame(ofItem:movedTo:at:)` for each evaluated position, at most eight over
  ///   all calls.
  public mutating func next() -> ItemPosition? {
    while found.isEmpty {
      guard let positions = candidates.popLast() else { return nil }
      for position in positions { evaluatePosition(position) }
      found.sort { ($1.distance, $1.position) < ($0.distance, $0.position) }
    }
    return found.popLast()?.position
  }

  /// Returns whether a position that the delegate proposed instead is better than the item's current one.
  ///
  /// - Complexity: That of `SolvedLayout.frame(ofItem:movedTo:at:)`.
  public mutating func isBetter(_ position: ItemPosition) -> Bool {
    guard let distance = distance(of: position) else { return false }
    if distance >= maximumDistance { nearestMiss = min(nearestMiss, distance - maximumDistance) }
    return distance < maximumDistance
  }

  /// The distance that the dragged center may move before another position can be better, in points.
  ///
  /// Valid if no allowed position was found.
  ///
  /// While the center moves by a distance, the difference between its distances to two positions changes by at most
  /// twice that.
  public var unaffectedDistance: Double { min(nearestMiss / 2, DropPositionFinder.maximumReach) }

  private mutating func evaluatePosition(_ position: ItemPosition) {
    guard let distance = distance(of: position) else { return }
    if distance < maximumDistance {
      found.append((position, distance))
    } else {
      nearestMiss = min(nearestMiss, distance - maximumDistance)
    }
  }

  private func distance(of position: ItemPosition) -> Double? {
    solution.frame(ofItem: item, movedTo: position.section, at: position.item)?.distanceOfCenter(to: center)
  }

  // MARK: - Candidates

  /// The distance of a nearby item or section from the dragged center, and the positions that it represents.
  private typealias Candidate = (distance: Double, positions: [ItemPosition])

  /// Returns the visible items that are nearest to the dragged center, nearest first.
  private func neighbours() -> [Candidate] {
    var nearest: [(item: Int, distance: Double, far: Double)] = []
    solution.visitItems(in: viewport) { run in
      for index in run where index != item {
        let frame = solution.frame(ofItem: index)
        let distance = frame.distance(to: center)
        if nearest.count == DropPositionFinder.maximumNeighbours, let last = nearest.last, last.distance < distance {
          continue
        }
        nearest.append((index, distance, frame.distanceOfCenter(to: center)))
        nearest.sort { ($0.distance, $0.far, $0.item) < ($1.distance, $1.far, $1.item) }
        if nearest.count > DropPositionFinder.maximumNeighbours { nearest.removeLast() }
      }
    }
    return nearest.map { ($0.distance, positions(at: $0.item)) }
  }

  /// Returns the position of a neighbour and, in another section, also the position after it.
  private func positions(at neighbour: Int) -> [ItemPosition] {
    guard let position = solution.itemCounts.position(of: neighbour) else { return [] }
    let own = ItemPosition(section: position.section, item: position.item)
    return position.section == source.section
      ? [own] : [own, ItemPosition(section: position.section, item: position.item + 1)]
  }

  /// Returns empty sections that have visible supplementary views, nearest first.
  private func emptySections() -> [Candidate] {
    let counts = solution.itemCounts
    var elements: [ElementAttributes] = []
    solution.appendElements(in: viewport, to: &elements)
    var nearest: [Int: Double] = [:]
    for element in elements {
      guard let section = element.identity.section, counts.items(inSection: section).isEmpty else { continue }
      nearest[section] = min(nearest[section] ?? .infinity, element.frame.distance(to: center))
    }
    let sorted = nearest.sorted { ($0.value, $0.key) < ($1.value, $1.key) }
    return sorted.prefix(DropPositionFinder.maximumEmptySections).map {
      ($0.value, [ItemPosition(section: $0.key, item: 0)])
    }
  }
}

extension Rect {
  /// Returns the sum of the horizontal and vertical distances of a point outside the rectangle, in points.
  fileprivate func distance(to point: Point) -> Double {
    max(0, minX - point.x, point.x - maxX) + max(0, minY - point.y, point.y - maxY)
  }

  /// Returns the distance between the center and a point, in points.
  fileprivate func distanceOfCenter(to point: Point) -> Double {
    let (x, y) = (midX - point.x, midY - point.y)
    return (x * x + y * y).squareRoot()
  }
}
