import Testing
import VitrineGeometry
import VitrineTestSupport

@testable import VitrineGalleryUI

@Suite("The pixels of an enlarged picture to decode")
struct PictureDetailTests {
  private static let limit = 24 << 20
  private let window = PixelSize(width: 1200, height: 800)

  private func wanted(
    _ picture: PixelSize?, _ visible: Rect, _ magnification: Double, keeping current: PictureDetail? = nil
  ) throws -> PictureDetail? {
    PictureDetail.wanted(
      of: try #require(picture), in: try #require(window), visible: visible, magnification: magnification,
      atMost: PictureDetailTests.limit, keeping: current)
  }

  @Test("A picture that is not larger than the window needs no more, and a moderate one all of its pixels")
  func whole() throws {
    let part = Rect(x: 0.4, y: 0.4, width: 0.1, height: 0.1)
    #expect(try wanted(PixelSize(width: 1200, height: 800), part, 4) == nil)
    let size = try #require(PixelSize(width: 6000, height: 4000))
    #expect(try wanted(size, part, 1) == PictureDetail(region: nil, size: size))
  }

  @Test("Of a giant one, what is visible and a margin is decoded, at the scale of the display")
  func region() throws {
    let picture = PixelSize(width: 40_000, height: 25_000)
    let visible = Rect(x: 0.5, y: 0.5, width: 0.03, height: 0.032)
    // 1,200 x 800 visible pixels, and half as many on each side, in steps of 64.
    #expect(
      try wanted(picture, visible, 1)
        == PictureDetail(
          region: PixelRect(x: 19_392, y: 12_096, width: 2_432, height: 1_664),
          size: try #require(
            PixelSize(width: 2_432, height: 1_664))))
    // Below a quarter, a quarter of the pixels are enough along each axis.
    let quarter = try #require(try wanted(picture, Rect(x: 0.5, y: 0.5, width: 0.12, height: 0.128), 0.25))
    #expect(quarter.level == 2 && quarter.size == PixelSize(width: 2_496, height: 1_664))
    // At a sixteenth, all of it.
    #expect(
      try wanted(picture, Rect(x: 0.2, y: 0.2, width: 0.48, height: 0.5), 0.0625)
        == PictureDetail(region: nil, size: try #require(PixelSize(width: 2_500, height: 1_563)), level: 4))
  }

  @Test("What was decoded is kept while what is visible lies in it")
  func kept() throws {
    let picture = PixelSize(width: 40_000, height: 25_000)
    let first = try #require(try wanted(picture, Rect(x: 0.5, y: 0.5, width: 0.03, height: 0.032), 1))
    #expect(try wanted(picture, Rect(x: 0.51, y: 0.495, width: 0.03, height: 0.032), 1, keeping: first) == first)
    #expect(try wanted(picture, Rect(x: 0.52, y: 0.5, width: 0.03, height: 0.032), 1, keeping: first) != first)
    #expect(try wanted(picture, Rect(x: 0.5, y: 0.5, width: 0.06, height: 0.064), 0.5, keeping: first) != first)
  }

  @Test("Whatever is visible of whatever picture is decoded within the limit", arguments: 0..<30)
  func random(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    for _ in 0..<100 {
      let picture = try #require(
        PixelSize(width: .random(in: 1...65_535, using: &random), height: .random(in: 1...65_535, using: &random)))
      let (width, height) = (Double.random(in: 0...1, using: &random), Double.random(in: 0...1, using: &random))
      let visible = Rect(
        x: .random(in: 0...(1 - width), using: &random), y: .random(in: 0...(1 - height), using: &random), width: width,
        height: height)
      let magnification = Double.random(in: 0.001...16, using: &random)
      guard let detail = try wanted(picture, visible, magnification) else {
        #expect(picture.width <= 1200 && picture.height <= 800)
        continue
      }
      #expect(detail.size.area <= PictureDetailTests.limit)
      #expect(max(detail.size.width, detail.size.height) <= PictureDetail.longestSide)
      guard let region = detail.region else { continue }
      #expect(region.x >= 0 && region.y >= 0)
      #expect(Int(region.maxX) <= picture.width && Int(region.maxY) <= picture.height)
      #expect(Double(region.x) <= visible.minX * Double(picture.width) + 1e-6)
      #expect(Double(region.maxX) >= visible.maxX * Double(picture.width) - 1e-6)
      #expect(Double(region.y) <= visible.minY * Double(picture.height) + 1e-6)
      #expect(Double(region.maxY) >= visible.maxY * Double(picture.height) - 1e-6)
      // It is what is wanted as long as nothing changes.
      #expect(try wanted(picture, visible, magnification, keeping: detail) == detail)
    }
  }
}
