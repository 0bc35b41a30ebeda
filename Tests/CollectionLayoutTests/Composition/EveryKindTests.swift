import Geometry
import TestSupport
import Testing

@testable import CollectionLayout

@Suite("Sections of every kind beside each other")
struct EveryKindTests {
  /// Anything that may happen to a layout.
  private func change(_ composition: inout SolvedComposition, _ random: inout SeededGenerator) {
    let counts = composition.itemCounts
    let offset = Double.random(in: 0...composition.maximumOffset, using: &random)
    switch Int.random(in: 0..<6, using: &random) {
    case 0:
      _ = composition.settle(in: composition.visibleRect(at: offset))
      let hasMoved = composition.settle(in: composition.visibleRect(at: offset))
      // Where reading begins at the right, the rectangle is of another part once the length changed.
      #expect(!hasMoved || composition.beginsAtEnd)
    case 1: _ = composition.refine(atMost: .random(in: 0...300, using: &random))
    case 2:
      for item in 0..<counts.total where random.chance(oneIn: 3) {
        let size = Size(width: random.number(0...150), height: random.chance(oneIn: 9) ? .nan : random.number(0...150))
        _ = composition.setPreferredSize(size, ofItem: item)
      }
    case 3: composition.invalidate(.environment(random.environment(least: random.chance(oneIn: 5) ? 0 : 20)))
    case 4:
      var after = (0..<counts.numberOfSections).map { counts.items(inSection: $0).count }
      let edits = after.indices.map { section in
        var edits = random.edits(of: after[section], atMost: 9)
        edits.section = section
        after[section] += edits.growth
        return edits
      }
      composition.invalidate(.items(LayoutUpdate(counts: ItemCounts(after), edits: edits)))
    default:
      for section in 0..<counts.numberOfSections {
        composition.setOrthogonalOffset(random.number(-20...220), ofSection: section)
      }
    }
  }

  private func rect(_ random: inout SeededGenerator, in composition: SolvedComposition) -> PixelRect {
    let content = composition.environment.scale.pixelRect(Rect(origin: .zero, size: composition.contentSize))
    return PixelRect(
      x: .random(in: -50...(content.width + 20), using: &random),
      y: .random(in: -50...(content.height + 20), using: &random),
      width: .random(in: 1...(random.chance(oneIn: 2) ? 2_000 : 60), using: &random),
      height: .random(in: 1...(random.chance(oneIn: 2) ? 2_000 : 60), using: &random))
  }

  @Test("Through anything that may happen, rectangles find what looking at each item and at each view finds")
  func likeBruteForce() {
    var random = SeededGenerator(seed: 481)
    for _ in 0..<100 {
      let counts = random.counts(Int.random(in: 1...4, using: &random)).map { random.chance(oneIn: 5) ? $0 * 20 : $0 }
      let sections = counts.map { _ in random.sectionOfAnyKind() }
      var composition = CompositionalLayout(
        configuration: .init(scrollDirection: random.one(.vertical, .horizontal), interSectionSpacing: random.few())
      ) { section, _ in sections[section] }
      .solved(in: random.environment(), for: ItemCounts(counts))
      for _ in 0..<6 {
        change(&composition, &random)
        let rect = rect(&random, in: composition)
        // A little smaller: edges that are added up miss others by rounding errors.
        let scale = composition.environment.scale.pixelsPerPoint
        let asked = Rect(
          x: (Double(rect.x) + 0.01) / scale, y: (Double(rect.y) + 0.01) / scale,
          width: (Double(rect.width) - 0.02) / scale, height: (Double(rect.height) - 0.02) / scale)
        let frames = composition.seenItems
        let hits = frames.indices.filter { !frames[$0].intersection(rect).isEmpty }
        #expect(composition.firstItem(in: asked) == hits.first)
        #expect(composition.lastItem(in: asked) == hits.last)
        #expect((0..<frames.count).allSatisfy { !composition.frame(ofItem: $0).isEmpty })
        expectViews(in: asked, of: composition)
      }
    }
  }

