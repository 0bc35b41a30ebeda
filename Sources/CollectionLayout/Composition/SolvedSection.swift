internal import VitrineDataStructures
internal import VitrineGeometry

/// A solved section of a composition: its body and the views around it.
///
/// All lengths are whole pixels in reading direction. Positions along the scroll axis are relative to the start of the
/// section, so that they do not change when a previous section grows.
struct SolvedSection: Sendable {
  /// The start of the body along the scroll axis.
  private(set) var bodyStart: Int
  /// The start of the body along the cross axis, in the content.
  ///
  /// It changes when an orthogonal section scrolls.
  private(set) var bodyCross: Int
  /// The number of items for which the section was solved.
  private(set) var itemCount: Int
  /// Whether the section scrolls orthogonally.
  let isOrthogonal: Bool
  /// The frames of the items.
  private(set) var body: any SectionBody

  /// The length of the body along the scroll axis, or 0 without items.
  private(set) var bodyLength = 0
  /// The total length of the section along the scroll axis.
  private(set) var length = 0
  /// The rules of the section.
  let rules: CollectionLayoutSection
  /// The container of the body.
  let container: SectionContainer
  /// The boundary views.
  private(set) var boundary: BoundaryViews
  /// The range along the cross axis, including insets and the views at the sides.
  let breadth: Range<Int>
  /// The range of the boundary views along the cross axis.
  let boundaryBreadth: Range<Int>
  /// The visible part and the scroll offset of an orthogonal section.
  private(set) var strip = OrthogonalStrip()
  let axis: Axis
  private let insets: PixelInsets

  /// Solves a section.
  ///
  /// - Parameters:
  ///   - rules: The rules of the section.
  ///   - number: The index of the section, for error messages.
  ///   - itemCount: The number of items.
  ///   - composition: The container of the section.
  ///   - former: The previous state of the section, or nil for a new section.
  init(
    _ rules: CollectionLayoutSection, number: Int, itemCount: Int, in composition: CompositionContainer,
    former: inout FormerSection?
  ) {
    SolvedSection.check(rules, number: number)
    self.rules = rules
    self.itemCount = itemCount
    axis = composition.axis
    isOrthogonal = rules.orthogonalScrollingBehavior != .none
    let breadth = composition.breadth(for: rules.contentInsetsReference)
    self.breadth = breadth
    let measure = composition.sectionContainer(length: composition.length, breadth: breadth.count, flow: axis)
    insets = PixelInsets(rules.contentInsets, axis: axis, container: measure)
    let within = breadth.narrowed(start: insets.crossStart, end: insets.crossEnd)
    let length = composition.length - insets.start - insets.end
    let reference = rules.supplementaryContentInsetsReference
    let outer = reference == .automatic ? breadth : composition.breadth(for: reference)
    boundaryBreadth =
      rules.supplementariesFollowContentInsets
      ? outer.narrowed(start: insets.crossStart, end: insets.crossEnd) : outer
    boundary = BoundaryViews(
      rules.boundarySupplementaryItems, axis: axis,
      container: composition.sectionContainer(length: length, breadth: boundaryBreadth.count, flow: axis),
      former: former?.boundary)
    // The items are inside the views at their sides, wherever those are.
    let (crossStart, crossEnd) = (boundary.crossStart, boundary.crossEnd)
    let bodyCrossStart =
      crossStart == 0 ? within.lowerBound : max(within.lowerBound, boundaryBreadth.lowerBound) + crossStart
    let bodyCrossEnd =
      crossEnd == 0 ? within.upperBound : min(within.upperBound, boundaryBreadth.upperBound) - crossEnd
    var container = composition.sectionContainer(
      length: length, breadth: bodyCrossEnd - bodyCrossStart,
      flow: isOrthogonal ? axis.cross : axis, interGroupSpacing: rules.interGroupSpacing)
    container.isCrossAxisUnbounded = isOrthogonal
    if !rules.content.dependsOnVisibleLength(along: container.flow) { container.size[container.flow] = 0 }
    self.container = container
    bodyStart = boundary.start + insets.start
    bodyCross = bodyCrossStart
    body = former?.updatedBody(by: rules.content, in: container) ?? rules.content.body(of: itemCount, in: container)
    measureBody()
    if isOrthogonal, let former {
      let scale = composition.scale.pixelsPerPoint / former.container.scale.pixelsPerPoint
      scroll(to: Int((Double(former.offset) * scale).rounded()))
      clampOffset()
    }
  }

  private static func check(_ rules: CollectionLayoutSection, number: Int) {
    rules.contentInsets.checkValid(of: "section \(number)")
    checkPrecondition(
      rules.interGroupSpacing.isFinite && rules.interGroupSpacing >= 0,
      "The space between the groups of section \(number) is \(rules.interGroupSpacing). It must be a finite number"
        + " that is not negative.")
    for item in rules.decorationItems {
      item.contentInsets.checkValid(of: "a decoration of kind \"\(item.elementKind)\"")
    }
  }

  /// Whether the items in a rectangle may be several runs.
  var hasScatteredItems: Bool { body.hasScatteredItems }

