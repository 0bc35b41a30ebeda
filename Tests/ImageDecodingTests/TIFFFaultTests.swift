import Glibc
import Testing
import VitrineGeometry
import VitrineImageMetadata
import VitrineRendering
import VitrineTestSupport

@testable import VitrineImageDecoding
@testable import VitrineImageDecodingCore

@Suite("TIFF files with wrong or missing values")
struct TIFFFaultTests {
  /// Returns the offset of the entry of a tag in a little-endian file with short offsets.
  private func entry(_ tag: Int, in file: [UInt8]) throws -> Int {
    func number(_ place: Int, _ count: Int) -> Int { (0..<count).reduce(0) { $0 | Int(file[place + $1]) << (8 * $1) } }
    let directory = number(4, 4)
    return try #require(
      (0..<number(directory, 2)).map { directory + 2 + 12 * $0 }.first { number($0, 2) == tag })
  }

  /// Returns a file in which an entry has another value, and possibly another tag.
  private func changed(_ file: [UInt8], _ tag: Int, _ value: Int? = nil, tag other: Int? = nil) throws -> [UInt8] {
    var file = file
    let place = try entry(tag, in: file)
    if let value { for index in 0..<4 { file[place + 8 + index] = UInt8(truncatingIfNeeded: value >> (8 * index)) } }
    if let other { (file[place], file[place + 1]) = (UInt8(other & 0xFF), UInt8(other >> 8)) }
    return file
  }

  private func error(_ file: [UInt8]) -> DecodingError? {
    do {
      _ = try Decoding.decode(file, width: 8, height: 8)
      return nil
    } catch {
      return error as? DecodingError
    }
  }

  private func zeros(_ writer: TIFFWriter, rowBytes: Int, planes: Int = 1) -> [UInt8] {
    writer.file(rows: Array(repeating: [UInt8](repeating: 0, count: rowBytes), count: writer.height * planes))
  }

  @Test("Without a photometric interpretation, the number of samples and the compression decide")
  func photometric() throws {
    func kind(_ writer: TIFFWriter, compression: Int = 1) throws -> Int {
      var file = zeros(writer, rowBytes: 3 * writer.samples)
      file = try changed(file, 259, compression)
      file = try changed(file, 262, tag: 263)
      return try file.withUnsafeBytes { try LibTIFF.open($0).frame().photometric }
    }
    #expect(try kind(TIFFWriter(width: 3, height: 2)) == 2)
    #expect(try kind(TIFFWriter(width: 3, height: 2, samples: 1)) == 1)
    for fax in [2, 3, 4] {
      #expect(try kind(TIFFWriter(width: 3, height: 2, bits: 1, samples: 1), compression: fax) == 0)
    }
  }

  @Test("A frame of no size, or of one that no picture has, is damaged")
  func sizes() throws {
    let wide = zeros(TIFFWriter(width: 70_000, height: 1, bits: 1, samples: 1, photometric: 1), rowBytes: 8_750)
    #expect(throws: DecodingError.damaged(detail: "no size")) {
      try wide.withUnsafeBytes { _ = try LibTIFF.open($0).frame() }
    }
    // The header of another file.
    let file = zeros(TIFFWriter(width: 4, height: 4), rowBytes: 12)
    let header = ImageHeader(format: .tiff, storedSize: PixelSize(width: 5, height: 4))
    let target = DecodingTarget(size: try #require(PixelSize(width: 4, height: 4)))
    var output = [UInt8](repeating: 0, count: 400)
    #expect(throws: DecodingError.damaged(detail: "two sizes in one file")) {
      try file.withUnsafeBytes { bytes in
        try output.withUnsafeMutableBytes { output in
          _ = try ImageDecoder().decode(bytes, header: header, target: target, into: output)
        }
      }
    }
  }

  @Test("Tiles of no height, of odd widths, or higher than memory allows are refused")
  func tiles() throws {
    var writer = TIFFWriter(width: 20, height: 5, bits: 24)
    writer.tileSide = 16
    let file = zeros(writer, rowBytes: 180)
    #expect(error(try changed(file, 322, 20)) != nil)
    let flat = try changed(file, 323, 0)
    let frame = try? flat.withUnsafeBytes { try LibTIFF.open($0).frame() }
    #expect(frame?.rowsPerPiece ?? 5 == 5 && error(flat) != nil)
    var large = TIFFWriter(width: 60_000, height: 640, bits: 1, samples: 1, photometric: 1)
    large.tileSide = 16
    // The pixels are missing: the file is refused before they are read.
    var small = large.file(rows: Array(repeating: [UInt8](repeating: 0, count: 7_500), count: 640))
    small = try changed(small, 323, 640)
    #expect(error(small) == .tooLarge(PixelSize(width: 60_000, height: 640)))
  }

  @Test("Rows that exceed the memory for samples are refused")
  func longRows() throws {
    var writer = TIFFWriter(width: 65_535, height: 1, bits: 64, samples: 300, photometric: 1)
    writer.sampleFormat = 3
    let file = writer.file(rows: [[UInt8](repeating: 0, count: 1_000)])
    #expect(error(file) == .tooLarge(PixelSize(width: 65_535, height: 1)))
  }

  @Test("Of a strip that is too tall to be converted, the rows before the end of the file are decoded")
  func tallStrip() throws {
    // Of a single strip without compression, libtiff makes short ones.
    var writer = TIFFWriter(width: 60_000, height: 1_240, bits: 1, samples: 1, photometric: 1)
    writer.rowsPerStrip = 620
    func file(rows: Int) -> [UInt8] {
      var strips: [[UInt8]] = Array(repeating: [], count: 1_240)
      strips[0] = [UInt8](repeating: 0xFF, count: 7_500 * min(rows, 620))
      strips[620] = [UInt8](repeating: 0xFF, count: 7_500 * max(0, rows - 620))
      return writer.file(rows: strips)
    }
    let (picture, image) = try Decoding.decode(file(rows: 310), width: 600, height: 13, fit: .fit)
    #expect(image.isDamaged && Decoding.isNear(picture[0, 0], .white))
    // A file that is too small for so many pixels would be refused for its size.
    let empty = file(rows: 0) + [UInt8](repeating: 0, count: 40_000)
    #expect(error(empty) == .damaged(detail: "libtiff finds no pixels"))
    let (whole, second) = try Decoding.decode(file(rows: 1_240), width: 600, height: 13, fit: .fit)
    #expect(!second.isDamaged && whole[0, whole.height - 1] == .white)
  }

  @Test("Strips, planes and tiles outside of the file are missing, and the file is damaged if all are")
  func missingPieces() throws {
    // One strip, which libtiff converts.
    let single = zeros(TIFFWriter(width: 4, height: 4), rowBytes: 12)
    #expect(error(try changed(single, 273, 0x7F_FFFF)) == .damaged(detail: "libtiff finds no pixels"))
    // One strip of samples that it does not convert.
    let samples = zeros(TIFFWriter(width: 4, height: 4, bits: 24), rowBytes: 36)
    #expect(error(try changed(samples, 273, 0x7F_FFFF)) == .damaged(detail: "libtiff finds no pixels"))
    // Planes, each of which is one strip: the offsets are outside of the entry.
    var planar = TIFFWriter(width: 4, height: 4, bits: 24)
    planar.isPlanar = true
    var file = zeros(planar, rowBytes: 12, planes: 3)
    let offsets = try entry(273, in: file)
    let place = Int(file[offsets + 8]) | Int(file[offsets + 9]) << 8
    file[place + 2] = 0x7F
    let (_, image) = try Decoding.decode(file, width: 4, height: 4)
    #expect(image.isDamaged)
    file[place + 6] = 0x7F
    file[place + 10] = 0x7F
    #expect(error(file) == .damaged(detail: "libtiff finds no pixels"))
    // Tiles: the second of two rows of tiles.
    var tiled = TIFFWriter(width: 8, height: 20, bits: 24)
    tiled.tileSide = 16
    var tiles = zeros(tiled, rowBytes: 72)
    let tileOffsets = try entry(324, in: tiles)
    let tilePlace = Int(tiles[tileOffsets + 8]) | Int(tiles[tileOffsets + 9]) << 8
    #expect(try !Decoding.decode(tiles, width: 8, height: 8).image.isDamaged)
    tiles[tilePlace + 6] = 0x7F
    #expect(try Decoding.decode(tiles, width: 4, height: 10).image.isDamaged)
    tiles[tilePlace + 2] = 0x7F
    #expect(error(tiles) == .damaged(detail: "libtiff finds no pixels"))
  }

  @Test("Palettes of eight bits, as some programs write them, are not darkened")
  func shortPalettes() throws {
    var writer = TIFFWriter(width: 2, height: 1, samples: 2, photometric: 3)
    writer.extraSample = 0
    writer.palette = (0..<256).map { [$0, 255 - $0, 7] }
    let picture = try Decoding.decode(writer.file(rows: [[200, 0, 3, 0]])).picture
    #expect(picture[0, 0] == Color(red: 200, green: 55, blue: 7) && picture[1, 0] == Color(red: 3, green: 252, blue: 7))
  }

  @Test("Signed numbers of 64 bits, and infinite ones, are decoded")
  func extremes() throws {
    var signed = TIFFWriter(width: 2, height: 1, bits: 64, samples: 1, photometric: 1)
    signed.sampleFormat = 2
    let least: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0x80]
    let most = [UInt8](repeating: 0xFF, count: 7) + [0x7F]
    let picture = try Decoding.decode(signed.file(rows: [least + most])).picture
    #expect(picture[0, 0] == .black && picture[1, 0] == .white)
    for (bits, infinity) in [(16, [0, 0x7C]), (24, [0, 0, 0x7F])] as [(Int, [UInt8])] {
      var real = TIFFWriter(width: 3, height: 1, bits: bits, samples: 1, photometric: 1)
      real.sampleFormat = 3
      let negative = infinity.dropLast() + [0xFF]
      let nan = [1] + infinity.dropFirst()
      let picture = try Decoding.decode(real.file(rows: [infinity + negative + nan])).picture
      #expect((0..<3).map { picture[$0, 0].red } == [255, 0, 0])
    }
  }

  @Test("Pixels of kinds that no conversion supports are refused")
  func conversions() throws {
    let file = zeros(TIFFWriter(width: 4, height: 4), rowBytes: 12)
    try file.withUnsafeBytes { bytes in
      let decoder = try LibTIFF.open(bytes)
      let frame = try decoder.frame()
      func isSupported(_ change: (inout LibTIFF.Frame) -> Void) -> Bool {
        var changed = frame
        change(&changed)
        return TIFFRowConversion(changed, decoder) != nil
      }
      #expect(isSupported { _ in })
      #expect(!isSupported { $0.sampleFormat = 5 } && !isSupported { $0.bitsPerSample = 33 })
      #expect(!isSupported { $0.samplesPerPixel = 2 } && !isSupported { ($0.photometric, $0.inkSet) = (5, 2) })
      #expect(!isSupported { ($0.photometric, $0.bitsPerSample) = (3, 32) })
      #expect(!isSupported { ($0.photometric, $0.sampleFormat) = (3, 2) })
      // YCbCr: JPEG data of three samples of eight bits alone. This file has none.
      #expect(!isSupported { ($0.photometric, $0.compression) = (6, 1) })
      #expect(!isSupported { ($0.photometric, $0.compression, $0.samplesPerPixel) = (6, 7, 4) })
      #expect(!isSupported { ($0.photometric, $0.compression, $0.bitsPerSample) = (6, 7, 12) })
      #expect(!isSupported { ($0.photometric, $0.compression) = (6, 7) })
    }
    // Logarithmic colors without their compression.
    #expect(error(zeros(TIFFWriter(width: 4, height: 4, bits: 16, photometric: 32_845), rowBytes: 24)) != nil)
  }

  @Test("JPEG data of a strip is converted to colors row by row")
  func jpegRows() throws {
    let jpeg = try JPEGFixture.file(TestPicture(width: 16, height: 16) { _, _ in Color(hex: 0xC86432) })
    var writer = TIFFWriter(width: 16, height: 16)
    writer.photometric = 6
    var file = writer.file(rows: [jpeg] + Array(repeating: [], count: 15))
    file = try changed(file, 259, 7)
    try file.withUnsafeBytes { bytes in
      let decoder = try LibTIFF.open(bytes)
      let conversion = try #require(TIFFRowConversion(try decoder.frame(), decoder))
      var stored = [UInt8](repeating: 0, count: 16 * 3)
      var pixels = [UInt8](repeating: 0, count: 16 * 4)
      #expect(decoder.readRow(0, into: &stored))
      stored.withUnsafeBufferPointer { bytes in
        if let start = bytes.baseAddress { conversion.convert([start], into: &pixels) }
      }
      #expect(
        Decoding.isNear(Color(red: pixels[0], green: pixels[1], blue: pixels[2], alpha: 255), Color(hex: 0xC86432)))
    }
  }

  @Test("Old JPEG data, for which libtiff moves in the file, is decoded or refused")
  func oldJPEG() throws {
    let jpeg = try JPEGFixture.file(TestPicture(width: 16, height: 16) { _, _ in Color(hex: 0xC86432) })
    var writer = TIFFWriter(width: 16, height: 16)
    writer.photometric = 6
    let file = try changed(writer.file(rows: [jpeg] + Array(repeating: [], count: 15)), 259, 6)
    do {
      let picture = try Decoding.decode(file).picture
      #expect(picture.width == 16)
    } catch is DecodingError {}
    #expect(LibTIFF.seek(nil, 0, SEEK_CUR) == .max && LibTIFF.seek(nil, .max, SEEK_SET) == .max)
  }
}
