import Testing
import VitrineGeometry
import VitrineImageDecoding
import VitrineImageMetadata
import VitrineRendering

@testable import VitrineImageDecodingCore

@Suite("Each format of the table that is decoded has a decoder")
struct FormatDecoderTests {
  @Test("The table and the list of decoders agree")
  func tableAndDecoders() {
    for entry in ImageFormat.table {
      #expect((FormatDecoders.all.decoder(of: entry.format) != nil) == (entry.decoding != .none), "\(entry.name)")
      #expect(DecoderSet.all.contains(entry.format) == (entry.decoding != .none), "\(entry.name)")
      #expect(DecoderSet.trusted.contains(entry.format) == (entry.decoding == .anywhere), "\(entry.name)")
    }
  }

  @Test("The common formats are those without TIFF, AVIF and HEIC, which a decoder of them does not support")
  func commonFormats() throws {
    #expect(
      DecoderSet.common == [.jpeg, .png, .webp, .gif, .bmp, .qoi].map { DecoderSet($0) }.reduce([]) { $0.union($1) })
    #expect(DecoderSet.all.subtracting(.common) == [DecoderSet(.tiff), DecoderSet(.avif), DecoderSet(.heic)])
    #expect(ImageDecoder(decoders: .common).formats == .common && ImageDecoder().formats == .all)
    let target = DecodingTarget(size: try #require(PixelSize(width: 8, height: 8)))
    let tiff = TIFFWriter(width: 32, height: 24, rowsPerStrip: 8).file(
      rows: [[UInt8]](repeating: [UInt8](repeating: 1, count: 96), count: 24))
    for (format, file) in [(ImageFormat.tiff, tiff), (.avif, ISOMediaFixture.corners), (.heic, ISOMediaFixture.heic)] {
      file.withUnsafeBytes { file in
        for formats in [DecoderSet.all, .common] {
          let decoder = ImageDecoder(formats: formats, decoders: .common)
          #expect(throws: DecodingError.unsupported(format, detail: format.name)) {
            _ = try decoder.bitmap(file, target: target)
          }
          #expect(throws: DecodingError.unsupported(format, detail: format.name)) {
            _ = try AnimationDecoder(file, header: .read(file), target: target, decoder: decoder)
          }
        }
      }
    }
    let qoi = QOIWriter.file(.corners(width: 32, height: 24))
    let decoded = try qoi.withUnsafeBytes { try ImageDecoder(decoders: .common).bitmap($0, target: target) }
    #expect(decoded.image.sourceSize == PixelSize(width: 32, height: 24))
  }

  @Test("A file of each decoded format is recognized, measured and decoded")
  func everyFormat() throws {
    let picture = TestPicture.corners(width: 32, height: 24)
    var colors: [[UInt8]] = []
    for y in 0..<24 {
      let row = picture.bytes[y * 128..<(y + 1) * 128]
      colors.append(row.enumerated().filter { $0.offset % 4 != 3 }.map(\.element))
    }
    let numbers = [[UInt8]](repeating: [UInt8](repeating: 1, count: 32), count: 24)
    var files: [ImageFormat: [UInt8]] = [:]
    files[.jpeg] = try JPEGFixture.file(picture)
    files[.png] = PNGWriter.file(picture)
    files[.webp] = WebPFixture.still(WebPFixture.losslessCorners)
    files[.gif] = GIFWriter(canvas: (32, 24), palette: [[9, 9, 9], [200, 9, 9]]).file(rows: numbers)
    files[.bmp] = BMPWriter(width: 32, height: 24).file(rows: colors)
    files[.tiff] = TIFFWriter(width: 32, height: 24, rowsPerStrip: 8).file(rows: colors)
    files[.avif] = ISOMediaFixture.corners
    files[.heic] = ISOMediaFixture.heic
    files[.qoi] = QOIWriter.file(picture)
    #expect(Set(files.keys) == Set(ImageFormat.table.filter { $0.decoding != .none }.map(\.format)))
    for (format, file) in files {
      let header = try #require(ImageHeader.read(file), "\(format.name)")
      #expect(header.format == format)
      let (decoded, image) = try Decoding.decode(file)
      #expect(image.size == header.size && image.sourceSize == header.size && !image.isDamaged, "\(format.name)")
      #expect(Set(decoded.bytes).count > 1, "\(format.name)")
    }
  }
}

