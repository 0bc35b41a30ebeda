internal import VitrineGeometry

/// The boundary views of a section or of the whole layout, and the space that they occupy.
///
/// Views that extend the boundary are stacked before and after the items and at both sides. The others overlap the
/// content, each at the inner end of its stack. A pinned view stays at the edge of the viewport while its host extends
/// there. Pinned headers and footers never overlap: at the end of the host, footers push headers out, and in a viewport
/// that is too small for both, headers push footers out.
struct BoundaryViews: Sendable {
  /// The views in the order in which they were listed.
  private(set) var views: ContiguousArray<BoundaryView>
  /// The space before the items along the scroll axis, in pixels.
  private(set) var start = 0
  /// The space after the items along the scroll axis, in pixels.
  private(set) var end = 0
  /// The space at the start side of the items along the cross axis, in pixels.
  private(set) var crossStart = 0
  /// The space at the end side of the items along the cross axis, in pixels.
  private(set) var crossEnd = 0
  /// The largest distance by which a view may extend beyond its host along the scroll axis, in pixels.
  private(set) var overhang = 0
  private let axis: Axis
  private let container: SectionContainer

  /// Returns an empty collection of views.
  static func none(axis: Axis, container: SectionContainer) -> BoundaryViews {
    BoundaryViews([], axis: axis, container: container, former: nil)
  }

  /// Computes the sizes of views in a container; views that were measured before keep their sizes.
  init(
    _ items: [CollectionLayoutBoundarySupplementaryItem], axis: Axis, container: SectionContainer,
    former: BoundaryViews?
  ) {
    self.axis = axis
    self.container = container
    views = []
    views.reserveCapacity(items.count)
    for (index, item) in items.enumerated() {
      let ordinal = items[..<index].count { $0.elementKind == item.elementKind }
      var view = BoundaryView(item, ordinal: ordinal, axis: axis, container: container)
      if let former, former.views.indices.contains(index) { view.adopt(former.views[index]) }
      views.append(view)
    }
    stack()
  }

  /// Returns the index of a view by its kind and its number among the views of that kind.
  func index(ofKind kind: String, ordinal: Int) -> Int? {
    views.firstIndex { $0.ordinal == ordinal && $0.item.elementKind == kind }
  }

  /// Records the size that a view prefers, which may change ``start`` and ``end``.
  ///
  /// - Returns: The effect on the layout.
  mutating func setPreferredSize(along: Int, across: Int, of index: Int, burst: UInt32) -> PreferredSizeResult {
    let verdict = views[index].setPreferredSize(along: along, across: across, burst: burst, scale: container.scale)
    if verdict != .unchanged { stack() }
    return verdict
  }

  /// Returns the frame of a view and whether it is pinned away from its regular position.
  ///
  /// - Parameters:
  ///   - index: The index of the view.
  ///   - host: The bounds of the host.
  ///   - visible: The visible range of the content along the scroll axis.
  func frame(of index: Int, at host: BoundaryHost, visible: Range<Int>) -> (frame: PixelFrame, isPinned: Bool) {
    let view = views[index]
    let natural = naturalStart(view, at: host)
    var along = natural
    if view.item.pinToVisibleBounds {
      switch view.edge {
      case .start: along = pinnedAtStart(view, natural, host, visible)
      case .end: along = pinnedAtEnd(view, natural, host, visible)
      case .crossStart, .crossEnd:
        let length = sideLength(view, host)
        let range = host.items
        along = max(visible.lowerBound, min(natural, visible.upperBound - length))
        along = max(range.lowerBound, min(along, range.upperBound - length))
      }
    }
    let alongStart = along + view.shiftAlong
    let cross = crossPosition(view, host) + view.shiftAcross
    let length = view.edge == .start || view.edge == .end ? view.length : sideLength(view, host)
    let frame =
      axis == .vertical
      ? PixelFrame(minX: cross, minY: alongStart, maxX: cross + view.breadth, maxY: alongStart + length)
      : PixelFrame(minX: alongStart, minY: cross, maxX: alongStart + length, maxY: cross + view.breadth)
    return (view.inset(frame, by: container), along != natural)
  }

