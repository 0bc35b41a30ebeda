import CVitrinePlatform
import Glibc
import Synchronization
import VitrineThreads

/// A pool of memory for bitmaps, in mapped regions of whole pages.
///
/// A general allocator keeps freed blocks between blocks in use, whereas mapped memory can be returned to the system.
/// Scrolling frees bitmaps as fast as it creates others, mostly of the same size, so a freed region is reused by the
/// next bitmap: nothing is mapped, and no page is touched for the first time.
///
/// Freeing a region only adds it to a list, without a system call, because the render thread frees most of them.
/// Regions beyond ``maximumIdleBytes`` are returned to the system by the next allocation, which runs on a worker
/// thread.
public final class PixelPool: Sendable {
  /// A mapped region.
  ///
  /// The address is an integer because a pointer is not `Sendable`.
  private struct Region {
    var address: UInt
    var byteCount: Int
  }

  private struct State {
    /// The idle regions, the one that was freed first at the start.
    var idle: [Region] = []
    var idleBytes = 0
  }

  /// The maximum number of idle bytes after an allocation.
  public let maximumIdleBytes: Int
  private let state: Lock<State>

  /// Creates an empty pool.
  ///
  /// - Parameter maximumIdleBytes: The maximum number of idle bytes. Default: 4 MiB, a screen of pixels.
  public init(maximumIdleBytes: Int = 4 << 20) {
    self.maximumIdleBytes = maximumIdleBytes
    var first = State()
    // Freeing a region must not allocate.
    first.idle.reserveCapacity(512)
    state = Lock(first)
  }

  deinit { for region in state.withLock({ $0.idle }) { PixelPool.unmapRegion(region) } }

  /// The number of bytes of the idle regions.
  public var idleBytes: Int { state.withLock { $0.idleBytes } }

  /// Returns all idle memory to the system.
  ///
  /// - Complexity: O(regions), each a system call. Call it on a background thread.
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

  /// Returns uninitialised memory, or nil if the system has none.
  ///
  /// - Parameter byteCount: The number of bytes, a multiple of the page size.
  /// - Complexity: O(idle regions).
  func allocate(_ byteCount: Int) -> UnsafeMutableRawPointer? {
    let (found, surplus) = state.withLock { state in
      var found: Region?
      // The region that was freed last is the likeliest to be in a cache.
      if let index = state.idle.lastIndex(where: { $0.byteCount == byteCount }) {
        found = state.idle.remove(at: index)
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

  /// Adds memory to the idle regions.
  ///
  /// - Complexity: O(1), amortised, without a system call.
  func deallocate(_ start: UnsafeMutableRawPointer, _ byteCount: Int) {
    state.withLock { state in
      state.idle.append(Region(address: UInt(bitPattern: start), byteCount: byteCount))
      state.idleBytes += byteCount
    }
  }

  /// Maps memory and populates its pages, because the calling thread is about to write it.
  ///
  /// The C function is `mmap` with MAP_POPULATE.
  static func mapPages(_ byteCount: Int) -> UnsafeMutableRawPointer? {
    let start = mmap(
      nil, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | Int32(MAP_POPULATE), -1, 0)
    return start == MAP_FAILED ? nil : start
  }

  /// Returns memory to the system.
  ///
  /// The C function is `munmap`.
  static func unmapPages(_ start: UnsafeMutableRawPointer, _ byteCount: Int) { munmap(start, byteCount) }

  private static func unmapRegion(_ region: Region) {
    UnsafeMutableRawPointer(bitPattern: region.address).map { unmapPages($0, region.byteCount) }
  }
}

/// The memory of one bitmap, mapped or, if it is small, allocated.
///
/// It is freed with the bitmap.
struct PixelMemory: ~Copyable {
  /// The minimum size of a bitmap that gets a region of a pool.
  ///
  /// Half a page is lost on average, an eighth of this size.
  private static let minimumPooledBytes = 16 << 10
  /// The minimum size of a bitmap that is mapped without a pool, at the price of two system calls.
  private static let minimumMappedBytes = 256 << 10

  /// The first byte.
  let start: UnsafeMutableRawPointer
  /// The number of bytes of the mapped region, or 0 if the memory was allocated.
  private let mappedBytes: Int
  private let pool: PixelPool?

  /// Allocates memory.
  ///
  /// Returns nil if the system has none.
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

/// The channel order and the memory of bitmaps that are created and released often.
///
/// All that makes bitmaps for a display shares one object.
public final class PixelStorage: Sendable {
  private let isBlueFirst: Atomic<Bool>
  /// The pool that the memory is taken from, or nil to use the allocator.
  public let pool: PixelPool?

  /// Creates a storage.
  ///
  /// By default, red comes first and there is no pool.
  public init(order: ChannelOrder = .redFirst, pool: PixelPool? = nil) {
    isBlueFirst = Atomic(order == .blueFirst)
    self.pool = pool
  }

  /// The order of the colour channels in a pixel's bytes.
  ///
  /// It may be set from any thread, also when bitmaps are being made. Those that exist keep their order.
  public var order: ChannelOrder {
    get { isBlueFirst.load(ordering: .relaxed) ? .blueFirst : .redFirst }
    set { isBlueFirst.store(newValue == .blueFirst, ordering: .relaxed) }
  }
}

/// Prefetching of memory into the processor's caches.
///
/// After the pause between two frames, the rows of a window and the bitmaps are no longer in the caches, and each row
/// is on pages of its own, where hardware prefetching stops. Prefetching rows while others are copied halves the time.
package enum MemoryPrefetch {
  /// Prefetches bytes that will be read or written soon.
  ///
  /// The C function is `platform_expect_memory`.
  /// - Complexity: O(bytes / 64).
  @inline(__always)
  package static func prefetch(_ start: UnsafeRawPointer, byteCount: Int) { platform_expect_memory(start, byteCount) }
}
