import Testing
import VitrineGeometry
import VitrineImageDecoding
import VitrineRendering
import VitrineTestSupport

@Suite("GIF decoding")
struct GIFDecoderTests {
  private static let colors: [[UInt8]] = [
    [255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 255], [10, 20, 30], [0, 0, 0], [200, 100, 0], [9, 9, 9],
  ]
  private static let background = Color(hex: 0x204060)

  private func rows(_ width: Int, _ height: Int) -> [[UInt8]] {
    (0..<height).map { y -> [UInt8] in
      (0..<width).map { x -> UInt8 in
        let number = x * 3 + y * 5 + x * y
        return UInt8(number % 8)
      }
    }
  }

  private func color(_ number: UInt8) -> Color {
    let color = GIFDecoderTests.colors[Int(number)]
    return Color(red: color[0], green: color[1], blue: color[2])
  }

  @Test("Pixels are decoded exactly, in rows and in passes, with the palettes of the file and of the frame")
  func pixels() throws {
    for (isInterlaced, hasOwnPalette) in [(false, false), (true, false), (false, true), (true, true)] {
      for (width, height) in [(11, 19), (1, 1), (3, 2), (40, 5)] {
        var writer = GIFWriter(canvas: (width, height), palette: GIFDecoderTests.colors)
        writer.isInterlaced = isInterlaced
        writer.hasOwnPalette = hasOwnPalette
        let rows = rows(width, height)
        let (picture, image) = try Decoding.decode(writer.file(rows: rows))
        #expect(picture == TestPicture(width: width, height: height) { color(rows[$1][$0]) })
        #expect(!image.isDamaged)
      }
    }
  }

  @Test("A transparent index shows the background, and so do the pixels outside the frame")
  func transparency() throws {
    for isInterlaced in [false, true] {
      var writer = GIFWriter(canvas: (9, 12), palette: GIFDecoderTests.colors, transparent: 3)
      writer.isInterlaced = isInterlaced
      let rows = rows(4, 5)
      let picture = try Decoding.decode(
        writer.file(left: 3, top: 6, rows: rows), background: GIFDecoderTests.background
      )
      .picture
      let expected = TestPicture(width: 9, height: 12) { x, y in
        guard (3..<7).contains(x), (6..<11).contains(y), rows[y - 6][x - 3] != 3 else {
          return GIFDecoderTests.background
        }
        return color(rows[y - 6][x - 3])
      }
      #expect(picture == expected)
    }
  }

  @Test("Without a transparent index, the pixels outside the frame have the background color of the file")
  func background() throws {
    let writer = GIFWriter(canvas: (3, 2), palette: GIFDecoderTests.colors)
    let picture = try Decoding.decode(writer.file(left: 1, top: 1, rows: [[2]]), background: .white).picture
    let first = GIFDecoderTests.colors[0]
    #expect(picture[0, 0] == Color(red: first[0], green: first[1], blue: first[2]) && picture[1, 1] == color(2))
  }

  @Test("A frame that exceeds its canvas enlarges it")
  func oversizedFrame() throws {
    let writer = GIFWriter(canvas: (3, 2), palette: GIFDecoderTests.colors)
    let rows = rows(4, 5)
    let (picture, image) = try Decoding.decode(writer.file(left: 1, rows: rows), background: .white)
    #expect(image.sourceSize == PixelSize(width: 5, height: 5))
    #expect(picture[0, 0] == color(0))
    #expect(picture[4, 4] == color(rows[4][3]))
  }

  @Test("Reduced images in passes equal those in rows")
  func reduced() throws {
    let rows = rows(64, 48)
    var writer = GIFWriter(canvas: (64, 48), palette: GIFDecoderTests.colors)
    let plain = try Decoding.decode(writer.file(rows: rows), width: 8, height: 6).picture
    writer.isInterlaced = true
    let passes = try Decoding.decode(writer.file(rows: rows), width: 8, height: 6).picture
    for index in plain.bytes.indices { #expect(abs(Int(plain.bytes[index]) - Int(passes.bytes[index])) <= 1) }
  }

  @Test("Every prefix gives an error, or shows its rows and is marked as damaged")
  func prefixes() throws {
    for isInterlaced in [false, true] {
      var writer = GIFWriter(canvas: (11, 19), palette: GIFDecoderTests.colors)
      writer.isInterlaced = isInterlaced
      let rows = rows(11, 19)
      let file = writer.file(rows: rows)
      var shown = 0
      let whole = try Decoding.decode(file, background: .white).picture
      // The data after the pixels is not read.
      for count in 0..<file.count {
        guard let result = try? Decoding.decode(Array(file.prefix(count)), background: .white) else { continue }
        shown += 1
        // The code at the end of the pixels, the last block, and the last byte of the file may be missing.
        let isWhole = result.picture == whole
        #expect(result.image.isDamaged != isWhole && (isWhole || count < file.count - 2))
        #expect(result.picture[5, 0] == color(rows[0][5]))
      }
      #expect(shown > 50)
    }
  }

  @Test("Files with random changes are decoded or refused", arguments: TestScale.seeds(1...4))
  func mutations(seed: Int) throws {
    var writer = GIFWriter(canvas: (9, 12), palette: GIFDecoderTests.colors, transparent: 3)
    let plain = writer.file(left: 3, top: 6, rows: rows(4, 5))
    writer.isInterlaced = true
    try Mutations(seed: seed).check([plain, writer.file(rows: rows(9, 12))])
  }
}
