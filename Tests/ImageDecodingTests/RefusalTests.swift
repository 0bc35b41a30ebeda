import Geometry
import ImageMetadata
import Rendering
import Testing

@testable import ImageDecoding

@Suite("What is not decoded, and why")
struct RefusalTests {
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

  @Test("Empty files, and files that are no pictures")
  func noPictures() throws {
    #expect(try failure([]) == .emptyFile)
    #expect(try failure(Array("<!DOCTYPE html><title>captive portal</title>".utf8)) == .notAPicture)
    #expect(try failure([UInt8](repeating: 0, count: 5000)) == .notAPicture)
  }

  @Test("Formats without a decoder are named")
  func formats() throws {
    #expect(try failure([0xFF, 0x0A, 0, 0]) == .unsupported(.jpegXL, detail: "JPEG XL"))
    #expect(try failure([0xFF, 0x4F, 0xFF, 0x51, 0, 41]) == .unsupported(.jpeg2000, detail: "JPEG 2000"))
    #expect(try failure(Array("8BPS".utf8) + [0, 1]) == .unsupported(.photoshop, detail: "Photoshop"))
  }

  @Test("Formats that are left to a sandbox are refused where there is none")
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
    let outside = ImageFormat.allCases.filter { DecoderSet.all.contains($0) && !DecoderSet.trusted.contains($0) }
    #expect(Set(outside) == [.gif, .bmp, .qoi, .tiff, .avif, .heic])
  }

  @Test("Bombs are refused by their header")
  func bombs() throws {
    #expect(try failure(webP(16_384, 15_626)) == .tooLarge(PixelSize(width: 16_384, height: 15_626)))
    #expect(try failure(png(20_000, 20_000)) == .tooLarge(PixelSize(width: 20_000, height: 20_000)))
    #expect(try failure(png(9000, 9000)) == .tooLarge(PixelSize(width: 9000, height: 9000)))
    #expect(try failure(png(0x7FFF_FFFF, 0x7FFF_FFFF)) == .tooLarge(nil))
    guard case .damaged = try failure(png(0, 8)) else {
      Issue.record("a picture without pixels was not refused as damaged")
      return
    }
  }

  @Test("A result larger than its room is refused before it is decoded")
  func room() throws {
    let file = PNGWriter.file(.corners(width: 16, height: 16))
    #expect(try failure(file, into: 1023) == .bufferTooSmall(needed: 1024))
    #expect(try failure(file, into: 1024) == nil)
  }

  @Test("Limits are the caller's to tighten")
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

  @Test("Every failure has words")
  func words() {
    let errors: [DecodingError] = [
      .emptyFile, .notAPicture, .unsupported(.heic, detail: "x"), .damaged(detail: "x"), .tooLarge(nil),
      .tooLarge(PixelSize(width: 2, height: 3)), .bufferTooSmall(needed: 4), .outOfMemory, .noPreview,
      .interrupted, .tooMuchMetadata(bytes: 5), .tooManyPasses(6),
    ]
    #expect(Set(errors.map(\.description)).count == errors.count)
  }
}
