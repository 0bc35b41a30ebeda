import Glibc
import Threads

/// Memory of pictures that was let go of and waits for the next one, in mapped regions of whole pages.
///
/// An allocator keeps what is freed in pieces between others; what is mapped goes back to the system. And as scrolling lets
/// go of pictures as fast as others come, of the same size most often, a region is used again by the next: nothing is mapped
/// then, and no page is touched for the first time. What is freed, on whatever thread, is noted and no more, without a system
/// call: the thread that draws frees most. What waits beyond a bound is given back by the next that takes, which is a worker.
public final class PixelPool: Sendable {
  /// A region: its address, which no array may carry between threads as a pointer, and its bytes.
  private struct Region {
    var address: UInt
    var byteCount: Int
  }

  private struct State {
    /// The longest waiting first.
    var idle: [Region] = []
    var idleBytes = 0
  }

  /// The bytes that wait at most once somebody has taken memory.
  public let maximumIdleBytes: Int
  private let state: Lock<State>

  /// Makes an empty pool.
  ///
  /// - Parameter mostIdleBytes: how much may wait for the next picture; 4 MiB unless told, a screen of pixels.
  public init(maximumIdleBytes: Int = 4 << 20) {
    self.maximumIdleBytes = maximumIdleBytes
    var first = State()
    // Whoever frees is not to allocate.
    first.idle.reserveCapacity(512)
    state = Lock(first)
  }

  deinit { for region in state.withLock({ $0.idle }) { PixelPool.unmapRegion(region) } }

  /// The bytes that wait to be used again.
  public var idleBytes: Int { state.withLock { $0.idleBytes } }

  /// Gives everything that waits back to the system.
  ///
  /// - Complexity: O(regions), each a system call: for a thread that nobody waits for.
  public func releaseIdleMemory() {
    let regions = state.withLock { state in
      defer {
        state.idle.removeAll(keepingCapacity: true)
        state.idleBytes = 0
      }
      return state.idle
    }
    for region in regions { PixelPool.unmapRegion(region) }
  }

  /// Takes memory, whose bytes are whatever they are; nothing where there is none.
  ///
  /// - Parameter byteCount: a multiple of a page.
  /// - Complexity: O(regions that wait).
  func allocate(_ byteCount: Int) -> UnsafeMutableRawPointer? {
    let (found, surplus) = state.withLock { state in
      var found: Region?
      // The last one's bytes are the likeliest to be in a cache.
      if let place = state.idle.lastIndex(where: { $0.byteCount == byteCount }) {
        found = state.idle.remove(at: place)
        state.idleBytes -= byteCount
      }
      var count = 0
      while state.idleBytes > maximumIdleBytes, count < state.idle.count {
        state.idleBytes -= state.idle[count].byteCount
        count += 1
      }
      defer { state.idle.removeFirst(count) }
      return (found, Array(state.idle[..<count]))
    }
    for region in surplus { PixelPool.unmapRegion(region) }
    return found.flatMap { UnsafeMutableRawPointer(bitPattern: $0.address) } ?? PixelPool.mapPages(byteCount)
  }

  /// Takes memory back.
  ///
  /// - Complexity: O(1), amortised; no system call.
  func deallocate(_ start: UnsafeMutableRawPointer, _ byteCount: Int) {
    state.withLock { state in
      state.idle.append(Region(address: UInt(bitPattern: start), byteCount: byteCount))
      state.idleBytes += byteCount
    }
  }

  /// Maps memory whose pages are all there: it will be written at once, by the thread that asks.
  ///
  /// The C function is `mmap` with MAP_POPULATE.
  static func mapPages(_ byteCount: Int) -> UnsafeMutableRawPointer? {
    let start = mmap(
      nil, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | Int32(MAP_POPULATE), -1, 0)
    return start == MAP_FAILED ? nil : start
  }

  /// Gives memory back to the system; the C function is `munmap`.
  static func unmapPages(_ start: UnsafeMutableRawPointer, _ byteCount: Int) { munmap(start, byteCount) }

  private static func unmapRegion(_ region: Region) {
    UnsafeMutableRawPointer(bitPattern: region.address).map { unmapPages($0, region.byteCount) }
  }
}

/// The memory of one picture, given back when nobody has the picture any more: mapped, or of the allocator where it is small.
struct PixelMemory: ~Copyable {
  /// What a picture of a pool takes at least to have a region of its own: of four pages half a one is lost on average.
  private static let minimumPooledBytes = 16 << 10
  /// The same without a pool, where each picture costs two system calls.
  private static let minimumMappedBytes = 256 << 10

  /// The first byte.
  let start: UnsafeMutableRawPointer
  /// The bytes of the region; 0 where the allocator's are used.
  private let mappedBytes: Int
  private let pool: PixelPool?

  /// Takes memory; nothing where the system has none.
  ///
  /// The C functions are `malloc` and `mmap`.
  init?(_ byteCount: Int, from pool: PixelPool?) {
    let isMapped = byteCount >= (pool == nil ? PixelMemory.minimumMappedBytes : PixelMemory.minimumPooledBytes)
    let page = max(1, sysconf(Int32(_SC_PAGESIZE)))
    let bytes = isMapped ? (byteCount + page - 1) / page * page : 0
    guard let start = isMapped ? pool.map({ $0.allocate(bytes) }) ?? PixelPool.mapPages(bytes) : malloc(byteCount)
    else {
      return nil
    }
    self.start = start
    mappedBytes = bytes
    self.pool = isMapped ? pool : nil
  }

  deinit {
    if mappedBytes == 0 {
      free(start)
    } else if let pool {
      pool.deallocate(start, mappedBytes)
    } else {
      PixelPool.unmapPages(start, mappedBytes)
    }
  }
}

/// How the pixels of pictures that come and go stand in memory.
public struct PixelStorage: Sendable {
  /// In which order a pixel's bytes have its channels.
  public var order: ChannelOrder
  /// Where memory comes from and goes to; nil for none.
  public var pool: PixelPool?

  /// Makes a description; red first and no pool unless told.
  public init(order: ChannelOrder = .redFirst, pool: PixelPool? = nil) {
    self.order = order
    self.pool = pool
  }
}
