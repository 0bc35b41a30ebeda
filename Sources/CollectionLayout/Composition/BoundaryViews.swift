internal import Geometry

/// The boundary views of a section or of the whole layout, and the room that they take.
///
/// Before the items, behind them and at both sides, views that extend the boundary are stacked; the others lie over the
/// content, each at the end of its stack. What is pinned stays at the viewport's edge as long as its host reaches there;
/// those pinned at the beginning and those pinned at the end never overlap: at the host's end headers are pushed out by
/// where footers belong, and in a viewport too small for both footers give way.
struct BoundaryViews: Sendable {
  /// In the order in which they are listed.
  private(set) var views: ContiguousArray<BoundaryView>
  /// The room before the items.
  private(set) var start = 0
  /// The room behind the items.
  private(set) var end = 0
  /// The room beside the items on the side where the axis across begins.
  private(set) var nearSide = 0
  /// The room beside the items on the other side.
  private(set) var farSide = 0
  /// How far a view may stand outside of its host along the scroll axis.
  private(set) var overhang = 0
  private let axis: Axis
  private let room: SectionRoom

  /// No views.
  static func none(axis: Axis, room: SectionRoom) -> BoundaryViews {
    BoundaryViews([], axis: axis, room: room, former: nil)
  }

  /// Gives views their sizes in a room; those that were measured keep what they were.
  init(
    _ items: [CollectionLayoutBoundarySupplementaryItem], axis: Axis, room: SectionRoom, former: BoundaryViews?
  ) {
    self.axis = axis
    self.room = room
    views = []
    views.reserveCapacity(items.count)
    for (place, item) in items.enumerated() {
      let ordinal = items[..<place].count { $0.elementKind == item.elementKind }
      var view = BoundaryView(item, ordinal: ordinal, axis: axis, room: room)
      if let former, former.views.indices.contains(place) { view.adopt(former.views[place]) }
      views.append(view)
    }
    stack()
  }

  /// The place of a view by its kind and its number among those of its kind.
  func place(ofKind kind: String, ordinal: Int) -> Int? {
    views.firstIndex { $0.ordinal == ordinal && $0.item.elementKind == kind }
  }

  /// Takes the size that a view asks for.
  ///
  /// - Returns: what became of it; ``start`` and ``end`` may be others.
  mutating func setPreferredSize(along: Int, across: Int, of place: Int) -> SizeVerdict {
    let verdict = views[place].setPreferredSize(along: along, across: across, scale: room.scale)
    if verdict != .unchanged { stack() }
    return verdict
  }

  /// Where a view is, and whether it stands elsewhere than where it belongs.
  ///
  /// - Parameter visible: what is seen of the content along the scroll axis.
  func frame(of place: Int, at host: BoundaryHost, visible: Range<Int>) -> (frame: PixelFrame, isPinned: Bool) {
    let view = views[place]
    let natural = belonging(view, at: host)
    var along = natural
    if view.item.pinToVisibleBounds {
      switch view.edge {
      case .start: along = pinnedAtStart(view, natural, host, visible)
      case .end: along = pinnedAtEnd(view, natural, host, visible)
      case .nearSide, .farSide:
        let length = sideLength(view, host)
        let room = host.items
        along = max(visible.lowerBound, min(natural, visible.upperBound - length))
        along = max(room.lowerBound, min(along, room.upperBound - length))
      }
    }
    let begin = along + view.shiftAlong
    let cross = crossPlace(view, host) + view.shiftAcross
    let length = view.edge == .start || view.edge == .end ? view.length : sideLength(view, host)
    let frame =
      axis == .vertical
      ? PixelFrame(minX: cross, minY: begin, maxX: cross + view.breadth, maxY: begin + length)
      : PixelFrame(minX: begin, minY: cross, maxX: begin + length, maxY: cross + view.breadth)
    return (view.inset(frame, by: room), along != natural)
  }

