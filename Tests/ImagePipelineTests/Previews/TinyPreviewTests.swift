import DataStructures
import Geometry
import Rendering
import Testing

@testable import ImagePipeline

@Suite("A preview of 32 bytes tells a picture's size, its colours and its rough forms")
struct TinyPreviewTests {
  static let sizes = [(200, 150), (150, 200), (96, 96), (320, 60), (20, 300), (31, 17)]

  static func preview(
    _ seed: UInt64, _ size: (Int, Int) = (200, 150), picture: (Int, Int)? = (4000, 3000)
  ) throws -> TinyPreview {
    TinyPreview(
      of: try PaintedScene(seed: seed).bitmap(size.0, size.1),
      pictureSize: picture.flatMap { PixelSize(width: $0.0, height: $0.1) })
  }

  @Test("Bytes are read as they were written, and no other number of them is")
  func bytes() throws {
    let preview = try Self.preview(1)
    #expect(preview.bytes.count == 32)
    #expect(TinyPreview(bytes: preview.bytes) == preview)
    #expect(TinyPreview(bytes: preview.bytes + [0]) == nil)
    #expect(TinyPreview(bytes: preview.bytes.dropLast()) == nil)
  }

  @Test(
    "The picture's own size is kept, up to the longest side that there is",
    arguments: [(1, 1), (65_535, 3), (6_000, 4_000)])
  func size(width: Int, height: Int) throws {
    let size = try #require(PixelSize(width: width, height: height))
    #expect(try Self.preview(2, picture: (width, height)).pictureSize == size)
    #expect(try Self.preview(2, picture: nil).pictureSize == nil)
  }

