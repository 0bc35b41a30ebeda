internal import VitrineDataStructures
public import VitrineGeometry

extension SolvedComposition {
  /// Appends the supplementary and decoration views that intersect the viewport, from back to front.
  ///
  /// - Complexity: O(log s) for s sections, plus O(v) for v visible sections and views.
  public func appendElements(in viewport: Rect, to list: inout [ElementAttributes]) {
    guard let viewportFrame = space.pixels(touching: viewport) else { return }
    let first = list.count
    let visible = visiblePixels(of: viewport)
    if !sections.isEmpty {
      let uncovered = boundary.uncovered(visible, at: host)
      // Views that extend beyond their section are visible where the section is not.
      let beyond = max(overhang, supplementaryReach)
      var section = self.section(at: viewportFrame.start(scrollAxis) - beyond)
      var begin = firstPixel(ofSection: section)
      while section < sections.count, begin < viewportFrame.end(scrollAxis) + beyond {
        if !sections[section].isHidden {
          append(section, from: begin, viewportFrame: viewportFrame, visible: uncovered, to: &list)
        }
        (section, begin) = sectionAfter(section, from: begin)
      }
    }
    for index in boundary.views.indices {
      let element = globalElement(index, visible: visible)
      if element.frame.intersects(viewportFrame) { list.append(element.attributes(in: space)) }
    }
    list.sortBackToFront(from: first)
  }

  /// Returns the attributes of a supplementary or decoration view, or nil if there is no such view.
  ///
  /// - Complexity: O(log s) for s sections.
  public func attributes(of element: ElementIdentity, in viewport: Rect) -> ElementAttributes? {
    let visible = visiblePixels(of: viewport)
    guard let number = element.section else {
      guard case .supplementary(let kind) = element.kind,
        let index = boundary.index(ofKind: kind, ordinal: element.item)
      else { return nil }
      return globalElement(index, visible: visible).attributes(in: space)
    }
    guard sections.indices.contains(number), !sections[number].isHidden else { return nil }
    let begin = firstPixel(ofSection: number)
    switch element.kind {
    case .cell: return nil
    case .decoration(let kind):
      guard let index = sections[number].index(ofDecoration: kind, ordinal: element.item) else {
        return bodyElement(element, of: number, from: begin)?.attributes(in: space)
      }
      return background(index, of: number, from: begin)?.attributes(in: space)
    case .supplementary(let kind):
      if element.ordinal == 0, let index = sections[number].boundary.index(ofKind: kind, ordinal: element.item) {
        let uncovered = boundary.uncovered(visible, at: host)
        return boundaryElement(index, of: number, from: begin, visible: uncovered).attributes(in: space)
      }
      return bodyElement(element, of: number, from: begin)?.attributes(in: space)
    }
  }

  // MARK: - Elements of a section

  private func append(
    _ number: Int, from begin: Int, viewportFrame: PixelFrame, visible: Range<Int>, to list: inout [ElementAttributes]
  ) {
    for index in sections[number].rules.decorationItems.indices {
      if let element = background(index, of: number, from: begin), element.frame.intersects(viewportFrame) {
        list.append(element.attributes(in: space))
      }
    }
    appendBodyElements(of: number, from: begin, viewportFrame: viewportFrame, to: &list)
    for index in sections[number].boundary.views.indices {
      let element = boundaryElement(index, of: number, from: begin, visible: visible)
      if element.frame.intersects(viewportFrame) { list.append(element.attributes(in: space)) }
    }
  }

  private func appendBodyElements(
    of number: Int, from begin: Int, viewportFrame: PixelFrame, to list: inout [ElementAttributes]
  ) {
    guard sections[number].body.hasSupplementaries else { return }
    // A badge may be visible while its item is not, also in an orthogonal section.
    let reach = sections[number].body.supplementaryReach
    guard let window = window(viewportFrame, in: number, from: begin),
      let local = local(viewportFrame, in: number, from: begin, grownBy: reach),
      let first = sections[number].body.firstItem(in: local), let last = sections[number].body.lastItem(in: local)
    else { return }
    var views: [BodySupplementary] = []
    sections[number].body.appendSupplementaries(of: first..<(last + 1), to: &views)
    for view in views {
      let element = bodyElement(view, of: number, from: begin)
      if element.frame.intersects(window) { list.append(element.attributes(in: space)) }
    }
  }

