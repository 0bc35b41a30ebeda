import Testing
import VitrineGeometry
import VitrineImageDecoding
import VitrineRendering
import VitrineTestSupport

@Suite("BMP decoding")
struct BMPDecoderTests {
  private static let colors: [[UInt8]] = [[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 255], [10, 20, 30]]

  /// Palette indices without equal rows or columns.
  private func numbers(_ width: Int, _ height: Int, below count: Int) -> [[Int]] {
    (0..<height).map { y in (0..<width).map { x in (x * 3 + y * 5 + x * y) % count } }
  }

  private func color(_ number: Int) -> Color {
    let color = BMPDecoderTests.colors[number]
    return Color(red: color[0], green: color[1], blue: color[2])
  }

  private func check(_ file: [UInt8], _ expected: [[Color]], _ comment: String) throws {
    let (picture, image) = try Decoding.decode(file, background: Color(hex: 0x123456))
    #expect(!image.isDamaged)
    let expectedPicture = TestPicture(width: expected[0].count, height: expected.count) { expected[$1][$0] }
    #expect(picture == expectedPicture, "\(comment)")
  }

  @Test("Palettes of 1, 2, 4 and 8 bits are decoded, bottom-up and top-down, with old and new headers")
  func palettes() throws {
    for (bits, width) in [(1, 13), (1, 8), (2, 7), (4, 5), (8, 3), (8, 6)] {
      for (isTopDown, headerBytes) in [(false, 40), (true, 40), (false, 12), (false, 108), (true, 124)] {
        let count = min(1 << bits, 5)
        let numbers = numbers(width, 7, below: count)
        let palette = Array(BMPDecoderTests.colors.prefix(count))
        let writer = BMPWriter(
          width: width, height: 7, bits: bits, isTopDown: isTopDown, headerBytes: headerBytes,
          palette: headerBytes == 12 ? palette + Array(repeating: [0, 0, 0], count: (1 << bits) - count) : palette)
        try check(writer.file(numbers: numbers), numbers.map { $0.map(color) }, "\(bits) \(isTopDown) \(headerBytes)")
      }
    }
  }

  @Test("Colors of 16, 24 and 32 bits are decoded, with and without masks")
  func colors() throws {
    let expected = [[color(0), color(1), color(2)], [color(3), .black, color(0)]]
    func file(_ writer: BMPWriter, _ encode: (Color) -> [UInt8]) -> [UInt8] {
      writer.file(rows: expected.map { $0.flatMap(encode) })
    }
    func number(_ value: UInt32, _ bytes: Int) -> [UInt8] { (0..<bytes).map { UInt8(value >> (8 * $0) & 255) } }
    for isTopDown in [false, true] {
      let plain = BMPWriter(width: 3, height: 2, bits: 24, isTopDown: isTopDown)
      try check(file(plain) { [$0.blue, $0.green, $0.red] }, expected, "24")
      var writer = plain
      writer.bits = 32
      try check(file(writer) { [$0.blue, $0.green, $0.red, 0] }, expected, "32")
      writer.bits = 16
      let five = { (color: Color) in
        number(UInt32(color.red >> 3) << 10 | UInt32(color.green >> 3) << 5 | UInt32(color.blue >> 3), 2)
      }
      try check(file(writer, five), expected, "555")
      writer.compression = 3
      writer.masks = [0xF800, 0x07E0, 0x001F]
      let six = { (color: Color) in
        number(UInt32(color.red >> 3) << 11 | UInt32(color.green >> 2) << 5 | UInt32(color.blue >> 3), 2)
      }
      try check(file(writer, six), expected, "565")
      writer.bits = 32
      writer.masks = [0xFF00_0000, 0x00FF_0000, 0x0000_FF00]
      let high = { (color: Color) in
        number(UInt32(color.red) << 24 | UInt32(color.green) << 16 | UInt32(color.blue) << 8, 4)
      }
      try check(file(writer, high), expected, "masks of 32")
    }
  }

