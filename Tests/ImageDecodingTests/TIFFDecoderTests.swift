import Testing
import VitrineGeometry
import VitrineImageMetadata
import VitrineRendering
import VitrineTestSupport

@testable import VitrineImageDecoding
@testable import VitrineImageDecodingCore

@Suite("TIFF decoding")
struct TIFFDecoderTests {
  private static let mixed = TestPicture(width: 37, height: 23) { x, y in
    Color(red: UInt8(x * 37 & 255), green: UInt8(y * 91 & 255), blue: UInt8(x * y & 255), alpha: 255)
  }

  private func rows(_ picture: TestPicture, _ encode: (Color) -> [UInt8]) -> [[UInt8]] {
    (0..<picture.height).map { y in (0..<picture.width).flatMap { encode(picture[$0, y]) } }
  }

  private func plain(_ color: Color) -> [UInt8] { [color.red, color.green, color.blue] }

  @Test("Colors are decoded exactly: strips and tiles, both byte orders, short and long offsets")
  func colors() throws {
    for (isBigEndian, isLong) in [(false, false), (true, false), (false, true), (true, true)] {
      for (rowsPerStrip, tileSide) in [(nil, nil), (1, nil), (5, nil), (nil, 16)] as [(Int?, Int?)] {
        var writer = TIFFWriter(width: 37, height: 23, isBigEndian: isBigEndian, isLong: isLong)
        writer.rowsPerStrip = rowsPerStrip
        writer.tileSide = tileSide
        let (picture, image) = try Decoding.decode(writer.file(rows: rows(TIFFDecoderTests.mixed, plain)))
        #expect(picture == TIFFDecoderTests.mixed)
        #expect(!image.isDamaged)
      }
    }
  }

  @Test("Grey of 1, 8 and 16 bits, black or white first, and palettes are decoded")
  func greyAndPalettes() throws {
    var writer = TIFFWriter(width: 3, height: 1, bits: 8, samples: 1, photometric: 1)
    func shown(_ row: [UInt8]) throws -> [UInt8] {
      let picture = try Decoding.decode(writer.file(rows: [row])).picture
      return (0..<3).map { picture[$0, 0].green }
    }
    #expect(try shown([0, 100, 255]) == [0, 100, 255])
    writer.photometric = 0
    #expect(try shown([0, 100, 255]) == [255, 155, 0])
    writer.bits = 1
    #expect(try shown([0b0100_0000]) == [255, 0, 255])
    writer.photometric = 1
    writer.bits = 16
    #expect(try shown([0, 0, 0x80, 0x80, 255, 255]) == [0, 128, 255])
    writer.photometric = 3
    writer.bits = 8
    writer.palette = (0..<256).map { [$0 * 257, (255 - $0) * 257, 0] }
    #expect(try shown([0, 100, 255]) == [255, 155, 0])
  }

  @Test("Alpha shows the background, whether it is premultiplied or straight")
  func alpha() throws {
    let background = Color(hex: 0x0000C0)
    for (kind, stored) in [(1, [128, 0, 0, 128]), (2, [255, 0, 0, 128])] as [(Int, [UInt8])] {
      var writer = TIFFWriter(width: 2, height: 1, samples: 4)
      writer.extraSample = kind
      let picture = try Decoding.decode(writer.file(rows: [stored + [0, 0, 0, 0]]), background: background).picture
      #expect(Decoding.isNear(picture[0, 0], Color(red: 128, green: 0, blue: 96), within: 1))
      #expect(picture[1, 0] == background)
    }
    var grey = TIFFWriter(width: 2, height: 1, samples: 2, photometric: 1)
    grey.extraSample = 2
    let picture = try Decoding.decode(grey.file(rows: [[200, 0, 200, 255]]), background: background).picture
    #expect(picture[0, 0] == background)
    #expect(picture[1, 0] == Color(red: 200, green: 200, blue: 200))
  }

