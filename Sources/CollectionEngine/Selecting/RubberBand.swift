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
  private var visibleHits = IndexRuns()
  /// Items under it behind what is seen.
  var hiddenHits = IndexRuns()
  /// Items that were under it there before it was drawn aside: they count until those are found that are now.
  private var staleHits = IndexRuns()
  /// How far those behind were found from the beginning, along the axis.
  var searchedEdge: Double
  /// Where what is seen begins, or began when it was let go.
  private var visibleEdge: Double
  /// How items were numbered anew since it was let go, one after the other.
  private var laterIndexMaps: [ItemIndexMap] = []
  let axis: Axis
  /// Items of the layout that a step looks at behind what is seen, about.
  let itemsPerStep: Int

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
    searchedEdge = point[axis]
    visibleEdge = point[axis]
    self.axis = axis
    self.effect = effect
    self.base = base
    self.itemsPerStep = max(1, portion)
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
    case .replaces: mapped(hits)
    case .adds: mapped(base.union(hits))
    case .toggles: mapped(base.subtracting(hits).union(hits.subtracting(base)))
    }
  }

  /// What was selected before, by the numbers of now.
  public var selectedBefore: IndexRuns { mapped(base) }

  /// What makes all that it did undone.
  ///
  /// - Complexity: O(r) for the runs of what was selected and of what lies under the band.
  public var reversal: RubberBandStep {
    var step = RubberBandStep()
    if effect == .replaces { step.selected = mapped(base) }
    if effect == .toggles { step.selected = mapped(hits.intersection(base)) }
    step.deselected = mapped(hits.subtracting(base))
    return step
  }

  /// The other corner is elsewhere; what is no number is ignored, and so is all once it was let go.
  ///
  /// ``find(in:seen:)`` is to follow.
  public mutating func moveCorner(to point: Point) {
    guard point.x.isFinite, point.y.isFinite, point != corner, !isReleased else { return }
    // Other columns: what was found behind was found for these.
    if point[axis.cross] != corner[axis.cross] { invalidateHiddenHits() }
    corner = point
    isComplete = false
  }

  /// Items have other places, and what is seen is elsewhere by a distance: the band goes with it, unless it was let go.
  public mutating func shiftContent(by way: Point) {
    guard !isReleased else { return }
    origin = origin + way
    corner = corner + way
    invalidateHiddenHits()
    isComplete = false
  }

  /// The items are numbered anew.
  public mutating func apply(_ numbers: ItemIndexMap) {
    guard !isReleased else { return laterIndexMaps.append(numbers) }
    base = numbers.mapped(base)
    hits = numbers.mapped(hits)
    visibleHits = numbers.mapped(visibleHits)
    hiddenHits = numbers.mapped(hiddenHits)
    staleHits = numbers.mapped(staleHits)
    invalidateHiddenHits()
    isComplete = false
  }

  /// It is let go where it is.
  ///
  /// Steps are to follow until all was found, in the layout of now.
  public mutating func endDrag() { isReleased = true }

  /// Finds what lies under it: all of what is seen, and a portion of what lies behind.
  ///
  /// - Parameters:
  ///   - layout: where items are; the same one in every step after the band was let go.
  ///   - seen: the part of the content that is seen, in which the band's corner is; nothing is asked of it once it was let
  ///     go.
  /// - Returns: what the step changes about the selection.
  /// - Complexity: O(items seen) and a portion of those behind; O(r) for the runs of what was found in a step in which they
  ///   are found to the end for other columns than before.
  public mutating func findItems(in layout: any SolvedLayout, seen: Rect) -> RubberBandStep {
    var (gone, next) = (IndexRuns(), visibleHits)
    if !isReleased {
      // Behind what is seen is what lies between where it began and the edge of that which is nearer to there.
      visibleEdge = min(max(origin[axis], seen.origin[axis]), seen.origin[axis] + seen.size[axis])
      next = RubberBand.items(in: frame.intersection(seen), of: layout)
      gone = visibleHits.subtracting(next)
      gone.formUnion(shrinkSearch(to: visibleEdge, in: layout))
      gone.formUnion(removeStaleHits(in: seen, of: layout, but: next))
    }
    let (found, isWhole) = extendSearch(to: visibleEdge, in: layout, stride: max(1, seen.size[axis]))
    hiddenHits.formUnion(found)
    if isWhole, !staleHits.isEmpty {
      gone.formUnion(staleHits)
      staleHits = IndexRuns()
    }
    visibleHits = next
    isComplete = isWhole
    for kept in [hiddenHits, visibleHits, staleHits] { gone = gone.subtracting(kept.part(in: gone.hull)) }
    gone = gone.intersection(hits.part(in: gone.hull))
    var new = found.subtracting(hits.part(in: found.hull))
    new.formUnion(visibleHits.subtracting(hits.part(in: visibleHits.hull)))
    hits.subtract(gone)
    hits.formUnion(new)
    return changeStep(adding: new, removing: gone)
  }

  /// The items under it nearest to where it began and to its other corner; nothing where none was found.
  ///
  /// - Parameters:
  ///   - layout: where items are.
  ///   - distance: how far around where it began is looked, in points; beyond, it is the first item along the axis.
  /// - Complexity: O(items within that distance, and seen).
  public func endItems(in layout: any SolvedLayout, within distance: Double) -> (origin: Int, corner: Int)? {
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
      layout.item(of: visibleHits, nearestTo: corner) ?? (isForward ? last : first)
    )
  }

  // MARK: What is selected

  /// What other items under it mean for the selection.
  private func changeStep(adding new: IndexRuns, removing gone: IndexRuns) -> RubberBandStep {
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
    step.selected = mapped(step.selected)
    step.deselected = mapped(step.deselected)
    return step
  }

  /// The numbers of now of items that have those of when it was let go.
  private func mapped(_ items: IndexRuns) -> IndexRuns { laterIndexMaps.reduce(items) { $1.mapped($0) } }

  /// What was found behind was found for another band.
  private mutating func invalidateHiddenHits() {
    if staleHits.isEmpty { swap(&staleHits, &hiddenHits) } else { staleHits.formUnion(hiddenHits) }
    hiddenHits = IndexRuns()
    searchedEdge = origin[axis]
  }

  /// What is seen is known: what was found for another band and is seen now counts no more.
  private mutating func removeStaleHits(in seen: Rect, of layout: any SolvedLayout, but next: IndexRuns) -> IndexRuns {
    guard !staleHits.isEmpty else { return staleHits }
    var known = IndexRuns()
    layout.visitItems(in: seen) { known.append(contentsOf: $0) }
    known = known.intersection(staleHits.part(in: known.hull))
    staleHits.subtract(known)
    return known.subtracting(next)
  }
}
