import Testing
import VitrineGeometry
import VitrineImageDecoding
import VitrineImageMetadata
import VitrineImagePipeline
import VitrineRendering

@testable import VitrineSampleLibrary

@Suite("The EXIF segment")
struct ExifSegmentTests {
  private func segment(preview: [UInt8] = []) throws -> ExifSegment {
    ExifSegment(
      title: "Autumn hills at dusk", captureTime: 1_633_282_925,
      storedSize: try pixels(3_000, 2_000), preview: preview)
  }

  /// A tiny file as libjpeg-turbo starts one: SOI, JFIF, a frame header, a scan, EOI.
  private let file: [UInt8] =
    [0xFF, 0xD8, 0xFF, 0xE0, 0, 16] + Array("JFIF\0".utf8) + [1, 1, 0, 0, 1, 0, 1, 0, 0]
    + [0xFF, 0xC0, 0, 11, 8, 0x07, 0xD0, 0x0B, 0xB8, 1, 1, 0x11, 0] + [
      0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0, 0x55, 0xFF, 0xD9,
    ]

  @Test("A reader finds the size, the date and the preview")
  func isRead() throws {
    let preview: [UInt8] = [0xFF, 0xD8, 0xFF, 0xDB, 1, 2, 3, 0xFF, 0xD9]
    let bytes = try #require(try segment(preview: preview).inserted(into: file))
    let header = try #require(ImageHeader.read(bytes))
    #expect(header.orientation == .up)
    #expect(header.captureTime == 1_633_282_925)
    #expect(header.storedSize == (try pixels(3_000, 2_000)))
    #expect(try Array(bytes[#require(header.embeddedThumbnail)]) == preview)
  }

  @Test("The segment follows JFIF's, and the rest of the file is unchanged")
  func position() throws {
    let segment = try segment()
    let bytes = try #require(segment.inserted(into: file))
    #expect(Array(bytes[..<20]) == Array(file[..<20]))
    #expect(Array(bytes[20..<20 + segment.bytes.count]) == segment.bytes)
    #expect(Array(bytes[(20 + segment.bytes.count)...]) == Array(file[20...]))
    let bare = [0xFF, 0xD8] + Array(file[20...])
    #expect(try #require(segment.inserted(into: bare)).prefix(4) == [0xFF, 0xD8, 0xFF, 0xE1])
  }

  @Test("Maker, model and title are in the first directory, in the order of their tags")
  func directory() throws {
    let tiff = Array(try segment().bytes.dropFirst(10))
    func number(_ offset: Int, _ count: Int) -> Int {
      (0..<count).reduce(0) { $0 | Int(tiff[offset + $1]) << ($1 * 8) }
    }
    var texts: [Int: String] = [:]
    var tags: [Int] = []
    for entry in 0..<number(8, 2) {
      let start = 10 + entry * 12
      tags.append(number(start, 2))
      guard number(start + 2, 2) == 2 else { continue }
      let (count, offset) = (number(start + 4, 4), number(start + 8, 4))
      texts[number(start, 2)] = String(decoding: tiff[offset..<offset + count - 1], as: UTF8.self)
      #expect(tiff[offset + count - 1] == 0)
    }
    #expect(tags == tags.sorted())
    #expect(texts[0x010E] == "Autumn hills at dusk")
    #expect(texts[0x010F] == "Vitrine")
    #expect(texts[0x0110] == "Sample painter")
    #expect(texts[0x0132] == "2021:10:03 17:42:05")
  }

  @Test("A preview too large for a segment is left out")
  func largePreview() throws {
    let preview = [UInt8](repeating: 0x55, count: 70_000)
    let bytes = try segment(preview: preview).bytes
    #expect(bytes.count < 1_000)
    #expect(Int(bytes[2]) << 8 | Int(bytes[3]) == bytes.count - 2)
  }

  @Test("Bytes that are no JPEG file get no segment")
  func refuses() throws {
    let segment = try segment()
    for bytes in [[], [0xFF, 0xD8], Array("GIF89a".utf8), [0xFF, 0xD8, 0xFF, 0xE0, 0xFF, 0xFF, 0]] as [[UInt8]] {
      #expect(segment.inserted(into: bytes) == nil)
    }
  }
}

@Suite("Sample photographs, decoded again")
struct SamplePhotographTests {
  /// Returns the mean difference of two bitmaps of the same size, in 0...255.
  private func difference(_ first: Bitmap, _ second: Bitmap) -> Int {
    guard first.size == second.size else { return .max }
    return first.withPixels { left in
      second.withPixels { right in
        left.indices.reduce(0) { $0 + abs(Int(left[$1]) - Int(right[$1])) } / left.count
      }
    }
  }

  private func check(_ count: Int, longSide: Int, encode: SampleEncoder) throws {
    let album = SketchAlbum(seed: 1)
    for index in 0..<count {
      let full = album.size(at: index)
      let size = try pixels(full.width * longSide / 4_000, full.height * longSide / 4_000)
      let file = try #require(try album.photograph(at: index, longSide: longSide, encode: encode))
      let header = try #require(ImageHeader.read(file))
      #expect(header.format == .jpeg && header.size == size && header.captureTime == album.captureTime(at: index))
      let image = try file.withUnsafeBytes { try ImageDecoder().bitmap($0, target: DecodingTarget(size: size)) }.bitmap
      #expect(difference(image, try album.paint(at: index, filling: size)) < 4, "\(album.subject(at: index))")
      let preview = try #require(header.embeddedThumbnail)
      #expect(try #require(ImageHeader.read(Array(file[preview]))).format == .jpeg)
    }
  }

  @Test("A decoder shows what was painted, and finds date and preview")
  func roundTrip() throws { try check(12, longSide: 320, encode: encodeInProcess) }

  @Test("The decoding process encodes photographs")
  func decodingProcess() throws {
    let process = try EncodingProcess.forSamples()
    try check(3, longSide: 480) { bitmap, quality in try process.encode(bitmap, quality: quality) }
  }

  @Test("Files have the weight of photographs: at least one bit per pixel")
  func bitsPerPixel() throws {
    let album = SketchAlbum(seed: 1)
    var (bits, area) = (0, 0)
    for index in 0..<20 {
      bits += try #require(try album.photograph(at: index, longSide: 800, encode: encodeInProcess)).count * 8
      area += album.size(at: index).area / 25
    }
    #expect(Double(bits) / Double(area) >= 1)
  }
}