  /// Whether the section may change the offset at which scrolling along the layout's scroll axis ends.
  var adjustsTargetContentOffset: Bool {
    !isOrthogonal && (hasScatteredItems || rules.handlers?.targetContentOffset != nil)
  }

  /// Whether the section is empty and hidden.
  var isHidden: Bool { itemCount == 0 && rules.isHiddenWhenEmpty }

  /// Moves the body out of the section, which is about to be solved again.
  mutating func takeBody() -> any SectionBody {
    var taken: any SectionBody = EmptySectionBody()
    swap(&taken, &body)
    return taken
  }

  /// Returns a copy of the section with edited items and the same rules.
  ///
  /// - Complexity: That of updating a copy of the body.
  func edited(_ edits: SectionEdits) -> SolvedSection {
    var section = self
    let count = itemCount + edits.countDelta
    section.itemCount = count
    _ = section.updateBody { body in
      if !body.update(edits, content: rules.content, container: container) {
        body = rules.content.body(of: count, in: container)
      }
    }
    return section
  }

  /// Records the violations of a client's layout in a log.
  mutating func attach(_ log: ViolationLog) { body.attach(log) }

  /// Mutates the body.
  ///
  /// - Returns: The closure's result and the growth of the section in pixels.
  mutating func updateBody<Outcome>(_ change: (inout any SectionBody) -> Outcome) -> (outcome: Outcome, growth: Int) {
    let before = length
    // An offset that the user dragged out of bounds stays out of bounds.
    let wasInContent = (0...strip.maximumOffset).contains(strip.offset)
    let outcome = change(&body)
    measureBody()
    if wasInContent { clampOffset() }
    return (outcome, length - before)
  }

  /// Permits the size of an item that was fixed to change again.
  mutating func unfreezeSize(ofItem item: Int) { body.unfreezeSize(ofItem: item) }

  /// Records the size that a boundary view prefers.
  ///
  /// - Returns: The effect on the layout and the growth of the section in pixels.
  mutating func setPreferredSize(along: Int, across: Int, ofView index: Int, burst: UInt32) -> (
    verdict: PreferredSizeResult, growth: Int
  ) {
    let before = length
    let verdict = boundary.setPreferredSize(along: along, across: across, of: index, burst: burst)
    bodyStart = boundary.start + insets.start
    measureBody()
    return (verdict, length - before)
  }

  /// Scrolls the section to an offset, which may exceed the bounds by at most the visible length during a drag.
  mutating func scroll(to offset: Int) {
    strip.offset = max(-strip.viewportLength, min(offset, strip.maximumOffset + strip.viewportLength))
    updateBodyCross()
  }

  private mutating func clampOffset() {
    guard isOrthogonal else { return }
    scroll(to: max(0, min(strip.offset, strip.maximumOffset)))
  }

  private mutating func updateBodyCross() {
    bodyCross = breadth.lowerBound + boundary.crossStart + strip.leadingInset - strip.offset
  }

  private mutating func measureBody() {
    guard !isHidden else {
      (length, bodyLength) = (0, 0)
      return
    }
    if isOrthogonal {
      strip.measure(
        body, viewportLength: breadth.count - boundary.crossStart - boundary.crossEnd,
        insets: (insets.crossStart, insets.crossEnd),
        spacing: container.pixels(container.interGroupSpacing), behavior: rules.orthogonalScrollingBehavior)
      updateBodyCross()
    }
    bodyLength = body.itemCount == 0 ? 0 : isOrthogonal ? body.breadth : body.length
    length = bodyStart + bodyLength + insets.end + boundary.end
  }
}

// MARK: - Boundary views and backgrounds

extension SolvedSection {
  /// Returns the bounds to which the boundary views are aligned, for a section that starts at a line.
  func host(from begin: Int) -> BoundaryHost {
    let along = begin..<(begin + length)
    let items =
      rules.supplementariesFollowContentInsets
      ? (begin + bodyStart)..<(begin + bodyStart + bodyLength)
      : along.narrowed(start: boundary.start, end: boundary.end)
    return BoundaryHost(along: along, items: items, across: boundaryBreadth)
  }

  /// Returns the index of a decoration by its kind and its number among those of that kind.
  func index(ofDecoration kind: String, ordinal: Int) -> Int? {
    rules.decorationItems.indices.first {
      rules.decorationItems[$0].elementKind == kind && self.ordinal(ofDecoration: $0) == ordinal
    }
  }

  /// Returns the number of a decoration among those of its kind.
  func ordinal(ofDecoration index: Int) -> Int {
    let kind = rules.decorationItems[index].elementKind
    return rules.decorationItems[..<index].count { $0.elementKind == kind }
  }

