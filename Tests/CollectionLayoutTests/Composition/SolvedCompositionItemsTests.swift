import Testing
import VitrineGeometry
import VitrineTestSupport

@testable import VitrineCollectionLayout

@Suite("Queries for the items and views in a rectangle")
struct CompositionQueryTests {
  private func randomRect(_ random: inout SeededGenerator, in composition: SolvedComposition) -> PixelRect {
    let content = composition.environment.scale.pixelRect(Rect(origin: .zero, size: composition.contentSize))
    return PixelRect(
      x: .random(in: -50...(content.width + 20), using: &random),
      y: .random(in: -50...(content.height + 20), using: &random),
      width: .random(in: 0...(random.chance(oneIn: 2) ? 2_000 : 60), using: &random),
      height: .random(in: 0...(random.chance(oneIn: 2) ? 2_000 : 60), using: &random))
  }

  /// Returns a rectangle in points.
  private func points(_ rect: PixelRect, _ composition: SolvedComposition) -> Rect {
    // It is slightly smaller, because sums of edges have rounding errors.
    let scale = composition.environment.scale.pixelsPerPoint
    return Rect(
      x: (Double(rect.x) + 0.01) / scale, y: (Double(rect.y) + 0.01) / scale,
      width: (Double(rect.width) - 0.02) / scale,
      height: (Double(rect.height) - 0.02) / scale)
  }

  @Test("The first item, the last item and the runs of items equal those of a linear search")
  func likeBruteForce() {
    var random = SeededGenerator(seed: 421)
    for _ in 0..<500 {
      let composition = random.composition(groups: true)
      let frames = composition.visibleItemFrames
      for _ in 0..<8 {
        let rect = randomRect(&random, in: composition)
        let hit = frames.indices.filter { !frames[$0].intersection(rect).isEmpty }
        let query = points(rect, composition)
        #expect(composition.firstItem(in: query) == hit.first)
        #expect(composition.lastItem(in: query) == hit.last)
        var runs: [Range<Int>] = []
        composition.visitItems(in: query) { runs.append($0) }
        #expect(zip(runs, runs.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound })
        #expect(hit.allSatisfy { item in runs.contains { $0.contains(item) } })
        #expect(runs.allSatisfy { run in hit.contains(run.lowerBound) && hit.contains(run.upperBound - 1) })
      }
    }
  }