  /// What of the visible part is not covered by views of this host that are pinned in their stacks.
  func uncovered(_ visible: Range<Int>, at host: BoundaryHost) -> Range<Int> {
    var (top, bottom) = (visible.lowerBound, visible.upperBound)
    for place in views.indices where views[place].isPinnedInStack {
      let view = views[place]
      let natural = belonging(view, at: host)
      switch view.edge {
      case .start: top = max(top, pinnedAtStart(view, natural, host, visible) + view.length)
      case .end: bottom = min(bottom, pinnedAtEnd(view, natural, host, visible))
      case .nearSide, .farSide: break
      }
    }
    return top..<max(top, bottom)
  }

  // MARK: Places

  /// Where a view belongs along the scroll axis.
  private func belonging(_ view: BoundaryView, at host: BoundaryHost) -> Int {
    switch view.edge {
    case .start: return host.along.lowerBound + view.place
    case .end:
      let begin = host.along.upperBound - end
      return view.extends ? begin + view.place : begin - view.length
    case .nearSide, .farSide:
      return host.items.lowerBound + (host.items.count - sideLength(view, host)) / 2
    }
  }

  /// A view beside the items is no longer than they are.
  private func sideLength(_ view: BoundaryView, _ host: BoundaryHost) -> Int {
    max(1, min(view.length, host.items.count))
  }

  private func crossPlace(_ view: BoundaryView, _ host: BoundaryHost) -> Int {
    switch view.edge {
    case .nearSide: return host.across.lowerBound + view.place
    case .farSide:
      return view.extends
        ? host.across.upperBound - farSide + view.place : host.across.upperBound - farSide - view.breadth
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
    for place in views.indices where views[place].edge == .start && views[place].isPinnedInStack {
      let header = views[place]
      let begin = pinnedAtStart(header, belonging(header, at: host), host, visible)
      first = max(first, begin + header.length)
    }
    return min(natural, max(visible.upperBound - view.pinnedOutside - view.length, first + view.pinnedInside))
  }

  // MARK: Stacking

  private mutating func stack() {
    (start, end, nearSide, farSide, overhang) = (0, 0, 0, 0, 0)
    // What is pinned in a stack has that much of it pinned before it and behind it.
    var pinned: [BoundaryEdge: Int] = [:]
    for place in views.indices {
      let view = views[place]
      let extent = extent(of: view)
      switch view.edge {
      case .start: views[place].place = start
      case .end: views[place].place = end
      case .nearSide: views[place].place = nearSide
      case .farSide: views[place].place = farSide
      }
      // What lies over the content may be longer than it, and what is beside no items still has a pixel.
      let isBeside = view.edge == .nearSide || view.edge == .farSide
      overhang = max(overhang, abs(view.shiftAlong) + (isBeside ? 1 : view.extends ? 0 : view.length))
      guard view.extends else { continue }
      switch view.edge {
      case .start: start += extent
      case .end: end += extent
      case .nearSide: nearSide += extent
      case .farSide: farSide += extent
      }
      if view.item.pinToVisibleBounds { pinned[view.edge, default: 0] += extent }
    }
    var before: [BoundaryEdge: Int] = [:]
    for place in views.indices {
      let view = views[place]
      // A view that lies over the content is within its stack.
      let own = view.isPinnedInStack ? extent(of: view) : 0
      let all = pinned[view.edge] ?? 0
      let sofar = view.extends ? before[view.edge] ?? 0 : view.edge == .end ? 0 : all
      let rest = all - sofar - own
      // Before the items the first is the outer one, behind them the last.
      views[place].pinnedOutside = view.edge == .end ? rest : sofar
      views[place].pinnedInside = view.edge == .end ? sofar : rest
      before[view.edge, default: 0] += own
      if !view.extends, view.edge != .end {
        views[place].place = view.edge == .start ? start : view.edge == .nearSide ? nearSide : farSide
      }
    }
  }

  private func extent(of view: BoundaryView) -> Int {
    view.edge == .start || view.edge == .end ? view.length : view.breadth
  }
}
