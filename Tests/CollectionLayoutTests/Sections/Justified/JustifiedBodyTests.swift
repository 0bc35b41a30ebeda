import Testing
import VitrineDataStructures
import VitrineGeometry
import VitrineTestSupport

@testable import VitrineCollectionLayout

@Suite("Justified rows")
struct JustifiedRowTests {
  @Test("Photos keep their aspect ratios within a pixel in rows that fill the container", arguments: 0..<40)
  func keepsRatios(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let gallery = JustifiedGallery(&random, of: .random(in: 0...1_500, using: &random))
    gallery.expectRows(gallery.body)
    let body = gallery.finalizedBody
    gallery.expectRows(body)
    gallery.expectRatios(body)
  }

  @Test("Extreme and invalid aspect ratios do not violate the bounds of rows", arguments: 0..<40)
  func boundsExtremeRatios(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let gallery = JustifiedGallery(&random, of: .random(in: 0...900, using: &random), extreme: true)
    let body = gallery.finalizedBody
    gallery.expectRows(body)
    gallery.expectRatios(body)
  }

  @Test("An invalid aspect ratio counts as 1", arguments: [0, -0.0, -2, .nan, .infinity, -.infinity])
  func replacesInvalidRatios(ratio: Double) {
    let square = JustifiedGallery(Array(repeating: 1, count: 40)).finalizedBody.frames
    #expect(JustifiedGallery(Array(repeating: ratio, count: 40)).finalizedBody.frames == square)
  }

  @Test("Zero, very narrow and very wide containers are laid out", arguments: 0..<30)
  func fitsAnyContainer(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var gallery = JustifiedGallery(&random, of: .random(in: 1...700, using: &random), extreme: true)
    gallery.width = [0, 0.4, 1, 2, 3, 9, 40, 30_000, 2e6].randomElement(using: &random) ?? 0
    gallery.height = gallery.width
    gallery.spacing = [0, 1, 50, 1e300].randomElement(using: &random) ?? 0
    gallery.target = [1e-300, 1, 4, 200, 1e300].randomElement(using: &random) ?? 1
    gallery.caption = [0, 20, 1e300].randomElement(using: &random) ?? 0
    gallery.expectRows(gallery.body)
    gallery.expectRows(gallery.finalizedBody)
  }

  @Test("Only the last row of a section is short, independent of segments")
  func hidesSegments() {
    let gallery = JustifiedGallery(Array(repeating: 1.5, count: 3_000))
    let body = gallery.finalizedBody
    #expect(body.segments.leafCount > 10)
    let lengths = body.rows.map { $0[0].height }
    #expect(Set(lengths.dropLast()).count <= 3)
    #expect(lengths.allSatisfy { abs($0 - 120) < 20 })
    #expect(lengths.last == 120)
  }

  @Test("A last row that is full at the target height or below fills the width")
  func fillsFullLastRow() {
    var gallery = JustifiedGallery(Array(repeating: 1, count: 10))
    gallery.target = 100
    #expect(gallery.finalizedBody.rows.map(\.count) == [10])
    gallery.ratios.removeLast()
    #expect(gallery.finalizedBody.frames[8] == PixelFrame(minX: 800, minY: 0, maxX: 900, maxY: 100))
  }

  @Test("An empty section has no length and no rows")
  func isEmpty() {
    var body = JustifiedGallery([]).body
    #expect(body.itemCount == 0 && body.length == 0 && body.areFramesFinal)
    let everywhere = PixelFrame(minX: -1_000, minY: -1_000, maxX: 1_000, maxY: 1_000)
    #expect(body.firstItem(in: everywhere) == nil && body.lastItem(in: everywhere) == nil)
    #expect(body.groupStarts(around: 0) == nil)
    let moved = body.finalizeFrames(in: 0..<1_000)
    let finalized = body.finalizeFrames(itemBudget: 1_000)
    #expect(!moved && !finalized)
  }

