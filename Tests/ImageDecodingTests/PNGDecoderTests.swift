import Testing
import VitrineGeometry
import VitrineImageDecoding
import VitrineRendering
import VitrineTestSupport

@Suite("PNG decoding")
struct PNGDecoderTests {
  @Test("At full size an image is decoded exactly, interlaced or not")
  func exact() throws {
    for (width, height) in [(1, 1), (2, 3), (5, 4), (9, 8), (33, 17)] {
      let picture = TestPicture.landscape(width: width, height: height, seed: UInt64(width))
      for isInterlaced in [false, true] {
        let result = try Decoding.decode(PNGWriter.file(picture, isInterlaced: isInterlaced))
        #expect(result.picture == picture)
        #expect(!result.image.isDamaged)
      }
    }
  }

  @Test("An interlaced image is reduced like others")
  func interlaced() throws {
    let picture = TestPicture.landscape(width: 100, height: 83)
    for (width, height) in [(10, 10), (24, 31), (7, 2)] {
      let plain = try Decoding.decode(PNGWriter.file(picture), width: width, height: height)
      let interlaced = try Decoding.decode(PNGWriter.file(picture, isInterlaced: true), width: width, height: height)
      #expect(plain.picture == interlaced.picture)
    }
  }

  @Test("Transparent pixels show the background")
  func alpha() throws {
    let alphas: [UInt8] = [0, 1, 127, 128, 254, 255]
    let picture = TestPicture(width: 6, height: 2) { x, _ in Color(red: 200, green: 100, blue: 0, alpha: alphas[x]) }
    let background = Color(hex: 0x20C0FF)
    for isInterlaced in [false, true] {
      let result = try Decoding.decode(
        PNGWriter.file(picture, withAlpha: true, isInterlaced: isInterlaced), background: background
      ).picture
      for (x, alpha) in alphas.enumerated() {
        func mix(_ over: Int, _ under: Int) -> UInt8 {
          UInt8((Double(over * Int(alpha) + under * (255 - Int(alpha))) / 255).rounded())
        }
        #expect(result[x, 1] == Color(red: mix(200, 0x20), green: mix(100, 0xC0), blue: mix(0, 0xFF)))
      }
    }
  }

  @Test("The colors of transparent pixels do not bleed into their neighbors")
  func bleeding() throws {
    let picture = TestPicture(width: 64, height: 64) { x, _ in
      x % 2 == 0 ? Color(red: 255, green: 0, blue: 0, alpha: 0) : .white
    }
    let result = try Decoding.decode(
      PNGWriter.file(picture, withAlpha: true), width: 8, height: 8, background: .white
    ).picture
    #expect(result == TestPicture(width: 8, height: 8) { _, _ in .white })
  }

  @Test("Palettes and their transparent colors are decoded")
  func palette() throws {
    var writer = PNGWriter(width: 4, height: 1)
    writer.kind = .palette
    writer.bitDepth = 2
    writer.chunks = [
      PNGWriter.chunk("PLTE", [255, 0, 0, 0, 255, 0, 0, 0, 255, 9, 9, 9]), PNGWriter.chunk("tRNS", [255, 0]),
    ]
    let result = try Decoding.decode(writer.file(rows: [0, 0b0001_1011]), background: .white).picture
    #expect(result[0, 0] == Color(hex: 0xFF0000))
    #expect(result[1, 0] == .white)
    #expect(result[2, 0] == Color(hex: 0x0000FF))
    #expect(result[3, 0] == Color(hex: 0x090909))
  }

  @Test("Transparency before the palette is valid, and transparent levels have the depth of the samples")
  func unusualTransparency() throws {
    var writer = PNGWriter(width: 2, height: 1)
    writer.kind = .palette
    let palette = PNGWriter.chunk("PLTE", [255, 0, 0, 0, 255, 0])
    let transparency = PNGWriter.chunk("tRNS", [0])
    for chunks in [[palette, transparency], [transparency, palette]] {
      writer.chunks = chunks
      let (picture, image) = try Decoding.decode(writer.file(rows: [0, 0, 1]), background: .white)
      #expect(picture[0, 0] == .white && picture[1, 0] == Color(hex: 0x00FF00))
      #expect(!image.isDamaged)
    }
    writer.kind = .grey
    writer.bitDepth = 2
    // Level 2, with bits above the two that count.
    writer.chunks = [PNGWriter.chunk("tRNS", [0x55, 0x56])]
    let (picture, image) = try Decoding.decode(writer.file(rows: [0, 0b1001_0000]), background: Color(hex: 0x0000FF))
    #expect(picture[0, 0] == Color(hex: 0x0000FF) && picture[1, 0] == Color(hex: 0x555555))
    #expect(!image.isDamaged)
  }

