import CPlatform
import DecodingProtocol
import FramePacing
import Glibc
import Threads

/// A decoding process that was started, and that ends with its owner.
///
/// A process of the lowest priority needs a core even to die, and on a busy machine may wait for one for seconds. Its end
/// is waited for all the same, so that none is left behind unseen; but not by its owner when the program is about to go,
/// where a moment must do. A thread of its own then waits for the rest: the program may live on after all, and a dead
/// process that nobody takes is found again and again by everyone in the program who waits for any process.
struct ChildProcess: ~Copyable {
  /// The kernel's number of the process.
  let number: pid_t
  private let descriptor: OwnedDescriptor
  private let stop: StopSignal?
  private let terminationTimeout: FrameDuration

  /// Starts a decoding process.
  ///
  /// The C functions are `posix_spawn` and `pidfd_open`.
  ///
  /// Call it on a thread that lasts as long as the process is wanted: the process asks the kernel to end it with the
  /// thread that started it.
  ///
  /// - Parameters:
  ///   - stop: once it is raised, the process's end holds its owner up for a moment at most.
  ///   - farewell: that moment.
  init(
    executable: [UInt8], launch: DecodingLaunch, socket: borrowing OwnedDescriptor, slot: borrowing SharedSlot,
    priority: ProcessPriority, stop: StopSignal?, farewell: FrameDuration
  ) throws(DecodingProcessError) {
    var number: pid_t = 0
    var descriptor: Int32 = -1
    let path = executable.map { CChar(bitPattern: $0) } + [0]
    let status = platform_spawn_decoder(
      path, String(launch.slotCount), String(launch.slotBytes), launch.forbiddenCalls.rawValue, socket.number,
      slot.descriptor.number, priority.number, &number, &descriptor)
    guard status == 0 else { throw .system(call: "posix_spawn", error: status) }
    self.number = number
    self.descriptor = OwnedDescriptor(adopting: descriptor)
    self.stop = stop
    self.terminationTimeout = farewell
  }

  deinit {
    platform_kill_process(descriptor.number)
    if ChildProcess.waitForExit(descriptor.number, stop?.number ?? -1, terminationTimeout) {
      _ = platform_reap_process(descriptor.number)
    } else {
      ChildProcess.reapLater(number)
    }
  }

  /// How long the end of a process holds its owner up while the program goes on.
  private static let longestEndMilliseconds: Int32 = 100

  /// Waits for a killed process's end for a moment: one of the lowest priority may have to wait for a core to die.
  ///
  /// The C function is `poll`.
  private static func waitForExit(_ process: Int32, _ stop: Int32, _ farewell: FrameDuration) -> Bool {
    var watched = [
      pollfd(fd: process, events: Int16(POLLIN), revents: 0),
      // A negative descriptor is one that poll passes over.
      pollfd(fd: stop, events: Int16(POLLIN), revents: 0),
    ]
    while poll(&watched, 2, longestEndMilliseconds) < 0, errno == EINTR {}
    if watched[1].revents != 0 { poll(&watched, 1, Int32(clamping: farewell.nanoseconds / 1_000_000)) }
    return watched[0].revents != 0
  }

  /// Takes a process's end on a thread of its own, whenever it comes.
  ///
  /// The C function is `waitpid`. The number stays the process's own for as long as nobody else may take its end.
  private static func reapLater(_ process: pid_t) {
    let thread = try? WorkerThread(name: "reap \(process)", stackBytes: 1 << 16) {
      while waitpid(process, nil, 0) < 0, errno == EINTR {}
    }
    thread?.detach()
  }

  /// What `poll` finds readable once the process has ended.
  var exitDescriptor: Int32 { descriptor.number }

  /// Whether the process has ended by itself, or by somebody else's hand.
  ///
  /// The C function is `poll`.
  var hasEnded: Bool {
    var watched = pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0)
    return poll(&watched, 1, 0) > 0
  }

  /// How the process ended, where it has or does within a time; nothing where it lives on.
  ///
  /// A socket is closed a moment before its process has ended. The C functions are `poll` and `waitid`.
  func termination(within wait: FrameDuration) -> ProcessTermination? {
    var watched = pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0)
    var number: Int32 = 0
    guard poll(&watched, 1, Int32(clamping: wait.nanoseconds / 1_000_000)) > 0,
      platform_process_has_ended(descriptor.number, &number) == 1
    else { return nil }
    return ProcessTermination(number)
  }

  /// Allows the process so much processor time from now on, rounded up to seconds.
  ///
  /// The C function is `prlimit` with RLIMIT_CPU.
  ///
  /// - Returns: false where the system does not let us.
  @discardableResult
  func renewProcessorTime(_ time: FrameDuration) -> Bool {
    platform_renew_processor_time(number, UInt64(max(1, (time.nanoseconds + 999_999_999) / 1_000_000_000))) == 0
  }

  /// The bytes of memory that are the process's alone; nothing where the kernel does not tell.
  var privateBytes: Int? {
    let bytes = platform_private_bytes(number)
    return bytes < 0 ? nil : Int(bytes)
  }

  /// The processor time that the process has had; nothing where the kernel does not tell.
  var processorTime: FrameDuration? {
    let time = platform_processor_time(number)
    return time < 0 ? nil : FrameDuration(nanoseconds: time)
  }

  /// Whether the process runs or could, but for a core: it waits for no file.
  var isRunnable: Bool { platform_is_runnable(number) != 0 }

  /// How long the process has stood ready to run without a core; nothing where the kernel does not count it.
  var runDelayNanoseconds: Int64? {
    let delay = platform_run_delay(number)
    return delay < 0 ? nil : delay
  }
}
