import Testing
import VitrineDataStructures
import VitrineGeometry
import VitrineTestSupport

@testable import VitrineCollectionLayout

/// Rows of 20 points that scrolling ends at, and that come from the left and leave to the right.
private struct SnappingRows: SectionLayout {
  var target: @Sendable (Double, Double) -> Double = { proposed, _ in (proposed / 20).rounded() * 20 }
  var initial: @Sendable (Rect) -> TransitionAttributes? = { _ in nil }
  var final: @Sendable (Rect) -> TransitionAttributes? = { _ in nil }
  private var count = 0
  private var flow = Axis.vertical
  private var breadth = 0.0

  mutating func prepare(itemCount: Int, in environment: SectionLayoutEnvironment) {
    (count, flow, breadth) = (itemCount, environment.flowAxis, environment.breadth)
  }
  var contentLength: Double { Double(count) * 20 }
  func frame(ofItem item: Int) -> Rect {
    var frame = Rect(x: 0, y: 0, width: breadth, height: breadth)
    frame.origin[flow] = Double(item) * 20
    frame.size[flow] = 20
    return frame
  }
  func items(in rect: Rect) -> Range<Int> {
    let first = max(0, min(count, Int(rect.origin[flow] / 20)))
    return first..<max(first, min(count, Int((rect.origin[flow] + rect.size[flow]) / 20) + 1))
  }
  func targetContentOffset(
    forProposedContentOffset proposed: Double, withScrollingVelocity velocity: Double
  ) -> Double { target(proposed, velocity) }
  func initialLayoutAttributesForAppearingItem(at item: Int) -> TransitionAttributes? { initial(frame(ofItem: item)) }
  func finalLayoutAttributesForDisappearingItem(at item: Int) -> TransitionAttributes? { final(frame(ofItem: item)) }
}

@Suite("Sections decide where scrolling ends, and from where elements come")
struct SectionHandlersTests {
  private static let size = Size(width: 60, height: 100)

  private func solved(
    _ sections: [CollectionLayoutSection], counts: [Int], _ configuration: CompositionalLayout.Configuration = .init(),
    direction: LayoutDirection = .leftToRight
  ) -> SolvedComposition {
    CompositionalLayout(configuration: configuration) { number, _ in sections[number] }.solved(
      in: LayoutEnvironment(containerSize: Self.size, layoutDirection: direction), for: ItemCounts(counts))
  }

  private func snapping(_ change: (inout SnappingRows) -> Void = { _ in }) -> CollectionLayoutSection {
    var rows = SnappingRows()
    change(&rows)
    return CollectionLayoutSection(layout: rows)
  }

  /// A section of rows of 30 points.
  private var rows: CollectionLayoutSection {
    CollectionLayoutSection(
      group: .vertical(
        layoutSize: CollectionLayoutSize(width: .fractionalWidth(1), height: .absolute(30)),
        subitems: [
          CollectionLayoutItem(layoutSize: CollectionLayoutSize(width: .fractionalWidth(1), height: .absolute(30)))
        ]))
  }

  // MARK: - The end of scrolling

  @Test("A layout receives the offset of its own items, below headers and insets, and its answer is converted back")
  func targetOffset() {
    var section = snapping()
    section.contentInsets = DirectionalEdgeInsets(top: 7, bottom: 3)
    let header = CollectionLayoutBoundarySupplementaryItem(
      layoutSize: CollectionLayoutSize(width: .fractionalWidth(1), height: .absolute(11)), elementKind: "header",
      alignment: .top)
    section.boundarySupplementaryItems = [header]
    let layout = solved([section], counts: [50])
    #expect(layout.adjustsTargetContentOffset)
    // At an offset of 11 the container begins at the viewport's start: the items begin 7 points below.
    for (proposed, target) in [(0.0, -9.0), (11, 11), (20, 11), (22, 31), (211, 211), (218, 211), (222, 231)] {
      #expect(layout.targetContentOffset(forProposedContentOffset: proposed, withScrollingVelocity: 0) == target)
    }
    #expect(layout.frame(ofItem: 10).minY == 218)
  }