  /// The views in a rectangle are those of all of the content that lie there.
  private func expectViews(in asked: Rect, of composition: SolvedComposition) {
    var list: [ElementAttributes] = []
    composition.appendElements(in: asked, to: &list)
    let names = Set(list.map(\.identity))
    #expect(names.count == list.count)
    #expect(list.allSatisfy { composition.attributes(of: $0.identity, in: asked) == $0 })
    for section in 0..<composition.itemCounts.numberOfSections {
      let strip = composition.orthogonalSection(section)?.frame
      let window = strip.map { asked.intersection($0) } ?? asked
      guard !window.isEmpty else { continue }
      for item in 0..<composition.itemCounts.items(inSection: section).count {
        for kind in [.supplementary("B0"), .supplementary("B1"), ElementKind.decoration("list.separator")] {
          let name = ElementIdentity(kind: kind, section: section, item: item)
          guard let view = composition.attributes(of: name, in: asked), view.frame.intersects(window) else { continue }
          #expect(names.contains(name))
        }
      }
    }
  }
}

extension SeededGenerator {
  /// A section of any kind that a client can make, scrolling across or not.
  fileprivate mutating func sectionOfAnyKind() -> CollectionLayoutSection {
    let seed = Int.random(in: 0...99, using: &self)
    var section: CollectionLayoutSection
    switch Int.random(in: 0..<6, using: &self) {
    case 0, 1: section = CollectionLayoutSection(group: badged())
    case 2: section = .mosaic(spacing: few(6), minimumUnitWidth: number(5...90), heightRatio: number(0.3...2))
    case 3:
      section = .justified(targetRowHeight: number(1...80), spacing: few(5), lineSpacing: few(5)) { item in
        [0.1, 0.66, 1, 1.5, 1.5, 1.77, 3, 9, .nan, -1][(item &* 7_919 &+ seed) % 10]
      }
    case 4:
      var configuration = CollectionLayoutListConfiguration(appearance: one(.plain, .grouped, .insetGrouped, .sidebar))
      configuration.rowHeight = chance(oneIn: 2) ? nil : dimension(estimates: true)
      configuration.headerMode = one(.none, .supplementary, .firstItemInSection)
      section = .list(using: configuration, layoutEnvironment: environment())
    default: section = self.section(guesses: true)
    }
    if chance(oneIn: 3) {
      section.orthogonalScrollingBehavior = one(
        .continuous, .continuousGroupLeadingBoundary, .paging, .groupPaging, .groupPagingCentered)
    }
    return section
  }

  /// Estimated items with views far from them, and one for all.
  private mutating func badged() -> CollectionLayoutGroup {
    func badge(_ kind: String) -> CollectionLayoutSupplementaryItem {
      CollectionLayoutSupplementaryItem(
        layoutSize: .init(width: dimension(estimates: false), height: dimension(estimates: false)), elementKind: kind,
        containerAnchor: CollectionLayoutAnchor(
          edges: .init(rawValue: .random(in: 0...15, using: &self)),
          fractionalOffset: Point(x: number(-1...1), y: number(-1...1))))
    }
    let items = (0..<Int.random(in: 1...3, using: &self)).map { _ in
      var item = CollectionLayoutItem(
        layoutSize: .init(width: dimension(estimates: true), height: dimension(estimates: true)),
        supplementaryItems: [badge("B0")])
      item.edgeSpacing = edgeSpacing()
      return item
    }
    let size = CollectionLayoutSize(width: dimension(estimates: true), height: dimension(estimates: true))
    var group =
      chance(oneIn: 2)
      ? CollectionLayoutGroup.horizontal(layoutSize: size, subitems: items)
      : .vertical(layoutSize: size, subitems: items)
    group.interItemSpacing = spacing()
    group.edgeSpacing = edgeSpacing()
    group.supplementaryItems = [badge("B1")]
    return group
  }
}
