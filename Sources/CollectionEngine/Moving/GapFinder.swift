public import CollectionLayout
public import DiffableData
public import Geometry

/// Finds the place among the others that is meant for an item that is carried over them.
///
/// A place is better than another where the item would stand nearer to where it is carried, by the middles of both, with
/// the others where they are by then. As every step brings it nearer, a hand that is still ends in one place, whatever
/// sizes items have.
///
/// It is asked for one better place after the other, until one is allowed: the neighbour beneath the item's middle comes
/// first, and most often nothing else is looked at.
public struct DropPositionFinder {
  /// How much nearer a place has to be, in points: less than that is a rounding error.
  public static let minimumImprovement = 0.5
  /// The farthest that an item goes without asking anew, in points: others than were looked at may be neighbours then.
  static let maximumReach = 32.0
  /// So many neighbours are looked at.
  static let maximumNeighbours = 3
  /// So many sections without items are looked at.
  static let maximumEmptySections = 2

  private let solution: any SolvedLayout
  private let item: Int
  private let source: ItemPosition
  private let center: Point
  private let viewport: Rect
  /// How far a better place is at most.
  private let maximumDistance: Double
  /// What is still to be looked at: the places at one neighbour each, the nearest last.
  private var candidates: [[ItemPosition]]
  /// Better places that are not told yet, the best last.
  private var found: [(place: ItemPosition, distance: Double)] = []
  /// By how much the best of those places is too far that are not better.
  private var nearestMiss = Double.infinity

  /// Looks at an item among others.
  ///
  /// - Parameters:
  ///   - item: the item.
  ///   - solution: where all of them stand.
  ///   - middle: where the item's middle is carried, in the content's coordinates.
  ///   - viewport: what is seen: places beyond are not meant.
  /// - Precondition: There is such an item.
  /// - Complexity: O(items and views beside them in the viewport).
  public init(of item: Int, in solution: any SolvedLayout, at middle: Point, viewport: Rect) {
    self.solution = solution
    self.item = item
    self.center = middle
    self.viewport = viewport
    let place = solution.itemCounts.position(of: item) ?? (section: 0, item: item)
    source = ItemPosition(section: place.section, item: place.item)
    maximumDistance = solution.frame(ofItem: item).distanceOfCenter(to: middle) - DropPositionFinder.minimumImprovement
    candidates = []
    let near = (neighbours() + emptySections()).enumerated().sorted {
      ($0.element.distance, $0.offset) < ($1.element.distance, $1.offset)
    }
    candidates = near.reversed().map(\.element.places)
  }

  /// The next place that is better than where the item stands, as it stands there afterwards; nothing when there is no
  /// other among its neighbours'.
  ///
  /// - Complexity: that of ``SolvedLayout/frame(ofItem:movedTo:at:)`` for each place that is looked at, eight at most over
  ///   all calls.
  public mutating func next() -> ItemPosition? {
    while found.isEmpty {
      guard let places = candidates.popLast() else { return nil }
      for place in places { evaluatePosition(place) }
      found.sort { ($1.distance, $1.place) < ($0.distance, $0.place) }
    }
    return found.popLast()?.place
  }

  /// Whether a place that was named in place of another is better than where the item stands.
  ///
  /// - Complexity: that of ``SolvedLayout/frame(ofItem:movedTo:at:)``.
  public mutating func isBetter(_ place: ItemPosition) -> Bool {
    guard let distance = distance(of: place) else { return false }
    if distance >= maximumDistance { nearestMiss = min(nearestMiss, distance - maximumDistance) }
    return distance < maximumDistance
  }

  /// How far the item's middle may be carried from here until another place may be better, in points, where none was that
  /// is allowed.
  ///
  /// While it goes a way, what it is nearer to one place, and farther from another, is at most twice that way.
  public var unaffectedDistance: Double { min(nearestMiss / 2, DropPositionFinder.maximumReach) }

  private mutating func evaluatePosition(_ place: ItemPosition) {
    guard let distance = distance(of: place) else { return }
    if distance < maximumDistance {
      found.append((place, distance))
    } else {
      nearestMiss = min(nearestMiss, distance - maximumDistance)
    }
  }

  private func distance(of place: ItemPosition) -> Double? {
    solution.frame(ofItem: item, movedTo: place.section, at: place.item)?.distanceOfCenter(to: center)
  }

  // MARK: Candidates

  /// What is near, how far from the middle, and the places that are meant by it.
  private typealias Candidate = (distance: Double, places: [ItemPosition])

  /// The items on screen that are nearest to the middle, the nearest first.
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

  /// A neighbour's own place, and in another section the one behind it.
  private func positions(at neighbour: Int) -> [ItemPosition] {
    guard let place = solution.itemCounts.position(of: neighbour) else { return [] }
    let own = ItemPosition(section: place.section, item: place.item)
    return place.section == source.section ? [own] : [own, ItemPosition(section: place.section, item: place.item + 1)]
  }

  /// Sections that have views beside the cells on screen and no items, the nearest first.
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
  /// How far a point lies outside, horizontally and vertically together, in points.
  fileprivate func distance(to point: Point) -> Double {
    max(0, minX - point.x, point.x - maxX) + max(0, minY - point.y, point.y - maxY)
  }

  /// How far the middle is from a point, in points.
  fileprivate func distanceOfCenter(to point: Point) -> Double {
    let (x, y) = (midX - point.x, midY - point.y)
    return (x * x + y * y).squareRoot()
  }
}
