internal import VitrineDataStructures
public import VitrineGeometry

/// A solved compositional layout: sections that follow each other along the scroll axis, each with its own container.
///
/// The lengths of the sections are stored in a Fenwick tree, which finds a section by its position and updates its
/// length in O(log s) for s sections. The body of a section computes the frames of its items. All lengths are whole
/// pixels in reading direction; `ContentSpace` converts them to points and mirrors them.
public struct SolvedComposition: SolvedLayout {
  /// The environment for which the layout was solved.
  public internal(set) var environment: LayoutEnvironment
  /// The number of items in each section.
  public internal(set) var itemCounts: ItemCounts

  /// The rules of the layout.
  let layout: CompositionalLayout
  /// The container of the sections, without the boundary views at the sides of the whole content.
  var container: CompositionContainer
  /// The sections; hidden sections have a length of 0.
  var sections: ContiguousArray<SolvedSection>
  /// The lengths of the sections, each including the space after it.
  var lengths: FenwickTree
  /// The space between two sections.
  var spacing: Int
  /// The boundary views of the whole content.
  var boundary: BoundaryViews
  /// The range of the boundary views along the cross axis.
  var boundaryBreadth: Range<Int>
  /// The conversion from pixels to points.
  var space: ContentSpace
  /// An index such that no section before it has estimated frames.
  var firstEstimatedSection: Int
  /// The number of sections with estimated frames.
  var estimatedSectionCount: Int
  /// The largest distance by which a boundary view may extend beyond its section.
  var overhang: Int
  /// The largest distance by which a supplementary view may extend beyond its item or group.
  var supplementaryReach: Int
  /// Whether a section has a handler for its visible items.
  var hasHandlers: Bool
  /// Whether a section may change the offset at which scrolling along the scroll axis ends.
  public internal(set) var adjustsTargetContentOffset: Bool
  /// Whether a section has a background of its items.
  public internal(set) var hasItemsBackgrounds: Bool
  /// Whether the items of a section in a rectangle may be several runs.
  var hasScatteredItems: Bool
  /// The distances of pinned views from the edges of the viewport, in points.
  var pinningInsets = (start: 0.0, end: 0.0)
  /// The number of the burst of size changes.
  var sizeBurst: UInt32 = 0
  /// The violations of the sections' layouts, which copies share.
  let violations: ViolationLog

  /// The axis along which sections follow each other.
  public var scrollAxis: Axis { container.axis }

  /// Solves a layout.
  init(_ layout: CompositionalLayout, in environment: LayoutEnvironment, for counts: ItemCounts) {
    self.init(layout, in: environment, for: counts, formerBoundary: nil, violations: ViolationLog()) { _ in nil }
  }

  /// Solves a layout again and reuses parts of the previous solution.
  ///
  /// - Parameters:
  ///   - layout: The rules of the layout.
  ///   - environment: The environment.
  ///   - counts: The number of items in each section.
  ///   - formerBoundary: The previous boundary views of the whole content.
  ///   - violations: The log of the layouts' violations.
  ///   - formerSection: Returns the previous state of a section, or nil for a new section.
  init(
    _ layout: CompositionalLayout, in environment: LayoutEnvironment, for counts: ItemCounts,
    formerBoundary: BoundaryViews?, violations: ViolationLog, formerSection: (Int) -> FormerSection?
  ) {
    let configuration = layout.configuration
    checkPrecondition(
      configuration.interSectionSpacing.isFinite && configuration.interSectionSpacing >= 0,
      "The space between sections is \(configuration.interSectionSpacing). It must be a finite number that is not"
        + " negative.")
    let whole = CompositionContainer(configuration, in: environment)
    let breadth = whole.breadth(for: .automatic)
    let measure = whole.sectionContainer(length: whole.length, breadth: breadth.count, flow: whole.axis)
    boundary = BoundaryViews(
      configuration.boundarySupplementaryItems, axis: whole.axis, container: measure, former: formerBoundary)
    boundaryBreadth = breadth
    container = whole.inset(crossStart: boundary.crossStart, crossEnd: boundary.crossEnd)
    let sectionContainer = container
    var sections: ContiguousArray<SolvedSection> = []
    sections.reserveCapacity(counts.numberOfSections)
    for number in 0..<counts.numberOfSections {
      var former = formerSection(number)
      sections.append(
        SolvedSection(
          layout.provider(number, environment), number: number, itemCount: counts.items(inSection: number).count,
          in: sectionContainer, former: &former))
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
    firstEstimatedSection = sections.firstIndex { !$0.body.areFramesFinal } ?? sections.count
    estimatedSectionCount = sections.count { !$0.body.areFramesFinal }
    overhang = sections.reduce(0) { max($0, $1.boundary.overhang) }
    supplementaryReach = sections.reduce(0) { max($0, $1.body.supplementaryReach) }
    hasHandlers = sections.contains { $0.rules.visibleItemsInvalidationHandler != nil }
    adjustsTargetContentOffset = sections.contains { $0.adjustsTargetContentOffset }
    hasItemsBackgrounds = sections.contains { $0.hasItemsBackground }
    self.violations = violations
    hasScatteredItems = sections.contains { $0.hasScatteredItems }
    if hasScatteredItems {
      for section in sections.indices where sections[section].hasScatteredItems {
        self.sections[section].attach(violations)
      }
    }
    updateMirrorWidth()
  }

  // MARK: - Content size

  /// The size of the content in points.
  ///
  /// The content is as broad as the container along the cross axis. Content that scrolls horizontally in a
  /// right-to-left layout is at least as wide as the container, so that it starts at the right.
  public var contentSize: Size {
    var size = environment.containerSize
    size[scrollAxis] = space.points(space.mirrorWidth.map { scrollAxis == .horizontal ? $0 : length } ?? length)
    return size
  }

  /// The length of the content along the scroll axis, in pixels.
  var length: Int { firstStart + lengths.total + boundary.end + container.endInset }

  /// The start of the first section.
  var firstStart: Int { container.startInset + boundary.start }

  /// Returns the start of a section along the scroll axis, in points in reading direction.
  ///
  /// - Complexity: O(log s) for s sections.
  public func start(ofSection section: Int) -> Double {
    checkPrecondition(sections.indices.contains(section), "There is no section \(section) among \(sections.count).")
    return space.points(firstPixel(ofSection: section))
  }

  /// Returns the start of a section along the scroll axis, in pixels.
  func firstPixel(ofSection section: Int) -> Int { firstStart + lengths.sum(before: section) }

  /// The bounds to which the boundary views of the whole content are aligned.
  var host: BoundaryHost {
    BoundaryHost(
      along: container.startInset..<(length - container.endInset), items: firstStart..<(firstStart + lengths.total),
      across: boundaryBreadth)
  }

  /// Updates the mirror width to the current size of the content.
  mutating func updateMirrorWidth() { space.mirrorWidth = mirrorWidth(ofLength: length) }

  /// Returns the width in which content of the given length is mirrored, or nil in left-to-right layouts.
  func mirrorWidth(ofLength length: Int) -> Int? {
    guard environment.layoutDirection == .rightToLeft else { return nil }
    let viewportWidth = SectionContainer(
      size: environment.containerSize, flow: scrollAxis, scale: environment.scale, interGroupSpacing: 0
    ).pixelLength(.horizontal)
    return scrollAxis == .vertical ? viewportWidth : max(length, viewportWidth)
  }
}
