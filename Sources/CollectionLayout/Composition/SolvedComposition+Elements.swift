internal import DataStructures
public import Geometry

extension SolvedComposition {
  /// Adds the supplementary and decoration views that share a point with the viewport, those behind first.
  ///
  /// - Complexity: O(log s) for s sections, and O(v) for the sections and the views that are seen.
  public func appendElements(in viewport: Rect, to list: inout [ElementAttributes]) {
    guard let seen = space.pixels(touching: viewport) else { return }
    let first = list.count
    let visible = visiblePixels(of: viewport)
    if !sections.isEmpty {
      let uncovered = boundary.uncovered(visible, at: host)
      // What stands out of a section is seen where the section is not.
      let beyond = max(overhang, reach)
      var section = self.section(at: seen.start(scrollAxis) - beyond)
      var begin = firstPixel(ofSection: section)
      while section < sections.count, begin < seen.end(scrollAxis) + beyond {
        if !sections[section].isHidden {
          append(section, from: begin, seen: seen, visible: uncovered, to: &list)
        }
        (section, begin) = sectionBehind(section, from: begin)
      }
    }
    for place in boundary.views.indices {
      let element = globalElement(place, visible: visible)
      if element.frame.intersects(seen) { list.append(element.attributes(in: space)) }
    }
    list.sortBehindFirst(from: first)
  }

  /// The attributes of a supplementary or decoration view, or nothing where there is none of that name.
  ///
  /// - Complexity: O(log s) for s sections.
  public func attributes(of element: ElementIdentity, in viewport: Rect) -> ElementAttributes? {
    let visible = visiblePixels(of: viewport)
    guard let number = element.section else {
      guard case .supplementary(let kind) = element.kind,
        let place = boundary.place(ofKind: kind, ordinal: element.item)
      else { return nil }
      return globalElement(place, visible: visible).attributes(in: space)
    }
    guard sections.indices.contains(number), !sections[number].isHidden else { return nil }
    let begin = firstPixel(ofSection: number)
    switch element.kind {
    case .cell: return nil
    case .decoration(let kind):
      guard let place = sections[number].place(ofDecoration: kind, ordinal: element.item) else {
        return bodyElement(element, of: number, from: begin)?.attributes(in: space)
      }
      return background(place, of: number, from: begin)?.attributes(in: space)
    case .supplementary(let kind):
      if element.ordinal == 0, let place = sections[number].boundary.place(ofKind: kind, ordinal: element.item) {
        let uncovered = boundary.uncovered(visible, at: host)
        return boundaryElement(place, of: number, from: begin, visible: uncovered).attributes(in: space)
      }
      return bodyElement(element, of: number, from: begin)?.attributes(in: space)
    }
  }

  // MARK: One section

  private func append(
    _ number: Int, from begin: Int, seen: PixelFrame, visible: Range<Int>, to list: inout [ElementAttributes]
  ) {
    for place in sections[number].rules.decorationItems.indices {
      if let element = background(place, of: number, from: begin), element.frame.intersects(seen) {
        list.append(element.attributes(in: space))
      }
    }
    appendBodyElements(of: number, from: begin, seen: seen, to: &list)
    for place in sections[number].boundary.views.indices {
      let element = boundaryElement(place, of: number, from: begin, visible: visible)
      if element.frame.intersects(seen) { list.append(element.attributes(in: space)) }
    }
  }

  private func appendBodyElements(
    of number: Int, from begin: Int, seen: PixelFrame, to list: inout [ElementAttributes]
  ) {
    guard sections[number].body.hasSupplementaries else { return }
    // A badge may be seen whose item is not, also through a strip.
    let reach = sections[number].body.supplementaryReach
    guard let window = window(seen, in: number, from: begin),
      let local = local(seen, in: number, from: begin, grownBy: reach),
      let first = sections[number].body.firstItem(in: local), let last = sections[number].body.lastItem(in: local)
    else { return }
    var views: [BodySupplementary] = []
    sections[number].body.appendSupplementaries(of: first..<(last + 1), to: &views)
    for view in views {
      let element = bodyElement(view, of: number, from: begin)
      if element.frame.intersects(window) { list.append(element.attributes(in: space)) }
    }
  }

  // MARK: One element

  private func globalElement(_ place: Int, visible: Range<Int>) -> PlacedElement {
    let view = boundary.views[place]
    let (frame, isPinned) = boundary.frame(of: place, at: host, visible: visible)
    // Over what is pinned of a section, which is at most two in front of its items.
    return PlacedElement(
      identity: ElementIdentity(kind: .supplementary(view.item.elementKind), section: nil, item: view.ordinal),
      frame: frame, zIndex: view.item.zIndex + (view.item.pinToVisibleBounds ? 3 : 0), isPinned: isPinned)
  }

  private func boundaryElement(_ place: Int, of number: Int, from begin: Int, visible: Range<Int>) -> PlacedElement {
    let view = sections[number].boundary.views[place]
    let (frame, isPinned) = sections[number].boundary.frame(
      of: place, at: sections[number].host(from: begin), visible: visible)
    return PlacedElement(
      identity: ElementIdentity(kind: .supplementary(view.item.elementKind), section: number, item: view.ordinal),
      frame: frame,
      zIndex: view.item.zIndex + sections[number].rules.promotion + (view.item.pinToVisibleBounds ? 1 : 0),
      isPinned: isPinned)
  }

  private func background(_ place: Int, of number: Int, from begin: Int) -> PlacedElement? {
    let item = sections[number].rules.decorationItems[place]
    guard let frame = sections[number].background(place, from: begin) else { return nil }
    return PlacedElement(
      identity: ElementIdentity(
        kind: .decoration(item.elementKind), section: number, item: sections[number].ordinal(ofDecoration: place)),
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
      zIndex: view.zIndex + sections[number].rules.promotion)
  }

  // MARK: What is seen

  /// What is seen along the scroll axis, on the edges of pixels that are nearest: what is pinned stands there.
  func visiblePixels(of viewport: Rect) -> Range<Int> {
    let start = space.nearestEdge(viewport.origin[scrollAxis])
    let end = space.nearestEdge(viewport.origin[scrollAxis] + viewport.size[scrollAxis])
    guard scrollAxis == .horizontal, let width = space.mirrorWidth else { return start..<max(start, end) }
    return (width - end)..<max(width - end, width - start)
  }

  /// The next section that may have elements, and where it begins.
  private func sectionBehind(_ section: Int, from begin: Int) -> (section: Int, begin: Int) {
    let next = section + 1
    let end = begin + lengths[section]
    // Any number of hidden sections is passed at once; only what lies over the content is found in one without length.
    guard overhang == 0, next < sections.count, sections[next].length == 0 else { return (next, end) }
    return (max(next, self.section(at: end)), end)
  }
}
