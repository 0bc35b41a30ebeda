import CPlatform
import DataStructures
import Glibc
package import Rendering

/// Memory that comes twice, the second time right behind the first: what runs over its end goes on at its beginning.
///
/// It is a file without a name, so that others can be handed its descriptor and read along.
package nonisolated struct MirroredMemory: ~Copyable {
  /// The bytes of one of the two.
  package let byteCount: Int
  /// The first byte; twice ``byteCount`` may be used from here.
  package let start: UnsafeMutableRawPointer
  /// The file.
  package let descriptor: Int32

  /// What the bytes must be a multiple of: a page.
  ///
  /// The C function is `sysconf`.
  package static var granularity: Int { max(1, sysconf(Int32(_SC_PAGESIZE))) }

  /// Takes memory, all zero.
  ///
  /// The C functions are `platform_memfd`, whose memory cannot shrink, so that nobody who reads along ever finds it gone,
  /// and `mmap`.
  /// - Precondition: the bytes are a multiple of ``granularity``, and not 0.
  /// - Throws: ``DisplayError`` when the system has none to give.
  package init(byteCount: Int) throws(DisplayError) {
    checkPrecondition(
      byteCount > 0 && byteCount % MirroredMemory.granularity == 0,
      "Memory is mirrored by pages, not by \(byteCount) bytes.")
    descriptor = platform_memfd("vitrine-window", byteCount)
    guard descriptor >= 0 else { throw MirroredMemory.allocationError(byteCount) }
    guard let room = MirroredMemory.mapTwice(descriptor, byteCount) else {
      let error = MirroredMemory.allocationError(byteCount)
      Glibc.close(descriptor)
      throw error
    }
    self.byteCount = byteCount
    start = room
  }

  deinit {
    munmap(start, byteCount * 2)
    Glibc.close(descriptor)
  }

  /// Maps a file twice, into room that is taken first so that both halves are side by side.
  ///
  /// With its pages (`MAP_POPULATE`): else the first frame that is drawn over the ring's end takes a thousand page faults, two
  /// milliseconds, whenever that comes to be.
  private static func mapTwice(_ descriptor: Int32, _ byteCount: Int) -> UnsafeMutableRawPointer? {
    guard let room = mmap(nil, byteCount * 2, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), room != MAP_FAILED else {
      return nil
    }
    for half in [room, room + byteCount] {
      let place = mmap(half, byteCount, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED | MAP_POPULATE, descriptor, 0)
      guard place == half else {
        munmap(room, byteCount * 2)
        return nil
      }
    }
    return room
  }

  private static func allocationError(_ byteCount: Int) -> DisplayError {
    DisplayError(
      action: "take \(byteCount) bytes of memory for a window", reason: String(cString: strerror(errno)))
  }
}
