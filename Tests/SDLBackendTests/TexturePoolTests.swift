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
    var pool = TexturePool(mostTextures: 12, mostBytes: 600)
    var model: [(size: PixelSize, name: TextureID)] = []
    var next = 1
    for _ in 0..<500 {
      let size = try #require(
        PixelSize(width: .random(in: 1...5, using: &random), height: .random(in: 1...5, using: &random)))
      if Bool.random(using: &random) {
        let name = TextureID(slot: next, generation: 1)
        next += 1
        pool.insert(name, size: size)
        model.append((size, name))
      } else {
        let index = model.lastIndex { $0.size == size }
        let expected = index.map { model.remove(at: $0).name }
        let taken = pool.take(size)
        #expect(taken == expected)
      }
      let bytes = model.reduce(0) { $0 + $1.size.bytesAtFourPerPixel }
      #expect(pool.isOverfull == (model.count > 12 || bytes > 600))
      while pool.isOverfull {
        let oldest = pool.removeOldest()
        #expect(oldest == model.removeFirst().name)
      }
      #expect(pool.count == model.count)
      #expect(pool.byteCount == model.reduce(0) { $0 + $1.size.bytesAtFourPerPixel })
    }
  }

  @Test("An empty pool gives nothing")
  func empty() throws {
    var pool = TexturePool(mostTextures: 1, mostBytes: 1)
    let size = try #require(PixelSize(width: 1, height: 1))
    let taken = pool.take(size)
    let oldest = pool.removeOldest()
    #expect(taken == nil && oldest == nil && !pool.isOverfull)
    pool.insert(TextureID(slot: 1, generation: 1), size: size)
    pool.removeAll()
    #expect(pool.count == 0 && pool.byteCount == 0)
  }
}
