internal import VitrineDataStructures
public import VitrineGeometry

extension SolvedComposition {
  /// Whether all frames are final with the sizes that are known.
  public var areFramesFinal: Bool { estimatedSectionCount == 0 }

  /// Finalizes the frames of all elements that intersect a rectangle.
  ///
  /// Each section in the rectangle finalizes its visible part repeatedly until nothing moves there.
  ///
  /// - Returns: Whether anything moved.
  /// - Complexity: O(log s) for s sections, plus that of the body of each section in the rectangle.
  public mutating func finalizeFrames(in rect: Rect) -> Bool {
    guard !areFramesFinal, let pixels = space.pixels(touching: rect), !sections.isEmpty else { return false }
    var hasMoved = false
    var section = self.section(at: pixels.start(scrollAxis))
    while section < sections.count {
      let begin = firstPixel(ofSection: section)
      guard begin < pixels.end(scrollAxis) else { break }
      // A body that moved may show more estimated frames; each pass finalizes some of them.
      while !sections[section].body.areFramesFinal, let local = local(pixels, in: section, from: begin) {
        let flow = sections[section].container.flow
        let span = local.start(flow)..<max(local.start(flow), local.end(flow))
        guard updateBody(ofSection: section, { $0.finalizeFrames(in: span) }) else { break }
        hasMoved = true
      }
      section += 1
    }
    if hasMoved { updateMirrorWidth() }
    return hasMoved
  }

  /// Finalizes more frames, in the first sections that have estimated ones.
  ///
  /// - Parameter items: The budget, as a number of items.
  /// - Returns: Whether anything moved.
  /// - Complexity: O(items); all calls together visit each section once.
  public mutating func finalizeFrames(itemBudget items: Int) -> Bool {
    var left = items
    var hasMoved = false
    while left > 0, estimatedSectionCount > 0, firstEstimatedSection < sections.count {
      let section = firstEstimatedSection
      guard !sections[section].body.areFramesFinal else {
        firstEstimatedSection += 1
        continue
      }
      let most = left
      if updateBody(ofSection: section, { $0.finalizeFrames(itemBudget: most) }) { hasMoved = true }
      // A body that is finalized now has used at most its number of items.
      left -= sections[section].body.areFramesFinal ? max(1, min(left, sections[section].itemCount)) : left
    }
    if hasMoved { updateMirrorWidth() }
    return hasMoved
  }

  /// Returns whether the preferred size of an item's cell affects the layout.
  ///
  /// - Precondition: The item exists.
  public func usesPreferredSize(ofItem index: Int) -> Bool {
    let (section, item) = position(of: index)
    return sections[section].body.usesPreferredSize(ofItem: item)
  }

  /// Records the size in points that an item's cell prefers.
  ///
  /// A side that is NaN, negative or infinite counts as the current length.
  ///
  /// - Precondition: The item exists.
  /// - Complexity: O(log s) for s sections, plus that of the section's body.
  public mutating func setPreferredSize(_ size: Size, ofItem index: Int) -> PreferredSizeResult {
    let (section, item) = position(of: index)
    guard sections[section].body.usesPreferredSize(ofItem: item) else { return .unchanged }
    let old = sections[section].body.frame(ofItem: item)
    let width = preferred(size.width) ?? old.width
    let height = preferred(size.height) ?? old.height
    let burst = sizeBurst
    let verdict = updateBody(ofSection: section) {
      $0.setPreferredSize(width: width, height: height, ofItem: item, burst: burst)
    }
    if verdict != .unchanged { updateMirrorWidth() }
    return verdict
  }

  /// Begins another burst of size changes.
  ///
  /// - Complexity: O(1).
  public mutating func sizesDidSettle() { sizeBurst &+= 1 }

  /// Permits the size of an item that was fixed to change again.
  ///
  /// - Precondition: The item exists.
  public mutating func unfreezeSize(ofItem index: Int) {
    let (section, item) = position(of: index)
    sections[section].unfreezeSize(ofItem: item)
  }

  /// Returns whether the preferred size of a header, footer or other boundary view affects the layout.
  public func usesPreferredSize(ofElement element: ElementIdentity) -> Bool {
    guard case .supplementary(let kind) = element.kind else { return false }
    guard let number = element.section else {
      return boundary.index(ofKind: kind, ordinal: element.item).map { boundary.views[$0].usesPreferredSize } ?? false
    }
    guard sections.indices.contains(number), !sections[number].isHidden,
      let index = sections[number].boundary.index(ofKind: kind, ordinal: element.item)
    else { return false }
    return sections[number].boundary.views[index].usesPreferredSize
  }

  /// Records the size in points that a boundary view prefers, for its estimated dimensions.
  ///
  /// A size that alternates is fixed at the largest requested one, as those of items are.
  /// Views of items and groups keep their estimated sizes. Views at the sides of sections keep their breadth, because
  /// the items were laid out next to them.
  ///
  /// - Complexity: O(log s) for s sections.
  public mutating func setPreferredSize(_ size: Size, ofElement element: ElementIdentity) -> PreferredSizeResult {
    guard usesPreferredSize(ofElement: element), case .supplementary(let kind) = element.kind else { return .unchanged }
    let along = preferred(size[scrollAxis])
    let across = preferred(size[scrollAxis.cross])
    let verdict: PreferredSizeResult
    if let number = element.section {
      guard let index = sections[number].boundary.index(ofKind: kind, ordinal: element.item) else { return .unchanged }
      let view = sections[number].boundary.views[index]
      let outcome = sections[number].setPreferredSize(
        along: along ?? view.length, across: across ?? view.breadth, ofView: index, burst: sizeBurst)
      lengths.addDelta(outcome.growth, at: number)
      overhang = max(overhang, sections[number].boundary.overhang)
      verdict = outcome.verdict
    } else {
      guard let index = boundary.index(ofKind: kind, ordinal: element.item) else { return .unchanged }
      let view = boundary.views[index]
      verdict = boundary.setPreferredSize(
        along: along ?? view.length, across: across ?? view.breadth, of: index, burst: sizeBurst)
    }
    if verdict != .unchanged { updateMirrorWidth() }
    return verdict
  }

  /// Mutates a section's body and updates the lengths of the composition.
  mutating func updateBody<Outcome>(ofSection section: Int, _ change: (inout any SectionBody) -> Outcome) -> Outcome {
    let wereFramesFinal = sections[section].body.areFramesFinal
    let (outcome, growth) = sections[section].updateBody(change)
    lengths.addDelta(growth, at: section)
    supplementaryReach = max(supplementaryReach, sections[section].body.supplementaryReach)
    updateEstimatedSectionCount(ofSection: section, wereFramesFinal: wereFramesFinal)
    return outcome
  }

  /// Updates the number of sections with estimated frames after a section changed.
  mutating func updateEstimatedSectionCount(ofSection section: Int, wereFramesFinal: Bool) {
    let areFramesFinal = sections[section].body.areFramesFinal
    guard areFramesFinal != wereFramesFinal else { return }
    estimatedSectionCount += areFramesFinal ? -1 : 1
    if !areFramesFinal { firstEstimatedSection = min(firstEstimatedSection, section) }
  }

  /// Returns a length in pixels, at least 1, or nil if the preferred length is not valid.
  private func preferred(_ points: Double) -> Int? {
    guard points.isFinite, points >= 0 else { return nil }
    return max(1, min(space.nearestEdge(points), SectionContainer.maximumLength))
  }
}
