import func Foundation.log10
import Testing
import VitrineDataStructures
import VitrineGeometry
@testable import VitrineImagePipeline
import VitrineRendering
import VitrineTestSupport

@Suite("Tiny previews of 32 bytes")
struct TinyPreviewTests {
  static let sizes = [(200, 150), (150, 200), (96, 96), (320, 60), (20, 300), (31, 17)]

  static func preview(
    _ seed: UInt64, _ size: (Int, Int) = (200, 150), picture: (Int, Int)? = (4000, 3000)
  ) throws -> TinyPreview {
    TinyPreview(
      of: try GeneratedScene(seed: seed).bitmap(size.0, size.1),
      pictureSize: picture.flatMap { PixelSize(width: $0.0, height: $0.1) })
  }

  @Test("A preview is parsed from exactly 32 bytes")
  func bytes() throws {
    let preview = try Self.preview(1)
    #expect(preview.bytes.count == 32)
    #expect(TinyPreview(bytes: preview.bytes) == preview)
    #expect(TinyPreview(bytes: preview.bytes + [0]) == nil)
    #expect(TinyPreview(bytes: preview.bytes.dropLast()) == nil)
  }

  @Test(
    "The size of the image is preserved, up to the longest side",
    arguments: [(1, 1), (65_535, 3), (6_000, 4_000)])
  func size(width: Int, height: Int) throws {
    let size = try #require(PixelSize(width: width, height: height))
    #expect(try Self.preview(2, picture: (width, height)).pictureSize == size)
    #expect(try Self.preview(2, picture: nil).pictureSize == nil)
  }

