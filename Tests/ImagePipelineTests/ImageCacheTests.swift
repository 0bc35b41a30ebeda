import Testing
import VitrineGeometry
@testable import VitrineImagePipeline
import VitrineRendering
import VitrineTestSupport

@Suite("Image cache")
struct ImageCacheTests {
  private func image(_ side: Int) throws -> DecodedImage { DecodedImage(bitmap: try Bitmap.square(side, .white)) }

  @Test("Shrinking keeps the most recently used images, and the limit stays the same")
  func shrinking() throws {
    let keys = (0..<8).map { key($0) }
    var cache = ImageCache(byteLimit: 8 * 400)
    for key in keys { cache.insert(try image(10), for: key) }
    #expect(cache.count == 8 && cache.image(for: keys[0]) != nil)
    cache.shrink(to: 0.25)
    #expect(cache.byteCount == 2 * 400)
    #expect(keys.filter { cache.image(for: $0) != nil } == [keys[0], keys[7]])
    for key in keys { cache.insert(try image(10), for: key) }
    #expect(cache.count == 8)
  }

  @Test("Pinned images stay, count toward the limit, and become the most recently used when unpinned")
  func pinning() throws {
    var cache = ImageCache(byteLimit: 3 * 400)
    for number in 0..<3 { cache.insert(try image(10), for: key(number)) }
    cache.pin(key(0))
    cache.pin(key(0))
    cache.shrink(to: 0)
    #expect(cache.count == 1 && cache.byteCount == 400 && cache.pinnedByteCount == 400)
    for number in 1..<5 { cache.insert(try image(10), for: key(number)) }
    #expect((0..<5).filter { cache.peek(key($0)) != nil } == [0, 3, 4])
    cache.unpin(key(0))
    #expect(cache.pinnedByteCount == 400)
    cache.unpin(key(0))
    #expect(cache.pinnedByteCount == 0 && cache.byteCount == 1_200)
    cache.insert(try image(10), for: key(5))
    #expect((0..<6).filter { cache.peek(key($0)) != nil } == [0, 4, 5])
  }

  @Test("Of outdated images, pinned ones become previews and the others are evicted")
  func demotion() throws {
    var cache = ImageCache(byteLimit: 3 * 400)
    for number in 0..<3 { cache.insert(try image(10), for: key(number)) }
    cache.pin(key(1))
    cache.demoteAll()
    #expect((0..<3).map { cache.peek(key($0))?.representation } == [nil, .embedded, nil])
    #expect(cache.byteCount == 400 && cache.pinnedByteCount == 400)
    for number in 3..<6 { cache.insert(try image(10), for: key(number)) }
    #expect(cache.byteCount == 1_200, "the limit stays the same")
  }

  @Test("Pinned images may exceed the limit, and an image can be pinned before it is inserted")
  func pinningBeforeInsertion() throws {
    var cache = ImageCache(byteLimit: 500)
    cache.insert(try image(10), for: key(1))
    cache.pin(key(2))
    cache.insert(try image(20), for: key(2))
    #expect(cache.byteCount == 1_600 && cache.peek(key(1)) == nil)
    cache.remove(key(2))
    #expect(cache.byteCount == 0)
    cache.insert(try image(20), for: key(2))
    cache.unpin(key(2))
    #expect(cache.byteCount == 0, "larger than the limit")
  }

  @Test("A smaller limit evicts the least recently used images immediately, but no pinned ones")
  func limit() throws {
    var cache = ImageCache(byteLimit: 8 * 400)
    for number in 0..<8 { cache.insert(try image(10), for: key(number)) }
    cache.pin(key(0))
    cache.byteLimit = 3 * 400
    #expect((0..<8).filter { cache.peek(key($0)) != nil } == [0, 6, 7])
    cache.byteLimit = 8 * 400
    for number in 0..<8 { cache.insert(try image(10), for: key(number)) }
    #expect(cache.count == 8)
  }

  @Test("The cache limit of a window is a multiple of its size, up to a maximum")
  func screens() {
    let maximum = 512 << 20
    #expect(ImageCache.byteLimit(screen: pixels(1_280, 800), maximum: maximum) == 8 * 1_280 * 800 * 4)
    #expect(ImageCache.byteLimit(screen: pixels(2_560, 1_600), maximum: maximum) == 8 * 2_560 * 1_600 * 4)
    #expect(ImageCache.byteLimit(screen: pixels(7_680, 4_320), maximum: maximum) == maximum)
    #expect(ImageCache.byteLimit(screen: pixels(1_280, 800), maximum: 9 << 20) == 9 << 20)
    #expect(ImageCache.byteLimit(screen: pixels(10, 10), maximum: maximum) == 16 << 20)
  }

