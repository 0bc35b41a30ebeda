import Geometry
import Rendering
import Testing

@Suite("Bitmaps are named by their content")
struct BitmapTests {
  private struct Refused: Error, Equatable {}

  @Test("Equal pixels have equal names")
  func equalPixelsEqualNames() throws {
    let first = try bitmap(7, 5) { x, y in Color(hex: UInt32(x * 31 + y)) }
    let second = try bitmap(7, 5) { x, y in Color(hex: UInt32(x * 31 + y)) }
    #expect(first.contentDigest == second.contentDigest)
  }

  @Test("One changed byte anywhere changes the name", arguments: [1, 2, 8, 9, 33])
  func everyByteCounts(width: Int) throws {
    let size = try #require(PixelSize(width: width, height: 3))
    let plain = try Bitmap(size: size, isOpaque: true) { $0.initializeMemory(as: UInt8.self, repeating: 9) }
    var digests: Set<UInt64> = [plain.contentDigest]
    for byte in 0..<size.bytesAtFourPerPixel {
      let changed = try Bitmap(size: size, isOpaque: true) {
        $0.initializeMemory(as: UInt8.self, repeating: 9)
        $0[byte] = 10
      }
      digests.insert(changed.contentDigest)
    }
    #expect(digests.count == size.bytesAtFourPerPixel + 1)
  }

  @Test("Shape and opacity are part of the name")
  func shapeAndOpacityCount() throws {
    let wide = try bitmap(6, 2) { _, _ in .white }
    let high = try bitmap(2, 6) { _, _ in .white }
    let blended = try bitmap(6, 2, isOpaque: false) { _, _ in .white }
    #expect(Set([wide.contentDigest, high.contentDigest, blended.contentDigest]).count == 3)
  }

  @Test("The name is the same on every machine")
  func nameIsFixed() throws {
    let picture = try bitmap(3, 2) { x, y in Color(red: UInt8(x), green: UInt8(y), blue: 7) }
    #expect(picture.contentDigest == 0xCDF7_60FF_F0F0_BA16)
  }

  @Test("Pixels are read back as they were written")
  func readsBack() throws {
    let picture = try bitmap(4, 3) { x, y in Color(red: UInt8(x), green: UInt8(y), blue: 200, alpha: 100) }
    #expect(picture.byteCount == 48 && picture.bytesPerRow == 16)
    #expect(picture.color(3, 2) == Color(red: 3, green: 2, blue: 200, alpha: 100))
    #expect(picture.withPixels { Array($0[0..<4]) } == [0, 0, 200, 100])
  }

  @Test("What the body throws comes out")
  func bodyThrows() throws {
    let size = try #require(PixelSize(width: 1, height: 1))
    #expect(throws: Refused()) { try Bitmap(size: size, isOpaque: true) { _ in throw Refused() } }
  }
}
