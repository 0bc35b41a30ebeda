import Glibc
import Testing
import VitrineGeometry
import VitrineImagePipeline
import VitrineRendering

@testable import VitrineSampleLibrary

@Suite("An album computes any image from its index")
struct SketchAlbumTests {
  /// Months since the year 0 of a number of seconds since 1970.
  private func month(_ seconds: Int64) -> Int {
    var (time, date) = (time_t(seconds), tm())
    gmtime_r(&time, &date)
    return Int(date.tm_year + 1_900) * 12 + Int(date.tm_mon)
  }

  @Test("Dates go from month to month, the latest first, and forward within a month", arguments: [1, 7] as [UInt64])
  func dates(seed: UInt64) {
    let count = 40_000
    let album = SketchAlbum(count: count, seed: seed)
    var sizes: [Int] = [0]
    for number in 1..<count {
      let (before, now) = (album.captureTime(at: number - 1), album.captureTime(at: number))
      sizes[sizes.count - 1] += 1
      if month(now) == month(before) {
        #expect(now >= before, "\(number)")
      } else {
        #expect(month(now) == month(before) - 1, "\(number)")
        sizes.append(0)
      }
      #expect((6 * 3_600..<21 * 3_600).contains(now % 86_400), "\(number)")
    }
    // The last month may be cut off.
    #expect((470...482).contains(sizes.count))
    let whole = sizes.dropLast()
    #expect(Set(whole).count > 20 && (whole.min() ?? 0) > 40 && (whole.max() ?? 0) < 130)
  }

  @Test("Millions of images fall into forty years", arguments: [1_000_000, 10_000_000, 50_000_000])
  func vastDates(count: Int) {
    let album = SketchAlbum(count: count, seed: 3)
    let span = month(album.captureTime(at: 0)) - month(album.captureTime(at: count - 1))
    #expect((479...481).contains(span))
  }

  @Test("A hundred images fall into some months")
  func fewDates() {
    let album = SketchAlbum(count: 100, seed: 1)
    let months = Set((0..<100).map { month(album.captureTime(at: $0)) })
    #expect((3...9).contains(months.count))
    #expect(album.captureTime(at: 0) > 1_700_000_000)
  }

  @Test("Sizes have all aspect ratios; a title starts with its number")
  func sizesAndTitles() {
    let album = SketchAlbum(count: 5_000, seed: 1)
    let sizes = (0..<5_000).map(album.size)
    #expect(Set(sizes).count == Set(Sketch.aspectRatios.map { "\($0)" }).count)
    #expect(sizes.allSatisfy { max($0.width, $0.height) == 4_000 && min($0.width, $0.height) > 1_000 })
    let titles = (0..<5_000).map(album.title)
    #expect(Set(titles.map { $0.drop { $0 != " " } }).count > 100)
    #expect(titles.enumerated().allSatisfy { $1.hasPrefix("\($0 + 1) ") })
  }

  @Test("The same seed gives the same images for any count; another seed gives others")
  func seeds() {
    let (album, again) = (SketchAlbum(count: 10, seed: 5), SketchAlbum(count: 9_000, seed: 5))
    let other = SketchAlbum(count: 9_000, seed: 6)
    let numbers = 0..<400
    #expect(
      numbers.allSatisfy { album.title(at: $0) == again.title(at: $0) && album.size(at: $0) == again.size(at: $0) })
    #expect(numbers.count { again.title(at: $0) != other.title(at: $0) } > 350)
  }

  @Test("Dates of an album without a count fill six years again and again")
  func repeatingDates() {
    let album = SketchAlbum(seed: 4)
    let months = (0..<6_000).map { month(album.captureTime(at: $0)) }
    #expect((71...74).contains(Set(months).count))
    #expect(Set((0..<6_000).map(album.captureTime)).count == 6_000)
    #expect(album.captureTime(at: 1_728) == album.captureTime(at: 0) + 1)
  }
}

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

  @Test("The same index and size give the same pixels from every painter; others give others")
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

  @Test("The pixels are the same on every machine and in every build")
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

  @Test("An image fitted to a box keeps its aspect ratio and is not enlarged")
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

  @Test("A small image looks like a large one: each strip has the same mean color")
  func scales() throws {
    for number in 0..<30 {
      let (small, large) = (try paint(number, try pixels(60, 40)), try paint(number, try pixels(240, 160)))
      for strip in 0..<4 {
        let (one, other) = (mean(small.bitmap, strip), mean(large.bitmap, strip))
        #expect(zip(one, other).allSatisfy { abs($0 - $1) < 12 }, "\(number): \(one) and \(other)")
      }
    }
  }

  @Test("Files are refused, and nothing is painted after an interruption")
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