  /// Returns the part of the visible range that is not covered by pinned views of this host.
  ///
  /// It ignores pinned views that overlap the content.
  func uncovered(_ visible: Range<Int>, at host: BoundaryHost) -> Range<Int> {
    var (top, bottom) = (visible.lowerBound, visible.upperBound)
    for index in views.indices where views[index].isPinnedInStack {
      let view = views[index]
      let natural = naturalStart(view, at: host)
      switch view.edge {
      case .start: top = max(top, pinnedAtStart(view, natural, host, visible) + view.length)
      case .end: bottom = min(bottom, pinnedAtEnd(view, natural, host, visible))
      case .crossStart, .crossEnd: break
      }
    }
    return top..<max(top, bottom)
  }

  // MARK: - Positions

  /// Returns the start of a view along the scroll axis when it is not pinned.
  private func naturalStart(_ view: BoundaryView, at host: BoundaryHost) -> Int {
    switch view.edge {
    case .start: return host.along.lowerBound + view.stackOffset
    case .end:
      let endStackStart = host.along.upperBound - end
      return view.extends ? endStackStart + view.stackOffset : endStackStart - view.length
    case .crossStart, .crossEnd:
      return host.items.lowerBound + (host.items.count - sideLength(view, host)) / 2
    }
  }

  /// Returns the length of a view at the side of the items, which is at most their length.
  private func sideLength(_ view: BoundaryView, _ host: BoundaryHost) -> Int {
    max(1, min(view.length, host.items.count))
  }

  private func crossPosition(_ view: BoundaryView, _ host: BoundaryHost) -> Int {
    switch view.edge {
    case .crossStart: return host.across.lowerBound + view.stackOffset
    case .crossEnd:
      return view.extends
        ? host.across.upperBound - crossEnd + view.stackOffset : host.across.upperBound - crossEnd - view.breadth
    case .start, .end:
      if view.across < 0 { return host.across.lowerBound }
      let slack = host.across.count - view.breadth
      return host.across.lowerBound + (view.across > 0 ? slack : slack / 2)
    }
  }

  private func pinnedAtStart(
    _ view: BoundaryView, _ natural: Int, _ host: BoundaryHost, _ visible: Range<Int>
  ) -> Int {
    let last = host.along.upperBound - end - view.pinnedInside - view.length
    return max(natural, min(visible.lowerBound + view.pinnedOutside, last))
  }

  private func pinnedAtEnd(
    _ view: BoundaryView, _ natural: Int, _ host: BoundaryHost, _ visible: Range<Int>
  ) -> Int {
    var first = host.along.lowerBound + start
    for index in views.indices where views[index].edge == .start && views[index].isPinnedInStack {
      let header = views[index]
      let headerStart = pinnedAtStart(header, naturalStart(header, at: host), host, visible)
      first = max(first, headerStart + header.length)
    }
    return min(natural, max(visible.upperBound - view.pinnedOutside - view.length, first + view.pinnedInside))
  }

  // MARK: - Stacking

  private mutating func stack() {
    (start, end, crossStart, crossEnd, overhang) = (0, 0, 0, 0, 0)
    // The total length of the pinned views in each stack.
    var pinned: [BoundaryEdge: Int] = [:]
    for index in views.indices {
      let view = views[index]
      let extent = extent(of: view)
      switch view.edge {
      case .start: views[index].stackOffset = start
      case .end: views[index].stackOffset = end
      case .crossStart: views[index].stackOffset = crossStart
      case .crossEnd: views[index].stackOffset = crossEnd
      }
      // A view that overlaps the content may be longer than its host. A view next to empty content still has one pixel.
      let isAtSide = view.edge == .crossStart || view.edge == .crossEnd
      overhang = max(overhang, abs(view.shiftAlong) + (isAtSide ? 1 : view.extends ? 0 : view.length))
      guard view.extends else { continue }
      switch view.edge {
      case .start: start += extent
      case .end: end += extent
      case .crossStart: crossStart += extent
      case .crossEnd: crossEnd += extent
      }
      if view.item.pinToVisibleBounds { pinned[view.edge, default: 0] += extent }
    }
    var before: [BoundaryEdge: Int] = [:]
    for index in views.indices {
      let view = views[index]
      // A view that overlaps the content is on the inner side of its stack.
      let own = view.isPinnedInStack ? extent(of: view) : 0
      let all = pinned[view.edge] ?? 0
      let pinnedSoFar = view.extends ? before[view.edge] ?? 0 : view.edge == .end ? 0 : all
      let remaining = all - pinnedSoFar - own
      // The outermost view before the items is the first one, after the items the last one.
      views[index].pinnedOutside = view.edge == .end ? remaining : pinnedSoFar
      views[index].pinnedInside = view.edge == .end ? pinnedSoFar : remaining
      before[view.edge, default: 0] += own
      if !view.extends, view.edge != .end {
        views[index].stackOffset = view.edge == .start ? start : view.edge == .crossStart ? crossStart : crossEnd
      }
    }
  }

