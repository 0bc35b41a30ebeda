public import VitrineCollectionLayout
public import VitrineDiffableData
public import VitrineGeometry

/// A rectangle drawn over the content that selects the items it touches.
///
/// The visible items under it are determined exactly in every step. The items between its origin and the viewport are
/// determined once, in batches, so that a rectangle over a million items costs no more per step than one over a screen.
/// Its selection is then complete some steps later, when ``isComplete`` is true. Each step returns the changes of the
/// selection and visits only the items that may change.
///
/// After its release the rectangle stays where it is, whatever is scrolled or updated later. The remaining items are
/// searched for in the layout of the release.
public struct RubberBandSelection: Sendable {
  /// The effect on the items under the rectangle.
  public let effect: RubberBandEffect
  /// The point where the rectangle was started, in content coordinates.
  public private(set) var origin: Point
  /// The opposite corner, in content coordinates.
  public private(set) var corner: Point
  /// The items found under the rectangle so far.
  ///
  /// After the release, their indices as of the release.
  public private(set) var hits = IndexRuns()
  /// Whether all items under the rectangle have been found.
  public private(set) var isComplete = true
  /// Whether the rectangle has been released.
  public private(set) var isReleased = false

  /// The selection at the start.
  private var base: IndexRuns
  /// The visible items under the rectangle.
  private var visibleHits = IndexRuns()
  /// The items under the rectangle between its origin and the viewport.
  var hiddenHits = IndexRuns()
  /// Hidden items found before the rectangle changed on the cross axis.
  ///
  /// They count until the hidden items have been found again.
  private var staleHits = IndexRuns()
  /// The position along the axis up to which hidden items have been searched, starting at the origin.
  var searchedEdge: Double
  /// The edge of the viewport that is nearer to the origin.
  ///
  /// After the release, the edge as of the release.
  private var visibleEdge: Double
  /// The index maps of the updates since the release, in order.
  private var laterMaps: [IndexMap] = []
  let axis: Axis
  /// The approximate number of hidden items to visit in a step.
  let itemsPerStep: Int

  /// Starts a rectangle.
  ///
  /// - Parameters:
  ///   - point: The origin, in content coordinates.
  ///   - axis: The scrolling axis.
  ///   - effect: The effect on the items under the rectangle.
  ///   - base: The current selection. It must be empty for the effect `replaces`.
  ///   - itemsPerStep: The approximate number of hidden items to visit in a step. Default: 4,000.
  public init(
    at point: Point, along axis: Axis, effect: RubberBandEffect, base: IndexRuns, itemsPerStep: Int = 4_000
  ) {
    origin = point
    corner = point
    searchedEdge = point[axis]
    visibleEdge = point[axis]
    self.axis = axis
    self.effect = effect
    self.base = base
    self.itemsPerStep = max(1, itemsPerStep)
  }

  /// The rectangle, in content coordinates.
  public var frame: Rect {
    Rect(
      x: min(origin.x, corner.x), y: min(origin.y, corner.y), width: (corner.x - origin.x).magnitude,
      height: (corner.y - origin.y).magnitude)
  }

  /// The resulting selection, in current indices.
  ///
  /// - Complexity: O(r) for the runs of the previous selection and of the items under the rectangle.
  public var selected: IndexRuns {
    switch effect {
    case .replaces: mapped(hits)
    case .adds: mapped(base.union(hits))
    case .toggles: mapped(base.subtracting(hits).union(hits.subtracting(base)))
    }
  }

  /// The selection before the start, in current indices.
  public var selectedBefore: IndexRuns { mapped(base) }

  /// The step that reverts all changes of the rectangle.
  ///
  /// - Complexity: O(r) for the runs of the previous selection and of the items under the rectangle.
  public var reversal: RubberBandStep {
    var step = RubberBandStep()
    if effect == .replaces { step.selected = mapped(base) }
    if effect == .toggles { step.selected = mapped(hits.intersection(base)) }
    step.deselected = mapped(hits.subtracting(base))
    return step
  }

