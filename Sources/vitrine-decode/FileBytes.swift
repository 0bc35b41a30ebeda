import DecodingProtocol
import Glibc

/// A file's bytes in memory outside Swift's arrays: an allocation that fails is a reply, not the process's end.
struct FileBuffer: ~Copyable {
  /// All memory there is.
  let storage: UnsafeMutableRawBufferPointer
  /// How many bytes of it hold the file.
  private(set) var count = 0
  private let isMapped: Bool

  /// Takes memory.
  ///
  /// The C function is `malloc`.
  init(capacity: Int) throws(DecodingStatus) {
    guard let memory = malloc(max(1, capacity)) else { throw .outOfMemory }
    storage = UnsafeMutableRawBufferPointer(start: memory, count: capacity)
    isMapped = false
  }

  /// Takes memory that holds noughts, of which the system gives what is written or read alone.
  ///
  /// The C functions are `mmap` and `munmap`.
  init(zeroedCapacity capacity: Int) throws(DecodingStatus) {
    let memory = mmap(nil, max(1, capacity), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let memory, memory != MAP_FAILED else { throw .outOfMemory }
    storage = UnsafeMutableRawBufferPointer(start: memory, count: capacity)
    isMapped = true
  }

  deinit {
    if isMapped { munmap(storage.baseAddress, max(1, storage.count)) } else { free(storage.baseAddress) }
  }

  /// The same, holding so many bytes of a file.
  consuming func truncated(to count: Int) -> FileBuffer {
    self.count = min(count, storage.count)
    return self
  }

  /// The file's bytes; they live as long as this does.
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: storage[0..<count]) }
}