  private func extent(of view: BoundaryView) -> Int {
    view.edge == .start || view.edge == .end ? view.length : view.breadth
  }
}

// MARK: - Host

/// The bounds to whose edges boundary views are aligned, in pixels in the content.
struct BoundaryHost: Hashable, Sendable {
  /// The range along the scroll axis, including the boundary views.
  var along: Range<Int>
  /// The range of the items along the scroll axis, which limits the length of the views at their sides.
  var items: Range<Int>
  /// The range along the cross axis, including the boundary views.
  var across: Range<Int>
}

// MARK: - Single view

/// A boundary view of a section or of the whole layout, with its size in whole pixels.
struct BoundaryView: Sendable {
  /// The description of the view.
  let item: CollectionLayoutBoundarySupplementaryItem
  /// The number of the view among those of its kind in the host.
  let ordinal: Int
  /// The edge of the host at which the view is placed.
  let edge: BoundaryEdge
  /// The alignment along the cross axis: -1 for the start, 0 for the center, 1 for the end.
  let across: Int
  /// The offset along the scroll axis.
  let shiftAlong: Int
  /// The offset along the cross axis.
  let shiftAcross: Int
  /// Whether the view's preferred size determines its length along the scroll axis.
  let hasEstimatedLength: Bool
  /// Whether the view's preferred size determines its breadth along the cross axis.
  ///
  /// False for a stacked view at the side of the items, because they were laid out next to it.
  let hasEstimatedBreadth: Bool
  /// The maximum breadth.
  let maximumBreadth: Int
  /// The length along the scroll axis, at least 1.
  private(set) var length: Int
  /// The breadth along the cross axis, at least 1.
  private(set) var breadth: Int
  /// The distance from the start of the stack.
  var stackOffset = 0
  /// The total length of the pinned views of the same edge that are closer to the host's edge.
  var pinnedOutside = 0
  /// The total length of the pinned views of the same edge that are closer to the items.
  var pinnedInside = 0

  private var isMeasured = false
  /// How the size changed since it was measured first, or nil if it did not.
  private var stability: SizeStability?

  init(_ item: CollectionLayoutBoundarySupplementaryItem, ordinal: Int, axis: Axis, container: SectionContainer) {
    item.contentInsets.checkValid(of: "a boundary item of kind \"\(item.elementKind)\"")
    self.item = item
    self.ordinal = ordinal
    edge = BoundaryEdge(item.alignment, axis: axis)
    across = BoundaryEdge.across(item.alignment, axis: axis)
    let isAtSide = edge == .crossStart || edge == .crossEnd
    hasEstimatedLength = item.layoutSize[axis].isEstimated
    hasEstimatedBreadth = item.layoutSize[axis.cross].isEstimated && !(isAtSide && item.extendsBoundary)
    func moved(_ points: Double) -> Int { points < 0 ? -container.pixels(-points) : container.pixels(points) }
    shiftAlong = moved(item.absoluteOffset[axis])
    shiftAcross = moved(item.absoluteOffset[axis.cross])
    // The content grows with a view along the scroll axis. Along the cross axis, no view is broader than the container.
    maximumBreadth = max(1, container.pixelLength(axis.cross))
    length = max(1, container.pixels(item.layoutSize[axis].length(in: container.size)))
    breadth = max(1, min(container.pixels(item.layoutSize[axis.cross].length(in: container.size)), maximumBreadth))
  }

  /// Whether the view occupies its own space next to the items.
  var extends: Bool { item.extendsBoundary }

  /// Whether the view is pinned and occupies its own space.
  var isPinnedInStack: Bool { item.extendsBoundary && item.pinToVisibleBounds }

