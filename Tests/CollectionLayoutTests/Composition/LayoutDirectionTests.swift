import Testing
import VitrineCollectionLayout
import VitrineGeometry
import VitrineTestSupport

@Suite("Right to left layout mirrors left to right layout")
struct RightToLeftTests {
  private func section() -> CollectionLayoutSection {
    var section = CollectionLayoutSection.grid(columns: .count(2), heightRatio: 0.5)
    section.boundarySupplementaryItems = [
      .view("H", .topLeading, .absolute(3), .absolute(1)), .view("S", .leading, .absolute(1), .absolute(1)),
    ]
    section.contentInsets = DirectionalEdgeInsets(trailing: 1)
    return section
  }

  private func environment(_ width: Double, _ height: Double, _ direction: LayoutDirection) -> LayoutEnvironment {
    LayoutEnvironment(containerSize: Size(width: width, height: height), layoutDirection: direction)
  }

  @Test("Vertical scrolling")
  func vertical() {
    let layout = CompositionalLayout(section: section())
    let counts = ItemCounts([3])
    let left = """
      HHH.......
      .aaaabbbb.
      Saaaabbbb.
      .cccc.....
      .cccc.....
      """
    let right = """
      .......HHH
      .bbbbaaaa.
      .bbbbaaaaS
      .....cccc.
      .....cccc.
      """
    #expect(layout.solved(in: environment(10, 5, .leftToRight), for: counts).drawing() == left)
    #expect(layout.solved(in: environment(10, 5, .rightToLeft), for: counts).drawing() == right)
  }

  @Test("With horizontal scrolling, the content starts at its right end")
  func horizontal() {
    var section = CollectionLayoutSection.grid(columns: .count(2), heightRatio: 0.5)
    section.boundarySupplementaryItems = [.view("H", .leading, .absolute(2), .fractionalHeight(1), pins: true)]
    let layout = CompositionalLayout(section: section, configuration: .init(scrollDirection: .horizontal))
    let solved = layout.solved(in: environment(8, 4, .rightToLeft), for: ItemCounts([5]))
    #expect(solved.contentSize == Size(width: 14, height: 4))
    #expect(solved.maximumOffset == 6)
    #expect(solved.drawing(at: 6) == "ccaaaaHH\nccaaaaHH\nddbbbbHH\nddbbbbHH")
    #expect(solved.drawing(at: 3) == "eccccaHH\neccccaHH\n.ddddbHH\n.ddddbHH")
    #expect(solved.drawing(at: 0) == "eeeeccHH\neeeeccHH\n....ddHH\n....ddHH")
    // Content that is shorter than the viewport is at the right, too.
    let short = layout.solved(in: environment(8, 4, .rightToLeft), for: ItemCounts([1]))
    #expect(short.contentSize.width == 8)
    #expect(short.drawing() == "..aaaaHH\n..aaaaHH\n......HH\n......HH")
  }

  @Test("All frames and query results are mirrored")
  func mirrored() {
    var random = SeededGenerator(seed: 431)
    for _ in 0..<150 {
      var composition = random.composition(direction: .leftToRight)
      let from = composition.environment
      // Invalidation removes the overscroll of orthogonal sections.
      composition.invalidate(.environment(from))
      let environment = LayoutEnvironment(
        containerSize: from.containerSize,
        contentInsets: Insets(
          top: from.contentInsets.top, left: from.contentInsets.right, bottom: from.contentInsets.bottom,
          right: from.contentInsets.left), scale: from.scale, layoutDirection: .rightToLeft)
      var mirror = composition
      mirror.invalidate(.environment(environment))
      let scale = from.scale.pixelsPerPoint
      let visibleWidth = (from.containerSize.width * scale).rounded(.down)
      let width =
        composition.scrollAxis == .vertical
        ? visibleWidth : max(visibleWidth, (composition.contentSize.width * scale).rounded())
      for item in 0..<composition.itemCounts.total {
        let (a, b) = (composition.frame(ofItem: item), mirror.frame(ofItem: item))
        #expect((a.minX * scale + b.maxX * scale - width).magnitude < 1e-6)
        #expect(a.minY == b.minY && a.height == b.height)
        // Rounding errors do not matter at the center of an item.
        let point = Rect(x: b.midX, y: b.midY, width: 0.001, height: 0.001)
        let image = Rect(x: width / scale - point.maxX, y: b.midY, width: 0.001, height: 0.001)
        #expect(mirror.firstItem(in: point) == composition.firstItem(in: image))
        #expect(mirror.lastItem(in: point) == composition.lastItem(in: image))
      }
    }
  }
}

// MARK: - Horizontal scrolling

@Suite("Horizontal scrolling from right to left")
struct RightToLeftScrollingTests {
  private func composition(_ direction: LayoutDirection, width: Double = 300, counts: [Int]) -> SolvedComposition {
    let layout = CompositionalLayout(
      section: .grid(columns: .count(3), columnSpacing: 5, rowSpacing: 10),
      configuration: .init(scrollDirection: .horizontal))
    return layout.solved(
      in: LayoutEnvironment(containerSize: Size(width: width, height: 310), layoutDirection: direction),
      for: ItemCounts(counts))
  }

  @Test("Keyboard focus navigation is the same as from left to right")
  func navigation() {
    var random = SeededGenerator(seed: 471)
    for _ in 0..<60 {
      let counts = random.counts(4)
      let left = composition(.leftToRight, counts: counts)
      let right = composition(.rightToLeft, counts: counts)
      for item in 0..<left.itemCounts.total {
        let page = Double.random(in: 1...700, using: &random).rounded()
        for move in [FocusHeading.up, .down, .next, .previous, .pageUp(page), .pageDown(page), .first, .last] {
          #expect(right.item(from: item, move) == left.item(from: item, move))
        }
      }
    }
  }

  @Test("The start of the content is the maximum offset")
  func start() {
    let composition = composition(.rightToLeft, counts: [90])
    #expect(composition.offset(of: .start) == composition.maximumOffset)
    #expect(composition.maximumOffset > 0)
    #expect(composition.anchor(at: composition.maximumOffset) == .start)
    #expect(composition.anchor(at: composition.maximumOffset + 50) == .start)
    #expect(composition.anchor(at: .nan) == .start)
    #expect(composition.anchor(at: 0) != .start)
  }

  @Test("An anchor refers to the first visible item at the right edge of the viewport")
  func anchors() {
    var random = SeededGenerator(seed: 472)
    let before = composition(.rightToLeft, counts: [900])
    for _ in 0..<300 {
      let offset = Double.random(in: 0..<before.maximumOffset, using: &random)
      let anchor = before.anchor(at: offset)
      #expect((before.offset(of: anchor) - offset).magnitude < 1e-9)
      guard case .item(let itemAnchor) = anchor else {
        Issue.record("the offset is not the beginning")
        return
      }
      #expect(before.firstItem(in: before.visibleRect(at: offset)) == itemAnchor.item)
      // The distance of the item to the right edge is the same at another width.
      let after = composition(.rightToLeft, width: .random(in: 200...500, using: &random), counts: [900])
      let moved = after.offset(of: anchor)
      guard moved > 0, moved < after.maximumOffset else { continue }
      let distances = (
        before.frame(ofItem: itemAnchor.item).maxX - offset - 300,
        after.frame(ofItem: itemAnchor.item).maxX - moved - after.viewportLength
      )
      #expect((distances.0 - distances.1).magnitude < 1e-9)
    }
  }
}