  /// Returns the frame of a background for a section that starts at a line, or nil if its insets leave no space.
  func background(_ index: Int, from begin: Int) -> PixelFrame? {
    let insets = PixelInsets(rules.decorationItems[index].contentInsets, axis: axis, container: container)
    var (alongRange, acrossRange) = (begin..<(begin + length), breadth)
    if rules.decorationItems[index].coversItems {
      guard let items = itemsRanges else { return nil }
      (alongRange, acrossRange) = (items.along.lowerBound + begin..<items.along.upperBound + begin, items.across)
    }
    let along = (alongRange.lowerBound + insets.start, alongRange.upperBound - insets.end)
    let across = (acrossRange.lowerBound + insets.crossStart, acrossRange.upperBound - insets.crossEnd)
    let frame =
      axis == .vertical
      ? PixelFrame(minX: across.0, minY: along.0, maxX: across.1, maxY: along.1)
      : PixelFrame(minX: along.0, minY: across.0, maxX: along.1, maxY: across.1)
    return frame.isEmpty ? nil : frame
  }
}

extension SolvedSection {
  /// Whether the section has a background of its items.
  var hasItemsBackground: Bool { rules.hasItemsBackground }

  /// The ranges of a background of the items along the scroll axis, from the section's start, and across it; nil without
  /// items.
  private var itemsRanges: (along: Range<Int>, across: Range<Int>)? {
    let items = body.backgroundItems
    guard !items.isEmpty, !isHidden else { return nil }
    guard !isOrthogonal else {
      let start = breadth.lowerBound + boundary.crossStart
      return (bodyStart..<(bodyStart + bodyLength), start..<(start + strip.viewportLength))
    }
    let start = items.lowerBound == 0 ? 0 : body.frame(ofItem: items.lowerBound).start(axis)
    return (
      (bodyStart + start)..<max(bodyStart + start, bodyStart + bodyLength),
      bodyCross..<(bodyCross + container.pixelLength(axis.cross))
    )
  }

  /// Returns the ends of the background of the items at which an item is, or nil if the item has none behind it.
  func backgroundEnds(ofItem item: Int) -> BackgroundEnds? {
    let items = body.backgroundItems
    guard hasItemsBackground, items.contains(item) else { return nil }
    var ends: BackgroundEnds = []
    if item == items.lowerBound { ends.insert(.first) }
    if item == items.upperBound - 1 { ends.insert(.last) }
    return ends
  }
}

// MARK: - The end of scrolling

extension SolvedSection {
  /// The offset of the section's container from the visible part at which the items begin at the container's start, in
  /// pixels, in an orthogonal section.
  var orthogonalStart: Int { strip.leadingInset - insets.crossStart }

  /// Returns the offset at which scrolling ends, in points; see ``SectionLayout``.
  ///
  /// - Parameters:
  ///   - proposed: The offset of the container relative to the items, in points.
  ///   - velocity: The velocity in points per second.
  ///   - visibleLength: The length of the container along the flow axis, in points.
  func targetContentOffset(_ proposed: Double, velocity: Double, visibleLength: Double) -> Double {
    let target = body.targetContentOffset(proposed, velocity: velocity)
    guard let handler = rules.handlers?.targetContentOffset else { return target }
    let result = handler(target, velocity, SectionFrames(body, in: container, visibleLength: visibleLength))
    return result.isFinite ? result : target
  }

  /// The visible length along the section's flow axis inside its insets, in pixels, in a layout with a given one.
  func visibleLength(in length: Int) -> Int {
    isOrthogonal ? strip.viewportLength - insets.crossStart - insets.crossEnd : length - insets.start - insets.end
  }
}

// MARK: - Previous state

/// The previous state of a section that is solved again.
struct FormerSection: Sendable {
  /// The container of the body.
  let container: SectionContainer
  /// The boundary views.
  let boundary: BoundaryViews
  /// The scroll offset of an orthogonal section, in pixels.
  let offset: Int
  /// The body, which is uniquely referenced, so that it is mutated in place.
  var body: (any SectionBody)?
  /// The edits of the items, or nil if the body cannot be reused.
  let edits: SectionEdits?

  /// Moves the body out of a section.
  init(_ section: inout SolvedSection, edits: SectionEdits?) {
    body = section.takeBody()
    container = section.container
    boundary = section.boundary
    offset = section.strip.offset
    self.edits = edits
  }

  /// Returns the edited body, or nil if it cannot be reused with the given rules and container.
  mutating func updatedBody(by content: any SectionContent, in container: SectionContainer) -> (any SectionBody)? {
    guard let edits else { return nil }
    if self.container == container {
      guard body?.update(edits, content: content, container: container) == true else { return nil }
    } else {
      guard edits.isEmpty, body?.resize(to: container, content: content) == true else { return nil }
    }
    defer { body = nil }
    return body
  }
}

/// A placeholder for the body of a section while the body is mutated elsewhere without a copy.
private struct EmptySectionBody: SectionBody {
  var itemCount: Int { 0 }
  var length: Int { 0 }
  var breadth: Int { 0 }
  func frame(ofItem item: Int) -> PixelFrame { .zero }
  var hasSupplementaries: Bool { false }
  func firstItem(in rect: PixelFrame) -> Int? { nil }
  func lastItem(in rect: PixelFrame) -> Int? { nil }
  func groupStarts(around line: Int) -> (atOrBefore: Int, after: Int?)? { nil }
  mutating func update(_ edits: SectionEdits, content: any SectionContent, container: SectionContainer) -> Bool {
    false
  }
  func cost(of edits: SectionEdits) -> Int { 0 }
}
