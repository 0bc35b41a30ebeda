import CollectionLayout
import Geometry
import TestSupport
import Testing

@Suite("From right to left everything is the mirror image")
struct RightToLeftTests {
  private func section() -> CollectionLayoutSection {
    var section = CollectionLayoutSection.grid(columns: .count(2), heightRatio: 0.5)
    section.boundarySupplementaryItems = [
      .view("H", .topLeading, .absolute(3), .absolute(1)), .view("S", .leading, .absolute(1), .absolute(1)),
    ]
    section.contentInsets = DirectionalInsets(trailing: 1)
    return section
  }

  private func environment(_ width: Double, _ height: Double, _ direction: LayoutDirection) -> LayoutEnvironment {
    LayoutEnvironment(containerSize: Size(width: width, height: height), layoutDirection: direction)
  }

  @Test("Scrolling down")
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
    #expect(layout.solved(in: environment(10, 5, .leftToRight), for: counts).drawn() == left)
    #expect(layout.solved(in: environment(10, 5, .rightToLeft), for: counts).drawn() == right)
  }

  @Test("Scrolling to the side: the content begins at its right end")
  func horizontal() {
    var section = CollectionLayoutSection.grid(columns: .count(2), heightRatio: 0.5)
    section.boundarySupplementaryItems = [.view("H", .leading, .absolute(2), .fractionalHeight(1), pins: true)]
    let layout = CompositionalLayout(section: section, configuration: .init(scrollDirection: .horizontal))
    let solved = layout.solved(in: environment(8, 4, .rightToLeft), for: ItemCounts([5]))
    #expect(solved.contentSize == Size(width: 14, height: 4))
    #expect(solved.maximumOffset == 6)
    #expect(solved.drawn(at: 6) == "ccaaaaHH\nccaaaaHH\nddbbbbHH\nddbbbbHH")
    #expect(solved.drawn(at: 3) == "eccccaHH\neccccaHH\n.ddddbHH\n.ddddbHH")
    #expect(solved.drawn(at: 0) == "eeeeccHH\neeeeccHH\n....ddHH\n....ddHH")
    // Less than a viewport stands at the right as well.
    let few = layout.solved(in: environment(8, 4, .rightToLeft), for: ItemCounts([1]))
    #expect(few.contentSize.width == 8)
    #expect(few.drawn() == "..aaaaHH\n..aaaaHH\n......HH\n......HH")
  }

  @Test("Every frame is mirrored about the middle, and rectangles find what lies in their mirror image")
  func mirrored() {
    var random = SeededGenerator(seed: 431)
    for _ in 0..<150 {
      var composition = random.composition(direction: .leftToRight)
      let from = composition.environment
      // What was pulled beyond its ends is there again.
      composition.invalidate(.environment(from))
      let environment = LayoutEnvironment(
        containerSize: from.containerSize,
        contentInsets: Insets(
          top: from.contentInsets.top, left: from.contentInsets.right, bottom: from.contentInsets.bottom,
          right: from.contentInsets.left), scale: from.scale, layoutDirection: .rightToLeft)
      var mirror = composition
      mirror.invalidate(.environment(environment))
      let scale = from.scale.pixelsPerPoint
      let seen = (from.containerSize.width * scale).rounded(.down)
      let width =
        composition.scrollAxis == .vertical ? seen : max(seen, (composition.contentSize.width * scale).rounded())
      for item in 0..<composition.itemCounts.total {
        let (a, b) = (composition.frame(ofItem: item), mirror.frame(ofItem: item))
        #expect((a.minX * scale + b.maxX * scale - width).magnitude < 1e-6)
        #expect(a.minY == b.minY && a.height == b.height)
        // In the middle of an item there are no rounding errors.
        let point = Rect(x: b.midX, y: b.midY, width: 0.001, height: 0.001)
        let image = Rect(x: width / scale - point.maxX, y: b.midY, width: 0.001, height: 0.001)
        #expect(mirror.firstItem(in: point) == composition.firstItem(in: image))
        #expect(mirror.lastItem(in: point) == composition.lastItem(in: image))
      }
    }
  }
}
