import CPlatform
import DecodingProtocol
import Glibc

/// Memory that this process and one decoding process both see, sealed so that neither can make it shorter.
///
/// Its pages come into being when they are written to, so a large slot costs no more than the pictures that pass it.
struct SharedSlot: ~Copyable {
  /// The descriptor that the decoding process maps.
  let descriptor: OwnedDescriptor
  /// The memory of pictures; the other process may change it at any time, so each byte is read once.
  let bytes: UnsafeMutableRawBufferPointer
  /// The word that interrupts a request; nothing is ever read from it here.
  let interruption: UnsafeMutablePointer<UInt32>
  private let byteCount: Int

  /// Makes the memory of a launch with one slot.
  ///
  /// The C functions are `memfd_create`, `fcntl` with F_ADD_SEALS, and `mmap`.
  init(_ launch: DecodingLaunch) throws(DecodingProcessError) {
    byteCount = launch.sharedBytes
    let number = platform_memfd("vitrine slot", byteCount)
    guard number >= 0 else { throw .system(call: "memfd_create", error: errno) }
    let owned = OwnedDescriptor(adopting: number)
    guard let start = mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_SHARED, number, 0), start != MAP_FAILED else {
      throw .system(call: "mmap", error: errno)
    }
    descriptor = owned
    bytes = UnsafeMutableRawBufferPointer(start: start, count: launch.slotBytes)
    interruption = (start + launch.interruptionOffset).bindMemory(to: UInt32.self, capacity: 1)
  }

  deinit { munmap(bytes.baseAddress, byteCount) }

  /// Gives the memory of a large picture back to the system; the slot reads as zeros then.
  ///
  /// The C function is `madvise` with MADV_REMOVE.
  func discardIfLarge(_ used: Int) {
    if used > 8 << 20 { madvise(bytes.baseAddress, bytes.count, Int32(MADV_REMOVE)) }
  }
}
