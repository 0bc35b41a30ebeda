internal import DataStructures
public import Geometry

/// A compositional layout that was solved: sections one after the other along the scroll axis, each in a room of its own.
///
/// The lengths of sections are summed in a tree, so that the section at a place is found, and a section that grew is
/// taken in, in O(log s) steps for s sections. Where an item is within its section is answered by the section's body.
/// Everything is counted in whole pixels from where reading begins; ``ContentSpace`` makes points of it and mirrors it.
public struct SolvedComposition: SolvedLayout {
  /// What it was solved in.
  public internal(set) var environment: LayoutEnvironment
  /// The items that it was solved for.
  public internal(set) var itemCounts: ItemCounts

  /// The rules.
  let layout: CompositionalLayout
  /// What the sections are placed in, without what stands at the sides of the whole content.
  var room: CompositionRoom
  /// The sections; hidden ones have no length.
  var sections: ContiguousArray<SolvedSection>
  /// The lengths of sections, each with the space behind it.
  var lengths: FenwickTree
  /// Between two sections.
  var spacing: Int
  /// What stands at the edges of the whole content.
  var boundary: BoundaryViews
  /// From where to where the global boundary views reach across the axis.
  var boundaryBreadth: Range<Int>
  /// How pixels become points.
  var space: ContentSpace
  /// No section before it is unsettled.
  var firstUnsettled: Int
  /// How many sections are unsettled.
  var unsettledCount: Int
  /// How far a boundary view of any section stands outside of its section, at most.
  var overhang: Int
  /// How far a view of an item or a group of any section stands outside of its item, at most.
  var reach: Int
  /// Whether a section has a handler for what is seen of it.
  var hasHandlers: Bool

  /// The axis along which sections follow each other.
  public var scrollAxis: Axis { room.axis }

  /// Solves a layout.
  init(_ layout: CompositionalLayout, in environment: LayoutEnvironment, for counts: ItemCounts) {
    self.init(layout, in: environment, for: counts, formerBoundary: nil) { _ in nil }
  }

  /// Solves a layout anew that was solved before.
  ///
  /// - Parameters:
  ///   - formerBoundary: what stood at the edges of the whole content before.
  ///   - formerSection: what a section was before, if it was.
  init(
    _ layout: CompositionalLayout, in environment: LayoutEnvironment, for counts: ItemCounts,
    formerBoundary: BoundaryViews?, formerSection: (Int) -> FormerSection?
  ) {
    let configuration = layout.configuration
    checkPrecondition(
      configuration.interSectionSpacing.isFinite && configuration.interSectionSpacing >= 0,
      "The space between sections is \(configuration.interSectionSpacing). It must be a finite number that is not"
        + " negative.")
    let whole = CompositionRoom(configuration, in: environment)
    let breadth = whole.breadth(for: .automatic)
    let measure = whole.room(length: whole.length, breadth: breadth.count, flow: whole.axis)
    boundary = BoundaryViews(
      configuration.boundarySupplementaryItems, axis: whole.axis, room: measure, former: formerBoundary)
    boundaryBreadth = breadth
    room = whole.within(near: boundary.nearSide, far: boundary.farSide)
    let sectionRoom = room
    var sections: ContiguousArray<SolvedSection> = []
    sections.reserveCapacity(counts.numberOfSections)
    for number in 0..<counts.numberOfSections {
      var former = formerSection(number)
      sections.append(
        SolvedSection(
          layout.provider(number, environment), number: number, itemCount: counts.items(inSection: number).count,
          in: sectionRoom, former: &former))
    }
    let spacing = measure.pixels(configuration.interSectionSpacing)
    lengths = FenwickTree(
      sections.indices.lazy.map { sections[$0].length + ($0 < sections.count - 1 ? spacing : 0) })
    self.layout = layout
    self.environment = environment
    itemCounts = counts
    self.sections = sections
    self.spacing = spacing
    space = ContentSpace(pixelsPerPoint: environment.scale.pixelsPerPoint)
    firstUnsettled = sections.firstIndex { !$0.body.isSettled } ?? sections.count
    unsettledCount = sections.count { !$0.body.isSettled }
    overhang = sections.reduce(0) { max($0, $1.boundary.overhang) }
    reach = sections.reduce(0) { max($0, $1.body.supplementaryReach) }
    hasHandlers = sections.contains { $0.rules.visibleItemsInvalidationHandler != nil }
    placeMirror()
  }

  // MARK: Extent

  /// The extent of the content in points.
  ///
  /// As broad as the container across the scroll axis. Content that scrolls to the side and is read from right to left
  /// is no shorter than the container, so that it begins at the right.
  public var contentSize: Size {
    var size = environment.containerSize
    size[scrollAxis] = space.points(space.mirrorWidth.map { scrollAxis == .horizontal ? $0 : length } ?? length)
    return size
  }

  /// How long the content is along the scroll axis, in pixels.
  var length: Int { firstStart + lengths.total + boundary.end + room.behind }

  /// Where the first section begins.
  var firstStart: Int { room.before + boundary.start }

  /// Where a section begins along the scroll axis, in points from where reading begins.
  ///
  /// - Complexity: O(log s) for s sections.
  public func start(ofSection section: Int) -> Double {
    checkPrecondition(sections.indices.contains(section), "There is no section \(section) among \(sections.count).")
    return space.points(firstPixel(ofSection: section))
  }

  /// Where a section begins along the scroll axis, in pixels.
  func firstPixel(ofSection section: Int) -> Int { firstStart + lengths.sum(before: section) }

  /// What the whole content's boundary views stand at the edges of.
  var host: BoundaryHost {
    BoundaryHost(
      along: room.before..<(length - room.behind), items: firstStart..<(firstStart + lengths.total),
      across: boundaryBreadth)
  }

  /// Mirrors about the middle of the content as it is now.
  mutating func placeMirror() { space.mirrorWidth = mirrorWidth(ofLength: length) }

  /// The width about whose middle content of a length is mirrored; nothing where one reads to the right.
  func mirrorWidth(ofLength length: Int) -> Int? {
    guard environment.layoutDirection == .rightToLeft else { return nil }
    let seen = SectionRoom(
      size: environment.containerSize, flow: scrollAxis, scale: environment.scale, interGroupSpacing: 0
    ).pixelLength(.horizontal)
    return scrollAxis == .vertical ? seen : max(length, seen)
  }
}
