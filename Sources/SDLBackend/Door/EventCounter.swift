import CPlatform
import Glibc
import Rendering

/// Owns a counter of the kernel's that one thread can wait on and any other can raise; the C function is `eventfd`.
nonisolated struct EventFileDescriptor: ~Copyable {
  /// The descriptor; raising it is a plain write, safe on any thread while the counter lives.
  let descriptor: Int32

  /// Makes a counter at zero.
  /// - Throws: ``DisplayError`` when the process has no descriptor left.
  init() throws(DisplayError) {
    descriptor = platform_eventfd()
    guard descriptor >= 0 else {
      throw DisplayError(action: "make an event counter", reason: String(cString: strerror(errno)))
    }
  }

  deinit { close(descriptor) }

  /// Raises the counter; the C function is `write`.
  static func signal(_ descriptor: Int32) {
    var one: UInt64 = 1
    // Refused only when the counter is at its limit, and then it is raised already.
    _ = write(descriptor, &one, 8)
  }

  /// Sets the counter back to zero; the C function is `read`.
  func reset() {
    var count: UInt64 = 0
    _ = read(descriptor, &count, 8)
  }

  /// Blocks until the counter is raised or time is up, and needs no processor meanwhile.
  ///
  /// The C functions are `poll`, which knows whole milliseconds only, and `clock_nanosleep` for what is less than one.
  /// - Returns: whether the counter is raised.
  func wait(nanoseconds: Int64?) -> Bool {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard let nanoseconds else { return poll(&request, 1, -1) == 1 }
    guard nanoseconds > 0 else { return poll(&request, 1, 0) == 1 }
    let milliseconds = nanoseconds / 1_000_000
    if milliseconds > 0 { return poll(&request, 1, Int32(min(milliseconds, Int64(Int32.max)))) == 1 }
    MonotonicTime.sleep(nanoseconds: nanoseconds)
    return poll(&request, 1, 0) == 1
  }
}
