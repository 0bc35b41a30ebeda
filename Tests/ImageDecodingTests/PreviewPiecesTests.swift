import DecodingProtocol
import Geometry
import ImageMetadata
import TestSupport
import Testing

@testable import ImageDecoding

@Suite("Of a HEIC whose preview is wanted only that is read")
struct PreviewPiecesTests {
  /// The picture with a preview, and a megabyte of pixels that mean nothing behind.
  private static var large: [UInt8] {
    var file = ISOMediaFixture.previewHEIC
    guard let place = file.indices.last(where: { file[$0...].starts(with: Array("mdat".utf8)) }) else { return [] }
    let more = 1 << 20
    let length = file.count - place + 4 + more
    file.replaceSubrange(place - 4..<place, with: [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: length >> $0) })
    return file + [UInt8](repeating: 0xA5, count: more)
  }

  private func ranges(_ file: [UInt8]) throws -> [Range<Int>]? {
    ImageDecoder().previewRanges(ImageHeader.read(file), fileBytes: file.count) { place in
      Array(file[min(file.count, place)..<min(file.count, place + 16)])
    }
  }

  @Test("The boxes and the preview's bytes are enough for it, and no others are read")
  func pieces() throws {
    let file = PreviewPiecesTests.large
    let ranges = try #require(try ranges(file))
    #expect(ranges.reduce(0) { $0 + $1.count } < 2048)
    var pieces = [UInt8](repeating: 0, count: file.count)
    for range in ranges { pieces.replaceSubrange(range, with: file[range]) }
    for rung in [DecodingRung.embedded, .sufficientPreview] {
      let whole = try Decoding.decode(file, width: 60, height: 60, rung: rung)
      let part = try Decoding.decode(pieces, width: 60, height: 60, rung: rung)
      #expect(part.picture == whole.picture)
      #expect(part.image == whole.image)
    }
    // The preview has 64 pixels a side.
    #expect(throws: DecodingError.noPreview) {
      try Decoding.decode(pieces, width: 100, height: 100, rung: .sufficientPreview)
    }
    #expect(try Decoding.decode(pieces, width: 100, height: 100, rung: .embedded).picture.width == 100)
    // The picture itself is not among the pieces.
    #expect(throws: DecodingError.self) { try Decoding.decode(pieces, width: 100, height: 100) }
  }

  @Test("It is not worth it for small files, and not tried for others")
  func others() throws {
    #expect(try ranges(ISOMediaFixture.previewHEIC) == nil)
    #expect(try ranges(ISOMediaFixture.heic) == nil)
    #expect(try ranges(ISOMediaFixture.corners) == nil)
    #expect(try ranges(try JPEGFixture.file(.corners(width: 64, height: 64))) == nil)
  }

  @Test("Boxes that make no sense are left to the whole file; the ranges lie within it", arguments: 1...4)
  func mutations(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let file = PreviewPiecesTests.large
    #expect(try ranges(Array(file.dropLast(7))) == nil)
    for _ in 0..<300 {
      var changed = file
      for _ in 0..<3 { changed[Int.random(in: 0..<700, using: &random)] = UInt8.random(in: 0...255, using: &random) }
      for range in try ranges(changed) ?? [] { #expect(range.lowerBound >= 0 && range.upperBound <= changed.count) }
    }
  }

  @Test("The decoding process answers as with the whole file")
  func process() throws {
    let file = PreviewPiecesTests.large
    let process = try DecodingProcess()
    for side in [60, 200] {
      let reply = try #require(try process.decode(file, width: side, height: side))
      let expected = try? Decoding.decode(file, width: side, height: side).picture
      #expect((reply.status == .ok) == (expected != nil))
      guard let expected else { continue }
      #expect(Array(process.slot(0).prefix(Int(reply.byteCount))) == expected.bytes)
    }
  }
}
