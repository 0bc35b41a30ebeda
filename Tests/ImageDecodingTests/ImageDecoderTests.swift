import Synchronization
import Testing
import VitrineGeometry
import VitrineImageDecoding
import VitrineImageMetadata
import VitrineRendering
import VitrineTestSupport

@testable import VitrineImageDecodingCore

@Suite("Files that are refused, with their errors")
struct ImageDecoderTests {
  private func failure(_ file: [UInt8], into bytes: Int = 1024) throws -> DecodingError? {
    let size = try #require(PixelSize(width: 16, height: 16))
    var output = [UInt8](repeating: 0, count: bytes)
    do {
      try output.withUnsafeMutableBytes { pixels in
        try file.withUnsafeBytes { file in
          _ = try ImageDecoder().decode(file, target: DecodingTarget(size: size), into: pixels)
        }
      }
      return nil
    } catch {
      return try #require(error as? DecodingError)
    }
  }

  private func png(_ width: Int, _ height: Int) -> [UInt8] {
    PNGWriter.signature
      + PNGWriter.chunk("IHDR", PNGWriter.big(width) + PNGWriter.big(height) + [8, 6, 0, 0, 0])
      + PNGWriter.chunk("IDAT", PNGWriter.stored([0]))
  }

  private func webP(_ width: Int, _ height: Int) -> [UInt8] {
    let bits = width - 1 | (height - 1) << 14
    let content = [0x2F] + (0..<4).map { UInt8(truncatingIfNeeded: bits >> (8 * $0)) } + [0, 0, 0]
    return Array("RIFF".utf8) + [20, 0, 0, 0] + Array("WEBPVP8L".utf8) + [8, 0, 0, 0] + content
  }

  @Test("Empty files, and files that are not images")
  func notImages() throws {
    #expect(try failure([]) == .emptyFile)
    #expect(try failure(Array("<!DOCTYPE html><title>captive portal</title>".utf8)) == .notAPicture)
    #expect(try failure([UInt8](repeating: 0, count: 5000)) == .notAPicture)
  }

  @Test("Formats without a decoder are named in the error")
  func formats() throws {
    #expect(try failure([0xFF, 0x0A, 0, 0]) == .unsupported(.jpegXL, detail: "JPEG XL"))
    #expect(try failure([0xFF, 0x4F, 0xFF, 0x51, 0, 41]) == .unsupported(.jpeg2000, detail: "JPEG 2000"))
    #expect(try failure(Array("8BPS".utf8) + [0, 1]) == .unsupported(.photoshop, detail: "Photoshop"))
  }

  @Test("Formats that are restricted to a sandbox are refused without one")
  func withoutSandbox() throws {
    let target = DecodingTarget(size: try #require(PixelSize(width: 4, height: 4)))
    let picture = TestPicture.corners(width: 8, height: 8)
    let trusted = ImageDecoder(formats: .trusted)
    _ = QOIWriter.file(picture).withUnsafeBytes { file in
      #expect(throws: DecodingError.unsupported(.qoi, detail: "decoded in a sandbox alone, and there is none")) {
        _ = try trusted.bitmap(file, target: target)
      }
    }
    let png = try PNGWriter.file(picture).withUnsafeBytes { try trusted.bitmap($0, target: target).image.size }
    #expect(png == target.size)
    // A format that is added here runs without a sandbox on old kernels.
    #expect(DecoderSet.trusted == [DecoderSet(.jpeg), DecoderSet(.png), DecoderSet(.webp)])
    #expect(DecoderSet.trusted.isStrictSubset(of: .all))
  }

  @Test("Oversized images are refused by their header")
  func oversized() throws {
    #expect(try failure(webP(16_384, 15_626)) == .tooLarge(PixelSize(width: 16_384, height: 15_626)))
    #expect(try failure(png(20_000, 20_000)) == .tooLarge(PixelSize(width: 20_000, height: 20_000)))
    #expect(try failure(png(9000, 9000)) == .tooLarge(PixelSize(width: 9000, height: 9000)))
    #expect(try failure(png(0x7FFF_FFFF, 0x7FFF_FFFF)) == .tooLarge(nil))
    guard case .damaged = try failure(png(0, 8)) else {
      Issue.record("a picture without pixels was not refused as damaged")
      return
    }
  }

  @Test("A result that is larger than its buffer is refused before it is decoded")
  func smallBuffer() throws {
    let file = PNGWriter.file(.corners(width: 16, height: 16))
    #expect(try failure(file, into: 1023) == .bufferTooSmall(needed: 1024))
    #expect(try failure(file, into: 1024) == nil)
  }