  @Test("The section at the center of the viewport decides; others leave the proposed offset")
  func sections() {
    let layout = solved([rows, snapping(), rows], counts: [10, 10, 10])
    func target(_ offset: Double) -> Double {
      layout.targetContentOffset(forProposedContentOffset: offset, withScrollingVelocity: 0)
    }
    #expect(target(249) == 249, "the center is in the first section")
    #expect(target(251) == 260 && target(309) == 300 && target(311) == 320, "the snapping section begins at 300")
    #expect(target(449) == 440 && target(451) == 451)
    let plain = solved([rows], counts: [10])
    #expect(!plain.adjustsTargetContentOffset)
    #expect(plain.targetContentOffset(forProposedContentOffset: 7, withScrollingVelocity: 100) == 7)
  }

  @Test("A handler of a section of groups or of a list ends scrolling at the start of a row")
  func handler() {
    var list = CollectionLayoutListConfiguration(appearance: .plain)
    list.rowHeight = .absolute(30)
    let environment = LayoutEnvironment(containerSize: Self.size)
    for var section in [rows, CollectionLayoutSection.list(using: list, layoutEnvironment: environment)] {
      section.targetContentOffsetHandler = { proposed, velocity, frames in
        guard velocity >= 0, let item = frames.item(nearestTo: proposed) else { return proposed }
        #expect(frames.itemCount == 40 && frames.contentLength == 1_200 && frames.environment.visibleLength == 100)
        return frames.frame(ofItem: item).minY
      }
      let layout = solved([section], counts: [40])
      for (proposed, target) in [(-4.0, 0.0), (14, 0), (16, 30), (1_190, 1_170)] {
        #expect(layout.targetContentOffset(forProposedContentOffset: proposed, withScrollingVelocity: 0) == target)
      }
      #expect(layout.targetContentOffset(forProposedContentOffset: 16, withScrollingVelocity: -1) == 16)
    }
    var undecided = rows
    undecided.targetContentOffsetHandler = { _, _, _ in .nan }
    let layout = solved([undecided], counts: [40])
    #expect(layout.targetContentOffset(forProposedContentOffset: 16, withScrollingVelocity: 0) == 16)
  }

  @Test("In a right-to-left layout, offsets and velocities are in reading direction")
  func rightToLeft() {
    var configuration = CompositionalLayout.Configuration(scrollDirection: .horizontal)
    configuration.interSectionSpacing = 0
    let section = snapping { $0.target = { proposed, velocity in velocity > 0 ? proposed + 5 : proposed - 1 } }
    let layout = solved([section], counts: [50], configuration, direction: .rightToLeft)
    #expect(layout.contentSize.width == 1_000 && layout.frame(ofItem: 0).maxX == 1_000)
    // At 900 from the left, 40 points are before the viewport in reading direction.
    #expect(layout.targetContentOffset(forProposedContentOffset: 900, withScrollingVelocity: -10) == 895)
    #expect(layout.targetContentOffset(forProposedContentOffset: 900, withScrollingVelocity: 10) == 901)
  }

  @Test("An orthogonal section rests where its layout says, within its content, after its behavior was applied")
  func orthogonal() {
    for behavior in [OrthogonalScrollingBehavior.continuous, .paging] {
      var section = snapping { $0.target = { proposed, _ in proposed + 3 } }
      section.orthogonalScrollingBehavior = behavior
      section.contentInsets = DirectionalEdgeInsets(leading: 9, trailing: 4)
      let layout = solved([section], counts: [50])
      #expect(!layout.adjustsTargetContentOffset)
      let expected = behavior == .continuous ? [103.0, 3, 953] : [63, 3, 63]
      let rests = [100.0, 0, 10_000].map { layout.restingOffset(ofSection: 0, from: 0, proposed: $0, velocity: 0) }
      #expect(rests == expected, "\(behavior)")
    }
  }

