public import CollectionLayout
public import DiffableData
public import Geometry

/// A rectangle drawn over the content that selects what it touches: a pure machine.
///
/// What is seen is found anew at every step, exactly. What lies behind, between where the band began and what is seen, is
/// found once, in portions: a band over a million items costs a step no more than one over a screen, and its selection is
/// whole some steps later. ``isComplete`` says when. A step tells what it changes, and no more than that is looked at.
///
/// Let go, the band stays where it is, whatever is seen and however the items are numbered by then: what was not found yet
/// is found in the layout in which it was let go.
public struct RubberBand: Hashable, Sendable {
  /// What becomes of the items under it.
  public let effect: RubberBandEffect
  /// Where it began, in the content's coordinates.
  public private(set) var origin: Point
  /// Where its other corner is.
  public private(set) var corner: Point
  /// The items under it, as far as they were found; once it was let go, by their numbers of then.
  public private(set) var hits = IndexRuns()
  /// Whether all items under it were found.
  public private(set) var isComplete = true
  /// Whether it was let go.
  public private(set) var isReleased = false

  /// What was selected when it began.
  private var base: IndexRuns
  /// Items under it that are seen.
  private var near = IndexRuns()
  /// Items under it behind what is seen.
  var far = IndexRuns()
  /// Items that were under it there before it was drawn aside: they count until those are found that are now.
  private var stale = IndexRuns()
  /// How far those behind were found from the beginning, along the axis.
  var reach: Double
  /// Where what is seen begins, or began when it was let go.
  private var edge: Double
  /// How items were numbered anew since it was let go, one after the other.
  private var later: [ItemRenumbering] = []
  let axis: Axis
  /// Items of the layout that a step looks at behind what is seen, about.
  let portion: Int

  /// Begins a band.
  ///
  /// - Parameters:
  ///   - point: where, in the content's coordinates.
  ///   - axis: the axis along which the content goes on.
  ///   - effect: what becomes of the items under it.
  ///   - base: what is selected. One that replaces is begun with nothing selected.
  ///   - portion: how many items a step looks at behind what is seen, about.
  public init(
    at point: Point, along axis: Axis, effect: RubberBandEffect, base: IndexRuns, portion: Int = 4_000
  ) {
    origin = point
    corner = point
    reach = point[axis]
    edge = point[axis]
    self.axis = axis
    self.effect = effect
    self.base = base
    self.portion = max(1, portion)
  }

  /// The rectangle, in the content's coordinates.
  public var frame: Rect {
    Rect(
      x: min(origin.x, corner.x), y: min(origin.y, corner.y), width: (corner.x - origin.x).magnitude,
      height: (corner.y - origin.y).magnitude)
  }

  /// What is to be selected, by the numbers of now.
  ///
  /// - Complexity: O(r) for the runs of what was selected and of what lies under the band.
  public var selected: IndexRuns {
    switch effect {
    case .replaces: renumbered(hits)
    case .adds: renumbered(base.union(hits))
    case .toggles: renumbered(base.subtracting(hits).union(hits.subtracting(base)))
    }
  }

  /// What was selected before, by the numbers of now.
  public var selectedBefore: IndexRuns { renumbered(base) }

  /// What makes all that it did undone.
  ///
  /// - Complexity: O(r) for the runs of what was selected and of what lies under the band.
  public var reversal: RubberBandStep {
    var step = RubberBandStep()
    if effect == .replaces { step.selected = renumbered(base) }
    if effect == .toggles { step.selected = renumbered(hits.intersection(base)) }
    step.deselected = renumbered(hits.subtracting(base))
    return step
  }

  /// The other corner is elsewhere; what is no number is ignored, and so is all once it was let go.
  ///
  /// ``find(in:seen:)`` is to follow.
  public mutating func move(to point: Point) {
    guard point.x.isFinite, point.y.isFinite, point != corner, !isReleased else { return }
    // Other columns: what was found behind was found for these.
    if point[axis.cross] != corner[axis.cross] { findFarAnew() }
    corner = point
    isComplete = false
  }

  /// Items have other places, and what is seen is elsewhere by a distance: the band goes with it, unless it was let go.
  public mutating func follow(by way: Point) {
    guard !isReleased else { return }
    origin = origin + way
    corner = corner + way
    findFarAnew()
    isComplete = false
  }

  /// The items are numbered anew.
  public mutating func renumber(_ numbers: ItemRenumbering) {
    guard !isReleased else { return later.append(numbers) }
    base = numbers.renumbered(base)
    hits = numbers.renumbered(hits)
    near = numbers.renumbered(near)
    far = numbers.renumbered(far)
    stale = numbers.renumbered(stale)
    findFarAnew()
    isComplete = false
  }

