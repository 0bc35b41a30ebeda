import DataStructures
import Geometry
import TestSupport
import Testing

@testable import CollectionLayout

@Suite("Justified rows")
struct JustifiedRowTests {
  @Test("photographs keep their ratios within a pixel in rows that fill the room", arguments: 0..<40)
  func keepsRatios(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let gallery = JustifiedGallery(&random, of: .random(in: 0...1_500, using: &random))
    gallery.expectRows(gallery.body)
    let body = gallery.settledBody
    gallery.expectRows(body)
    gallery.expectRatios(body)
  }

  @Test("panoramas, slivers and numbers that are no ratios change none of the bounds", arguments: 0..<40)
  func boundsWildRatios(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let gallery = JustifiedGallery(&random, of: .random(in: 0...900, using: &random), wild: true)
    let body = gallery.settledBody
    gallery.expectRows(body)
    gallery.expectRatios(body)
  }

  @Test("what is no ratio counts as 1", arguments: [0, -0.0, -2, .nan, .infinity, -.infinity])
  func replacesNoRatios(ratio: Double) {
    let square = JustifiedGallery(Array(repeating: 1, count: 40)).settledBody.frames
    #expect(JustifiedGallery(Array(repeating: ratio, count: 40)).settledBody.frames == square)
  }

  @Test("rooms of no width, narrower than a gap, and very wide ones", arguments: 0..<30)
  func fitsAnyRoom(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var gallery = JustifiedGallery(&random, of: .random(in: 1...700, using: &random), wild: true)
    gallery.width = [0, 0.4, 1, 2, 3, 9, 40, 30_000, 2e6].randomElement(using: &random) ?? 0
    gallery.height = gallery.width
    gallery.spacing = [0, 1, 50, 1e300].randomElement(using: &random) ?? 0
    gallery.target = [1e-300, 1, 4, 200, 1e300].randomElement(using: &random) ?? 1
    gallery.caption = [0, 20, 1e300].randomElement(using: &random) ?? 0
    gallery.expectRows(gallery.body)
    gallery.expectRows(gallery.settledBody)
  }

  @Test("only the last row of a section is short, wherever segments end")
  func hidesSegments() {
    let gallery = JustifiedGallery(Array(repeating: 1.5, count: 3_000))
    let body = gallery.settledBody
    #expect(body.segments.leafCount > 10)
    let lengths = body.rows.map { $0[0].height }
    #expect(Set(lengths.dropLast()).count <= 3)
    #expect(lengths.allSatisfy { abs($0 - 120) < 20 })
    #expect(lengths.last == 120)
  }

  @Test("a last row that would fill the room at the target or below it fills it")
  func fillsFullLastRow() {
    var gallery = JustifiedGallery(Array(repeating: 1, count: 10))
    gallery.target = 100
    #expect(gallery.settledBody.rows.map(\.count) == [10])
    gallery.ratios.removeLast()
    #expect(gallery.settledBody.frames[8] == PixelFrame(minX: 800, minY: 0, maxX: 900, maxY: 100))
  }

  @Test("an empty section has no length and no rows")
  func isEmpty() {
    var body = JustifiedGallery([]).body
    #expect(body.itemCount == 0 && body.length == 0 && body.isSettled)
    let everywhere = PixelFrame(minX: -1_000, minY: -1_000, maxX: 1_000, maxY: 1_000)
    #expect(body.firstItem(in: everywhere) == nil && body.lastItem(in: everywhere) == nil)
    #expect(body.groupStarts(around: 0) == nil)
    let moved = body.settle(0..<1_000)
    let refined = body.refine(atMost: 1_000)
    #expect(!moved && !refined)
  }

  @Test("the section's rules trap when they are made of what is no length")
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

  @Test("the section hands its rules on")
  func makesSection() {
    let section = CollectionLayoutSection.justified(targetRowHeight: 120, spacing: 3, lineSpacing: 5, captionHeight: 8)
    {
      Double($0 % 3) + 0.5
    }
    #expect(section.interGroupSpacing == 5)
    var gallery = JustifiedGallery((0..<500).map { Double($0 % 3) + 0.5 })
    (gallery.spacing, gallery.lineSpacing, gallery.caption) = (3, 5, 8)
    var body = section.content.body(of: 500, in: gallery.room)
    while !body.isSettled { _ = body.refine(atMost: 100) }
    #expect((0..<500).map { body.frame(ofItem: $0) } == gallery.settledBody.frames)
  }

  @Test("shares are kept within an eighth of a thousandth")
  func keepsShares() {
    var random = SeededGenerator(seed: 1)
    for _ in 0..<10_000 {
      let number = Double.random(in: 1 / 256...255, using: &random)
      #expect(abs(JustifiedShare(number).value / number - 1) < 0.000_125)
    }
    #expect(JustifiedShare(1).value == 1)
    #expect(JustifiedShare(1e300).value == 255)
    #expect(JustifiedShare(0).value == 0x1p-8)
  }
}