  @Test("An offset that is not finite is reported and has no effect", arguments: [Double.nan, .infinity])
  func invalidOffset(_ number: Double) {
    let layout = solved([snapping { $0.target = { _, _ in number } }], counts: [50])
    #expect(layout.targetContentOffset(forProposedContentOffset: 33, withScrollingVelocity: 0) == 33)
    #expect(layout.drainViolations().first.map(\.rule) == [.targetContentOffset])
    #expect(layout.targetContentOffset(forProposedContentOffset: .nan, withScrollingVelocity: 0).isNaN)
  }

  @Test("For any layout the result is a fixed point, and differs from the proposed offset by half a row at most")
  func snappingLaw() {
    var random = SplitMix64(seed: 51)
    for _ in 0..<200 {
      let rtl = Bool.random(using: &random)
      let axis = Bool.random(using: &random) ? Axis.horizontal : .vertical
      let counts = (0..<3).map { _ in Int.random(in: 0...30, using: &random) }
      var section = snapping()
      section.contentInsets = DirectionalEdgeInsets(all: Double(Int.random(in: 0...9, using: &random)))
      let layout = solved(
        [section, section, section], counts: counts, CompositionalLayout.Configuration(scrollDirection: axis),
        direction: rtl ? .rightToLeft : .leftToRight)
      let proposed = Double.random(in: 0...max(1, layout.maximumOffset), using: &random)
      let target = layout.targetContentOffset(forProposedContentOffset: proposed, withScrollingVelocity: 0)
      #expect((target - proposed).magnitude <= 10 + 1e-6)
      let again = layout.targetContentOffset(forProposedContentOffset: target, withScrollingVelocity: 0)
      // The center may be in the next section then, which has rows of its own.
      #expect((again - target).magnitude < 1e-6 || (again - target).magnitude <= 10)
    }
  }

  // MARK: - Updates

  @Test("Attributes of an item are converted to the content's coordinates, and may be outside of the section")
  func attributes() throws {
    var section = snapping {
      $0.initial = {
        TransitionAttributes(
          frame: $0.offset(by: Point(x: -60, y: 0)), alpha: 0.5, transform: Transform(rotationAngle: 0.25))
      }
      $0.final = { TransitionAttributes(frame: $0.offset(by: Point(x: 60, y: 0)), alpha: 0) }
    }
    section.contentInsets = DirectionalEdgeInsets(top: 7, leading: 5)
    for direction in [LayoutDirection.leftToRight, .rightToLeft] {
      let layout = solved([rows, section], counts: [2, 9], direction: direction)
      let frame = layout.frame(ofItem: 4)
      let sign = direction == .leftToRight ? 1.0 : -1
      #expect(frame == Rect(x: direction == .leftToRight ? 5 : 0, y: 107, width: 55, height: 20))
      let initial = try #require(layout.initialLayoutAttributes(forAppearing: .item(4), at: frame))
      #expect(initial.frame == frame.offset(by: Point(x: -60 * sign, y: 0)) && initial.alpha == 0.5)
      #expect((initial.rotationAngle - 0.25 * sign).magnitude < 1e-12)
      let final = try #require(layout.finalLayoutAttributes(forDisappearing: .item(4), at: frame))
      #expect(final.frame == frame.offset(by: Point(x: 60 * sign, y: 0)) && final.alpha == 0)
      #expect(layout.initialLayoutAttributes(forAppearing: .item(0), at: frame) == nil, "another section's item")
      #expect(layout.finalLayoutAttributes(forDisappearing: .item(11), at: frame) == nil, "no item")
    }
  }

