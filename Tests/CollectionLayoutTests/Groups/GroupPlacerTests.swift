import Testing
import VitrineGeometry
import VitrineTestSupport

@testable import VitrineCollectionLayout

@Suite("Flexible spacing divides the remaining space")
struct FlexibleSpacingTests {

  private func list(
    _ spacing: CollectionLayoutSpacing?, _ edges: [CollectionLayoutEdgeSpacing?], height: Double = 1
  ) -> CollectionLayoutGroup {
    var group = CollectionLayoutGroup.horizontal(
      layoutSize: .high(height), subitems: edges.map { layoutItem(.absolute(3), .absolute(1), edges: $0) })
    group.interItemSpacing = spacing
    return group
  }

  @Test("Flexible gaps divide the space equally")
  func gaps() {
    #expect(layoutDrawing(list(.flexible(2), [nil]), 17, 9) == "AAA....BBB....CCC")
  }

  @Test("A flexible gap has a minimum length")
  func minimumGap() {
    #expect(layoutDrawing(list(.flexible(3), [nil]), 15, 9) == "AAA...BBB...CCC")
    #expect(layoutDrawing(list(.flexible(3), [nil]), 14, 9) == "AAA........BBB")
  }

  @Test("A remainder of pixels makes gaps differ by at most one pixel")
  func remainder() {
    #expect(layoutDrawing(list(.flexible(2), [nil]), 16, 9) == "AAA....BBB...CCC")
  }

  @Test("A single item stays at the start")
  func singleItem() {
    #expect(layoutDrawing(list(.flexible(9), [nil]), 12, 9) == "AAA.........")
  }

  @Test("Fixed gaps leave the space at the end")
  func fixed() {
    #expect(layoutDrawing(list(.fixed(2), [nil]), 12, 9) == "AAA..BBB....")
  }

  @Test("Flexible edge spacing divides the space, on both sides or only before each item")
  func edges() {
    let both = CollectionLayoutEdgeSpacing(leading: .flexible(0), trailing: .flexible(0))
    #expect(layoutDrawing(list(.fixed(4), [both]), 14, 9) == ".AAA......BBB.")
    #expect(layoutDrawing(list(.fixed(8), [both]), 9, 9) == "...AAA...")
    let leading = CollectionLayoutEdgeSpacing(leading: .flexible(1))
    #expect(layoutDrawing(list(.fixed(1), [leading]), 11, 9) == "..AAA...BBB")
  }

  @Test("Flexible gaps and edges divide the space equally, in addition to their minimum lengths")
  func gapsAndEdges() {
    let leading = CollectionLayoutEdgeSpacing(leading: .flexible(2))
    let trailing = CollectionLayoutEdgeSpacing(trailing: .flexible(0))
    #expect(layoutDrawing(list(.flexible(1), [leading, trailing]), 12, 9) == "...AAA..BBB.")
  }

  @Test("Edge spacing along the cross axis aligns an item")
  func crossAxis() {
    let down = CollectionLayoutEdgeSpacing(top: .flexible(0))
    let middle = CollectionLayoutEdgeSpacing(top: .flexible(0), bottom: .flexible(0))
    let fixed = CollectionLayoutEdgeSpacing(top: .fixed(1))
    #expect(
      layoutDrawing(list(nil, [nil, down, middle, fixed], height: 5), 12, 9) == """
        AAA.........
        .........DDD
        ......CCC...
        ............
        ...BBB......
        """)
  }

  @Test("The edge spacing of the outermost group positions it in the section")
  func outermost() {
    var group = CollectionLayoutGroup.horizontal(
      layoutSize: .init(width: .absolute(4), height: .absolute(1)),
      repeatingSubitem: layoutItem(.absolute(1), .absolute(1)),
      count: 2)
    group.edgeSpacing = .init(leading: .flexible(0), top: .fixed(1), trailing: .flexible(0), bottom: .fixed(1))
    let body = GroupContent(group: group).body(of: 4, in: .plain(10, 30))
    #expect(
      layoutDrawing(body, 10, body.length) == """
        ..........
        ...AABB...
        ..........
        ..........
        ...CCDD...
        ..........
        """)
    #expect(body.breadth == 10)
  }
}

// MARK: - Pixel alignment

@Suite("Items in groups are on whole pixels")
struct PixelAlignmentTests {
  private static let scales = [1, 1.25, 1.5, 2]