  // MARK: - Single elements

  private func globalElement(_ index: Int, visible: Range<Int>) -> PlacedElement {
    let view = boundary.views[index]
    let (frame, isPinned) = boundary.frame(of: index, at: host, visible: visible)
    // In front of pinned views of sections, which are at most two in front of their items.
    return PlacedElement(
      identity: ElementIdentity(kind: .supplementary(view.item.elementKind), section: nil, item: view.ordinal),
      frame: frame, zIndex: view.item.zIndex + (view.item.pinToVisibleBounds ? 3 : 0), isPinned: isPinned)
  }

  private func boundaryElement(_ index: Int, of number: Int, from begin: Int, visible: Range<Int>) -> PlacedElement {
    let view = sections[number].boundary.views[index]
    let (frame, isPinned) = sections[number].boundary.frame(
      of: index, at: sections[number].host(from: begin), visible: visible)
    return PlacedElement(
      identity: ElementIdentity(kind: .supplementary(view.item.elementKind), section: number, item: view.ordinal),
      frame: frame,
      zIndex: view.item.zIndex + sections[number].rules.zIndexOffset + (view.item.pinToVisibleBounds ? 1 : 0),
      isPinned: isPinned)
  }

  private func background(_ index: Int, of number: Int, from begin: Int) -> PlacedElement? {
    let item = sections[number].rules.decorationItems[index]
    guard let frame = sections[number].background(index, from: begin) else { return nil }
    return PlacedElement(
      identity: ElementIdentity(
        kind: .decoration(item.elementKind), section: number, item: sections[number].ordinal(ofDecoration: index)),
      frame: frame, zIndex: item.zIndex)
  }

  private func bodyElement(_ element: ElementIdentity, of number: Int, from begin: Int) -> PlacedElement? {
    guard (0..<sections[number].itemCount).contains(element.item) else { return nil }
    var views: [BodySupplementary] = []
    sections[number].body.appendSupplementaries(of: element.item..<(element.item + 1), to: &views)
    let found = views.first {
      $0.elementKind == element.kind && $0.item == element.item && $0.ordinal == element.ordinal
    }
    return found.map { bodyElement($0, of: number, from: begin) }
  }

  private func bodyElement(_ view: BodySupplementary, of number: Int, from begin: Int) -> PlacedElement {
    PlacedElement(
      identity: ElementIdentity(kind: view.elementKind, section: number, item: view.item, ordinal: view.ordinal),
      frame: placed(view.frame, begin + sections[number].bodyStart, sections[number].bodyCross),
      zIndex: view.zIndex + sections[number].rules.zIndexOffset)
  }

  // MARK: - Visible range

  /// Sets the distances of pinned views from the edges of the viewport.
  public mutating func setPinningInsets(start: Double, end: Double) { pinningInsets = (start, end) }

  /// Returns the visible range along the scroll axis, rounded to the nearest pixels, to which views are pinned.
  func visiblePixels(of viewport: Rect) -> Range<Int> {
    let start = space.nearestEdge(viewport.origin[scrollAxis] + pinningInsets.start)
    let end = space.nearestEdge(viewport.origin[scrollAxis] + viewport.size[scrollAxis] - pinningInsets.end)
    guard scrollAxis == .horizontal, let width = space.mirrorWidth else { return start..<max(start, end) }
    return (width - end)..<max(width - end, width - start)
  }

  /// Returns the next section that may have elements, and its start.
  private func sectionAfter(_ section: Int, from begin: Int) -> (section: Int, begin: Int) {
    let next = section + 1
    let end = begin + lengths[section]
    // Skips all following hidden sections in one step, unless views of sections without length may overlap the content.
    guard overhang == 0, next < sections.count, sections[next].length == 0 else { return (next, end) }
    return (max(next, self.section(at: end)), end)
  }
}

