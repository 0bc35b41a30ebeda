import CPlatform
import Glibc

/// A decoding process that was started, and that ends with its owner.
struct ChildProcess: ~Copyable {
  /// The kernel's number of the process.
  let number: pid_t
  private let descriptor: OwnedDescriptor

  /// Starts a decoding process.
  ///
  /// The C functions are `posix_spawn` and `pidfd_open`.
  ///
  /// Call it on a thread that lasts as long as the process is wanted: the process asks the kernel to end it with the
  /// thread that started it.
  init(
    executable: [UInt8], slotBytes: Int, socket: borrowing OwnedDescriptor, slot: borrowing SharedSlot,
    isLowPriority: Bool
  ) throws(DecodingProcessError) {
    var number: pid_t = 0
    var descriptor: Int32 = -1
    let path = executable.map { CChar(bitPattern: $0) } + [0]
    let status = platform_spawn_decoder(
      path, "1", String(slotBytes), socket.number, slot.descriptor.number, isLowPriority ? 1 : 0, &number, &descriptor)
    guard status == 0 else { throw .system(call: "posix_spawn", error: status) }
    self.number = number
    self.descriptor = OwnedDescriptor(adopting: descriptor)
  }

  deinit {
    platform_kill_process(descriptor.number)
    _ = platform_reap_process(descriptor.number)
  }

  /// What `poll` finds readable once the process has ended.
  var ending: Int32 { descriptor.number }

  /// Whether the process has ended by itself, or by somebody else's hand.
  ///
  /// The C function is `poll`.
  var hasEnded: Bool {
    var watched = pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0)
    return poll(&watched, 1, 0) > 0
  }

  /// How long the process has stood ready to run without a core; nothing where the kernel does not count it.
  var runDelayNanoseconds: Int64? {
    let delay = platform_run_delay(number)
    return delay < 0 ? nil : delay
  }
}
