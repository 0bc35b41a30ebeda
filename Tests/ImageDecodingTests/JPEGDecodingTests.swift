import Geometry
import ImageMetadata
import Rendering
import TestSupport
import Testing

@testable import ImageDecoding

@Suite("JPEG")
struct JPEGDecodingTests {
  @Test("A picture survives writing and reading")
  func roundTrip() throws {
    let picture = TestPicture.landscape(width: 80, height: 60)
    let (result, image) = try Decoding.decode(try JPEGFixture.file(picture))
    #expect(image.size == PixelSize(width: 80, height: 60))
    #expect(!image.isDamaged)
    let error = zip(result.bytes, picture.bytes).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
    #expect(error / result.bytes.count <= 6)
  }

  @Test("A lower quality makes a smaller file, and one outside 1 to 100 is brought within")
  func quality() throws {
    let picture = TestPicture.landscape(width: 80, height: 60)
    let sizes = try [-5, 30, 90, 500].map { try JPEGFixture.file(picture, quality: $0).count }
    #expect(sizes == sizes.sorted())
    #expect(Set(sizes).count == sizes.count)
  }

  @Test("Fewer pixels than the size says are refused")
  func encoderChecks() throws {
    let size = try #require(PixelSize(width: 8, height: 8))
    #expect(throws: DecodingError.bufferTooSmall(needed: 256)) {
      try [UInt8](repeating: 0, count: 255).withUnsafeBytes { pixels in
        _ = try JPEGEncoder.encode(pixels, size: size, quality: 90) { $0.count }
      }
    }
  }

  @Test("Four inks become light")
  func inks() throws {
    let (picture, image) = try Decoding.decode(JPEGFixture.inks)
    #expect(image.sourceSize == PixelSize(width: 32, height: 8))
    let colors = [0x00FFFF, 0xFF00FF, 0xFFFF00, 0x7F7F7F].map { Color(hex: $0) }
    for (index, color) in colors.enumerated() {
      #expect(Decoding.isNear(picture[index * 8 + 4, 4], color, within: 12))
    }
  }

  @Test("Inks without Adobe's marker are taken as they are")
  func plainInks() throws {
    // Another name in the marker, and luminance and colour, 0, 128 and 128 here, are read as inks; black is a half.
    var file = JPEGFixture.inks
    file[6] = UInt8(ascii: "B")
    let picture = try Decoding.decode(file).picture
    #expect(Decoding.isNear(picture[28, 4], Color(hex: 0x804040), within: 12))
  }

  @Test("The scale is the smallest that leaves twice the pixels")
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
    // Twice 6,000 pixels a side would take half a gigabyte.
    #expect(try eighths(12_000, 12_000, target: 6000) == 4)
  }

  @Test("A scaled picture stays where it was: the true ratio counts, not the rounded size")
  func alignment() throws {
    // 101 pixels at an eighth are 13, which stand for 104.
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

  @Test("Rows that the result does not show are passed over, and the picture is the same", arguments: [5, 20, 90])
  func passedRows(height: Int) throws {
    let file = try JPEGFixture.file(.landscape(width: 300, height: 403))
    // As wide as the picture and less high: the middle of the whole picture at that scale.
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

  @Test("A file cut off below what the result shows is marked all the same")
  func cutBelow() throws {
    let file = try JPEGFixture.file(.landscape(width: 300, height: 403))
    let whole = try Decoding.decode(file, width: 150, height: 10)
    let cut = try Decoding.decode(Array(file.dropLast(file.count / 10)), width: 150, height: 10)
    #expect(cut.picture == whole.picture)
    #expect(cut.image.isDamaged)
    #expect(!whole.image.isDamaged)
    // What follows the end is none of the picture.
    #expect(try !Decoding.decode(file + [1, 2, 3], width: 150, height: 10).image.isDamaged)
  }

  @Test("Every prefix gives an error or a mark")
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

  @Test("A file that ends before its pixels is no picture of grey")
  func noPixels() throws {
    let file = try JPEGFixture.file(.landscape(width: 48, height: 48))
    let scan = try #require(file.indices.first { file[$0...].starts(with: [0xFF, 0xDA]) })
    let end = scan + 2 + Int(file[scan + 3])
    #expect(throws: DecodingError.self) { try Decoding.decode(Array(file.prefix(end))) }
    #expect(throws: DecodingError.self) { try Decoding.decode(Array(file.prefix(end)) + [0xFF, 0xD9]) }
    #expect(try Decoding.decode(Array(file.prefix(end + 200))).image.isDamaged)
  }

  @Test("Processes that libjpeg-turbo has not are told before it is asked")
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

  @Test("A progressive file of a hundred and more passes is refused")
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

  @Test("Bytes changed at random do no harm", arguments: 1...4)
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
