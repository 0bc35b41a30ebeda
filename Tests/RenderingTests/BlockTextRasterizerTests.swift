import Geometry
import Rendering
import Testing

@Suite("Block type is the same on every machine")
@MainActor
struct BlockTextRasterizerTests {
  private let type = BlockTextRasterizer()

  @Test("The bitmap is as wide as measured and as high as the style", arguments: [1.0, 1.5, 2.0])
  func sizesAgree(factor: Double) throws {
    let scale = DisplayScale(pixelsPerPoint: factor)
    for size in [1.0, 7, 13, 24] {
      let style = TextStyle(size: size)
      let picture = try #require(type.bitmap(for: "IMG 1.jpg", style: style, scale: scale))
      let metrics = type.metrics(style, scale: scale)
      #expect(picture.size.width == type.width(of: "IMG 1.jpg", style: style, scale: scale))
      #expect(picture.size.height == metrics.ascent + metrics.descent)
      #expect(metrics.lineHeight >= picture.size.height)
    }
  }

  @Test("Widths add up")
  func widthsAddUp() {
    let style = TextStyle(size: 13)
    let parts = ["one ", "and ", "another"].map { type.width(of: $0, style: style, scale: .one) }
    #expect(type.width(of: "one and another", style: style, scale: .one) == parts.reduce(0, +))
  }

  @Test("Different texts are different bitmaps; spaces are blank; nothing is nothing")
  func content() throws {
    let style = TextStyle(size: 13)
    let first = try #require(type.bitmap(for: "abc", style: style, scale: .one))
    let second = try #require(type.bitmap(for: "abd", style: style, scale: .one))
    let space = try #require(type.bitmap(for: " ", style: style, scale: .one))
    #expect(first.contentDigest != second.contentDigest)
    #expect(space.withPixels { pixels in stride(from: 3, to: pixels.count, by: 4).allSatisfy { pixels[$0] == 0 } })
    #expect(type.bitmap(for: "", style: style, scale: .one) == nil)
    #expect(type.paintedLines == 3)
  }
}