@Suite("A decoder that breaks a rule costs its own result")
struct DecoderFaultTests {
  private let file = QOIWriter.file(.corners(width: 20, height: 30))
  private let stored = PixelSize(width: 20, height: 30)

  /// Decodes the file with another decoder, and then with its own.
  private func failure(
    width: Int = 20, height: Int = 30, _ decode: @escaping FormatDecoder
  ) throws -> (error: DecodingError?, bitmap: Bitmap?) {
    let target = DecodingTarget(size: try #require(PixelSize(width: width, height: height)), fit: .fill)
    let decoder = ImageDecoder(decoders: FormatDecoders().adding(.qoi, decoder: decode))
    var result: (error: DecodingError?, bitmap: Bitmap?)
    do {
      result.bitmap = try file.withUnsafeBytes { try decoder.bitmap($0, target: target).bitmap }
    } catch {
      result.error = try #require(error as? DecodingError)
    }
    // The next image is not affected.
    let next = try file.withUnsafeBytes { try ImageDecoder().bitmap($0, target: target).image }
    #expect(next.sourceSize == stored && !next.isDamaged)
    return result
  }

  /// Returns a decoder that appends rows of an image of the given size.
  private func rows(
    _ count: Int, width: Int = 20, height: Int = 30, isDamaged: Bool = false
  ) -> FormatDecoder {
    { input, placement throws(DecodingError) in
      guard let size = PixelSize(width: width, height: height) else { throw .notAPicture }
      var rows = try RowReducer(size, for: placement, backdrop: input.backdrop, interruption: input.interruption)
      let row = try ScratchMemory<UInt8>(count: width * 4)
      for _ in 0..<count { try rows.append(row.elements, hasAlpha: false) }
      return try rows.finish(isDamaged: isDamaged)
    }
  }

  /// Returns a decoder with pixels of the given size, scale and origin.
  private func pixels(
    width: Int = 20, height: Int = 30, scale: (Double, Double) = (1, 1), origin: (Double, Double) = (0, 0),
    isCropped: Bool = false
  ) -> FormatDecoder {
    { input, placement throws(DecodingError) in
      guard let size = PixelSize(width: width, height: height) else { throw .notAPicture }
      let picture = ReducedPicture(
        pixels: try PixelMemory(size: size), scaleX: scale.0, scaleY: scale.1, originX: origin.0, originY: origin.1,
        isDamaged: false)
      return isCropped ? picture.cropped(left: 0, top: 0) : picture
    }
  }

  @Test("More rows than the image has, and rows without end", arguments: [31, 1000, Int.max])
  func tooManyRows(count: Int) throws {
    let error = try failure(rows(count)).error
    #expect(error == .decoderFault(.tooManyRows(height: 30)))
    #expect(error?.description == "the decoder is faulty: it produced more than the 30 rows of the image")
    // Not even if the result needs few of them.
    #expect(try failure(width: 9, height: 1, rows(count)).error == .decoderFault(.tooManyRows(height: 30)))
  }

  @Test("Fewer rows than the image has, without a report of damage")
  func tooFewRows() throws {
    #expect(try failure(rows(29)).error == .decoderFault(.tooFewRows(rows: 29, needed: 30)))
    #expect(try failure(rows(0)).error == .decoderFault(.tooFewRows(rows: 0, needed: 30)))
    #expect(try failure(rows(0, isDamaged: true)).error == .decoderFault(.tooFewRows(rows: 0, needed: 30)))
    // With a report, the missing rows show the background.
    let shown = try failure(rows(1, isDamaged: true))
    #expect(shown.error == nil && shown.bitmap?.size == stored)
    #expect(try failure(rows(30)).error == nil)
  }

  @Test("Rows and pixels of another size than the header's", arguments: [(10, 10), (20, 15), (21, 33), (200, 300)])
  func wrongSize(width: Int, height: Int) throws {
    let expected = DecodingError.decoderFault(.wrongSize(expected: try #require(stored)))
    #expect(try failure(rows(height, width: width, height: height)).error == expected)
    #expect(try failure(pixels(width: width, height: height)).error == expected)
    #expect(expected.description.contains("20 x 30"))
  }

  @Test("Pixels that begin elsewhere, and scales that do not match the size")
  func wrongExtent() throws {
    let expected = DecodingError.decoderFault(.wrongSize(expected: try #require(stored)))
    for origin in [(5.0, 0.0), (0, 7), (-4, 0), (0, -30), (1e300, 0), (0, -1e300)] {
      #expect(try failure(pixels(origin: origin)).error == expected, "\(origin)")
    }
    for scale in [(2.0, 1.0), (1, 0.5), (1e300, 1), (1, 1e-300), (.leastNonzeroMagnitude, 1)] {
      #expect(try failure(pixels(scale: scale)).error == expected, "\(scale)")
    }
    #expect(try failure(pixels(width: 65_535, height: 100)).error == expected)
    // Coded pixels may extend beyond the image, but must cover it.
    #expect(try failure(pixels(width: 64, height: 64, isCropped: true)).error == nil)
    #expect(try failure(pixels(width: 64, height: 64, origin: (-30, -30), isCropped: true)).error == nil)
    #expect(try failure(pixels(width: 64, height: 64, origin: (3, 0), isCropped: true)).error == expected)
    #expect(try failure(pixels(width: 64, height: 28, isCropped: true)).error == expected)
    #expect(try failure(pixels(scale: (1e300, 1), isCropped: true)).error == expected)
  }

  @Test(
    "Scales and origins that are no valid numbers",
    arguments: [Double.nan, .infinity, -.infinity, 0, -1, -.leastNonzeroMagnitude])
  func wrongScale(value: Double) throws {
    let expected = DecodingError.decoderFault(.wrongScale)
    #expect(try failure(pixels(scale: (value, 1))).error == expected)
    #expect(try failure(pixels(scale: (1, value))).error == expected)
    guard !value.isFinite else { return }
    for isCropped in [false, true] {
      #expect(try failure(pixels(origin: (value, 0), isCropped: isCropped)).error == expected)
      #expect(try failure(pixels(origin: (0, value), isCropped: isCropped)).error == expected)
    }
  }

  @Test("A decoder that throws", arguments: [DecodingError.outOfMemory, .damaged(detail: "x"), .notAPicture])
  func errors(error: DecodingError) throws {
    #expect(try failure { _, _ throws(DecodingError) in throw error }.error == error)
  }

  @Test("A format whose decoder is missing is not supported")
  func missingDecoder() throws {
    let decoder = ImageDecoder(formats: .all, decoders: FormatDecoders())
    let target = DecodingTarget(size: try #require(stored))
    _ = file.withUnsafeBytes { file in
      #expect(throws: DecodingError.unsupported(.qoi, detail: "QOI")) { _ = try decoder.bitmap(file, target: target) }
    }
  }

  @Test("Rows outside the image are ignored by the reducers that receive rows by number or of a region")
  func reducers() throws {
    let size = try #require(PixelSize(width: 2, height: 2))
    var row: [UInt8] = [1, 2, 3, 255, 4, 5, 6, 255]
    let reduction = Reduction(ratioX: 1, ratioY: 1)
    let interlaced = try InterlacedReducer(source: size, reduction: reduction)
    let whole = Adam7(startX: 0, startY: 0, stepX: 1, stepY: 1)
    for y in [-1, Int.min, 0, 1, 2, Int.max] { interlaced.append(row, y: y, pass: whole) }
    let pixels = try interlaced.finish(Backdrop(.black))
    #expect((0..<16).map { pixels.bytes[$0] } == row + row)
    var boxes = try BoxReducer(source: size, reduction: reduction)
    for _ in 0..<9 {
      boxes.append(row)
      row[0] += 1
    }
    let averaged = boxes.finish(Backdrop(.black))
    #expect(averaged.bytes[0] == 1 && averaged.bytes[8] == 2)
  }
}