  @Test("The caller can tighten the limits")
  func limits() throws {
    let strict = ImageDecoder(
      limits: ImageLimits(
        longestSide: 15, maximumPixels: 1 << 20, maximumPixelsPerByte: 10, ratioCheckThreshold: 1 << 20))
    let target = DecodingTarget(size: try #require(PixelSize(width: 4, height: 4)))
    let file = WebPFixture.still(WebPFixture.losslessCorners)
    _ = file.withUnsafeBytes { file in
      #expect(throws: DecodingError.tooLarge(PixelSize(width: 24, height: 16))) {
        _ = try strict.bitmap(file, target: target)
      }
    }
  }

  @Test("Every error has a description")
  func descriptions() {
    let errors: [DecodingError] = [
      .emptyFile, .notAPicture, .unsupported(.heic, detail: "x"), .damaged(detail: "x"), .tooLarge(nil),
      .tooLarge(PixelSize(width: 2, height: 3)), .bufferTooSmall(needed: 4), .outOfMemory, .noPreview,
      .interrupted, .tooMuchMetadata(bytes: 5), .tooManyPasses(6), .decoderFault(.tooManyRows(height: 7)),
      .decoderFault(.tooFewRows(rows: 7, needed: 8)), .decoderFault(.wrongScale),
    ]
    #expect(Set(errors.map(\.description)).count == errors.count)
  }
}

// MARK: - Interruption

@Suite("An image that is no longer needed is abandoned between rows")
struct InterruptionTests {
  /// Counts the queries, and reports an interruption from one of them on.
  private final class QueryCounter: Sendable {
    private let queries = Atomic(0)
    private let last: Int

    init(interruptingAt last: Int) {
      self.last = last
    }

    var count: Int { queries.load(ordering: .relaxed) }

    var interruption: DecodingInterruption {
      DecodingInterruption { [self] in queries.wrappingAdd(1, ordering: .relaxed).newValue >= last }
    }
  }

  private static let picture = TestPicture.landscape(width: 512, height: 256)

  /// Returns files whose decoders produce rows.
  static func files() -> [(name: String, file: [UInt8])] {
    let rows = (0..<256).map { y in
      Array(picture.bytes[y * 512 * 4..<(y + 1) * 512 * 4]).enumerated().filter { $0.offset % 4 != 3 }.map(\.element)
    }
    var interlaced = PNGWriter(width: 512, height: 256)
    interlaced.isInterlaced = true
    let palette = (0..<128).map { [UInt8($0), UInt8($0), UInt8($0)] }
    let numbers = (0..<256).map { y in (0..<512).map { x in UInt8((x + y) % 128) } }
    var passes = GIFWriter(canvas: (512, 256), palette: palette)
    passes.isInterlaced = true
    return [
      ("png", PNGWriter.file(picture)), ("interlaced png", interlaced.file(picture)), ("qoi", QOIWriter.file(picture)),
      ("tiff", TIFFWriter(width: 512, height: 256, rowsPerStrip: 16).file(rows: rows)),
      ("bmp", BMPWriter(width: 512, height: 256).file(rows: rows)),
      ("gif", GIFWriter(canvas: (512, 256), palette: palette).file(rows: numbers)),
      ("interlaced gif", passes.file(rows: numbers)),
    ]
  }

  @Test("The interruption is queried often, but not for every row, and ends the work immediately")
  func queries() throws {
    for (name, file) in InterruptionTests.files() {
      let uninterrupted = QueryCounter(interruptingAt: .max)
      _ = try Decoding.decode(file, width: 64, height: 48, interruption: uninterrupted.interruption)
      // 131,072 pixels: one query before, one after, and one for every 65,536 pixels.
      #expect((4...20).contains(uninterrupted.count), "\(name): \(uninterrupted.count)")
      for last in 1...uninterrupted.count {
        let interrupted = QueryCounter(interruptingAt: last)
        #expect(throws: DecodingError.interrupted) {
          try Decoding.decode(file, width: 64, height: 48, interruption: interrupted.interruption)
        }
        #expect(interrupted.count == last)
      }
    }
  }

  @Test("Decoders of whole images query the interruption before and after decoding")
  func wholeImages() throws {
    let files = [
      try JPEGFixture.file(.corners(width: 64, height: 48)), WebPFixture.still(WebPFixture.lossyCorners),
      ISOMediaFixture.corners, ISOMediaFixture.heic,
    ]
    for file in files {
      let uninterrupted = QueryCounter(interruptingAt: .max)
      _ = try Decoding.decode(file, width: 8, height: 6, interruption: uninterrupted.interruption)
      #expect(uninterrupted.count >= 2)
      for last in 1...uninterrupted.count {
        #expect(throws: DecodingError.interrupted) {
          try Decoding.decode(
            file, width: 8, height: 6, interruption: QueryCounter(interruptingAt: last).interruption)
        }
      }
    }
  }
}