// MARK: - Backgrounds of items

extension SolvedComposition {
  /// Returns the ends of the background of a section's items at which an item is, or nil if the item has none behind it.
  ///
  /// - Precondition: The item exists.
  /// - Complexity: O(log s) for s sections; O(1) if no section has such a background.
  public func backgroundEnds(ofItem index: Int) -> BackgroundEnds? {
    guard hasItemsBackgrounds else { return nil }
    let (section, item) = position(of: index)
    return sections[section].backgroundEnds(ofItem: item)
  }
}

// MARK: - Visible items

extension SolvedComposition {
  /// Whether a section has a handler for its visible items.
  public var adjustsVisibleItems: Bool { hasHandlers }

  /// Calls the handlers of the sections, which may change the appearance of their visible items.
  ///
  /// Each handler is called once with all items and views of its section, in ascending order of the sections.
  ///
  /// - Complexity: O(1) without handlers; otherwise O(v log v + v log s) for v items and s sections.
  public func adjustVisibleItems(_ items: inout [VisibleItem], in viewport: Rect) {
    guard hasHandlers, !items.isEmpty else { return }
    let owners = items.indices.compactMap { index in section(of: items[index].name).map { (section: $0, index: index) }
    }
    .sorted { ($0.section, $0.index) < ($1.section, $1.index) }
    var next = owners.startIndex
    while next < owners.endIndex {
      let number = owners[next].section
      let end = owners[next...].firstIndex { $0.section != number } ?? owners.endIndex
      if let handler = sections[number].rules.visibleItemsInvalidationHandler {
        var own = owners[next..<end].map { items[$0.index] }
        handler(&own, offset(of: number, in: viewport), environment)
        // Items are matched by name, because a handler may reorder or remove them. Removed items keep their attributes.
        var indexes: [VisibleItem.Name: Int] = [:]
        for owner in owners[next..<end] { indexes[items[owner.index].name] = owner.index }
        for item in own {
          if let index = indexes[item.name] { items[index] = item }
        }
      }
      next = end
    }
  }

  private func section(of name: VisibleItem.Name) -> Int? {
    switch name {
    case .item(let index): return itemCounts.position(of: index)?.section
    case .element(let element):
      guard let section = element.section, sections.indices.contains(section) else { return nil }
      return section
    }
  }

  /// Returns the origin of the viewport, with the section's own offset along its scroll axis if it scrolls
  /// orthogonally.
  private func offset(of section: Int, in viewport: Rect) -> Point {
    var offset = viewport.origin
    if sections[section].isOrthogonal { offset[scrollAxis.cross] = space.points(sections[section].strip.offset) }
    return offset
  }
}

// MARK: - Elements in pixels

/// A supplementary or decoration view in pixels in reading direction.
private struct PlacedElement: Sendable {
  var identity: ElementIdentity
  var frame: PixelFrame
  var zIndex: Int
  var isPinned = false

  /// Returns the attributes of the view in points.
  func attributes(in space: ContentSpace) -> ElementAttributes {
    ElementAttributes(identity: identity, frame: space.rect(frame), zIndex: zIndex, isPinned: isPinned)
  }
}

extension [ElementAttributes] {
  /// Sorts the elements from an index to the end by stacking order, from back to front.
  ///
  /// The sort is stable.
  ///
  /// - Complexity: O(n log n), or O(n) if they are sorted already.
  fileprivate mutating func sortBackToFront(from first: Int) {
    var isInOrder = true
    for index in indices.dropFirst(first + 1) where self[index].zIndex < self[index - 1].zIndex { isInOrder = false }
    guard !isInOrder else { return }
    let sorted = self[first...].enumerated().sorted { a, b in
      (a.element.zIndex, a.offset) < (b.element.zIndex, b.offset)
    }
    replaceSubrange(first..., with: sorted.lazy.map(\.element))
  }
}
