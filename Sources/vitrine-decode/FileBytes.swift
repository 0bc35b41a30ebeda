import DecodingProtocol
import Glibc

/// A file's bytes in memory outside Swift's arrays: an allocation that fails is a reply, not the process's end.
struct FileBytes: ~Copyable {
  /// All memory there is.
  let room: UnsafeMutableRawBufferPointer
  /// How many bytes of it hold the file.
  private(set) var count = 0
  private let isMapped: Bool

  /// Takes memory.
  ///
  /// The C function is `malloc`.
  init(capacity: Int) throws(DecodingStatus) {
    guard let memory = malloc(max(1, capacity)) else { throw .outOfMemory }
    room = UnsafeMutableRawBufferPointer(start: memory, count: capacity)
    isMapped = false
  }

  /// Takes memory that holds noughts, of which the system gives what is written or read alone.
  ///
  /// The C functions are `mmap` and `munmap`.
  init(noughts capacity: Int) throws(DecodingStatus) {
    let memory = mmap(nil, max(1, capacity), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let memory, memory != MAP_FAILED else { throw .outOfMemory }
    room = UnsafeMutableRawBufferPointer(start: memory, count: capacity)
    isMapped = true
  }

  deinit {
    if isMapped { munmap(room.baseAddress, max(1, room.count)) } else { free(room.baseAddress) }
  }

  /// The same, holding so many bytes of a file.
  consuming func keeping(_ count: Int) -> FileBytes {
    self.count = min(count, room.count)
    return self
  }

  /// The file's bytes; they live as long as this does.
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: room[0..<count]) }
}