  @Test("Inks are converted to colors")
  func inks() throws {
    let writer = TIFFWriter(width: 4, height: 1, samples: 4, photometric: 5)
    let picture = try Decoding.decode(
      writer.file(rows: [[0, 0, 0, 0, 255, 0, 0, 0, 0, 255, 255, 0, 0, 0, 0, 255]])
    ).picture
    #expect((0..<4).map { picture[$0, 0] } == [.white, Color(hex: 0x00FFFF), Color(hex: 0xFF0000), .black])
  }

  @Test("The image is upright", arguments: Orientation.allCases)
  func orientations(orientation: Orientation) throws {
    var writer = TIFFWriter(width: 30, height: 20)
    writer.orientation = Int(orientation.rawValue)
    writer.rowsPerStrip = 7
    let (picture, image) = try Decoding.decode(writer.file(rows: rows(.corners(width: 30, height: 20), plain)))
    #expect(image.orientation == orientation)
    // The first stored pixel is red, and so is the corner where it is displayed.
    let first = OrientedIndexMap(stored: try #require(PixelSize(width: 30, height: 20)), orientation: orientation)
      .origin
    #expect(picture[first % picture.width, first / picture.width] == Color(hex: 0xFF0000))
    #expect(image.sourceSize.width == (orientation.isTransposed ? 20 : 30))
  }

  @Test("Single rows of tall strips are converted as libtiff converts whole strips", arguments: [1, 2, 4, 8, 16])
  func rowConversion(bits: Int) throws {
    var random = SeededGenerator(seed: UInt64(bits))
    for (photometric, samples, extra) in [(0, 1, nil), (1, 1, nil), (3, 1, nil), (2, 3, nil), (2, 4, 2)]
      as [(Int, Int, Int?)]
    {
      if photometric == 3, bits == 16 { continue }
      if photometric == 2, bits < 8 { continue }
      let rowBytes = (13 * bits * samples + 7) / 8
      var writer = TIFFWriter(width: 13, height: 1, bits: bits, samples: samples, photometric: photometric)
      writer.extraSample = extra
      if photometric == 3 {
        writer.palette = (0..<1 << bits).map { _ in (0..<3).map { _ in Int.random(in: 256...65_535, using: &random) } }
      }
      let row = (0..<rowBytes).map { _ in UInt8.random(in: 0...255, using: &random) }
      let file = writer.file(rows: [row])
      let whole = try Decoding.decode(file).picture
      var pixels = [UInt8](repeating: 0, count: 13 * 4)
      try file.withUnsafeBytes { bytes in
        let decoder = try LibTIFF.open(bytes)
        let conversion = try #require(TIFFRowConversion(try decoder.frame(), decoder))
        #expect(conversion.alpha == (extra == nil ? .none : .straight))
        #expect(conversion.bytesPerRow == rowBytes)
        var stored = [UInt8](repeating: 0, count: rowBytes)
        #expect(decoder.readRow(0, into: &stored))
        stored.withUnsafeBufferPointer { bytes in
          if let start = bytes.baseAddress { conversion.convert([start], into: &pixels) }
        }
        if extra != nil { Backdrop(.black).flatten(&pixels, count: 13, x: 0, y: 0) }
      }
      let isNear = zip(pixels, whole.bytes).allSatisfy { abs(Int($0) - Int($1)) <= 1 }
      #expect(isNear, "\(photometric) \(samples) \(pixels) \(whole.bytes)")
    }
  }

  @Test("Files that cannot be converted to colors are refused")
  func refusals() {
    let writer = TIFFWriter(width: 2, height: 1, samples: 1, photometric: 9000)
    #expect(throws: DecodingError.self) { try Decoding.decode(writer.file(rows: [[1, 2]])) }
    var complex = TIFFWriter(width: 1, height: 1, bits: 64, samples: 1, photometric: 1)
    complex.sampleFormat = 6
    #expect(throws: DecodingError.self) { try Decoding.decode(complex.file(rows: [[0, 0, 0, 0, 0, 0, 0, 0]])) }
  }

  @Test("Every prefix gives an error, or shows its rows and is marked as damaged")
  func prefixes() throws {
    // The directory follows the pixels: a shorter file has no description.
    let file = TIFFWriter(width: 37, height: 23, rowsPerStrip: 3).file(rows: rows(TIFFDecoderTests.mixed, plain))
    for count in 0..<file.count {
      #expect((try? Decoding.decode(Array(file.prefix(count)))) == nil || count > file.count - 8)
    }
  }

  @Test("A strip outside the file is missing, and the others are decoded")
  func missingStrip() throws {
    var file = TIFFWriter(width: 4, height: 6, rowsPerStrip: 2).file(
      rows: rows(TestPicture(width: 4, height: 6) { _, _ in Color(hex: 0xC86432) }, plain))
    // The second of the three offsets, which come first in the data after the directory.
    let offsets = 8 + 4 * 6 * 3 + 6
    #expect(file[offsets + 4] == 8 + 24)
    file[offsets + 6] = 0x7F
    let (picture, image) = try Decoding.decode(file, background: .white)
    #expect(image.isDamaged)
    #expect(picture[0, 0] == Color(hex: 0xC86432) && picture[3, 5] == Color(hex: 0xC86432))
  }

  @Test("Files with random changes are decoded or refused", arguments: 1...4)
  func mutations(seed: Int) throws {
    var tiled = TIFFWriter(width: 20, height: 20, isLong: true)
    tiled.tileSide = 16
    let picture = TestPicture.corners(width: 20, height: 20)
    let stripped = TIFFWriter(width: 20, height: 20, isBigEndian: true, rowsPerStrip: 6)
    try Mutations(seed: seed).check([
      tiled.file(rows: rows(picture, plain)), stripped.file(rows: rows(picture, plain)),
    ])
  }
}

// MARK: - Samples

@Suite("TIFF samples that libtiff does not convert to colors")
struct TIFFSampleTests {
  /// Returns packed numbers with a number of bits each, as a TIFF stores them.
  private func packed(_ numbers: [UInt64], bits: Int, isBigEndian: Bool) -> [UInt8] {
    if bits % 8 == 0 {
      return numbers.flatMap { number in
        let little = (0..<bits / 8).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) }
        return isBigEndian ? little.reversed() : little
      }
    }
    var stream = EntropyBits()
    stream.usesByteStuffing = false
    for number in numbers { stream.append(Int(number), count: bits) }
    stream.pad()
    return stream.bytes
  }

  /// Returns the bits of a number between -2 and 2 as a floating-point number with a number of bits.
  private func real(_ value: Float, bits: Int) -> UInt64 {
    switch bits {
    case 64: return Double(value).bitPattern
    case 32: return UInt64(value.bitPattern)
    default:
      // Single precision with fewer bits in both parts. Small numbers become zero.
      let (exponentBits, fractionBits) = bits == 24 ? (7, 16) : (5, 10)
      let exponent = Int(value.bitPattern >> 23 & 255) - 127 + (1 << (exponentBits - 1)) - 1
      guard exponent > 0 else { return 0 }
      let sign = UInt64(value.bitPattern >> 31) << UInt64(bits - 1)
      return sign | UInt64(exponent) << UInt64(fractionBits)
        | UInt64(value.bitPattern & 0x7F_FFFF) >> UInt64(23 - fractionBits)
    }
  }

  @Test("Integers of any width are decoded, signed and unsigned, in pixels, planes and tiles", arguments: 1...32)
  func integers(bits: Int) throws {
    var random = SeededGenerator(seed: UInt64(bits))
    let maximum = (UInt64(1) << UInt64(bits)) - 1
    for (sampleFormat, isPlanar, isBigEndian) in [
      (1, false, false), (1, true, true), (2, false, true), (2, true, false),
    ] {
      var writer = TIFFWriter(width: 16, height: 5, isBigEndian: isBigEndian, bits: bits)
      writer.sampleFormat = sampleFormat
      writer.isPlanar = isPlanar
      writer.rowsPerStrip = 2
      if bits % 8 == 0, !isPlanar { writer.tileSide = 16 }
      let levels = (0..<5).map { _ in (0..<48).map { _ in UInt64.random(in: 0...maximum, using: &random) } }
      // The smallest signed number is black.
      let half = sampleFormat == 2 ? UInt64(1) << UInt64(bits - 1) : 0
      let stored = levels.map { row in row.map { ($0 &+ half) & maximum } }
      let rows =
        isPlanar
        ? (0..<3).flatMap { plane in
          stored.map { row in
            packed(stride(from: plane, to: 48, by: 3).map { row[$0] }, bits: bits, isBigEndian: isBigEndian)
          }
        }
        : stored.map { packed($0, bits: bits, isBigEndian: isBigEndian) }
      let (picture, image) = try Decoding.decode(writer.file(rows: rows))
      #expect(!image.isDamaged)
      for (y, row) in levels.enumerated() {
        for x in 0..<16 {
          let expected = (0..<3).map { UInt8((Double(row[3 * x + $0]) / Double(maximum) * 255).rounded()) }
          let color = Color(red: expected[0], green: expected[1], blue: expected[2], alpha: 255)
          #expect(Decoding.isNear(picture[x, y], color, within: 1), "\(sampleFormat) \(isPlanar) \(x) \(y)")
        }
      }
    }
  }

  @Test(
    "Floating-point numbers of four widths are decoded: 0 is black, 1 is white, and others are clamped",
    arguments: [16, 24, 32, 64])
  func floatingPointNumbers(bits: Int) throws {
    var writer = TIFFWriter(width: 6, height: 1, bits: bits, samples: 1, photometric: 1)
    writer.sampleFormat = 3
    let values: [Float] = [0, 0.25, 0.5, 1, 1.75, -1]
    let row = packed(values.map { real($0, bits: bits) }, bits: bits, isBigEndian: false)
    let picture = try Decoding.decode(writer.file(rows: [row])).picture
    #expect((0..<6).map { picture[$0, 0].red } == [0, 64, 128, 255, 255, 0])
    let nan = packed([UInt64.max], bits: bits, isBigEndian: false)
    #expect(try Decoding.decode(writer.file(rows: [nan + row.dropFirst(bits / 8)])).picture[0, 0] == .black)
  }

  @Test("Inks of 16 bits, and palettes with alpha of both kinds are decoded")
  func otherKinds() throws {
    let inks = TIFFWriter(width: 2, height: 1, bits: 16, samples: 4, photometric: 5)
    let row = packed([0xFFFF, 0, 0, 0, 0, 0, 0, 0x8000], bits: 16, isBigEndian: false)
    let picture = try Decoding.decode(inks.file(rows: [row])).picture
    #expect(picture[0, 0] == Color(hex: 0x00FFFF) && Decoding.isNear(picture[1, 0], Color(hex: 0x7F7F7F), within: 1))

    var palette = TIFFWriter(width: 2, height: 1, samples: 2, photometric: 3)
    palette.palette = (0..<256).map { $0 == 7 ? [0xFFFF, 0x8000, 0] : [0, 0, 0xFFFF] }
    for (kind, opaque) in [(2, Color(hex: 0xFF8000)), (1, Color(hex: 0xFF8000)), (0, Color(hex: 0xFF8000))] {
      palette.extraSample = kind
      let picture = try Decoding.decode(palette.file(rows: [[7, 255, 7, 0]]), background: .white).picture
      #expect(picture[0, 0] == opaque)
      #expect(picture[1, 0] == (kind == 2 ? .white : kind == 1 ? .white : opaque))
    }
  }
}
