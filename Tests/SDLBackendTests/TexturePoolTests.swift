import Geometry
import Rendering
import SDLBackend
import TestSupport
import Testing

@Suite("Released textures wait in a bounded pool")
struct TexturePoolTests {
  @Test("A pool behaves as a list would", arguments: 1...20 as ClosedRange<UInt64>)
  func matchesAList(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var pool = TexturePool(maximumTextures: 12, maximumBytes: 600)
    var model: [(size: PixelSize, isOpaque: Bool, name: TextureID)] = []
    var next = 1
    for _ in 0..<500 {
      let size = try #require(
        PixelSize(width: .random(in: 1...5, using: &random), height: .random(in: 1...5, using: &random)))
      let isOpaque = Bool.random(using: &random)
      if Bool.random(using: &random) {
        let name = TextureID(slot: next, generation: 1)
        next += 1
        pool.insert(name, size: size, isOpaque: isOpaque)
        model.append((size, isOpaque, name))
      } else {
        let index = model.lastIndex { $0.size == size && $0.isOpaque == isOpaque }
        let expected = index.map { model.remove(at: $0).name }
        let taken = pool.removeTexture(of: size, isOpaque: isOpaque)
        #expect(taken == expected)
      }
      let bytes = model.reduce(0) { $0 + $1.size.bytesAtFourPerPixel }
      #expect(pool.exceedsLimits == (model.count > 12 || bytes > 600))
      while pool.exceedsLimits {
        let oldest = pool.removeOldest()
        #expect(oldest == model.removeFirst().name)
      }
      #expect(pool.count == model.count)
      #expect(pool.byteCount == model.reduce(0) { $0 + $1.size.bytesAtFourPerPixel })
    }
  }

  @Test("An empty pool gives nothing")
  func empty() throws {
    var pool = TexturePool(maximumTextures: 1, maximumBytes: 1)
    let size = try #require(PixelSize(width: 1, height: 1))
    let taken = pool.removeTexture(of: size, isOpaque: true)
    let oldest = pool.removeOldest()
    #expect(taken == nil && oldest == nil && !pool.exceedsLimits)
    pool.insert(TextureID(slot: 1, generation: 1), size: size, isOpaque: true)
    pool.removeAll()
    #expect(pool.count == 0 && pool.byteCount == 0)
  }
}
