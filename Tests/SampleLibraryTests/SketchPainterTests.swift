import Geometry
import ImagePipeline
import Rendering
import Testing

@testable import SampleLibrary

@Suite("The sketch painter")
struct SketchPainterTests {
  private let album = SketchAlbum(count: 1_000, seed: 9)

  private func paint(
    _ number: Int, _ size: PixelSize, fit: ImageFit = .fill, with painter: SketchPainter? = nil
  ) throws -> DecodedImage {
    let request = ImageRequest(
      key: ImageKey(source: 1, size: size, fit: fit), source: .generated(UInt64(number)))
    return try (painter ?? SketchPainter(album)).makeDecoder(worker: 0).decode(request).get()
  }

  @Test("The same number and size give the same pixels, whichever painter paints; other numbers and seeds give others")
  func isDeterministic() throws {
    let painter = SketchPainter(album)
    let other = SketchPainter(SketchAlbum(count: 1_000, seed: 10))
    let size = try pixels(48, 40)
    var digests: Set<UInt64> = []
    for number in 0..<150 {
      let digest = try paint(number, size, with: painter).bitmap.contentDigest
      #expect(try paint(number, size).bitmap.contentDigest == digest)
      digests.insert(digest)
      digests.insert(try paint(number, size, with: other).bitmap.contentDigest)
    }
    #expect(digests.count == 300)
  }

  @Test("These very pixels are painted on every machine and in every build")
  func pixelsStay() throws {
    var digest = ContentDigest()
    for number in 0..<60 { digest.combine(try paint(number, try pixels(64, 44)).bitmap.contentDigest) }
    #expect(digest.value == 13_227_713_890_892_132_021)
  }

  @Test(
    "Any size is filled to its edges with opaque pixels", arguments: [(1, 1), (1, 300), (300, 1), (7, 5), (200, 131)])
  func sizes(width: Int, height: Int) throws {
    let size = try pixels(width, height)
    for number in 0..<40 {
      let image = try paint(number, size)
      #expect(image.bitmap.size == size && image.bitmap.isOpaque)
      #expect(image.sourceSize == album.size(at: number))
      image.bitmap.withPixels { bytes in
        #expect(stride(from: 3, to: bytes.count, by: 4).allSatisfy { bytes[$0] == 255 })
      }
    }
  }

  @Test("Within a box a picture keeps its shape, and is never larger than its own")
  func fits() throws {
    for number in 0..<60 {
      let own = album.size(at: number)
      let size = try paint(number, try pixels(90, 60), fit: .fit).bitmap.size
      #expect(size.width == 90 || size.height == 60)
      #expect(size.width <= 90 && size.height <= 60)
      #expect(abs(size.width * own.height - size.height * own.width) <= max(own.width, own.height))
    }
    #expect(try pixels(30, 20).fitted(into: try pixels(300, 400)) == (try pixels(30, 20)))
    #expect(try pixels(65_535, 1).fitted(into: try pixels(10, 10)) == (try pixels(10, 1)))
  }

  @Test("A small picture looks like a large one: no strip of it has another mean colour")
  func scales() throws {
    for number in 0..<30 {
      let (small, large) = (try paint(number, try pixels(60, 40)), try paint(number, try pixels(240, 160)))
      for strip in 0..<4 {
        let (one, other) = (mean(small.bitmap, strip), mean(large.bitmap, strip))
        #expect(zip(one, other).allSatisfy { abs($0 - $1) < 12 }, "\(number): \(one) and \(other)")
      }
    }
  }

  @Test("A file is none of its pictures, and after an interruption nothing is painted")
  func failures() throws {
    let painter = SketchPainter(album)
    let key = ImageKey(source: 1, size: try pixels(4, 4))
    let decoder = painter.makeDecoder(worker: 1)
    decoder.prepare()
    let file = decoder.decode(ImageRequest(key: key, source: .file(path: [0x2F])))
    #expect(throws: ImageFailure.unsupportedSource) { try file.get() }
    painter.interrupt()
    let late = decoder.decode(ImageRequest(key: key, source: .generated(1)))
    #expect(throws: ImageFailure.interrupted) { try late.get() }
  }

  /// The mean of red, green and blue in a quarter of the rows.
  private func mean(_ bitmap: Bitmap, _ strip: Int) -> [Double] {
    let rows = (bitmap.size.height * strip / 4)..<(bitmap.size.height * (strip + 1) / 4)
    var sums = [0.0, 0, 0]
    bitmap.withPixels { bytes in
      for row in rows {
        for place in stride(from: row * bitmap.bytesPerRow, to: (row + 1) * bitmap.bytesPerRow, by: 4) {
          for part in 0..<3 { sums[part] += Double(bytes[place + part]) }
        }
      }
    }
    return sums.map { $0 / Double(rows.count * bitmap.size.width) }
  }
}
