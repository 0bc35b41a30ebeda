public import CollectionLayout
public import DiffableData
public import Geometry

/// A rectangle drawn over the content that selects what it touches: a pure machine.
///
/// What is seen is found anew at every step, exactly. What lies behind, between where the band began and what is seen, is
/// found once, in portions: a band over a million items costs a step no more than one over a screen, and its selection is
/// whole some steps later. ``isComplete`` says when.
///
/// What is kept of items is runs of numbers. A step that finds nothing new changes nothing.
public struct RubberBand: Hashable, Sendable {
  /// What becomes of the items under it.
  public let effect: RubberBandEffect
  /// Where it began, in the content's coordinates.
  public private(set) var origin: Point
  /// Where its other corner is.
  public private(set) var corner: Point
  /// The items under it, as far as they were found.
  public private(set) var hits = IndexRuns()
  /// Whether all items under it were found.
  public private(set) var isComplete = true

  /// What was selected when it began.
  private var base: IndexRuns
  /// Items under it behind what is seen.
  private var far = IndexRuns()
  /// How far these were found from the beginning, along the axis.
  private var reach: Double
  private let axis: Axis
  /// Items of the layout that a step looks at behind what is seen, about.
  private static let portion = 4_000

  /// Begins a band.
  ///
  /// - Parameters:
  ///   - point: where, in the content's coordinates.
  ///   - axis: the axis along which the content goes on.
  ///   - effect: what becomes of the items under it.
  ///   - base: what is selected.
  public init(at point: Point, along axis: Axis, effect: RubberBandEffect, base: IndexRuns) {
    origin = point
    corner = point
    reach = point[axis]
    self.axis = axis
    self.effect = effect
    self.base = base
  }

  /// The rectangle, in the content's coordinates.
  public var frame: Rect {
    Rect(
      x: min(origin.x, corner.x), y: min(origin.y, corner.y), width: (corner.x - origin.x).magnitude,
      height: (corner.y - origin.y).magnitude)
  }

  /// What is to be selected.
  ///
  /// - Complexity: O(r) for the runs of what was selected and of what lies under the band.
  public var selected: IndexRuns {
    switch effect {
    case .replaces: hits
    case .adds: base.union(hits)
    case .toggles: base.subtracting(hits).union(hits.subtracting(base))
    }
  }

  /// What was selected before.
  public var selectedBefore: IndexRuns { base }

  /// The other corner is elsewhere; what is no number is ignored.
  ///
  /// ``find(in:seen:)`` is to follow.
  public mutating func move(to point: Point) {
    guard point.x.isFinite, point.y.isFinite, point != corner else { return }
    // Other columns: what was found behind was found for these.
    if point[axis.cross] != corner[axis.cross] { forgetFar() }
    corner = point
    isComplete = false
  }

  /// Items have other places, and what is seen is elsewhere by a distance: the band goes with it.
  public mutating func follow(by way: Point) {
    origin = origin + way
    corner = corner + way
    forgetFar()
    isComplete = false
  }

  /// The items are numbered anew.
  public mutating func renumber(_ numbers: ItemRenumbering) {
    base = numbers.renumbered(base)
    hits = numbers.renumbered(hits)
    forgetFar()
    isComplete = false
  }

  /// Finds what lies under it: all of what is seen, and a portion of what lies behind.
  ///
  /// - Parameters:
  ///   - layout: where items are.
  ///   - seen: the part of the content that is seen, in which the band's corner is.
  /// - Returns: whether other items lie under it than before.
  /// - Complexity: O(items seen) and a portion of those behind, and O(r) for the runs of what was found.
  public mutating func find(in layout: any SolvedLayout, seen: Rect) -> Bool {
    let before = hits
    let band = frame
    let near = band.intersection(seen)
    // Behind what is seen is what lies between where it began and the edge of that which is nearer to there.
    let edge = min(max(origin[axis], seen.origin[axis]), seen.origin[axis] + seen.size[axis])
    recede(to: edge, in: layout)
    let isWhole = advance(to: edge, in: layout, stride: max(1, seen.size[axis]))
    hits = far.union(RubberBand.items(in: near, of: layout))
    isComplete = isWhole
    return hits != before
  }

  // MARK: Behind what is seen

  private mutating func forgetFar() {
    far = IndexRuns()
    reach = origin[axis]
  }

  /// What is seen came nearer to where the band began: what is in it is not behind it.
  private mutating func recede(to edge: Double, in layout: any SolvedLayout) {
    let start = origin[axis]
    let isBeyond = (reach - start).magnitude > (edge - start).magnitude || (reach - start) * (edge - start) < 0
    guard isBeyond else { return }
    reach = edge
    guard !far.isEmpty else { return }
    var runs = IndexRuns()
    if let part = stretch(from: start, to: edge) { layout.visitItems(in: part) { runs.append(contentsOf: $0) } }
    far = far.intersection(runs)
  }

  /// Goes on towards what is seen.
  ///
  /// - Returns: whether it got there.
  private mutating func advance(to edge: Double, in layout: any SolvedLayout, stride: Double) -> Bool {
    let direction = edge < reach ? -1.0 : 1
    var left = RubberBand.portion
    // Joined once, as there may be many behind.
    var found: [Range<Int>] = []
    defer { far = far.union(IndexRuns(joining: found)) }
    while reach != edge {
      guard left > 0 else { return false }
      let next = direction > 0 ? min(edge, reach + stride) : max(edge, reach - stride)
      // A stride that is lost in so large a number is none.
      guard next != reach else { return true }
      if let part = stretch(from: reach, to: next) {
        var looked = 0
        found += RubberBand.items(in: part, of: layout, looked: &looked).ranges
        left -= max(1, looked)
      }
      reach = next
    }
    return true
  }

  /// What the band covers between two lines.
  private func stretch(from one: Double, to other: Double) -> Rect? {
    guard one != other else { return nil }
    var part = frame
    part.origin[axis] = min(one, other)
    part.size[axis] = (one - other).magnitude
    return part
  }

  // MARK: Items

  private static func items(in rect: Rect, of layout: any SolvedLayout) -> IndexRuns {
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
