internal import DataStructures
internal import Geometry

/// A section as it stands in its composition: its body, and what is around it.
///
/// Everything is in whole pixels from where reading begins; along the scroll axis it is counted from the section's own
/// beginning, so that nothing within changes when something before it grows.
struct SolvedSection: Sendable {
  /// Where the body's corner is along the scroll axis.
  private(set) var bodyStart: Int
  /// Where the body's corner is across the scroll axis, in the content; a section that scrolls across moves it.
  private(set) var bodyCross: Int
  /// How many items it was solved for.
  private(set) var itemCount: Int
  /// Whether it scrolls across.
  let isOrthogonal: Bool
  /// Where its items are.
  private(set) var body: any SectionBody

  /// How long the body is along the scroll axis; without items nothing.
  private(set) var bodyLength = 0
  /// How long it is along the scroll axis with everything that belongs to it.
  private(set) var length = 0
  /// Its rules.
  let rules: CollectionLayoutSection
  /// The room of its body.
  let room: SectionRoom
  /// What stands at its edges.
  private(set) var boundary: BoundaryViews
  /// From where to where it reaches across the scroll axis, with its insets and what stands at its sides.
  let breadth: Range<Int>
  /// From where to where its boundary views reach across.
  let boundaryBreadth: Range<Int>
  /// What it is seen through where it scrolls across, and how far it is scrolled.
  private(set) var strip = OrthogonalStrip()
  let axis: Axis
  private let insets: PixelInsets

  /// Solves a section.
  ///
  /// - Parameters:
  ///   - rules: by what it is solved.
  ///   - number: which one it is, for sentences about mistakes.
  ///   - itemCount: how many items it has.
  ///   - composition: what it is placed in.
  ///   - former: what it was before, if it was.
  init(
    _ rules: CollectionLayoutSection, number: Int, itemCount: Int, in composition: CompositionRoom,
    former: inout FormerSection?
  ) {
    SolvedSection.check(rules, number: number)
    self.rules = rules
    self.itemCount = itemCount
    axis = composition.axis
    isOrthogonal = rules.orthogonalScrollingBehavior != .none
    let breadth = composition.breadth(for: rules.contentInsetsReference)
    self.breadth = breadth
    let measure = composition.room(length: composition.length, breadth: breadth.count, flow: axis)
    insets = PixelInsets(rules.contentInsets, axis: axis, room: measure)
    let within = breadth.narrowed(near: insets.near, far: insets.far)
    let length = composition.length - insets.before - insets.behind
    boundaryBreadth = rules.supplementariesFollowContentInsets ? within : breadth
    boundary = BoundaryViews(
      rules.boundarySupplementaryItems, axis: axis,
      room: composition.room(length: length, breadth: boundaryBreadth.count, flow: axis),
      former: former?.section.boundary)
    var room = composition.room(
      length: length, breadth: within.count - boundary.nearSide - boundary.farSide,
      flow: isOrthogonal ? axis.cross : axis, interGroupSpacing: rules.interGroupSpacing)
    room.isOpenAcross = isOrthogonal
    if !rules.content.usesSeenLength(room.flow) { room.size[room.flow] = 0 }
    self.room = room
    bodyStart = boundary.start + insets.before
    bodyCross = within.lowerBound + boundary.nearSide
    body = former?.updatedBody(by: rules.content, in: room) ?? rules.content.body(of: itemCount, in: room)
    measureBody()
    if isOrthogonal, let former = former?.section {
      let scale = composition.scale.pixelsPerPoint / former.room.scale.pixelsPerPoint
      scroll(to: Int((Double(former.strip.offset) * scale).rounded()))
      keepOffsetInContent()
    }
  }

  private static func check(_ rules: CollectionLayoutSection, number: Int) {
    rules.contentInsets.demandUsable(of: "section \(number)")
    checkPrecondition(
      rules.interGroupSpacing.isFinite && rules.interGroupSpacing >= 0,
      "The space between the groups of section \(number) is \(rules.interGroupSpacing). It must be a finite number"
        + " that is not negative.")
    for item in rules.decorationItems {
      item.contentInsets.demandUsable(of: "a decoration of kind \"\(item.elementKind)\"")
    }
  }

  /// Whether nothing of it is there.
  var isHidden: Bool { itemCount == 0 && rules.isHiddenWhenEmpty }

  /// Takes the body out; the section is to be solved anew.
  mutating func takeBody() -> any SectionBody {
    var taken: any SectionBody = NoBody()
    swap(&taken, &body)
    return taken
  }

  /// The section with other items and the rules that it has; itself is left as it is.
  ///
  /// - Complexity: that of the body's update, of a body that is held twice.
  func edited(_ edits: SectionEdits) -> SolvedSection {
    var section = self
    let count = itemCount + edits.growth
    section.itemCount = count
    _ = section.update { body in
      if !body.update(edits, content: rules.content, room: room) { body = rules.content.body(of: count, in: room) }
    }
    return section
  }

  /// Changes the body.
  ///
  /// - Returns: by how much the section grew.
  mutating func update<Outcome>(_ change: (inout any SectionBody) -> Outcome) -> (outcome: Outcome, growth: Int) {
    let before = length
    // One that is pulled beyond its ends stays so.
    let wasInContent = (0...strip.maximumOffset).contains(strip.offset)
    let outcome = change(&body)
    measureBody()
    if wasInContent { keepOffsetInContent() }
    return (outcome, length - before)
  }

  /// Takes the size that a boundary view asks for.
  ///
  /// - Returns: what became of it, and by how much the section grew.
  mutating func setPreferredSize(along: Int, across: Int, ofView place: Int) -> (verdict: SizeVerdict, growth: Int) {
    let before = length
    let verdict = boundary.setPreferredSize(along: along, across: across, of: place)
    bodyStart = boundary.start + insets.before
    measureBody()
    return (verdict, length - before)
  }

  /// Scrolls it across: at most by what is seen at once beyond its ends, while it is pulled there.
  mutating func scroll(to offset: Int) {
    strip.offset = max(-strip.seen, min(offset, strip.maximumOffset + strip.seen))
    placeStrip()
  }

  private mutating func keepOffsetInContent() {
    guard isOrthogonal else { return }
    scroll(to: max(0, min(strip.offset, strip.maximumOffset)))
  }

  private mutating func placeStrip() {
    bodyCross = breadth.lowerBound + boundary.nearSide + strip.lead - strip.offset
  }

  private mutating func measureBody() {
    guard !isHidden else {
      (length, bodyLength) = (0, 0)
      return
    }
    if isOrthogonal {
      strip.measure(
        body, seen: breadth.count - boundary.nearSide - boundary.farSide, insets: (insets.near, insets.far),
        spacing: room.pixels(room.interGroupSpacing), behavior: rules.orthogonalScrollingBehavior)
      placeStrip()
    }
    bodyLength = body.itemCount == 0 ? 0 : isOrthogonal ? body.breadth : body.length
    length = bodyStart + bodyLength + insets.behind + boundary.end
  }
}