  /// Moves the opposite corner.
  ///
  /// Does nothing if the point is not finite or the rectangle has been released.
  ///
  /// The caller must call ``findItems(in:viewport:)`` afterwards.
  public mutating func moveCorner(to point: Point) {
    guard point.x.isFinite, point.y.isFinite, point != corner, !isReleased else { return }
    // The hidden items were found for another extent on the cross axis.
    if point[axis.cross] != corner[axis.cross] { invalidateHiddenHits() }
    corner = point
    isComplete = false
  }

  /// Shifts the rectangle with the content, unless it has been released.
  public mutating func shiftContent(by offset: Point) {
    guard !isReleased else { return }
    origin = origin + offset
    corner = corner + offset
    invalidateHiddenHits()
    isComplete = false
  }

  /// Updates the flat indices after an update of the items.
  public mutating func apply(_ map: IndexMap) {
    guard !isReleased else { return laterMaps.append(map) }
    base = map.newIndices(of: base)
    hits = map.newIndices(of: hits)
    visibleHits = map.newIndices(of: visibleHits)
    hiddenHits = map.newIndices(of: hiddenHits)
    staleHits = map.newIndices(of: staleHits)
    invalidateHiddenHits()
    isComplete = false
  }

  /// Releases the rectangle.
  ///
  /// Further steps must follow until all items have been found in the current layout.
  public mutating func endDrag() { isReleased = true }