  @Test("A lookup counts as a hit or a miss, a peek does not")
  func counts() throws {
    var cache = ImageCache(byteLimit: 800)
    cache.insert(try image(10), for: key(1))
    cache.insert(try image(10), for: key(2))
    #expect(cache.peek(key(1)) != nil && cache.peek(key(3)) == nil && cache.hits == 0 && cache.misses == 0)
    cache.insert(try image(10), for: key(3))
    #expect(cache.image(for: key(1)) == nil && cache.image(for: key(3)) != nil)
    #expect(cache.hits == 1 && cache.misses == 1)
  }

  @Test("The default limit is 15 % of the physical memory and at most 512 MiB")
  func defaultLimit() {
    #expect(ImageCache.defaultByteLimit(memory: 1 << 30) == (1 << 30) / 20 * 3)
    #expect(ImageCache.defaultByteLimit(memory: 64 << 30) == 512 << 20)
    #expect(ImageCache.defaultByteLimit(memory: nil) == 64 << 20)
    #expect((1...512 << 20).contains(ImageCache.defaultByteLimit))
    #expect(PhysicalMemory.byteCount.map { $0 > 16 << 20 } == true)
  }

  @Test("Unpinning an image that is not pinned fails a precondition")
  func misuse() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var cache = ImageCache(byteLimit: 1)
      cache.unpin(key(1))
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.contains("unpinned more often than it was pinned"), "\(text)")
  }

  @Test("Random operations match a simple list", arguments: 0..<20)
  func model(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let images = try (1...6).map { try image($0) }
    let limit = 4 * Int.random(in: 20...120, using: &random)
    var cache = ImageCache(byteLimit: limit)
    // The unpinned images, most recently used first; the pinned images; and the numbers of pins.
    var unpinned: [(key: ImageKey, bytes: Int)] = []
    var pinned: [ImageKey: Int] = [:]
    var pins: [ImageKey: Int] = [:]
    func trim(to share: Double = 1) {
      let maximum = max(0, Int(Double(limit) * share) - pinned.values.reduce(0, +))
      while unpinned.reduce(0, { $0 + $1.bytes }) > maximum { unpinned.removeLast() }
    }
    for _ in 0..<2_000 {
      let key = key(Int.random(in: 0..<14, using: &random))
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<4:
        let image = try #require(images.randomElement(using: &random))
        let bytes = image.bitmap.byteCount
        cache.insert(image, for: key)
        if pins[key] != nil {
          pinned[key] = bytes
        } else {
          unpinned.removeAll { $0.key == key }
          if bytes <= max(0, limit - pinned.values.reduce(0, +)) { unpinned.insert((key, bytes), at: 0) }
        }
        trim()
      case 4..<6:
        let index = unpinned.firstIndex { $0.key == key }
        #expect((cache.image(for: key) != nil) == (index != nil || pinned[key] != nil))
        if let index { unpinned.insert(unpinned.remove(at: index), at: 0) }
      case 6:
        cache.pin(key)
        pins[key, default: 0] += 1
        if let index = unpinned.firstIndex(where: { $0.key == key }) { pinned[key] = unpinned.remove(at: index).bytes }
      case 7:
        guard let count = pins[key] else { continue }
        cache.unpin(key)
        pins[key] = count > 1 ? count - 1 : nil
        if count == 1, let bytes = pinned.removeValue(forKey: key), bytes <= max(0, limit - pinned.values.reduce(0, +))
        {
          unpinned.insert((key, bytes), at: 0)
        }
        trim()
      case 8:
        let share = Double.random(in: 0...1, using: &random)
        cache.shrink(to: share)
        trim(to: share)
      default:
        cache.remove(key)
        unpinned.removeAll { $0.key == key }
        pinned[key] = nil
      }
      #expect(cache.byteCount == unpinned.reduce(0) { $0 + $1.bytes } + pinned.values.reduce(0, +))
      #expect(cache.count == unpinned.count + pinned.count)
      #expect(cache.byteCount - cache.pinnedByteCount <= limit)
    }
    for number in 0..<14 {
      let key = key(number)
      #expect((cache.peek(key) != nil) == (pinned[key] != nil || unpinned.contains { $0.key == key }))
    }
  }
}