  @Test("A handler changes the default attributes of items and views, or those of the section's layout")
  func transitionHandlers() {
    let frame = Rect(x: 0, y: 30, width: 60, height: 30)
    var section = rows
    section.initialLayoutAttributesHandler = { _, attributes, environment in
      attributes.frame.origin.y -= environment.containerSize.height
    }
    section.finalLayoutAttributesHandler = { element, attributes, _ in
      if case .element = element { attributes.alpha = 1 }
    }
    var rules = snapping { $0.initial = { TransitionAttributes(frame: $0, alpha: 0.5) } }
    rules.initialLayoutAttributesHandler = section.initialLayoutAttributesHandler
    let layout = solved([section, rules], counts: [3, 3])
    let moved = Rect(x: 0, y: -70, width: 60, height: 30)
    #expect(
      layout.initialLayoutAttributes(forAppearing: .item(1), at: frame)
        == TransitionAttributes(frame: moved, alpha: 0, transform: Transform(scaleX: 0.85, y: 0.85)))
    let header = VisibleItem.Name.element(ElementIdentity(kind: .supplementary("header"), section: 0))
    #expect(
      layout.initialLayoutAttributes(forAppearing: header, at: frame) == TransitionAttributes(frame: moved, alpha: 0))
    #expect(
      layout.finalLayoutAttributes(forDisappearing: header, at: frame) == TransitionAttributes(frame: frame, alpha: 1))
    #expect(
      layout.finalLayoutAttributes(forDisappearing: .item(1), at: frame) == TransitionAttributes(frame: frame, alpha: 0)
    )
    #expect(
      layout.initialLayoutAttributes(forAppearing: .item(4), at: frame)
        == TransitionAttributes(frame: Rect(x: 0, y: 10, width: 60, height: 20), alpha: 0.5))
    let global = VisibleItem.Name.element(ElementIdentity(kind: .supplementary("header"), section: nil))
    #expect(layout.initialLayoutAttributes(forAppearing: global, at: frame) == nil)
    section.initialLayoutAttributesHandler = nil
    section.finalLayoutAttributesHandler = nil
    #expect(section.handlers == nil, "a section without handlers stores nothing")
  }

  @Test("Invalid attributes are reported, and the default applies")
  func invalidAttributes() {
    let layout = solved(
      [
        snapping {
          $0.initial = { TransitionAttributes(frame: $0, alpha: .nan) }
          $0.final = { _ in TransitionAttributes(frame: Rect(x: 0, y: 0, width: -1, height: 5)) }
        }
      ], counts: [9])
    #expect(layout.initialLayoutAttributes(forAppearing: .item(3), at: .zero) == nil)
    #expect(layout.finalLayoutAttributes(forDisappearing: .item(3), at: .zero) == nil)
    let violations = layout.drainViolations()
    #expect(violations.count == 2 && violations.first.map(\.rule) == [.transition])
  }

  @Test("Translation and scaling change the frame about its center, and the rotation is separate")
  func transforms() {
    let frame = Rect(x: 100, y: 200, width: 40, height: 20)
    var attributes = TransitionAttributes(frame: frame, transform: Transform(scaleX: 0.5, y: 2))
    #expect(attributes.scaledFrame == Rect(x: 110, y: 190, width: 20, height: 40) && attributes.rotationAngle == 0)
    attributes.transform = Transform(translationX: 7, y: -3)
    #expect(attributes.scaledFrame == Rect(x: 107, y: 197, width: 40, height: 20))
    attributes.transform = Transform(scaleX: 0, y: 0)
    #expect(attributes.scaledFrame == Rect(x: 120, y: 210, width: 0, height: 0) && attributes.rotationAngle == 0)
    attributes.transform = Transform(scaleX: 2, y: 2).concatenating(Transform(rotationAngle: 1.5))
    #expect((attributes.rotationAngle - 1.5).magnitude < 1e-12)
    let (rect, expected) = (attributes.scaledFrame, Rect(x: 80, y: 190, width: 80, height: 40))
    #expect((rect.width - expected.width).magnitude < 1e-9 && (rect.minX - expected.minX).magnitude < 1e-9)
  }
}