  @Test("The preview does not depend on the channel order of the pixels")
  func pixelOrder() throws {
    for (seed, size) in [(97, 61), (20, 13), (32, 32), (640, 480)].enumerated() {
      let bitmap = try GeneratedScene(seed: UInt64(seed)).bitmap(size.0, size.1)
      #expect(
        TinyPreview(of: try bitmap.converted(to: .blueFirst), pictureSize: nil)
          == TinyPreview(of: bitmap, pictureSize: nil))
    }
  }

  @Test("The average of each channel is accurate to 1/64", arguments: TestScale.seeds(UInt64(0)..<40))
  func average(seed: UInt64) throws {
    let size = Self.sizes[Int(seed) % Self.sizes.count]
    let bitmap = try GeneratedScene(seed: seed).bitmap(size.0, size.1)
    let preview = TinyPreview(of: bitmap, pictureSize: nil)
    #expect(ImageDifference.largest(preview.averageColor, ImageDifference.average(bitmap)) <= 1 / 64)
  }

  @Test("An image of a single color is drawn as a single color, including the corners of the cube", arguments: 0..<27)
  func singleColor(number: Int) throws {
    let levels = [0, 127, 255]
    let color = Color(
      red: UInt8(levels[number % 3]), green: UInt8(levels[number / 3 % 3]), blue: UInt8(levels[number / 9]))
    let size = try #require(PixelSize(width: 64, height: 48))
    let bitmap = try Bitmap(size: size, isOpaque: true) { pixels in
      pixels.bindMemory(to: UInt32.self).update(repeating: color.packed)
    }
    let preview = TinyPreview(of: bitmap, pictureSize: size)
    let drawn = try #require(preview.bitmap(for: size))
    let colors = Set(ImageDifference.channels(drawn).map { "\($0)" })
    #expect(colors.count == 1)
    #expect(ImageDifference.largest(color, ImageDifference.average(drawn)) <= 1 / 64)
  }

  @Test("The drawn preview is similar to the image, and more similar than its average color")
  func resemblance() throws {
    var sum = 0.0
    let seeds: Range<UInt64> = 0..<48
    for seed in seeds {
      let size = Self.sizes[Int(seed) % 3]
      let scene = GeneratedScene(seed: seed)
      let preview = TinyPreview(of: try scene.bitmap(size.0, size.1), pictureSize: nil)
      let pixelSize = try #require(PixelSize(width: size.0, height: size.1))
      let drawn = try #require(preview.bitmap(for: pixelSize))
      let small = try scene.bitmap(drawn.size.width, drawn.size.height)
      let averageBitmap = try Bitmap(size: drawn.size, isOpaque: true) { pixels in
        pixels.bindMemory(to: UInt32.self).update(repeating: preview.averageColor.packed)
      }
      let (previewDecibels, averageDecibels) = (
        ImageDifference.decibels(drawn, small), ImageDifference.decibels(averageBitmap, small)
      )
      // Hard edges and saturated colors are harder than photographs.
      #expect(previewDecibels >= 14, "\(previewDecibels) dB of seed \(seed)")
      #expect(
        previewDecibels >= averageDecibels + 2,
        "\(previewDecibels) dB of seed \(seed), average color \(averageDecibels) dB")
      sum += previewDecibels
    }
    #expect(sum / Double(seeds.count) >= 17)
  }

  @Test("Directions are not swapped: a bright top is drawn at the top, a red left on the left")
  func orientation() throws {
    let size = try #require(PixelSize(width: 120, height: 80))
    let bitmap = try Bitmap(size: size, isOpaque: true) { pixels in
      for index in 0..<size.area {
        let color = Color(
          red: index % 120 < 60 ? 220 : 20, green: index / 120 < 40 ? 200 : 40, blue: 60)
        pixels.storeBytes(of: color.packed, toByteOffset: index * 4, as: UInt32.self)
      }
    }
    let drawn = try #require(TinyPreview(of: bitmap, pictureSize: size).bitmap(for: size))
    let pixels = ImageDifference.channels(drawn)
    let (width, height) = (drawn.size.width, drawn.size.height)
    let (first, last) = (pixels[width * 2 + 2], pixels[width * (height - 3) + width - 3])
    #expect(first.x > last.x + 100)
    #expect(first.y > last.y + 100)
  }

  @Test("A preview of the middle of an image is drawn in the middle when more of the image is visible")
  func croppedPreview() throws {
    // A wide image of which a square cell showed the middle third.
    let scene = GeneratedScene(seed: 9)
    let third = (x: 1.0 / 3...2.0 / 3, y: 0.0...1.0)
    let picture = try #require(PixelSize(width: 3_000, height: 1_000))
    let preview = TinyPreview(of: try scene.bitmap(120, 120, of: third), pictureSize: picture)
    #expect(abs(preview.coverage - 1.0 / 3) < 0.02)
    let whole = try #require(preview.bitmap(for: picture))
    #expect((whole.size.width, whole.size.height) == (32, 11))
    // Its middle equals the preview drawn for the square.
    let square = try #require(PixelSize(width: 11, height: 11))
    let middle = try #require(preview.bitmap(for: square))
    let pixels = ImageDifference.channels(whole)
    let center = try Bitmap(size: square, isOpaque: true) { target in
      for y in 0..<11 {
        for x in 0..<11 {
          let color = pixels[y * 32 + x + 10]
          target.storeBytes(
            of: Color(red: UInt8(color.x), green: UInt8(color.y), blue: UInt8(color.z)).packed,
            toByteOffset: (y * 11 + x) * 4, as: UInt32.self)
        }
      }
    }
    #expect(middle.size.width == 32)
    let reference = try scene.bitmap(11, 11, of: third)
    #expect(ImageDifference.decibels(center, reference) >= 14)
    // The reverse: the preview covers the whole image, and only its middle is visible.
    let all = TinyPreview(of: try scene.bitmap(240, 80), pictureSize: picture)
    let narrow = try #require(PixelSize(width: 80, height: 80))
    let seen = try #require(all.bitmap(for: narrow))
    #expect(ImageDifference.decibels(seen, try scene.bitmap(32, 32, of: third)) >= 13)
  }

  @Test("Any 32 bytes are a valid preview, for any size", arguments: TestScale.seeds(UInt64(0)..<400))
  func anyBytes(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var bytes = (0..<32).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    switch seed % 4 {
    case 0: bytes.replaceSubrange(0..<4, with: [0, 0, 0, 0])
    case 1: bytes.replaceSubrange(0..<5, with: [255, 255, 1, 0, UInt8(truncatingIfNeeded: seed)])
    case 2: bytes = Array(repeating: UInt8(truncatingIfNeeded: seed / 4 * 5), count: 32)
    default: break
    }
    let preview = try #require(TinyPreview(bytes: bytes))
    #expect(preview.bytes == bytes)
    #expect((0...1).contains(preview.coverage))
    for (width, height) in [(1, 1), (200, 150), (65_535, 1), (1, 65_535), (33, 31)] {
      let size = try #require(PixelSize(width: width, height: height))
      let drawn = try #require(preview.bitmap(for: size))
      #expect(max(drawn.size.width, drawn.size.height) == 32 && drawn.isOpaque)
    }
  }

  @Test("Images smaller than the drawn preview have previews too", arguments: [(1, 1), (2, 1), (5, 4), (1, 40)])
  func smallPictures(width: Int, height: Int) throws {
    let bitmap = try GeneratedScene(seed: 3).bitmap(width, height)
    let preview = TinyPreview(of: bitmap, pictureSize: bitmap.size)
    let drawn = try #require(preview.bitmap(for: bitmap.size))
    #expect(ImageDifference.decibels(drawn, drawn) > 100)
    #expect(ImageDifference.largest(preview.averageColor, ImageDifference.average(bitmap)) <= 1 / 64)
  }

  @Test("The drawn pixels are the same on every machine")
  func isDeterministic() throws {
    let preview = try Self.preview(7)
    let size = try #require(PixelSize(width: 200, height: 150))
    #expect(
      preview.bytes == [
        160, 15, 184, 11, 141, 101, 183, 25, 89, 117, 164, 124, 166, 54, 7, 88, 99, 120, 118, 118, 120, 119, 135, 102,
        6,
        133, 121, 117, 94, 56, 164, 61,
      ])
    let drawn = try #require(preview.bitmap(for: size))
    #expect(drawn.contentDigest == 9_551_433_886_722_430_490)
  }
}