  @Test("Grey with one bit and with sixteen bits is decoded")
  func grey() throws {
    var writer = PNGWriter(width: 9, height: 1)
    writer.kind = .grey
    writer.bitDepth = 1
    let bits = try Decoding.decode(writer.file(rows: [0, 0b1010_0000, 0b1000_0000])).picture
    #expect((0..<9).map { bits[$0, 0].red } == [255, 0, 255, 0, 0, 0, 0, 0, 255])
    writer = PNGWriter(width: 2, height: 1)
    writer.kind = .grey
    writer.bitDepth = 16
    let deep = try Decoding.decode(writer.file(rows: [0, 0x80, 0x00, 0xFF, 0xFF])).picture
    #expect(deep[0, 0] == Color(hex: 0x808080))
    #expect(deep[1, 0] == .white)
  }

  @Test("Every prefix gives an error, or shows its rows and is marked as damaged")
  func prefixes() throws {
    let picture = TestPicture.landscape(width: 12, height: 10)
    var writer = PNGWriter(width: 12, height: 10)
    for (isInterlaced, bytesPerChunk) in [(false, Int.max), (false, 50), (true, Int.max), (true, 64)] {
      writer.isInterlaced = isInterlaced
      writer.bytesPerChunk = bytesPerChunk
      let file = writer.file(picture)
      var pictures = 0
      for count in 0..<file.count {
        guard let result = try? Decoding.decode(Array(file.prefix(count)), background: .white) else { continue }
        pictures += 1
        #expect(result.image.isDamaged)
        if !isInterlaced { #expect(result.picture[5, 0] == picture[5, 0]) }
      }
      // From the first row on, there is an image.
      #expect(pictures > file.count / 2)
      #expect(try !Decoding.decode(file).image.isDamaged)
    }
  }

  @Test("Missing rows show the background")
  func missingRows() throws {
    let picture = TestPicture(width: 16, height: 16) { _, _ in Color(hex: 0xFF0000) }
    let file = PNGWriter.file(picture)
    let (result, image) = try Decoding.decode(Array(file.prefix(file.count / 2)), background: .white)
    #expect(image.isDamaged)
    #expect(result[3, 0] == Color(hex: 0xFF0000))
    #expect(result[3, 15] == .white)
  }

  @Test("A truncated interlaced image is coarse instead of incomplete")
  func missingPasses() throws {
    let picture = TestPicture(width: 32, height: 32) { _, _ in Color(hex: 0xFF0000) }
    let file = PNGWriter.file(picture, isInterlaced: true)
    let (result, image) = try Decoding.decode(Array(file.prefix(file.count / 3)), background: .white)
    #expect(image.isDamaged)
    #expect(result == picture)
  }

  @Test("A wrong checksum is detected")
  func checksums() throws {
    let picture = TestPicture.landscape(width: 12, height: 10)
    var writer = PNGWriter(width: 12, height: 10)
    writer.bytesPerChunk = 100
    let good = writer.file(picture)
    let pixels = try #require(good.indices.first { good[$0...].starts(with: "IDAT".utf8) })
    var bad = good
    bad[pixels + 4 + 100] ^= 1
    // The chunk with the wrong checksum is the first of several: its rows are decoded, and no others.
    #expect(try Decoding.decode(bad).image.isDamaged)
    bad = good
    bad[29] ^= 1
    #expect(throws: DecodingError.self) { try Decoding.decode(bad) }
    writer.chunks = [PNGWriter.chunk("iCCP", [1, 2, 3])]
    var profile = writer.file(picture)
    #expect(try !Decoding.decode(profile).image.isDamaged)
    profile[41] ^= 1
    let result = try Decoding.decode(profile)
    #expect(result.image.isDamaged)
    #expect(result.picture == picture)
  }

  @Test("Text chunks are not passed to the decoder, and invalid profiles are ignored")
  func ancillaryChunks() throws {
    var writer = PNGWriter(width: 3, height: 3)
    let picture = TestPicture.landscape(width: 3, height: 3)
    // Chunks that a decoder would refuse if it read them: wrong lengths, and not compressed.
    writer.chunks = ["gAMA", "zTXt", "iTXt", "iCCP", "cHRM", "acTL", "fdAT"].map { PNGWriter.chunk($0, [1]) }
    #expect(try Decoding.decode(writer.file(picture)).picture == picture)
    writer.chunks = [PNGWriter.chunk("CgBI", [0, 0, 0, 0])]
    #expect(throws: DecodingError.self) { try Decoding.decode(writer.file(picture)) }
  }

  @Test("Files with random changes are decoded or refused", arguments: 1...4)
  func mutations(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    for isInterlaced in [false, true] {
      let file = PNGWriter.file(.landscape(width: 12, height: 10), withAlpha: true, isInterlaced: isInterlaced)
      for _ in 0..<150 {
        var changed = file
        for _ in 0..<3 {
          changed[Int.random(in: 8..<changed.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        guard let result = try? Decoding.decode(changed, width: 8, height: 8) else { continue }
        #expect(result.picture.bytes.count == 256)
      }
    }
  }
}