  /// Returns nested groups that fill their container without gaps.
  private func filling(_ random: inout SeededGenerator, depth: Int = 2) -> CollectionLayoutGroup {
    let isAcross = random.chance(oneIn: 2)
    let weights = (0..<Int.random(in: 1...6, using: &random)).map { _ in random.number(1...2) }
    let sum = weights.reduce(0, +)
    let subitems = weights.map { weight -> any CollectionLayoutSubitem in
      let share = weight / sum
      let size =
        isAcross
        ? CollectionLayoutSize(width: .fractionalWidth(share), height: .fractionalHeight(1))
        : CollectionLayoutSize(width: .fractionalWidth(1), height: .fractionalHeight(share))
      guard depth > 0, random.chance(oneIn: 2) else { return CollectionLayoutItem(layoutSize: size) }
      return group(size, of: filling(&random, depth: depth - 1))
    }
    return isAcross
      ? .horizontal(layoutSize: .full, subitems: subitems) : .vertical(layoutSize: .full, subitems: subitems)
  }

  private func group(_ size: CollectionLayoutSize, of subitem: CollectionLayoutGroup) -> CollectionLayoutGroup {
    .horizontal(layoutSize: size, subitems: [subitem])
  }

  @Test(
    "Each pixel of a group without gaps belongs to exactly one item", arguments: scales)
  func noGapNoOverlap(scale: Double) {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<40 {
      let container = SectionContainer.plain(random.number(1_500...3_000), random.number(1_500...3_000), scale: scale)
      let template = GroupSolver.solve(filling(&random), in: container)
      #expect(template.width == container.pixelLength(.horizontal))
      #expect(template.height == container.pixelLength(.vertical))
      // Disjoint frames inside the group whose areas add up to that of the group leave no gap.
      let frames = template.slots.map(\.frame)
      #expect(frames.reduce(0) { $0 + $1.width * $1.height } == template.width * template.height)
      #expect(frames.allSatisfy { $0.minX >= 0 && $0.maxX <= template.width })
      #expect(frames.allSatisfy { $0.minY >= 0 && $0.maxY <= template.height })
      let overlaps = frames.indices.contains { one in
        frames[..<one].contains { $0.intersects(frames[one]) }
      }
      #expect(!overlaps)
    }
  }

  @Test("Fixed gaps have the same number of pixels at any width", arguments: scales)
  func equalGaps(scale: Double) {
    var random = SeededGenerator(seed: 8)
    for _ in 0..<300 {
      let columns = Int.random(in: 2...9, using: &random)
      let spacing = random.number(0...12)
      var group = CollectionLayoutGroup.horizontal(
        layoutSize: .high(20), repeatingSubitem: layoutItem(.absolute(1), .fractionalHeight(1)), count: columns)
      group.interItemSpacing = .fixed(spacing)
      let container = SectionContainer.plain(random.number(200...1_900), 100, scale: scale)
      let frames = GroupSolver.solve(group, in: container).slots.map(\.frame)
      #expect(zip(frames, frames.dropFirst()).allSatisfy { $1.minX - $0.maxX == container.pixels(spacing) })
      let widths = frames.map(\.width)
      #expect((widths.max() ?? 0) - (widths.min() ?? 0) <= 1)
      #expect(frames.first?.minX == 0 && frames.last?.maxX == container.pixelLength(.horizontal))
    }
  }

  @Test("Groups repeat at whole pixels, so that the millionth is rounded like the first", arguments: scales)
  func pitch(scale: Double) {
    let group = CollectionLayoutGroup.horizontal(
      layoutSize: .init(width: .fractionalWidth(1), height: .absolute(33.3)),
      repeatingSubitem: layoutItem(.absolute(1), .fractionalHeight(0.7)), count: 3)
    let body = GroupContent(group: group).body(of: 3_000_003, in: .plain(100.7, 100, scale: scale, spacing: 0.9))
    let pitch = body.frame(ofItem: 3).minY
    for slot in 0..<3 {
      let first = body.frame(ofItem: slot)
      #expect(body.frame(ofItem: 3_000_000 + slot) == first.offset(x: 0, y: 1_000_000 * pitch))
    }
  }

  @Test("Half a pixel is rounded up in spite of rounding errors")
  func halves() {
    #expect(PixelEdge.nearest(0.5) == 1)
    #expect(PixelEdge.nearest(0.5 - 1e-9) == 1)
    #expect(PixelEdge.nearest(0.499) == 0)
    #expect(PixelEdge.nearest(-0.5) == 0)
    #expect(PixelEdge.nearest(-0.6) == -1)
    #expect(PixelEdge.nearest(1e12 + 0.25) == 1_000_000_000_000)
  }
}
