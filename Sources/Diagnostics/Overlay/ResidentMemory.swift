import Glibc

/// The resident memory of this process, read at intervals from an open file without allocating.
final class ResidentMemory {
  /// The number of frames between two readings, so that the displayed figure remains legible.
  private static let framesPerReading = 30

  private let descriptor = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
  private var last: Int?
  private var lastFrame: Int?

  isolated deinit { if descriptor >= 0 { close(descriptor) } }

  /// Returns the resident size in bytes at the last reading, or nil if the kernel does not provide it.
  ///
  /// The C functions are `pread` and `sysconf`. The size is the second field of `/proc/self/statm` (proc(5)).
  ///
  /// - Parameter frame: The number of the current frame.
  func bytes(atFrame frame: Int) -> Int? {
    if let lastFrame, frame - lastFrame < ResidentMemory.framesPerReading { return last }
    lastFrame = frame
    guard descriptor >= 0 else { return nil }
    last = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 128) { buffer in
      let count = pread(descriptor, buffer.baseAddress, buffer.count, 0)
      var (field, pages) = (0, 0)
      for place in 0..<max(0, count) {
        let byte = buffer[place]
        if byte == 0x20 {
          field += 1
        } else if field == 1, (0x30...0x39).contains(byte) {
          pages = pages * 10 + Int(byte) - 0x30
        }
      }
      return pages > 0 ? pages * sysconf(Int32(_SC_PAGESIZE)) : nil
    }
    return last
  }
}