  /// Finds the items under the rectangle: all visible ones, and a batch of the hidden ones.
  ///
  /// - Parameters:
  ///   - layout: The layout. After the release it must be the same in every step.
  ///   - viewport: The visible rectangle, which contains the corner. Not used after the release.
  /// - Returns: The changes of the selection.
  /// - Complexity: O(n) for n visible items and one batch of hidden items. A step that completes the search after a
  ///   change on the cross axis takes O(r) for the runs found.
  public mutating func findItems(in layout: any SolvedLayout, viewport: Rect) -> RubberBandStep {
    var (gone, next) = (IndexRuns(), visibleHits)
    if !isReleased {
      // The hidden items are between the origin and the nearer edge of the viewport.
      visibleEdge = min(max(origin[axis], viewport.origin[axis]), viewport.origin[axis] + viewport.size[axis])
      next = RubberBandSelection.items(in: frame.intersection(viewport), of: layout)
      gone = visibleHits.subtracting(next)
      gone.formUnion(shrinkSearch(to: visibleEdge, in: layout))
      gone.formUnion(removeStaleHits(in: viewport, of: layout, but: next))
    }
    let (found, isWhole) = extendSearch(to: visibleEdge, in: layout, stride: max(1, viewport.size[axis]))
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

  /// Returns the found items nearest to the origin and to the opposite corner, or nil if none was found.
  ///
  /// - Parameters:
  ///   - layout: The current layout.
  ///   - distance: The distance around the origin to search, in points. Beyond it, the first item along the axis is
  ///     returned.
  /// - Complexity: O(n) for n items within that distance and on screen.
  public func endItems(in layout: any SolvedLayout, within distance: Double) -> (origin: Int, corner: Int)? {
    guard let first = hits.first, let last = hits.last else { return nil }
    let isForward = corner[axis] >= origin[axis]
    var around = frame
    if around.size[axis] > distance {
      around.origin[axis] = isForward ? origin[axis] : origin[axis] - distance
      around.size[axis] = distance
    }
    let beginning = RubberBandSelection.items(in: around, of: layout)
    return (
      layout.item(of: beginning, nearestTo: origin) ?? (isForward ? first : last),
      layout.item(of: visibleHits, nearestTo: corner) ?? (isForward ? last : first)
    )
  }

  // MARK: - Changes of the selection

  /// Returns the changes of the selection when items are added to or removed from the rectangle.
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

  /// Returns the current indices of items with indices as of the release.
  private func mapped(_ items: IndexRuns) -> IndexRuns { laterMaps.reduce(items) { $1.newIndices(of: $0) } }

  /// Marks the hidden items as stale and restarts their search.
  private mutating func invalidateHiddenHits() {
    if staleHits.isEmpty { swap(&staleHits, &hiddenHits) } else { staleHits.formUnion(hiddenHits) }
    hiddenHits = IndexRuns()
    searchedEdge = origin[axis]
  }

  /// Removes the stale items that are visible now and returns those that are not under the rectangle.
  private mutating func removeStaleHits(in viewport: Rect, of layout: any SolvedLayout, but next: IndexRuns)
    -> IndexRuns
  {
    guard !staleHits.isEmpty else { return staleHits }
    var known = IndexRuns()
    layout.visitItems(in: viewport) { known.append(contentsOf: $0) }
    known = known.intersection(staleHits.part(in: known.hull))
    staleHits.subtract(known)
    return known.subtracting(next)
  }
}

// MARK: - Search for hidden items

extension RubberBandSelection {
  /// Shortens the searched range because the viewport came nearer to the origin.
  ///
  /// - Returns: The items that are no longer in the searched range.
  mutating func shrinkSearch(to edge: Double, in layout: any SolvedLayout) -> IndexRuns {
    let start = origin[axis]
    // Nothing is hidden on the other side of the origin.
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

  /// Extends the searched range towards the viewport.
  ///
  /// - Returns: The items found, and whether the viewport was reached.
  mutating func extendSearch(
    to edge: Double, in layout: any SolvedLayout, stride: Double
  ) -> (found: IndexRuns, isWhole: Bool) {
    let direction = edge < searchedEdge ? -1.0 : 1
    var left = itemsPerStep
    // Joined once at the end, because there may be many.
    var found: [Range<Int>] = []
    while searchedEdge != edge {
      guard left > 0 else { return (IndexRuns(joining: found), false) }
      let next = direction > 0 ? min(edge, searchedEdge + stride) : max(edge, searchedEdge - stride)
      // A stride that is lost in the rounding of a large number ends the search.
      guard next != searchedEdge else { break }
      if let part = searchArea(from: searchedEdge, to: next) {
        var visitedCount = 0
        found += RubberBandSelection.items(in: part, of: layout, visitedCount: &visitedCount).ranges
        left -= max(1, visitedCount)
      }
      searchedEdge = next
    }
    return (IndexRuns(joining: found), true)
  }

  /// Returns the part of the rectangle between two positions along the axis, or nil if it is empty.
  private func searchArea(from one: Double, to other: Double) -> Rect? {
    guard one != other else { return nil }
    var part = frame
    part.origin[axis] = min(one, other)
    part.size[axis] = (one - other).magnitude
    return part
  }

  /// Returns the items whose frames intersect a rectangle.
  static func items(in rect: Rect, of layout: any SolvedLayout) -> IndexRuns {
    var visitedCount = 0
    return items(in: rect, of: layout, visitedCount: &visitedCount)
  }

  /// Returns the items whose frames intersect a rectangle.
  ///
  /// The layout's runs may contain others.
  private static func items(in rect: Rect, of layout: any SolvedLayout, visitedCount: inout Int) -> IndexRuns {
    var items = IndexRuns()
    guard rect.width > 0, rect.height > 0 else { return items }
    var count = 0
    layout.visitItems(in: rect) { run in
      count += run.count
      for index in run where layout.frame(ofItem: index).intersects(rect) { items.append(index) }
    }
    visitedCount += count
    return items
  }
}

extension SolvedLayout {
  /// Returns the item whose frame is nearest to a point, or the first one of several.
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

// MARK: - Steps and effects

/// The changes of a selection in one step of a rubber band.
public struct RubberBandStep: Hashable, Sendable {
  /// Items to select.
  public internal(set) var selected = IndexRuns()
  /// Items to deselect.
  public internal(set) var deselected = IndexRuns()

  /// Whether the step changes nothing.
  public var isEmpty: Bool { selected.isEmpty && deselected.isEmpty }

  /// The step as a selection gesture.
  public var gesture: SelectionGesture { .exchange(adding: selected, removing: deselected) }
}

/// The effect of a rubber band on the items under it.
public enum RubberBandEffect: UInt8, Hashable, Sendable {
  /// The items replace the selection.
  case replaces
  /// The items are added to the selection: with Shift.
  case adds
  /// The items are toggled: with Control.
  case toggles
}