  @Test("Invalid rules stop the program")
  func trapsMisuse() async {
    await #expect(processExitsWith: .failure) {
      _ = CollectionLayoutSection.justified(targetRowHeight: 0, spacing: 0, lineSpacing: 0) { _ in 1 }
    }
    await #expect(processExitsWith: .failure) {
      _ = CollectionLayoutSection.justified(targetRowHeight: 100, spacing: .nan, lineSpacing: 0) { _ in 1 }
    }
    await #expect(processExitsWith: .failure) {
      _ = CollectionLayoutSection.justified(targetRowHeight: 100, spacing: 0, lineSpacing: -1) { _ in 1 }
    }
  }

  @Test("A section forwards its rules to the layout")
  func makesSection() {
    let section = CollectionLayoutSection.justified(targetRowHeight: 120, spacing: 3, lineSpacing: 5, captionHeight: 8)
    {
      Double($0 % 3) + 0.5
    }
    #expect(section.interGroupSpacing == 5)
    var gallery = JustifiedGallery((0..<500).map { Double($0 % 3) + 0.5 })
    (gallery.spacing, gallery.lineSpacing, gallery.caption) = (3, 5, 8)
    var body = section.content.body(of: 500, in: gallery.container)
    while !body.areFramesFinal { _ = body.finalizeFrames(itemBudget: 100) }
    #expect((0..<500).map { body.frame(ofItem: $0) } == gallery.finalizedBody.frames)
  }

  @Test("Stored ratios have a relative error of less than 1/8000")
  func storesRatios() {
    var random = SeededGenerator(seed: 1)
    for _ in 0..<10_000 {
      let number = Double.random(in: 1 / 256...255, using: &random)
      #expect(abs(JustifiedRatio(number).value / number - 1) < 0.000_125)
    }
    #expect(JustifiedRatio(1).value == 1)
    #expect(JustifiedRatio(1e300).value == 255)
    #expect(JustifiedRatio(0).value == 0x1p-8)
  }
}

// MARK: - Drawings

@Suite("Text drawings of justified rows")
struct JustifiedDrawingTests {
  private func gallery(_ ratios: [Double], width: Double = 24) -> JustifiedGallery {
    var gallery = JustifiedGallery(ratios)
    gallery.width = width
    gallery.target = 4
    return gallery
  }

  private func rowDrawing(_ gallery: JustifiedGallery, finalized: Bool = true) -> String {
    let body = finalized ? gallery.finalizedBody : gallery.body
    return gallery.flow == .vertical
      ? drawing(of: body.frames, width: Int(gallery.width), height: body.length)
      : drawing(of: body.frames, width: body.length, height: Int(gallery.height))
  }

