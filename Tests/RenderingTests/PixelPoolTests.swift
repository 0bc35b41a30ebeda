import Geometry
import Rendering
import Testing

@Suite("Memory of pixels is used again by the next picture of its size, and goes back to the system else")
struct PixelPoolTests {
  /// Where a bitmap's pixels are; they are written all over first.
  private func address(of bitmap: Bitmap) -> UInt { bitmap.withPixels { UInt(bitPattern: $0.baseAddress) } }

  private func picture(_ side: Int, of pool: PixelPool, order: ChannelOrder = .redFirst) throws -> Bitmap {
    let size = try #require(PixelSize(width: side, height: side))
    return try Bitmap(size: size, isOpaque: true, order: order, pool: pool) {
      $0.initializeMemory(as: UInt8.self, repeating: UInt8(truncatingIfNeeded: side))
    }
  }

  @Test("What is let go of waits, and the next picture of as many pages takes its place")
  func usedAgain() throws {
    let pool = PixelPool()
    var first: Bitmap? = try picture(128, of: pool)
    let place = address(of: try #require(first))
    #expect(pool.idleBytes == 0)
    first = nil
    #expect(pool.idleBytes == 128 * 128 * 4)
    let other = try picture(200, of: pool)
    #expect(address(of: other) != place && pool.idleBytes == 128 * 128 * 4)
    let next = try picture(128, of: pool)
    #expect(address(of: next) == place && pool.idleBytes == 0)
    #expect(next.withPixels { $0.allSatisfy { $0 == 128 } })
  }

  @Test("What waits beyond the bound is given back by the next that takes, the longest waiting first")
  func bounded() throws {
    let pool = PixelPool(maximumIdleBytes: 300_000)
    var pictures = try [100, 150, 200, 250].map { try picture($0, of: pool) }
    let last = address(of: pictures[3])
    pictures.removeAll()
    #expect(pool.idleBytes > 300_000)
    let small = try picture(64, of: pool)
    #expect(pool.idleBytes <= 300_000 && pool.idleBytes >= 250 * 250 * 4)
    #expect(address(of: try picture(250, of: pool)) == last)
    withExtendedLifetime(small) {}
    pool.releaseIdleMemory()
    #expect(pool.idleBytes == 0)
  }

  @Test("A body that throws loses no memory, and small pictures are none of the pool's")
  func thrown() throws {
    struct Refused: Error {}
    let pool = PixelPool()
    let size = try #require(PixelSize(width: 100, height: 100))
    #expect(throws: Refused.self) { try Bitmap(size: size, isOpaque: true, pool: pool) { _ in throw Refused() } }
    #expect(pool.idleBytes >= size.bytesAtFourPerPixel)
    let waiting = pool.idleBytes
    _ = try picture(16, of: pool)
    #expect(pool.idleBytes == waiting)
  }

  @Test("Many threads take and free at once, and each has memory of its own")
  func threads() async throws {
    let pool = PixelPool(maximumIdleBytes: 1 << 20)
    let size = try #require(PixelSize(width: 90, height: 70))
    await withTaskGroup(of: Bool.self) { group in
      for task in 0..<8 {
        group.addTask {
          (0..<200).allSatisfy { round in
            let value = UInt8(truncatingIfNeeded: task &* 31 &+ round)
            let bitmap = try? Bitmap(size: size, isOpaque: true, pool: pool) {
              $0.initializeMemory(as: UInt8.self, repeating: value)
            }
            return bitmap?.withPixels { $0.allSatisfy { $0 == value } } ?? false
          }
        }
      }
      for await isOwn in group { #expect(isOwn) }
    }
  }

  @Test("Pixels in the other order are the same picture by another way of writing it")
  func order() throws {
    for (width, height) in [(1, 1), (3, 5), (64, 33)] {
      let plain = try bitmap(width, height) { x, y in Color(red: UInt8(x * 3), green: UInt8(y), blue: 200, alpha: 255) }
      let turned = try plain.converted(to: .blueFirst)
      #expect(turned.order == .blueFirst && turned.contentDigest == plain.contentDigest)
      let (first, second) = (plain.withPixels { Array($0) }, turned.withPixels { Array($0) })
      #expect(first.indices.allSatisfy { first[$0] == second[$0 % 4 == 0 ? $0 + 2 : $0 % 4 == 2 ? $0 - 2 : $0] })
      #expect(try turned.converted(to: .redFirst).withPixels { Array($0) } == first)
      #expect(try plain.converted(to: .redFirst) === plain)
    }
  }
}