  /// Whether the size is fixed and later preferred sizes are ignored.
  var isFrozen: Bool { stability?.isFrozen ?? false }

  /// Whether the view's preferred size affects the layout.
  var usesPreferredSize: Bool { !isFrozen && (hasEstimatedLength || hasEstimatedBreadth) }

  /// Records the size that the view prefers, for its estimated dimensions.
  ///
  /// A size that alternates is fixed at the largest requested length and breadth.
  mutating func setPreferredSize(along: Int, across: Int, burst: UInt32, scale: DisplayScale) -> PreferredSizeResult {
    guard usesPreferredSize else { return .unchanged }
    let preferred = (
      length: hasEstimatedLength ? max(1, along) : length,
      breadth: hasEstimatedBreadth ? max(1, min(across, maximumBreadth)) : breadth
    )
    let isFirst = !isMeasured
    isMeasured = true
    guard preferred != (length, breadth) else { return .unchanged }
    guard !isFirst else {
      (length, breadth) = preferred
      return .changed
    }
    let old = MeasuredSize(width: breadth, height: length)
    var stability = stability ?? SizeStability(size: old, burst: burst)
    let new = stability.change(
      from: old, to: MeasuredSize(width: preferred.breadth, height: preferred.length), burst: burst)
    self.stability = stability
    (length, breadth) = (new.height, new.width)
    return stability.isFrozen ? .frozen(Double(length) / scale.pixelsPerPoint) : .changed
  }

  /// Adopts the measured size of the view that previously had the same description.
  mutating func adopt(_ former: BoundaryView) {
    guard former.isMeasured, former.item == item else { return }
    // A measured size is the best estimate, also in another container. Changes are counted from 0 again.
    isMeasured = true
    if hasEstimatedLength { length = former.length }
    if hasEstimatedBreadth { breadth = min(former.breadth, maximumBreadth) }
  }

  /// Returns the frame reduced by the content insets of the view.
  func inset(_ frame: PixelFrame, by container: SectionContainer) -> PixelFrame {
    let insets = item.contentInsets
    guard insets != .zero else { return frame }
    var frame = frame
    if !item.layoutSize.width.isEstimated {
      frame.minX = min(frame.minX + container.pixels(insets.leading), frame.maxX - 1)
      frame.maxX = max(frame.maxX - container.pixels(insets.trailing), frame.minX + 1)
    }
    if !item.layoutSize.height.isEstimated {
      frame.minY = min(frame.minY + container.pixels(insets.top), frame.maxY - 1)
      frame.maxY = max(frame.maxY - container.pixels(insets.bottom), frame.minY + 1)
    }
    return frame
  }
}

/// The edge of the host at which a boundary view is placed, relative to the scroll axis.
enum BoundaryEdge: Hashable, Sendable {
  /// Before the items along the scroll axis.
  case start
  /// After the items along the scroll axis.
  case end
  /// At the start side of the items along the cross axis.
  case crossStart
  /// At the end side of the items along the cross axis.
  case crossEnd

  /// Returns the edge for an alignment; a corner belongs to the edge along the scroll axis.
  init(_ alignment: RectAlignment, axis: Axis) {
    let (vertical, horizontal) = BoundaryEdge.components(alignment)
    let along = axis == .vertical ? vertical : horizontal
    let across = axis == .vertical ? horizontal : vertical
    if along != 0 {
      self = along < 0 ? .start : .end
    } else {
      self = across < 0 ? .crossStart : .crossEnd
    }
  }

  /// Returns the alignment along the cross axis: -1 for the start, 0 for the center, 1 for the end.
  static func across(_ alignment: RectAlignment, axis: Axis) -> Int {
    let (vertical, horizontal) = components(alignment)
    return axis == .vertical ? horizontal : vertical
  }

  private static func components(_ alignment: RectAlignment) -> (vertical: Int, horizontal: Int) {
    switch alignment {
    case .top: (-1, 0)
    case .topLeading: (-1, -1)
    case .leading: (0, -1)
    case .bottomLeading: (1, -1)
    case .bottom: (1, 0)
    case .bottomTrailing: (1, 1)
    case .trailing: (0, 1)
    case .topTrailing: (-1, 1)
    }
  }
}