  @Test("Alpha that the header declares shows the background, and an undeclared fourth byte does not")
  func alpha() throws {
    var writer = BMPWriter(width: 2, height: 1, bits: 32, headerBytes: 124, compression: 3)
    writer.masks = [0xFF0000, 0xFF00, 0xFF, 0xFF00_0000]
    let row: [UInt8] = [0, 0, 255, 128, 0, 255, 0, 0]
    let background = Color(hex: 0x0000C0)
    let picture = try Decoding.decode(writer.file(rows: [row]), background: background).picture
    #expect(picture[0, 0] == Color(red: 128, green: 0, blue: 96))
    #expect(picture[1, 0] == background)
    let opaque = try Decoding.decode(BMPWriter(width: 2, height: 1, bits: 32).file(rows: [row])).picture
    #expect(opaque[1, 0] == Color(hex: 0x00FF00))
  }

  @Test("Runs of 8 and 4 bits, absolute runs, deltas, and ends of rows are decoded")
  func runs() throws {
    let background = Color(hex: 0x123456)
    // From the bottom: three red and two green, a delta of one row and two columns, blue, white, and a short row.
    let commands8: [UInt8] = [3, 0, 2, 1, 0, 0, 0, 2, 2, 1, 0, 3, 2, 3, 0, 0, 0, 0, 9, 3, 0, 1]
    let commands4: [UInt8] = [3, 0x00, 2, 0x11, 0, 0, 0, 2, 2, 1, 0, 3, 0x23, 0x00, 0, 0, 9, 0x33, 0, 1]
    let expected: [[Color]] = [
      Array(repeating: color(3), count: 5),
      [background, background, color(2), color(3), color(0)],
      Array(repeating: background, count: 5),
      [color(0), color(0), color(0), color(1), color(1)],
    ]
    for (bits, compression, commands) in [(8, 1, commands8), (4, 2, commands4)] {
      let writer = BMPWriter(
        width: 5, height: 4, bits: bits, compression: compression, palette: BMPDecoderTests.colors)
      try check(writer.file(pixels: commands), expected, "\(bits)")
    }
  }

  @Test("A truncated file shows its rows and is marked as damaged")
  func prefixes() throws {
    let numbers = numbers(6, 5, below: 4)
    let plain = BMPWriter(width: 6, height: 5, bits: 8, palette: BMPDecoderTests.colors).file(numbers: numbers)
    let runs = BMPWriter(width: 5, height: 4, bits: 8, compression: 1, palette: BMPDecoderTests.colors)
      .file(pixels: [5, 0, 0, 0, 5, 1, 0, 0, 5, 2, 0, 0, 5, 3, 0, 1])
    for (file, smallest) in [(plain, plain.count - 5 * 8), (runs, runs.count - 16)] {
      var shown = 0
      // The padding of the last row and the end of the runs do not count.
      for count in 0..<file.count - 2 {
        guard let result = try? Decoding.decode(Array(file.prefix(count)), background: .white) else { continue }
        shown += 1
        #expect(count > smallest)
        #expect(result.image.isDamaged)
        #expect(result.picture[0, 0] == .white)
      }
      #expect(shown > 4)
    }
  }

  @Test("Files with random changes are decoded or refused", arguments: 1...4)
  func mutations(seed: Int) throws {
    let plain = BMPWriter(width: 6, height: 5, bits: 4, palette: BMPDecoderTests.colors)
    let runs = BMPWriter(width: 5, height: 4, bits: 8, compression: 1, palette: BMPDecoderTests.colors)
    try Mutations(seed: seed).check([
      plain.file(numbers: numbers(6, 5, below: 4)),
      runs.file(pixels: [3, 0, 2, 1, 0, 0, 0, 2, 2, 1, 0, 3, 2, 3, 0, 0, 0, 0, 9, 3, 0, 1]),
      BMPWriter(width: 3, height: 2, bits: 32, headerBytes: 124, compression: 3, masks: [0xFF0000, 0xFF00, 0xFF, 0])
        .file(rows: [[UInt8](0..<12), [UInt8](12..<24)]),
    ])
  }
}
