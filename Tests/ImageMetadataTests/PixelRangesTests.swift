import ImageMetadata
import Testing

@Suite("Which bytes of a long file pixels are made of")
struct PixelRangesTests {
  private func kept(_ format: ImageFormat, _ file: [UInt8]) -> [UInt8] {
    let ranges = PixelDataRanges.ranges(format, fileBytes: file.count) { offset, count in
      Array(file[offset..<min(file.count, offset + count)])
    }
    #expect(zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound })
    return ranges.flatMap { file[$0] }
  }

  @Test("Of a JPEG without its comments and descriptions, what is left is the same picture")
  func jpeg() {
    let start = Array(HeaderFixture.jpeg(width: 30, height: 20).prefix(2))
    let profile = HeaderFixture.segment(0xE2, Array("ICC_PROFILE\0".utf8) + [1, 1, 9, 9])
    let frame = HeaderFixture.segment(0xC0, [8, 0, 20, 0, 30, 1, 1, 0x11, 0])
    let scan = HeaderFixture.segment(0xDA, [1, 1, 0, 0, 63, 0]) + [UInt8](repeating: 5, count: 100) + [0xFF, 0xD9]
    let long = (0..<80).flatMap {
      HeaderFixture.segment($0 % 2 == 0 ? 0xE1 : 0xFE, [UInt8](repeating: 7, count: 60_000))
    }
    #expect(kept(.jpeg, start + long + profile + long + frame + scan) == start + profile + frame + scan)
    // Short files, and such as have little to save or something unusual, are read whole.
    let short = start + HeaderFixture.segment(0xFE, [1, 2, 3]) + profile + frame + scan
    #expect(kept(.jpeg, short) == short)
    let odd = start + [0, 0] + long + frame + scan
    #expect(kept(.jpeg, odd) == odd)
    let endless = start + long
    #expect(kept(.jpeg, endless) == endless)
  }

  @Test("Of a PNG without its texts, what is left is the same picture")
  func png() {
    let file = HeaderFixture.png(width: 30, height: 20)
    let (start, rest) = (Array(file.prefix(33)), Array(file.dropFirst(33)))
    let colors = HeaderFixture.chunk("tRNS", [0, 1]) + HeaderFixture.chunk("iCCP", [1, 2, 3])
    let pixels = HeaderFixture.chunk("IDAT", [1, 2, 3]) + rest
    let texts = (0..<5).flatMap { _ in HeaderFixture.chunk("iTXt", [UInt8](repeating: 7, count: 1 << 20)) }
    #expect(kept(.png, start + texts + colors + texts + pixels) == start + colors + pixels)
    #expect(kept(.gif, start + texts) == start + texts)
  }
}
