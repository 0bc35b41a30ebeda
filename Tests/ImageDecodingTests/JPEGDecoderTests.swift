import Testing
import VitrineGeometry
import VitrineImageMetadata
import VitrineRendering
import VitrineTestSupport

@testable import VitrineImageDecodingCore

@Suite("JPEG decoding")
struct JPEGDecoderTests {
  @Test("An image is similar after encoding and decoding")
  func roundTrip() throws {
    let picture = TestPicture.landscape(width: 80, height: 60)
    let (result, image) = try Decoding.decode(try JPEGFixture.file(picture))
    #expect(image.size == PixelSize(width: 80, height: 60))
    #expect(!image.isDamaged)
    let error = zip(result.bytes, picture.bytes).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
    #expect(error / result.bytes.count <= 6)
  }

  @Test("A lower quality makes a smaller file, and the quality is clamped to the range from 1 to 100")
  func quality() throws {
    let picture = TestPicture.landscape(width: 80, height: 60)
    let sizes = try [-5, 30, 90, 500].map { try JPEGFixture.file(picture, quality: $0).count }
    #expect(sizes == sizes.sorted())
    #expect(Set(sizes).count == sizes.count)
  }

  @Test("A buffer with fewer pixels than the size is refused")
  func smallBuffer() throws {
    let size = try #require(PixelSize(width: 8, height: 8))
    #expect(throws: DecodingError.bufferTooSmall(needed: 256)) {
      try [UInt8](repeating: 0, count: 255).withUnsafeBytes { pixels in
        _ = try JPEGEncoder.encode(pixels, size: size, quality: 90) { $0.count }
      }
    }
  }

  @Test("Inks are converted to colors")
  func inks() throws {
    let (picture, image) = try Decoding.decode(JPEGFixture.inks)
    #expect(image.sourceSize == PixelSize(width: 32, height: 8))
    let colors = [0x00FFFF, 0xFF00FF, 0xFFFF00, 0x7F7F7F].map { Color(hex: $0) }
    for (index, color) in colors.enumerated() {
      #expect(Decoding.isNear(picture[index * 8 + 4, 4], color, within: 12))
    }
  }

  @Test("Inks without Adobe's marker are not inverted")
  func plainInks() throws {
    // With another name in the marker, luma and chroma of 0, 128 and 128 are read as inks, and black is a half.
    var file = JPEGFixture.inks
    file[6] = UInt8(ascii: "B")
    let picture = try Decoding.decode(file).picture
    #expect(Decoding.isNear(picture[28, 4], Color(hex: 0x804040), within: 12))
  }

  @Test("The scale is the smallest that leaves at least twice the pixels")
  func scales() throws {
    func eighths(_ width: Int, _ height: Int, target: Int, fit: FitMode = .fill) throws -> Int {
      let size = try #require(PixelSize(width: width, height: height))
      let placement = Placement(
        stored: size, orientation: .up, target: try #require(PixelSize(width: target, height: target)), fit: fit)
      return JPEGDecoder.eighths(for: placement, size: size)
    }
    #expect(try eighths(4096, 4096, target: 256) == 1)
    #expect(try eighths(4032, 3024, target: 256, fit: .fit) == 1)
    #expect(try eighths(3900, 3900, target: 256) == 2)
    #expect(try eighths(1024, 1024, target: 256) == 4)
    #expect(try eighths(500, 500, target: 256) == 8)
    #expect(try eighths(100, 100, target: 256) == 8)
    #expect(try eighths(4096, 3000, target: 256, fit: .fit) == 1)
    // Twice 6,000 pixels per side would take half a gigabyte.
    #expect(try eighths(12_000, 12_000, target: 6000) == 4)
  }

  @Test("A scaled image is aligned by its exact ratio, not by its rounded size")
  func alignment() throws {
    // 101 pixels at one eighth are 13 pixels, which represent 104.
    let picture = TestPicture(width: 101, height: 101) { x, _ in
      let grey = UInt8(x * 2)
      return Color(red: grey, green: grey, blue: grey)
    }
    let result = try Decoding.decode(try JPEGFixture.file(picture), width: 6, height: 6).picture
    for x in 1..<5 {
      let expected = (Double(x) + 0.5) * 101 / 6 * 2 - 1
      #expect(abs(Double(result[x, 3].red) - expected) < 2.5)
    }
  }

  @Test("Rows outside the result are skipped without a change of the result", arguments: [5, 20, 90])
  func skippedRows(height: Int) throws {
    let file = try JPEGFixture.file(.landscape(width: 300, height: 403))
    // As wide as the image but less high: the middle of the whole image at that scale.
    let result = try Decoding.decode(file, width: 150, height: height).picture
    let placement = Placement(
      stored: try #require(PixelSize(width: 300, height: 403)), orientation: .up,
      target: try #require(PixelSize(width: 150, height: height)), fit: .fill)
    let rows = placement.rows(of: 403, scale: 1, reducedBy: 1)
    #expect(rows.count < 403 && rows.lowerBound > 0)
    let whole = try Decoding.decode(file).picture
    let reference = ReferenceResampler(window: placement.window, width: 150, height: height).draw(whole)
    let pixels = stride(from: 0, to: result.bytes.count, by: 4).flatMap { result.bytes[$0..<$0 + 3] }
    let worst = zip(pixels, reference).map { abs(Double($0) - $1) }.max()
    #expect(try #require(worst) <= 0.51)
  }

  @Test("A file that is truncated below the result is marked as damaged")
  func truncatedBelowResult() throws {
    let file = try JPEGFixture.file(.landscape(width: 300, height: 403))
    let whole = try Decoding.decode(file, width: 150, height: 10)
    let cut = try Decoding.decode(Array(file.dropLast(file.count / 10)), width: 150, height: 10)
    #expect(cut.picture == whole.picture)
    #expect(cut.image.isDamaged)
    #expect(!whole.image.isDamaged)
    // The bytes after the end are not part of the image.
    #expect(try !Decoding.decode(file + [1, 2, 3], width: 150, height: 10).image.isDamaged)
  }

  @Test("Every prefix gives an error, or is marked as damaged")
  func prefixes() throws {
    let file = try JPEGFixture.file(.landscape(width: 48, height: 48), quality: 60)
    var pictures = 0
    for count in 0..<file.count {
      guard let result = try? Decoding.decode(Array(file.prefix(count))) else { continue }
      pictures += 1
      #expect(result.image.isDamaged)
    }
    #expect(pictures > 50)
    #expect(try !Decoding.decode(file).image.isDamaged)
  }

  @Test("A file that ends before its pixels gives an error, not a grey image")
  func noPixels() throws {
    let file = try JPEGFixture.file(.landscape(width: 48, height: 48))
    let scan = try #require(file.indices.first { file[$0...].starts(with: [0xFF, 0xDA]) })
    let end = scan + 2 + Int(file[scan + 3])
    #expect(throws: DecodingError.self) { try Decoding.decode(Array(file.prefix(end))) }
    #expect(throws: DecodingError.self) { try Decoding.decode(Array(file.prefix(end)) + [0xFF, 0xD9]) }
    #expect(try Decoding.decode(Array(file.prefix(end + 200))).image.isDamaged)
  }

  @Test("Processes that libjpeg-turbo does not support are refused in advance")
  func processes() throws {
    let file = try JPEGFixture.file(.landscape(width: 16, height: 16))
    let frame = try #require(file.indices.first { file[$0...].starts(with: [0xFF, 0xC0]) })
    var hierarchical = file
    hierarchical[frame + 1] = 0xC5
    #expect(throws: DecodingError.unsupported(.jpeg, detail: "a process other than baseline, progressive or lossless"))
    {
      try Decoding.decode(hierarchical)
    }
    var deep = file
    deep[frame + 4] = 12
    #expect(throws: DecodingError.unsupported(.jpeg, detail: "a process other than baseline, progressive or lossless"))
    {
      try Decoding.decode(deep)
    }
  }

  @Test("A progressive file with more than a hundred scans is refused")
  func manyScans() throws {
    let file = try JPEGFixture.file(.landscape(width: 16, height: 16))
    let frame = try #require(file.indices.first { file[$0...].starts(with: [0xFF, 0xC0]) })
    let scan = try #require(file.indices.first { file[$0...].starts(with: [0xFF, 0xDA]) })
    var progressive = Array(file.prefix(scan))
    progressive[frame + 1] = 0xC2
    for _ in 0..<200 { progressive += [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 0, 0, 0x55] }
    #expect(throws: DecodingError.tooManyPasses(100)) { try Decoding.decode(progressive) }
    let structure = progressive.withUnsafeBytes { JPEGStructure($0) }
    #expect(structure.isProgressive)
    #expect(structure.scanCount == 101)
  }

  @Test("Files with random changes are decoded or refused", arguments: 1...4)
  func mutations(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let file = try JPEGFixture.file(.landscape(width: 32, height: 32))
    for _ in 0..<200 {
      var changed = file
      for _ in 0..<3 {
        changed[Int.random(in: 2..<changed.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      guard let result = try? Decoding.decode(changed, width: 8, height: 8) else { continue }
      #expect(result.picture.bytes.count == 256)
    }
  }
}

// MARK: - Long sides

@Suite("JPEG files with long sides")
struct LongJPEGTests {
  /// Returns a panorama whose red component increases to the right.
  private func panorama(width: Int, height: Int) -> TestPicture {
    TestPicture(width: width, height: height) { x, _ in
      Color(red: UInt8(x * 255 / max(1, width - 1)), green: 128, blue: 64)
    }
  }

  @Test("A panorama is decoded as a whole, or in its middle", arguments: [false, true])
  func panorama(isProgressive: Bool) throws {
    let picture = panorama(width: 40_000, height: 24)
    let file = isProgressive ? try JPEGFixture.progressive(picture) : try JPEGFixture.file(picture)
    let whole = try Decoding.decode(file, width: 200, height: 200, fit: .fit)
    #expect(!whole.image.isDamaged)
    #expect((whole.picture.width, whole.picture.height) == (200, 1))
    #expect(Decoding.isNear(whole.picture[0, 0], Color(red: 1, green: 128, blue: 64), within: 4))
    #expect(Decoding.isNear(whole.picture[199, 0], Color(red: 254, green: 128, blue: 64), within: 4))
    let middle = try Decoding.decode(file, width: 12, height: 12).picture
    for x in 0..<12 { #expect(Decoding.isNear(middle[x, 6], Color(red: 127, green: 128, blue: 64), within: 4)) }
  }

  @Test("An image that is longer than the limit of libjpeg is refused as too large")
  func tooLong() throws {
    var file = try JPEGFixture.file(panorama(width: 65_500, height: 8))
    #expect(try !Decoding.decode(file, width: 8, height: 8).image.isDamaged)
    let frame = try #require(file.indices.first { file[$0...].starts(with: [0xFF, 0xC0]) })
    file.replaceSubrange(frame + 7..<frame + 9, with: [0xFF, 0xDD])
    #expect(throws: DecodingError.tooLarge(PixelSize(width: 65_501, height: 8))) {
      try Decoding.decode(file, width: 8, height: 8)
    }
  }

  @Test("Of a long image, only the columns that the result needs are stored", arguments: [1.0, 0.5, 0.125])
  func columns(scale: Double) throws {
    let size = try #require(PixelSize(width: 60_000, height: 600))
    let target = try #require(PixelSize(width: 256, height: 256))
    let placement = Placement(stored: size, orientation: .up, target: target, fit: .fill)
    let width = Int(60_000 * scale)
    let columns = placement.columns(of: width, scale: scale, reducedBy: 1)
    #expect(columns.count < Int(700 * scale) + 16)
    #expect(columns.contains(width / 2))
    #expect(placement.columns(of: width, scale: scale, reducedBy: 7).lowerBound.isMultiple(of: 7))
  }
}
