import BenchmarkSupport
import Glibc

/// Reads callgrind's profiles into memory that is there before the first.
///
/// A profile names its process, so that it is a byte longer where that has one digit more. Read into memory of its own size
/// it would move all that the program asks for afterwards, and with the addresses the work of whatever goes by them: half a
/// hundredth of a frame.
final class ProfileBuffer {
  private let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 16 << 20, alignment: 16)

  deinit { memory.deallocate() }

  /// What a file says; nothing where it cannot be read, is no profile, or is longer than any.
  func profile(at path: String) -> CallgrindProfile? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var count = 0
    while count < memory.count {
      let got = read(descriptor, memory.baseAddress.map { $0 + count }, memory.count - count)
      guard got >= 0 else { return nil }
      if got == 0 { return CallgrindProfile(UnsafeRawBufferPointer(rebasing: memory[..<count])) }
      count += got
    }
    return nil
  }
}
