import Testing
import VitrineGeometry
import VitrineTestSupport

@testable import VitrineCollectionLayout

@Suite("Mosaics of large and small items without gaps")
struct MosaicGridTests {

  private func body(_ count: Int, width: Double, flow: Axis = .vertical) -> any SectionBody {
    let section = CollectionLayoutSection.mosaic(spacing: 1, minimumUnitWidth: 5, heightRatio: 0.4)
    return section.content.body(of: count, in: .plain(width, 7, flow: flow, spacing: section.interGroupSpacing))
  }

  private func drawing(_ count: Int, width: Int) -> String {
    let body = body(count, width: Double(width))
    return layoutDrawing(body, width, body.length)
  }

  @Test("With one column all items are equal; with two the large item fills the width")
  func oneOrTwoColumns() {
    #expect(
      drawing(2, width: 6) == """
        AAAAAA
        AAAAAA
        ......
        BBBBBB
        BBBBBB
        """)
    #expect(
      drawing(4, width: 11) == """
        AAAAAAAAAAA
        AAAAAAAAAAA
        AAAAAAAAAAA
        AAAAAAAAAAA
        AAAAAAAAAAA
        ...........
        BBBBB.CCCCC
        BBBBB.CCCCC
        ...........
        DDDDDDDDDDD
        DDDDDDDDDDD
        DDDDDDDDDDD
        DDDDDDDDDDD
        DDDDDDDDDDD
        """)
  }

  @Test("With three columns the large item has two of them, at the left and the right in turns, with rows between")
  func threeColumns() {
    #expect(
      drawing(14, width: 17) == """
        AAAAAAAAAAA.BBBBB
        AAAAAAAAAAA.BBBBB
        AAAAAAAAAAA......
        AAAAAAAAAAA.CCCCC
        AAAAAAAAAAA.CCCCC
        .................
        DDDDD.EEEEE.FFFFF
        DDDDD.EEEEE.FFFFF
        .................
        GGGGG.IIIIIIIIIII
        GGGGG.IIIIIIIIIII
        ......IIIIIIIIIII
        HHHHH.IIIIIIIIIII
        HHHHH.IIIIIIIIIII
        .................
        JJJJJ.KKKKK.LLLLL
        JJJJJ.KKKKK.LLLLL
        .................
        MMMMM.NNNNN......
        MMMMM.NNNNN......
        """)
  }

  @Test("With four or more columns wide items are next to the large item, which has up to three columns")
  func fourOrMoreColumns() {
    #expect(
      drawing(12, width: 23) == """
        AAAAAAAAAAA.BBBBBBBBBBB
        AAAAAAAAAAA.BBBBBBBBBBB
        AAAAAAAAAAA............
        AAAAAAAAAAA.CCCCC.DDDDD
        AAAAAAAAAAA.CCCCC.DDDDD
        .......................
        EEEEE.FFFFF.GGGGG.HHHHH
        EEEEE.FFFFF.GGGGG.HHHHH
        .......................
        IIIII.JJJJJ.LLLLLLLLLLL
        IIIII.JJJJJ.LLLLLLLLLLL
        ............LLLLLLLLLLL
        KKKKKKKKKKK.LLLLLLLLLLL
        KKKKKKKKKKK.LLLLLLLLLLL
        """)
    #expect(
      drawing(9, width: 47) == """
        AAAAAAAAAAAAAAAAA.BBBBBBBBBBB.EEEEE.GGGGGGGGGGG
        AAAAAAAAAAAAAAAAA.BBBBBBBBBBB.EEEEE.GGGGGGGGGGG
        AAAAAAAAAAAAAAAAA...................GGGGGGGGGGG
        AAAAAAAAAAAAAAAAA.CCCCC.DDDDD.FFFFF.GGGGGGGGGGG
        AAAAAAAAAAAAAAAAA.CCCCC.DDDDD.FFFFF.GGGGGGGGGGG
        ...............................................
        HHHHH.IIIII....................................
        HHHHH.IIIII....................................
        """)
  }

  @Test("Items that do not fill a band are in rows from the left")
  func partialBand() {
    #expect(
      drawing(7, width: 29) == """
        AAAAAAAAAAAAAAAAA.BBBBBBBBBBB
        AAAAAAAAAAAAAAAAA.BBBBBBBBBBB
        AAAAAAAAAAAAAAAAA............
        AAAAAAAAAAAAAAAAA.CCCCC.DDDDD
        AAAAAAAAAAAAAAAAA.CCCCC.DDDDD
        .............................
        EEEEE.FFFFF.GGGGG............
        EEEEE.FFFFF.GGGGG............
        """)
    #expect(
      drawing(3, width: 29) == """
        AAAAA.BBBBB.CCCCC............
        AAAAA.BBBBB.CCCCC............
        """)
  }

  @Test("With a horizontal flow axis the mosaic is transposed")
  func horizontal() {
    let section = CollectionLayoutSection.mosaic(spacing: 1, minimumUnitWidth: 4, heightRatio: 0.5)
    let body = section.content.body(of: 8, in: .plain(99, 8, flow: .horizontal, spacing: 1))
    #expect(
      layoutDrawing(body, body.length, 8) == """
        AAAAAAAAA.DDDD.GGGG
        AAAAAAAAA.DDDD.GGGG
        AAAAAAAAA..........
        AAAAAAAAA.EEEE.HHHH
        AAAAAAAAA.EEEE.HHHH
        ...................
        BBBB.CCCC.FFFF.....
        BBBB.CCCC.FFFF.....
        """)
  }

  @Test(
    "All gaps are equal in whole pixels and all rows are filled, at any width and scale",
    arguments: [1, 1.25, 1.5, 2])
  func equalGaps(scale: Double) {
    var random = SeededGenerator(seed: 11)
    for _ in 0..<250 {
      let spacing = random.number(0...12)
      let content = MosaicContent(
        spacing: spacing, minimumUnit: random.number(60...200), ratio: random.number(0.6...1.4))
      let flow = random.chance(oneIn: 4) ? Axis.horizontal : .vertical
      let container = SectionContainer.plain(random.number(50...1_900), 700, flow: flow, scale: scale, spacing: spacing)
      let template = GroupSolver.solve(MosaicGrid(content, in: container).group, in: container)
      let gap = container.pixels(spacing)
      // Each item and the gap after it form a tile. If the tiles leave no space, all gaps are equal.
      let tiles = template.slots.map { slot in
        PixelFrame(
          minX: slot.frame.minX, minY: slot.frame.minY, maxX: slot.frame.maxX + gap, maxY: slot.frame.maxY + gap)
      }
      #expect(template.length(flow.cross) == container.pixelLength(flow.cross))
      #expect(
        tiles.reduce(0) { $0 + $1.width * $1.height } == (template.width + gap) * (template.height + gap))
      let overlaps = tiles.indices.contains { one in tiles[..<one].contains { $0.intersects(tiles[one]) } }
      #expect(!overlaps)
      #expect(template.slots.allSatisfy { $0.frame.maxX <= template.width && $0.frame.maxY <= template.height })
      let heights = Set(template.slots.map { $0.frame.length(flow) })
      #expect(heights.count <= 2)
    }
  }

  @Test("Only the last row can have a gap, whatever the number of items")
  func noHoles() {
    for width in [60.0, 130, 333, 700, 1_283] {
      let section = CollectionLayoutSection.mosaic(spacing: 3, minimumUnitWidth: 60)
      let container = SectionContainer.plain(width, 700, spacing: 3)
      for count in 1...60 {
        let body = section.content.body(of: count, in: container)
        let frames = (0..<count).map { body.frame(ofItem: $0) }
        let last = frames.map(\.minY).max() ?? 0
        let tiles = frames.map { min($0.maxY + 3, last) - $0.minY }
        // Up to the start of the last row the tiles cover the width.
        let area = zip(frames, tiles).reduce(0) { $0 + ($1.0.width + 3) * max(0, $1.1) }
        #expect(area == (Int(width) + 3) * last)
        #expect(body.length == frames.map(\.maxY).max())
      }
    }
  }

  @Test("Extreme containers and rules do not trap")
  func extremeValues() {
    var random = SeededGenerator(seed: 12)
    func number() -> Double { EdgeCaseNumbers.doubles.randomElement(using: &random) ?? 0 }
    for _ in 0..<1_000 {
      let section = CollectionLayoutSection.mosaic(
        spacing: abs(number()).isFinite ? 3 : 1e300, minimumUnitWidth: max(1e-300, min(1e300, abs(number()))),
        heightRatio: max(1e-300, min(1e300, abs(number()))))
      let container = SectionContainer(
        size: Size(width: number(), height: number()), flow: random.chance(oneIn: 2) ? .horizontal : .vertical,
        scale: DisplayScale(pixelsPerPoint: random.number(0.01...100)), interGroupSpacing: section.interGroupSpacing)
      let body = section.content.body(of: 500, in: container)
      for item in stride(from: 0, to: 500, by: 7) {
        let frame = body.frame(ofItem: item)
        #expect(!frame.isEmpty && body.firstItem(in: frame).map { $0 <= item } ?? false)
      }
    }
  }
}
