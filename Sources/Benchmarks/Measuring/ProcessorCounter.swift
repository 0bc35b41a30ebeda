import CPlatform
import Glibc

/// The processor's own count of the instructions that this thread retires outside the kernel.
final class ProcessorCounter {
  private let descriptor: Int32

  /// Starts counting; nothing where the kernel forbids it or the machine has no such counter.
  ///
  /// The C function is `perf_event_open`.
  init?() {
    descriptor = platform_open_instruction_counter()
    if descriptor < 0 { return nil }
  }

  deinit { close(descriptor) }

  /// Instructions up to now; nothing where reading fails.
  func read() -> UInt64? {
    var count: UInt64 = 0
    return platform_read_counter(descriptor, &count) == 0 ? count : nil
  }
}