// MARK: - Support

/// An image with soft and hard edges, like photographs, generated from a seed.
private struct GeneratedScene {
  private let sky: SIMD3<Double>
  private let ground: SIMD3<Double>
  private let horizon: Double
  private let disks: [(x: Double, y: Double, radius: Double, color: SIMD3<Double>)]

  init(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    func unit() -> Double { Double(random.next() >> 11) / Double(1 << 53) }
    func color() -> SIMD3<Double> { SIMD3(unit(), unit(), unit()) }
    sky = color()
    ground = color()
    horizon = 0.3 + 0.4 * unit()
    disks = (0..<4).map { _ in (unit(), unit(), 0.1 + 0.25 * unit(), color()) }
  }

  /// Returns the color at a point with coordinates from 0 to 1.
  func color(_ x: Double, _ y: Double) -> SIMD3<Double> {
    for disk in disks {
      let (dx, dy) = (x - disk.x, y - disk.y)
      if dx * dx + dy * dy < disk.radius * disk.radius { return disk.color }
    }
    if y < horizon { return sky * (0.6 + 0.4 * y / horizon) }
    return ground * (0.5 + 0.5 * x)
  }

  /// Returns a part of the image, drawn at the given size.
  func bitmap(_ width: Int, _ height: Int, of part: (x: ClosedRange<Double>, y: ClosedRange<Double>) = (0...1, 0...1))
    throws -> Bitmap
  {
    guard let size = PixelSize(width: width, height: height) else { throw BitmapError.outOfMemory(bytes: 0) }
    return try Bitmap(size: size, isOpaque: true) { pixels in
      for y in 0..<height {
        for x in 0..<width {
          let point = (
            part.x.lowerBound + (Double(x) + 0.5) / Double(width) * (part.x.upperBound - part.x.lowerBound),
            part.y.lowerBound + (Double(y) + 0.5) / Double(height) * (part.y.upperBound - part.y.lowerBound)
          )
          let bytes = SIMD3<UInt32>(color(point.0, point.1) * 255)
          pixels.storeBytes(
            of: bytes.x | bytes.y << 8 | bytes.z << 16 | 0xFF00_0000, toByteOffset: (y * width + x) * 4,
            as: UInt32.self)
        }
      }
    }
  }
}

/// Measures of the difference between two bitmaps.
private enum ImageDifference {
  /// Returns the mean of each channel of a bitmap, from 0 to 1.
  static func average(_ bitmap: Bitmap) -> SIMD3<Double> {
    channels(bitmap).reduce(SIMD3<Double>.zero, +) / Double(bitmap.size.area) / 255
  }

  /// Returns the peak signal-to-noise ratio, in decibels.
  ///
  /// - Precondition: The bitmaps have the same size.
  static func decibels(_ left: Bitmap, _ right: Bitmap) -> Double {
    let squares = zip(channels(left), channels(right)).reduce(0.0) { sum, pair in
      let difference = (pair.0 - pair.1) / 255
      return sum + (difference * difference).sum()
    }
    return -10 * log10(max(squares / Double(left.size.area * 3), 1e-12))
  }

  /// Returns the largest difference of a channel, from 0 to 1.
  static func largest(_ left: Color, _ right: SIMD3<Double>) -> Double {
    let color = SIMD3(Double(left.red), Double(left.green), Double(left.blue)) / 255
    let difference = color - right
    return max(abs(difference.x), abs(difference.y), abs(difference.z))
  }

  static func channels(_ bitmap: Bitmap) -> [SIMD3<Double>] {
    bitmap.withPixels { pixels in
      (0..<bitmap.size.area).map { index in
        SIMD3(
          Double(pixels[index * 4]), Double(pixels[index * 4 + 1]), Double(pixels[index * 4 + 2]))
      }
    }
  }
}