  /// It is let go where it is.
  ///
  /// Steps are to follow until all was found, in the layout of now.
  public mutating func release() { isReleased = true }

  /// Finds what lies under it: all of what is seen, and a portion of what lies behind.
  ///
  /// - Parameters:
  ///   - layout: where items are; the same one in every step after the band was let go.
  ///   - seen: the part of the content that is seen, in which the band's corner is; nothing is asked of it once it was let
  ///     go.
  /// - Returns: what the step changes about the selection.
  /// - Complexity: O(items seen) and a portion of those behind; O(r) for the runs of what was found in a step in which they
  ///   are found to the end for other columns than before.
  public mutating func find(in layout: any SolvedLayout, seen: Rect) -> RubberBandStep {
    var (gone, next) = (IndexRuns(), near)
    if !isReleased {
      // Behind what is seen is what lies between where it began and the edge of that which is nearer to there.
      edge = min(max(origin[axis], seen.origin[axis]), seen.origin[axis] + seen.size[axis])
      next = RubberBand.items(in: frame.intersection(seen), of: layout)
      gone = near.subtracting(next)
      gone.formUnion(recede(to: edge, in: layout))
      gone.formUnion(forgetStale(in: seen, of: layout, but: next))
    }
    let (found, isWhole) = advance(to: edge, in: layout, stride: max(1, seen.size[axis]))
    far.formUnion(found)
    if isWhole, !stale.isEmpty {
      gone.formUnion(stale)
      stale = IndexRuns()
    }
    near = next
    isComplete = isWhole
    for kept in [far, near, stale] { gone = gone.subtracting(kept.part(in: gone.hull)) }
    gone = gone.intersection(hits.part(in: gone.hull))
    var new = found.subtracting(hits.part(in: found.hull))
    new.formUnion(near.subtracting(hits.part(in: near.hull)))
    hits.subtract(gone)
    hits.formUnion(new)
    return step(adding: new, removing: gone)
  }

  /// The items under it nearest to where it began and to its other corner; nothing where none was found.
  ///
  /// - Parameters:
  ///   - layout: where items are.
  ///   - distance: how far around where it began is looked, in points; beyond, it is the first item along the axis.
  /// - Complexity: O(items within that distance, and seen).
  public func ends(in layout: any SolvedLayout, within distance: Double) -> (origin: Int, corner: Int)? {
    guard let first = hits.first, let last = hits.last else { return nil }
    let isForward = corner[axis] >= origin[axis]
    var around = frame
    if around.size[axis] > distance {
      around.origin[axis] = isForward ? origin[axis] : origin[axis] - distance
      around.size[axis] = distance
    }
    let beginning = RubberBand.items(in: around, of: layout)
    return (
      layout.item(of: beginning, nearestTo: origin) ?? (isForward ? first : last),
      layout.item(of: near, nearestTo: corner) ?? (isForward ? last : first)
    )
  }

  // MARK: What is selected

  /// What other items under it mean for the selection.
  private func step(adding new: IndexRuns, removing gone: IndexRuns) -> RubberBandStep {
    var step = RubberBandStep()
    switch effect {
    case .replaces:
      step.selected = new
      step.deselected = gone
    case .adds:
      step.selected = new
      step.deselected = gone.subtracting(base.part(in: gone.hull))
    case .toggles:
      let (newBase, goneBase) = (base.part(in: new.hull), base.part(in: gone.hull))
      step.selected = new.subtracting(newBase).union(gone.intersection(goneBase))
      step.deselected = new.intersection(newBase).union(gone.subtracting(goneBase))
    }
    step.selected = renumbered(step.selected)
    step.deselected = renumbered(step.deselected)
    return step
  }

  /// The numbers of now of items that have those of when it was let go.
  private func renumbered(_ items: IndexRuns) -> IndexRuns { later.reduce(items) { $1.renumbered($0) } }

  /// What was found behind was found for another band.
  private mutating func findFarAnew() {
    if stale.isEmpty { swap(&stale, &far) } else { stale.formUnion(far) }
    far = IndexRuns()
    reach = origin[axis]
  }

  /// What is seen is known: what was found for another band and is seen now counts no more.
  private mutating func forgetStale(in seen: Rect, of layout: any SolvedLayout, but next: IndexRuns) -> IndexRuns {
    guard !stale.isEmpty else { return stale }
    var known = IndexRuns()
    layout.visitItems(in: seen) { known.append(contentsOf: $0) }
    known = known.intersection(stale.part(in: known.hull))
    stale.subtract(known)
    return known.subtracting(next)
  }
}
