import Geometry
import Rendering
import TestSupport
import Testing

@testable import ImagePipeline

@Suite("Pictures in memory are bounded in bytes")
struct ImageCacheTests {
  @Test("When memory is short the pictures that were used last stay, and later as many are kept as before")
  func shrinking() throws {
    let size = try #require(PixelSize(width: 10, height: 10))
    let keys = (0..<8).map { ImageKey(source: UInt64($0), size: size) }
    var cache = ImageCache(byteLimit: 8 * 400)
    for key in keys { cache.keep(DecodedImage(bitmap: try Bitmap.square(10, .white)), for: key) }
    #expect(cache.count == 8 && cache.image(for: keys[0]) != nil)
    cache.shrink(to: 0.25)
    #expect(cache.byteCount == 2 * 400)
    #expect(keys.filter { cache.image(for: $0) != nil } == [keys[0], keys[7]])
    for key in keys { cache.keep(DecodedImage(bitmap: try Bitmap.square(10, .white)), for: key) }
    #expect(cache.count == 8)
  }
}
