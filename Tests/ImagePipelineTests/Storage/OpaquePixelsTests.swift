import Geometry
import Rendering
import Testing

@testable import ImagePipeline

@Suite("Pixels without their alpha")
struct OpaquePixelsTests {
  @Test(
    "Pixels are packed and spread again as they were, however many", arguments: [1, 2, 3, 4, 5, 7, 8, 63, 64, 1_025])
  func roundTrip(count: Int) throws {
    let bitmap = try PackBench.picture(count, count, 1).bitmap
    let packed = OpaquePixels.packed(bitmap)
    let expected = bitmap.withPixels { pixels in pixels.indices.filter { $0 % 4 != 3 }.map { pixels[$0] } }
    #expect(packed == expected)
    let spread = try Bitmap(size: pixels(count, 1), isOpaque: true) { memory in
      for (offset, byte) in packed.enumerated() { memory[count + offset] = byte }
      OpaquePixels.unpack(in: memory)
    }
    #expect(spread.contentDigest == bitmap.contentDigest)
    // In the other order of channels it is the same on disk, and the same picture in memory.
    #expect(OpaquePixels.packed(try bitmap.converted(to: .blueFirst)) == packed)
    let turned = try Bitmap(size: pixels(count, 1), isOpaque: true, order: .blueFirst) { memory in
      for (offset, byte) in packed.enumerated() { memory[count + offset] = byte }
      OpaquePixels.unpack(in: memory, to: .blueFirst)
    }
    #expect(turned.contentDigest == bitmap.contentDigest)
  }
}