  @Test("Rows fill the width at about the target height of 4, and the last row is left aligned")
  func fillsRows() {
    #expect(
      rowDrawing(gallery([1.5, 1, 2, 1.5, 1.5, 0.75, 3, 1, 1, 1])) == """
        AAAAAABBBBCCCCCCCCDDDDDD
        AAAAAABBBBCCCCCCCCDDDDDD
        AAAAAABBBBCCCCCCCCDDDDDD
        AAAAAABBBBCCCCCCCCDDDDDD
        EEEEEEFFFGGGGGGGGGGGHHHH
        EEEEEEFFFGGGGGGGGGGGHHHH
        EEEEEEFFFGGGGGGGGGGGHHHH
        EEEEEEFFFGGGGGGGGGGGHHHH
        IIIIJJJJ................
        IIIIJJJJ................
        IIIIJJJJ................
        IIIIJJJJ................
        """)
  }

  @Test("Items and rows have exact spacing")
  func keepsGaps() {
    var gallery = gallery([1.5, 1, 2, 1.5, 1.5, 0.75, 3, 1, 1, 1])
    gallery.spacing = 2
    gallery.lineSpacing = 1
    #expect(
      rowDrawing(gallery) == """
        AAAAA..BBB..CCCCCC..DDDD
        AAAAA..BBB..CCCCCC..DDDD
        AAAAA..BBB..CCCCCC..DDDD
        ........................
        EEEEEE..FFF..GGGGGGGGGGG
        EEEEEE..FFF..GGGGGGGGGGG
        EEEEEE..FFF..GGGGGGGGGGG
        EEEEEE..FFF..GGGGGGGGGGG
        ........................
        HHHH..IIII..JJJJ........
        HHHH..IIII..JJJJ........
        HHHH..IIII..JJJJ........
        HHHH..IIII..JJJJ........
        """)
  }

  @Test("Captions are added to the heights of rows")
  func addsCaptions() {
    var gallery = gallery([1.5, 1, 2, 1.5, 1.5, 0.75])
    gallery.spacing = 1
    gallery.lineSpacing = 1
    gallery.caption = 2
    #expect(
      rowDrawing(gallery) == """
        AAAAA.BBBB.CCCCCCC.DDDDD
        AAAAA.BBBB.CCCCCCC.DDDDD
        AAAAA.BBBB.CCCCCCC.DDDDD
        AAAAA.BBBB.CCCCCCC.DDDDD
        AAAAA.BBBB.CCCCCCC.DDDDD
        AAAAA.BBBB.CCCCCCC.DDDDD
        ........................
        EEEEEE.FFF..............
        EEEEEE.FFF..............
        EEEEEE.FFF..............
        EEEEEE.FFF..............
        EEEEEE.FFF..............
        EEEEEE.FFF..............
        """)
  }

  @Test("With a horizontal flow axis, columns fill the height")
  func fillsColumns() {
    var gallery = gallery([1.5, 1, 0.5, 1.5, 0.75, 1, 0.75, 3, 1, 1, 1])
    gallery.flow = .horizontal
    gallery.target = 8
    gallery.height = 14
    #expect(
      rowDrawing(gallery) == """
        AAAAAAAACCCCCCCDDDDDDDFFFFFFHHHHHHKKKKKKKK
        AAAAAAAACCCCCCCDDDDDDDFFFFFFHHHHHHKKKKKKKK
        AAAAAAAACCCCCCCDDDDDDDFFFFFFIIIIIIKKKKKKKK
        AAAAAAAACCCCCCCDDDDDDDFFFFFFIIIIIIKKKKKKKK
        AAAAAAAACCCCCCCDDDDDDDFFFFFFIIIIIIKKKKKKKK
        AAAAAAAACCCCCCCEEEEEEEFFFFFFIIIIIIKKKKKKKK
        BBBBBBBBCCCCCCCEEEEEEEGGGGGGIIIIIIKKKKKKKK
        BBBBBBBBCCCCCCCEEEEEEEGGGGGGIIIIIIKKKKKKKK
        BBBBBBBBCCCCCCCEEEEEEEGGGGGGJJJJJJ........
        BBBBBBBBCCCCCCCEEEEEEEGGGGGGJJJJJJ........
        BBBBBBBBCCCCCCCEEEEEEEGGGGGGJJJJJJ........
        BBBBBBBBCCCCCCCEEEEEEEGGGGGGJJJJJJ........
        BBBBBBBBCCCCCCCEEEEEEEGGGGGGJJJJJJ........
        BBBBBBBBCCCCCCCEEEEEEEGGGGGGJJJJJJ........
        """)
  }

  @Test("Panoramas are clipped to half of the row height, and slivers to their visible part")
  func boundsPanoramas() {
    #expect(
      rowDrawing(gallery([1, 1, 40, 1.5, 1, 0.01, 1.5, 1, 1])) == """
        AABBCCCCCCCCCCCCCCCCCCCC
        AABBCCCCCCCCCCCCCCCCCCCC
        DDDDDDEEEEEFFGGGGGGGHHHH
        DDDDDDEEEEEFFGGGGGGGHHHH
        DDDDDDEEEEEFFGGGGGGGHHHH
        DDDDDDEEEEEFFGGGGGGGHHHH
        IIII....................
        IIII....................
        IIII....................
        IIII....................
        """)
  }

  @Test("A single item has the target height, unless it is wider than the container")
  func placesOne() {
    #expect(
      rowDrawing(gallery([1.5])) == """
        AAAAAA..................
        AAAAAA..................
        AAAAAA..................
        AAAAAA..................
        """)
    #expect(
      rowDrawing(gallery([20])) == """
        AAAAAAAAAAAAAAAAAAAAAAAA
        AAAAAAAAAAAAAAAAAAAAAAAA
        """)
  }

  @Test("In a narrow container each item has its own row")
  func fitsNarrowContainers() {
    #expect(rowDrawing(gallery([1, 1, 1], width: 3)) == "AAA\nAAA\nAAA\nBBB\nBBB\nBBB\nCCC\nCCC\nCCC")
  }

  @Test("Estimated rows have the target height and equal items")
  func estimates() {
    #expect(
      rowDrawing(gallery([1.5, 1, 2, 1.5, 1.5, 0.75, 3, 1, 1, 1]), finalized: false) == """
        AAAAAAAABBBBBBBBCCCCCCCC
        AAAAAAAABBBBBBBBCCCCCCCC
        AAAAAAAABBBBBBBBCCCCCCCC
        AAAAAAAABBBBBBBBCCCCCCCC
        DDDDDDDDEEEEEEEEFFFFFFFF
        DDDDDDDDEEEEEEEEFFFFFFFF
        DDDDDDDDEEEEEEEEFFFFFFFF
        DDDDDDDDEEEEEEEEFFFFFFFF
        GGGGGGHHHHHHIIIIIIJJJJJJ
        GGGGGGHHHHHHIIIIIIJJJJJJ
        GGGGGGHHHHHHIIIIIIJJJJJJ
        GGGGGGHHHHHHIIIIIIJJJJJJ
        """)
  }
}
