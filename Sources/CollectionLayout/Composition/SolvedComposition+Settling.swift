internal import DataStructures
public import Geometry

extension SolvedComposition {
  /// Whether every place is final, as far as what is known now goes.
  public var isSettled: Bool { unsettledCount == 0 }

  /// Makes the places of what shares a point with a rectangle final.
  ///
  /// Sections from the rectangle's first on: each as far as the rectangle reaches into it, until nothing moves there.
  ///
  /// - Returns: whether anything moved.
  /// - Complexity: O(log s) for s sections, and for each section in the rectangle that of its body.
  public mutating func settle(in rect: Rect) -> Bool {
    guard !isSettled, let wanted = space.pixels(touching: rect), !sections.isEmpty else { return false }
    var hasMoved = false
    var section = self.section(at: wanted.start(scrollAxis))
    while section < sections.count {
      let begin = firstPixel(ofSection: section)
      guard begin < wanted.end(scrollAxis) else { break }
      // A body that moved may show what is not settled yet; each round settles more of it.
      while !sections[section].body.isSettled, let local = local(wanted, in: section, from: begin) {
        let flow = sections[section].room.flow
        let stretch = local.start(flow)..<max(local.start(flow), local.end(flow))
        guard update(section, { $0.settle(stretch) }) else { break }
        hasMoved = true
      }
      section += 1
    }
    if hasMoved { placeMirror() }
    return hasMoved
  }

  /// Makes more places final, in the first sections that have some that are not.
  ///
  /// - Returns: whether anything moved.
  /// - Complexity: That of a number of items; over all calls, sections are looked through once.
  public mutating func refine(atMost items: Int) -> Bool {
    var left = items
    var hasMoved = false
    while left > 0, unsettledCount > 0, firstUnsettled < sections.count {
      let section = firstUnsettled
      guard !sections[section].body.isSettled else {
        firstUnsettled += 1
        continue
      }
      let most = left
      if update(section, { $0.refine(atMost: most) }) { hasMoved = true }
      // What a body that is settled now had left to do is not more than all it has.
      left -= sections[section].body.isSettled ? max(1, min(left, sections[section].itemCount)) : left
    }
    if hasMoved { placeMirror() }
    return hasMoved
  }

  /// Whether an item's cell is asked for the size that it prefers.
  ///
  /// - Precondition: There is such an item.
  public func asksForSize(ofItem index: Int) -> Bool {
    let (section, item) = position(of: index)
    return sections[section].body.asksForSize(ofItem: item)
  }

  /// Takes the size in points that an item's cell prefers.
  ///
  /// A side that is no number, negative or infinite counts as the one that the item has.
  ///
  /// - Precondition: There is such an item.
  /// - Complexity: O(log s) for s sections, and that of the section's body.
  public mutating func setPreferredSize(_ size: Size, ofItem index: Int) -> SizeVerdict {
    let (section, item) = position(of: index)
    guard sections[section].body.asksForSize(ofItem: item) else { return .unchanged }
    let old = sections[section].body.frame(ofItem: item)
    let width = preferred(size.width) ?? old.width
    let height = preferred(size.height) ?? old.height
    let verdict = update(section) { $0.setPreferredSize(width: width, height: height, ofItem: item) }
    if verdict != .unchanged { placeMirror() }
    return verdict
  }

  /// Whether a header, a footer or another boundary view is asked for the size that it prefers.
  public func asksForSize(ofElement element: ElementIdentity) -> Bool {
    guard case .supplementary(let kind) = element.kind else { return false }
    guard let number = element.section else {
      return boundary.place(ofKind: kind, ordinal: element.item).map { boundary.views[$0].asksForSize } ?? false
    }
    guard sections.indices.contains(number), !sections[number].isHidden,
      let place = sections[number].boundary.place(ofKind: kind, ordinal: element.item)
    else { return false }
    return sections[number].boundary.views[place].asksForSize
  }

  /// Takes the size in points that a boundary view prefers, on the sides that are estimated.
  ///
  /// A view may change its mind twice between two updates; the third time it keeps the largest size that it asked for.
  /// Views of items and groups keep their estimates. At the sides of sections a view keeps its breadth, which the items
  /// were placed beside.
  ///
  /// - Complexity: O(log s) for s sections.
  public mutating func setPreferredSize(_ size: Size, ofElement element: ElementIdentity) -> SizeVerdict {
    guard asksForSize(ofElement: element), case .supplementary(let kind) = element.kind else { return .unchanged }
    let along = preferred(size[scrollAxis])
    let across = preferred(size[scrollAxis.cross])
    let verdict: SizeVerdict
    if let number = element.section {
      guard let place = sections[number].boundary.place(ofKind: kind, ordinal: element.item) else { return .unchanged }
      let view = sections[number].boundary.views[place]
      let outcome = sections[number].setPreferredSize(
        along: along ?? view.length, across: across ?? view.breadth, ofView: place)
      lengths.addDelta(outcome.growth, at: number)
      overhang = max(overhang, sections[number].boundary.overhang)
      verdict = outcome.verdict
    } else {
      guard let place = boundary.place(ofKind: kind, ordinal: element.item) else { return .unchanged }
      let view = boundary.views[place]
      verdict = boundary.setPreferredSize(along: along ?? view.length, across: across ?? view.breadth, of: place)
    }
    if verdict != .unchanged { placeMirror() }
    return verdict
  }

  /// Changes a section's body and takes its growth in.
  mutating func update<Outcome>(_ section: Int, _ change: (inout any SectionBody) -> Outcome) -> Outcome {
    let wasSettled = sections[section].body.isSettled
    let (outcome, growth) = sections[section].update(change)
    lengths.addDelta(growth, at: section)
    reach = max(reach, sections[section].body.supplementaryReach)
    note(section, wasSettled: wasSettled)
    return outcome
  }

  /// Counts a section that is settled now or no longer.
  mutating func note(_ section: Int, wasSettled: Bool) {
    let isSettled = sections[section].body.isSettled
    guard isSettled != wasSettled else { return }
    unsettledCount += isSettled ? -1 : 1
    if !isSettled { firstUnsettled = min(firstUnsettled, section) }
  }

  /// A side in pixels, at least one; nothing where it says nothing.
  private func preferred(_ points: Double) -> Int? {
    guard points.isFinite, points >= 0 else { return nil }
    return max(1, min(space.nearestEdge(points), SectionRoom.longest))
  }
}