  @Test("It is the same in whichever order of channels the pixels stand")
  func order() throws {
    for (seed, size) in [(97, 61), (20, 13), (32, 32), (640, 480)].enumerated() {
      let bitmap = try PaintedScene(seed: UInt64(seed)).bitmap(size.0, size.1)
      #expect(
        TinyPreview(of: try bitmap.converted(to: .blueFirst), pictureSize: nil)
          == TinyPreview(of: bitmap, pictureSize: nil))
    }
  }

  @Test("The average of each channel is right to 1/64", arguments: UInt64(0)..<40)
  func average(seed: UInt64) throws {
    let size = Self.sizes[Int(seed) % Self.sizes.count]
    let bitmap = try PaintedScene(seed: seed).bitmap(size.0, size.1)
    let preview = TinyPreview(of: bitmap, pictureSize: nil)
    #expect(PictureDistance.largest(preview.averageColor, PictureDistance.average(bitmap)) <= 1 / 64)
  }

  @Test("One colour is painted as one colour, the corners of the cube among them", arguments: 0..<27)
  func flat(number: Int) throws {
    let levels = [0, 127, 255]
    let color = Color(
      red: UInt8(levels[number % 3]), green: UInt8(levels[number / 3 % 3]), blue: UInt8(levels[number / 9]))
    let size = try #require(PixelSize(width: 64, height: 48))
    let bitmap = try Bitmap(size: size, isOpaque: true) { pixels in
      pixels.bindMemory(to: UInt32.self).update(repeating: color.packed)
    }
    let preview = TinyPreview(of: bitmap, pictureSize: size)
    let painted = try #require(preview.bitmap(for: size))
    let colors = Set(PictureDistance.channels(painted).map { "\($0)" })
    #expect(colors.count == 1)
    #expect(PictureDistance.largest(color, PictureDistance.average(painted)) <= 1 / 64)
  }

  @Test("What is painted is near the picture at that size, and nearer than its average alone")
  func resemblance() throws {
    var sum = 0.0
    let seeds: Range<UInt64> = 0..<48
    for seed in seeds {
      let size = Self.sizes[Int(seed) % 3]
      let scene = PaintedScene(seed: seed)
      let preview = TinyPreview(of: try scene.bitmap(size.0, size.1), pictureSize: nil)
      let place = try #require(PixelSize(width: size.0, height: size.1))
      let painted = try #require(preview.bitmap(for: place))
      let small = try scene.bitmap(painted.size.width, painted.size.height)
      let flat = try Bitmap(size: painted.size, isOpaque: true) { pixels in
        pixels.bindMemory(to: UInt32.self).update(repeating: preview.averageColor.packed)
      }
      let (near, far) = (PictureDistance.decibels(painted, small), PictureDistance.decibels(flat, small))
      // Forms with hard edges and full colours are harder than what photographs have.
      #expect(near >= 14, "\(near) dB of seed \(seed)")
      #expect(near >= far + 2, "\(near) dB of seed \(seed), its average alone \(far) dB")
      sum += near
    }
    #expect(sum / Double(seeds.count) >= 17)
  }

  @Test("Sides are not exchanged: bright above is painted above, red on the left on the left")
  func orientation() throws {
    let size = try #require(PixelSize(width: 120, height: 80))
    let bitmap = try Bitmap(size: size, isOpaque: true) { pixels in
      for place in 0..<size.area {
        let color = Color(
          red: place % 120 < 60 ? 220 : 20, green: place / 120 < 40 ? 200 : 40, blue: 60)
        pixels.storeBytes(of: color.packed, toByteOffset: place * 4, as: UInt32.self)
      }
    }
    let painted = try #require(TinyPreview(of: bitmap, pictureSize: size).bitmap(for: size))
    let pixels = PictureDistance.channels(painted)
    let (width, height) = (painted.size.width, painted.size.height)
    let (first, last) = (pixels[width * 2 + 2], pixels[width * (height - 3) + width - 3])
    #expect(first.x > last.x + 100)
    #expect(first.y > last.y + 100)
  }

  @Test("A preview of the middle of a picture stands where the middle is when more of the picture is to be seen")
  func anotherShape() throws {
    // A wide picture of which a square place showed the middle third.
    let scene = PaintedScene(seed: 9)
    let third = (x: 1.0 / 3...2.0 / 3, y: 0.0...1.0)
    let picture = try #require(PixelSize(width: 3_000, height: 1_000))
    let preview = TinyPreview(of: try scene.bitmap(120, 120, of: third), pictureSize: picture)
    #expect(abs(preview.coverage - 1.0 / 3) < 0.02)
    let whole = try #require(preview.bitmap(for: picture))
    #expect((whole.size.width, whole.size.height) == (32, 11))
    // Its middle is the same as the preview painted for the square.
    let square = try #require(PixelSize(width: 11, height: 11))
    let middle = try #require(preview.bitmap(for: square))
    let pixels = PictureDistance.channels(whole)
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
    #expect(PictureDistance.decibels(center, reference) >= 14)
    // The other way round: of all that is known only the middle is seen.
    let all = TinyPreview(of: try scene.bitmap(240, 80), pictureSize: picture)
    let narrow = try #require(PixelSize(width: 80, height: 80))
    let seen = try #require(all.bitmap(for: narrow))
    #expect(PictureDistance.decibels(seen, try scene.bitmap(32, 32, of: third)) >= 13)
  }

  @Test("Any 32 bytes are a preview, for any place", arguments: UInt64(0)..<400)
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
      let place = try #require(PixelSize(width: width, height: height))
      let painted = try #require(preview.bitmap(for: place))
      #expect(max(painted.size.width, painted.size.height) == 32 && painted.isOpaque)
    }
  }

  @Test("Pictures smaller than what is painted have previews too", arguments: [(1, 1), (2, 1), (5, 4), (1, 40)])
  func smallPictures(width: Int, height: Int) throws {
    let bitmap = try PaintedScene(seed: 3).bitmap(width, height)
    let preview = TinyPreview(of: bitmap, pictureSize: bitmap.size)
    let painted = try #require(preview.bitmap(for: bitmap.size))
    #expect(PictureDistance.decibels(painted, painted) > 100)
    #expect(PictureDistance.largest(preview.averageColor, PictureDistance.average(bitmap)) <= 1 / 64)
  }

  @Test("Pixels are the same on every machine")
  func samePixels() throws {
    let preview = try Self.preview(7)
    let place = try #require(PixelSize(width: 200, height: 150))
    #expect(
      preview.bytes == [
        160, 15, 184, 11, 141, 101, 183, 25, 89, 117, 164, 124, 166, 54, 7, 88, 99, 120, 118, 118, 120, 119, 135, 102,
        6,
        133, 121, 117, 94, 56, 164, 61,
      ])
    let painted = try #require(preview.bitmap(for: place))
    #expect(painted.contentDigest == 9_551_433_886_722_430_490)
  }
}