  @Test("Items do not overlap and are inside the content")
  func noOverlap() {
    var random = SeededGenerator(seed: 422)
    for _ in 0..<300 {
      // In a container that is narrower than its number of columns, each item is still one pixel wide.
      let composition = random.composition(minimumLength: 250)
      guard composition.sections.allSatisfy({ $0.container.pixelLength(composition.scrollAxis.cross) > 20 }) else {
        continue
      }
      let content = composition.environment.scale.pixelRect(Rect(origin: .zero, size: composition.contentSize))
      let frames = composition.visibleItemFrames.filter { !$0.isEmpty }
      for (index, frame) in frames.enumerated() {
        #expect(frame.y >= 0 && (composition.scrollAxis == .horizontal || frame.maxY <= content.maxY))
        #expect(frame.x >= 0 && (composition.scrollAxis == .vertical || frame.maxX <= content.maxX))
        for other in frames[..<index] { #expect(frame.intersection(other).isEmpty) }
      }
    }
  }

  @Test("The elements in a rectangle are sorted, unique and complete")
  func elements() {
    var random = SeededGenerator(seed: 423)
    for _ in 0..<400 {
      let composition = random.composition()
      var viewport = composition.visibleRect(
        at: .random(in: -10...max(1, composition.maximumOffset + 10), using: &random))
      if random.chance(oneIn: 3) {
        viewport = Rect(x: -1e6, y: -1e6, width: 3e6, height: 3e6)
      }
      var list: [ElementAttributes] = []
      composition.appendElements(in: viewport, to: &list)
      #expect(zip(list, list.dropFirst()).allSatisfy { $0.zIndex <= $1.zIndex })
      #expect(Set(list.map(\.identity)).count == list.count)
      for element in list {
        #expect(element.frame.intersects(viewport) && !element.frame.isEmpty)
        #expect(composition.attributes(of: element.identity, in: viewport) == element)
      }
      // Elements that are not in the list are outside the rectangle.
      for section in 0..<composition.itemCounts.numberOfSections {
        for kind in ["H", "F", "S"].map(ElementKind.supplementary) + [.decoration("-")] {
          let name = ElementIdentity(kind: kind, section: section)
          guard let element = composition.attributes(of: name, in: viewport), !list.contains(element) else { continue }
          #expect(!element.frame.intersects(viewport))
        }
      }
    }
  }

  @Test("Thousands of mostly empty sections are queried correctly")
  func manySections() {
    var section = CollectionLayoutSection.grid(columns: .count(2), heightRatio: 0.5)
    section.boundarySupplementaryItems = [.across("H", .top, 5, pins: true)]
    let counts = (0..<3_000).map { $0 % 100 == 50 ? 4 : 0 }
    let solved = CompositionalLayout(section: section, configuration: .init(interSectionSpacing: 1))
      .solved(in: LayoutEnvironment(containerSize: Size(width: 20, height: 40)), for: ItemCounts(counts))
    // Each section has a header and a spacing; every hundredth section has two rows.
    #expect(solved.contentSize.height == 3_000 * 6 + 30 * 10 - 1)
    #expect(solved.frame(ofItem: 4) == Rect(x: 0, y: 150 * 6 + 10 + 5, width: 10, height: 5))
    #expect(solved.firstItem(in: Rect(x: 0, y: 400, width: 20, height: 1e9)) == 4)
    #expect(solved.lastItem(in: Rect(x: 0, y: -1e9, width: 20, height: 1e9 + 400)) == 3)
    #expect(solved.firstItem(in: Rect(x: 0, y: 400, width: 20, height: 300)) == nil)
  }

  @Test("Layouts without sections and invalid rectangles return no items")
  func emptyResults() {
    var random = SeededGenerator(seed: 424)
    for axis in [Axis.vertical, .horizontal] {
      let empty = CompositionalLayout(
        section: .grid(columns: .count(2)), configuration: .init(scrollDirection: axis)
      ).solved(in: LayoutEnvironment(containerSize: Size(width: 20, height: 20)), for: ItemCounts([]))
      #expect(empty.contentSize[axis] == 0 && empty.areFramesFinal)
      #expect(empty.firstItem(in: Rect(x: -9, y: -9, width: 99, height: 99)) == nil)
      #expect(empty.drawing().allSatisfy { $0 == "." || $0 == "\n" })
    }
    for _ in 0..<60 {
      let composition = random.composition()
      for bad in EdgeCaseNumbers.doubles {
        for rect in [
          Rect(x: bad, y: 0, width: 10, height: 10), Rect(x: 0, y: bad, width: bad, height: 10),
          Rect(x: 0, y: 0, width: 10, height: bad),
        ] {
          let first = composition.firstItem(in: rect)
          #expect(first == nil || (0..<composition.itemCounts.total).contains(first ?? -1))
          #expect(rect.isEmpty || rect.minX.isNaN ? composition.lastItem(in: rect) == nil : true)
          var list: [ElementAttributes] = []
          composition.appendElements(in: rect, to: &list)
          #expect(list.allSatisfy { $0.frame.minX.isFinite && $0.frame.minY.isFinite })
          _ = composition.orthogonalSection(at: rect.origin)
        }
      }
    }
  }
}

// MARK: - Sections of mixed kinds

@Suite("Sections of all kinds in one layout")
struct MixedSectionTests {
  /// Performs a random change: settling, refining, measuring, resizing, updating or scrolling orthogonal sections.
  private func performRandomChange(_ composition: inout SolvedComposition, _ random: inout SeededGenerator) {
    let counts = composition.itemCounts
    let offset = Double.random(in: 0...composition.maximumOffset, using: &random)
    switch Int.random(in: 0..<6, using: &random) {
    case 0:
      _ = composition.finalizeFrames(in: composition.visibleRect(at: offset))
      let hasMoved = composition.finalizeFrames(in: composition.visibleRect(at: offset))
      // If content starts at the right, the rectangle shows another part after the length changed.
      #expect(!hasMoved || composition.beginsAtEnd)
    case 1: _ = composition.finalizeFrames(itemBudget: .random(in: 0...300, using: &random))
    case 2:
      for item in 0..<counts.total where random.chance(oneIn: 3) {
        let size = Size(width: random.number(0...150), height: random.chance(oneIn: 9) ? .nan : random.number(0...150))
        _ = composition.setPreferredSize(size, ofItem: item)
      }
    case 3: composition.invalidate(.environment(random.environment(minimumLength: random.chance(oneIn: 5) ? 0 : 20)))
    case 4:
      var after = (0..<counts.numberOfSections).map { counts.items(inSection: $0).count }
      let edits = after.indices.map { section in
        var edits = random.edits(of: after[section], atMost: 9)
        edits.section = section
        after[section] += edits.countDelta
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

  @Test("After any change, the items and views in a rectangle equal those of a linear search")
  func likeBruteForce() {
    var random = SeededGenerator(seed: 481)
    for _ in 0..<100 {
      let counts = random.counts(Int.random(in: 1...4, using: &random)).map { random.chance(oneIn: 5) ? $0 * 20 : $0 }
      let sections = counts.map { _ in random.sectionOfAnyKind() }
      var composition = CompositionalLayout(
        configuration: .init(
          scrollDirection: random.pick(.vertical, .horizontal), interSectionSpacing: random.smallLength())
      ) { section, _ in sections[section] }
      .solved(in: random.environment(), for: ItemCounts(counts))
      for _ in 0..<6 {
        performRandomChange(&composition, &random)
        let rect = rect(&random, in: composition)
        // It is slightly smaller, because sums of edges have rounding errors.
        let scale = composition.environment.scale.pixelsPerPoint
        let query = Rect(
          x: (Double(rect.x) + 0.01) / scale, y: (Double(rect.y) + 0.01) / scale,
          width: (Double(rect.width) - 0.02) / scale, height: (Double(rect.height) - 0.02) / scale)
        let frames = composition.visibleItemFrames
        let hits = frames.indices.filter { !frames[$0].intersection(rect).isEmpty }
        #expect(composition.firstItem(in: query) == hits.first)
        #expect(composition.lastItem(in: query) == hits.last)
        #expect((0..<frames.count).allSatisfy { !composition.frame(ofItem: $0).isEmpty })
        expectElements(in: query, of: composition)
      }
    }
  }

  /// Expects that the views in a rectangle are all views of the content that intersect it.
  private func expectElements(in query: Rect, of composition: SolvedComposition) {
    var list: [ElementAttributes] = []
    composition.appendElements(in: query, to: &list)
    let names = Set(list.map(\.identity))
    #expect(names.count == list.count)
    #expect(list.allSatisfy { composition.attributes(of: $0.identity, in: query) == $0 })
    for section in 0..<composition.itemCounts.numberOfSections {
      let strip = composition.orthogonalSection(section)?.frame
      let window = strip.map { query.intersection($0) } ?? query
      guard !window.isEmpty else { continue }
      for item in 0..<composition.itemCounts.items(inSection: section).count {
        for kind in [.supplementary("B0"), .supplementary("B1"), ElementKind.decoration("list.separator")] {
          let name = ElementIdentity(kind: kind, section: section, item: item)
          guard let view = composition.attributes(of: name, in: query), view.frame.intersects(window) else { continue }
          #expect(names.contains(name))
        }
      }
    }
  }
}

// MARK: - Helpers

extension SeededGenerator {
  /// Returns a section of any kind that a client can create, which may scroll orthogonally.
  fileprivate mutating func sectionOfAnyKind() -> CollectionLayoutSection {
    let seed = Int.random(in: 0...99, using: &self)
    var section: CollectionLayoutSection
    switch Int.random(in: 0..<6, using: &self) {
    case 0, 1: section = CollectionLayoutSection(group: groupWithBadges())
    case 2: section = .mosaic(spacing: smallLength(6), minimumUnitWidth: number(5...90), heightRatio: number(0.3...2))
    case 3:
      section = .justified(targetRowHeight: number(1...80), spacing: smallLength(5), lineSpacing: smallLength(5)) {
        item in
        [0.1, 0.66, 1, 1.5, 1.5, 1.77, 3, 9, .nan, -1][(item &* 7_919 &+ seed) % 10]
      }
    case 4:
      var configuration = CollectionLayoutListConfiguration(appearance: pick(.plain, .grouped, .insetGrouped, .sidebar))
      configuration.rowHeight = chance(oneIn: 2) ? nil : dimension(estimates: true)
      configuration.headerMode = pick(.none, .supplementary, .firstItemInSection)
      section = .list(using: configuration, layoutEnvironment: environment())
    default: section = self.section(estimates: true)
    }
    if chance(oneIn: 3) {
      section.orthogonalScrollingBehavior = pick(
        .continuous, .continuousGroupLeadingBoundary, .paging, .groupPaging, .groupPagingCentered)
    }
    return section
  }

  /// Returns a group of estimated items with supplementary views at a distance, and one view of the group.
  private mutating func groupWithBadges() -> CollectionLayoutGroup {
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

extension SolvedComposition {
  /// The frames of all items in pixels, clipped to their orthogonal sections.
  var visibleItemFrames: [PixelRect] {
    let scale = environment.scale
    return (0..<itemCounts.total).map { item in
      let frame = scale.pixelRect(frame(ofItem: item))
      guard let section = itemCounts.position(of: item)?.section, let strip = orthogonalSection(section) else {
        return frame
      }
      return frame.intersection(scale.pixelRect(strip.frame))
    }
  }
}
