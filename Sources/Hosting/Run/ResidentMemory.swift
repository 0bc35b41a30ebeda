import Glibc

/// What this process holds in memory now, read now and then from a file that stays open: reading allocates nothing.
final class ResidentMemory {
  /// Frames from one reading to the next: the figure is to be read, not to flicker.
  private static let framesPerReading = 30

  private let descriptor = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
  private var last: Int?
  private var lastFrame: Int?

  isolated deinit { if descriptor >= 0 { close(descriptor) } }

  /// The resident bytes as they were at the last reading; nothing where the kernel does not tell.
  ///
  /// The C functions are `pread` and `sysconf`; the field is the second of `/proc/self/statm` (proc(5)).
  ///
  /// - Parameter frame: the number of the frame that asks.
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
