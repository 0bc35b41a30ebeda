import Testing
import VitrineGeometry
import VitrineRendering

@Suite("Bitmaps are identified by their content")
struct BitmapTests {
  private struct BodyError: Error, Equatable {}

  @Test("Equal pixels have equal digests")
  func equalPixelsEqualDigests() throws {
    let first = try bitmap(7, 5) { x, y in Color(hex: UInt32(x * 31 + y)) }
    let second = try bitmap(7, 5) { x, y in Color(hex: UInt32(x * 31 + y)) }
    #expect(first.contentDigest == second.contentDigest)
  }

  @Test("Any changed byte changes the digest", arguments: [1, 2, 8, 9, 33])
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

  @Test("Shape and opacity are part of the digest")
  func shapeAndOpacityCount() throws {
    let wide = try bitmap(6, 2) { _, _ in .white }
    let high = try bitmap(2, 6) { _, _ in .white }
    let blended = try bitmap(6, 2, isOpaque: false) { _, _ in .white }
    #expect(Set([wide.contentDigest, high.contentDigest, blended.contentDigest]).count == 3)
  }

  @Test("The digest is the same on every machine")
  func digestIsFixed() throws {
    let picture = try bitmap(3, 2) { x, y in Color(red: UInt8(x), green: UInt8(y), blue: 7) }
    #expect(picture.contentDigest == 0xCDF7_60FF_F0F0_BA16)
  }

  @Test("Pixels are read as they were written")
  func readsBack() throws {
    let picture = try bitmap(4, 3) { x, y in Color(red: UInt8(x), green: UInt8(y), blue: 200, alpha: 100) }
    #expect(picture.byteCount == 48 && picture.bytesPerRow == 16)
    #expect(picture.color(3, 2) == Color(red: 3, green: 2, blue: 200, alpha: 100))
    #expect(picture.withPixels { Array($0[0..<4]) } == [0, 0, 200, 100])
  }

  @Test("An error of the body is rethrown")
  func bodyThrows() throws {
    let size = try #require(PixelSize(width: 1, height: 1))
    #expect(throws: BodyError()) { try Bitmap(size: size, isOpaque: true) { _ in throw BodyError() } }
  }
}

/// Creates a bitmap whose pixels a closure returns by column and row.
func bitmap(_ width: Int, _ height: Int, isOpaque: Bool = true, _ pixel: (Int, Int) -> Color) throws -> Bitmap {
  let size = try #require(PixelSize(width: width, height: height))
  return try Bitmap(size: size, isOpaque: isOpaque) { memory in
    let words = memory.bindMemory(to: UInt32.self)
    for y in 0..<height {
      for x in 0..<width { words[y * width + x] = pixel(x, y).packed }
    }
  }
}

extension Bitmap {
  /// Returns the pixel at a column and row.
  func color(_ x: Int, _ y: Int) -> Color {
    withPixels { Color(packed: $0.bindMemory(to: UInt32.self)[y * size.width + x]) }
  }
}

@Suite("Pixel memory is reused by the next bitmap of its size, or returned to the system")
struct PixelPoolTests {
  /// Returns the address of a bitmap's pixels.
  private func address(of bitmap: Bitmap) -> UInt { bitmap.withPixels { UInt(bitPattern: $0.baseAddress) } }

  private func picture(_ side: Int, of pool: PixelPool, order: ChannelOrder = .redFirst) throws -> Bitmap {
    let size = try #require(PixelSize(width: side, height: side))
    return try Bitmap(size: size, isOpaque: true, order: order, pool: pool) {
      $0.initializeMemory(as: UInt8.self, repeating: UInt8(truncatingIfNeeded: side))
    }
  }

  @Test("Released memory is retained, and the next bitmap with as many pages reuses it")
  func reusesMemory() throws {
    let pool = PixelPool()
    var first: Bitmap? = try picture(128, of: pool)
    let firstAddress = address(of: try #require(first))
    #expect(pool.idleBytes == 0)
    first = nil
    #expect(pool.idleBytes == 128 * 128 * 4)
    let other = try picture(200, of: pool)
    #expect(address(of: other) != firstAddress && pool.idleBytes == 128 * 128 * 4)
    let next = try picture(128, of: pool)
    #expect(address(of: next) == firstAddress && pool.idleBytes == 0)
    #expect(next.withPixels { $0.allSatisfy { $0 == 128 } })
  }

  @Test("Idle memory above the limit is released by the next allocation, the oldest first")
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

  @Test("A body that throws leaks no memory, and small bitmaps do not use the pool")
  func thrown() throws {
    struct BodyError: Error {}
    let pool = PixelPool()
    let size = try #require(PixelSize(width: 100, height: 100))
    #expect(throws: BodyError.self) { try Bitmap(size: size, isOpaque: true, pool: pool) { _ in throw BodyError() } }
    #expect(pool.idleBytes >= size.bytesAtFourPerPixel)
    let initialBytes = pool.idleBytes
    _ = try picture(16, of: pool)
    #expect(pool.idleBytes == initialBytes)
  }

  @Test("Concurrent threads allocate and release separate memory")
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

  @Test("A bitmap in the other channel order has the same content")
  func order() throws {
    for (width, height) in [(1, 1), (3, 5), (64, 33)] {
      let plain = try bitmap(width, height) { x, y in Color(red: UInt8(x * 3), green: UInt8(y), blue: 200, alpha: 255) }
      let converted = try plain.converted(to: .blueFirst)
      #expect(converted.order == .blueFirst && converted.contentDigest == plain.contentDigest)
      let (first, second) = (plain.withPixels { Array($0) }, converted.withPixels { Array($0) })
      #expect(first.indices.allSatisfy { first[$0] == second[$0 % 4 == 0 ? $0 + 2 : $0 % 4 == 2 ? $0 - 2 : $0] })
      #expect(try converted.converted(to: .redFirst).withPixels { Array($0) } == first)
      #expect(try plain.converted(to: .redFirst) === plain)
    }
  }
}
