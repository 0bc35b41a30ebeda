import CVitrinePlatform
import Glibc
import VitrineDecodingProtocol
package import VitrineFramePacing
import VitrineThreads

/// A decoding process, which ends with its owner: one that the program has started, or one that this one has forked.
///
/// A process of the lowest priority needs a core even to die, and may wait for one for seconds on a busy machine. The
/// owner reaps it nevertheless, so that no zombie remains, but waits only briefly once the program is about to exit.
/// After that a separate thread reaps the process: the program may continue to live, and every wait for any child would
/// find the zombie again and again.
package struct ChildProcess: ~Copyable {
  /// The process identifier.
  package let number: Int32
  private let descriptor: OwnedDescriptor
  private let stop: StopSignal?
  private let terminationTimeout: FrameDuration
  /// Whether the process was started by the program rather than forked by another one.
  ///
  /// It leads a session then, with the processes that it has forked.
  private let isLeader: Bool
  /// Whether the process has ended and was reaped.
  private(set) var isReaped = false

  /// Takes over a process that the given one has forked as a child of the program.
  ///
  /// The C function is `pidfd_open`.
  ///
  /// - Parameters:
  ///   - number: The process identifier.
  ///   - parent: The process that has forked it.
  /// - Throws: ``DecodingProcessError/system(call:error:)`` if the system has no descriptor available, or the process is no
  ///   child of the program.
  init(_ number: pid_t, forkedBy parent: borrowing ChildProcess) throws(DecodingProcessError) {
    let descriptor = platform_open_child(number)
    guard descriptor >= 0 else { throw .system(call: "pidfd_open", error: errno) }
    self.number = number
    self.descriptor = OwnedDescriptor(adopting: descriptor)
    stop = parent.stop
    terminationTimeout = parent.terminationTimeout
    isLeader = false
  }

  /// Starts a process that reads untrusted files.
  ///
  /// The C functions are `posix_spawn` and `pidfd_open`.
  ///
  /// Call this on a thread that lives as long as a decoding process is needed: it asks the kernel to kill it when the
  /// thread that started it ends.
  ///
  /// - Parameters:
  ///   - executable: The bytes of the executable's path.
  ///   - arguments: The name of the program and its arguments.
  ///   - socket: The process's end of the socket.
  ///   - memory: The descriptor of shared memory, or -1 if there is none.
  ///   - priority: The share of contended cores.
  ///   - stop: The signal after which the deinitializer waits only for the termination timeout.
  ///   - terminationTimeout: The maximum time to wait for the end of the process once the signal is raised.
  package init(
    executable: [UInt8], arguments: [String], socket: borrowing OwnedDescriptor, memory: Int32,
    priority: ProcessPriority, stop: StopSignal?, terminationTimeout: FrameDuration
  ) throws(DecodingProcessError) {
    var number: pid_t = 0
    var descriptor: Int32 = -1
    let path = executable.map { CChar(bitPattern: $0) } + [0]
    platform_keep_children()
    var texts = arguments.map { strdup($0) } + [nil]
    defer { for text in texts { free(text) } }
    let status = platform_spawn_reader(path, &texts, socket.number, memory, priority.number, &number, &descriptor)
    guard status == 0 else { throw .system(call: "posix_spawn", error: status) }
    self.number = number
    self.descriptor = OwnedDescriptor(adopting: descriptor)
    self.stop = stop
    self.terminationTimeout = terminationTimeout
    isLeader = true
  }

  deinit {
    guard !isReaped else { return }
    // The leader may have forked a process of which it has not told.
    if isLeader { platform_kill_process_group(number) }
    let hasEnded = ChildProcess.end(descriptor.number, stop?.number ?? -1, terminationTimeout)
    if isLeader {
      for _ in 0..<ChildProcess.groupChecks where hasEnded {
        if platform_reap_process_group(number, 0) != 0 { return }
        poll(nil, 0, 1)
      }
      ChildProcess.reapLater(number, isLeader: true)
    } else if hasEnded {
      var time: Int64 = 0
      _ = platform_reap_process(descriptor.number, &time)
    } else {
      ChildProcess.reapLater(number, isLeader: false)
    }
  }

  /// The number of times, a millisecond apart, to look whether the killed processes of an ended leader have ended too.
  private static let groupChecks = 10

  /// Kills the process.
  ///
  /// - Returns: Whether it has ended. A process may have to wait for a core or a file system before it does.
  func end() -> Bool { ChildProcess.end(descriptor.number, stop?.number ?? -1, terminationTimeout) }

  /// Reaps the process, which must have ended.
  ///
  /// - Returns: How it ended, and the processor time that it used.
  mutating func reap() -> (termination: ProcessTermination, processorTime: FrameDuration) {
    var time: Int64 = 0
    let number = platform_reap_process(descriptor.number, &time)
    isReaped = true
    return (ProcessTermination(number), FrameDuration(nanoseconds: time))
  }

  private static func end(_ process: Int32, _ stop: Int32, _ terminationTimeout: FrameDuration) -> Bool {
    platform_kill_process(process)
    return waitForExit(process, stop, terminationTimeout)
  }

  /// The maximum time to wait for the end of a process while the program continues.
  private static let maximumWaitMilliseconds: Int32 = 100

  /// Waits briefly for the end of a killed process, which may have to wait for a core to die.
  ///
  /// The C function is `poll`.
  private static func waitForExit(_ process: Int32, _ stop: Int32, _ terminationTimeout: FrameDuration) -> Bool {
    var watched = [
      pollfd(fd: process, events: Int16(POLLIN), revents: 0),
      // `poll` ignores negative descriptors.
      pollfd(fd: stop, events: Int16(POLLIN), revents: 0),
    ]
    while poll(&watched, 2, maximumWaitMilliseconds) < 0, errno == EINTR {}
    if watched[1].revents != 0 { poll(&watched, 1, Int32(clamping: terminationTimeout.nanoseconds / 1_000_000)) }
    return watched[0].revents != 0
  }

  /// Reaps a process, and the group that it leads, on a separate thread whenever they end.
  ///
  /// The C function is `waitpid`. The identifier is not reused before the process is reaped.
  private static func reapLater(_ process: pid_t, isLeader: Bool) {
    let thread = try? WorkerThread(name: "reap \(process)", stackBytes: 1 << 16) {
      if isLeader {
        _ = platform_reap_process_group(process, 1)
      } else {
        while waitpid(process, nil, 0) < 0, errno == EINTR {}
      }
    }
    thread?.detach()
  }

  /// The descriptor that `poll` reports as readable once the process has ended.
  var exitDescriptor: Int32 { descriptor.number }

  /// Whether the process has ended or was killed.
  ///
  /// The C function is `poll`.
  package var hasEnded: Bool {
    var watched = pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0)
    return poll(&watched, 1, 0) > 0
  }

  /// Returns how the process ended, waiting up to the given time, or nil if it is still running.
  ///
  /// A socket is closed shortly before its process has ended. The C functions are `poll` and `waitid`.
  func termination(within wait: FrameDuration) -> ProcessTermination? {
    var watched = pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0)
    var number: Int32 = 0
    guard poll(&watched, 1, Int32(clamping: wait.nanoseconds / 1_000_000)) > 0,
      platform_process_has_ended(descriptor.number, &number) == 1
    else { return nil }
    return ProcessTermination(number)
  }

  /// Allows the process the given processor time from now on, rounded up to seconds.
  ///
  /// The C function is `prlimit` with RLIMIT_CPU.
  ///
  /// - Returns: Whether the system permits it.
  @discardableResult
  package func renewProcessorTime(_ time: FrameDuration) -> Bool {
    platform_renew_processor_time(number, UInt64(max(1, (time.nanoseconds + 999_999_999) / 1_000_000_000))) == 0
  }

  /// The processor time used by the process; nil if the kernel does not report it.
  var processorTime: FrameDuration? {
    let time = platform_processor_time(number)
    return time < 0 ? nil : FrameDuration(nanoseconds: time)
  }

  /// Whether the process is running or waits only for a core, not for a file.
  var isRunnable: Bool { platform_is_runnable(number) != 0 }

  /// The time that the process was runnable without a core; nil if the kernel does not count it.
  var runDelayNanoseconds: Int64? {
    let delay = platform_run_delay(number)
    return delay < 0 ? nil : delay
  }
}

// MARK: - Termination and priority

/// The way in which a decoding process ended.
enum ProcessTermination: Hashable, Sendable {
  /// The process exited with this status.
  case status(Int32)
  /// The process was killed by a signal.
  case signal(Int32)

  /// Creates a value from the result of `platform_reap_process`.
  init(_ number: Int32) { self = number < 0 ? .signal(-number) : .status(number) }

  /// Whether the process was killed by a user, another program, or the kernel when memory was short, and not by a fault
  /// of the file or decoder.
  var isExternal: Bool { self == .signal(SIGKILL) || self == .signal(SIGTERM) }
}

/// The share of contended cores that a decoding process gets.
///
/// It is set at the start: without privileges a process cannot leave the lowest priority.
package enum ProcessPriority: Hashable, Sendable {
  /// A normal share.
  case normal
  /// A normal share in long slices, without preempting the render thread when it wakes.
  case screen
  /// Only idle cores.
  case background

  /// The corresponding C constant.
  var number: platform_priority {
    switch self {
    case .normal: PLATFORM_PRIORITY_USUAL
    case .screen: PLATFORM_PRIORITY_BATCH
    case .background: PLATFORM_PRIORITY_IDLE
    }
  }
}

// MARK: - Executable

/// The location of the decoding process's executable.
package enum DecoderExecutable {
  /// The name of the executable.
  static let name = "vitrine-decode"

  /// Returns the path of an executable: the explicit one, or next to this program or up to three folders above it.
  ///
  /// Builds and packages put it next to the program; a test bundle may be some folders below. Folders further up and
  /// the PATH are not searched, as other users may be able to write there. The C functions are `readlink` and `access`.
  ///
  /// - Parameters:
  ///   - explicit: The path of the executable, or nil to search for it.
  ///   - name: The name to search for. Default: that of the decoding program.
  /// - Returns: The bytes of the path.
  package static func locate(explicit: String?, name: String = name) throws(DecodingProcessError) -> [UInt8] {
    if let explicit {
      let path = Array(explicit.utf8)
      guard isExecutable(path) else { throw .executableMissing }
      return path
    }
    var folder = pathOfThisProgram()
    for _ in 0...3 {
      guard let slash = folder.lastIndex(of: UInt8(ascii: "/")) else { break }
      folder = Array(folder[..<slash])
      let path = folder + [UInt8(ascii: "/")] + Array(name.utf8)
      if isExecutable(path) { return path }
    }
    throw .executableMissing
  }

  /// Returns the path of the program with the decoders of all formats, which is next to the given one, or nil if there is
  /// none.
  static func locateAll(nextTo path: [UInt8]) -> [UInt8]? {
    let other = path + Array("-all".utf8)
    return isExecutable(other) ? other : nil
  }

  private static func pathOfThisProgram() -> [UInt8] {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    return buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }
  }

  private static func isExecutable(_ path: [UInt8]) -> Bool {
    access(path.map { CChar(bitPattern: $0) } + [0], X_OK) == 0
  }
}

// MARK: - Timeouts

/// A limit on the time that a process takes to answer, excluding the time it waits for a core.
///
/// On a busy machine a process of the lowest priority may get no core for seconds, which is not the file's fault.
/// Therefore the time that the process was runnable without a core is added, up to eleven more limits. The kernel
/// counts that time only when the process runs again; a process that has not run since then is allowed the limit in
/// processor time.
package struct ProcessTimeout {
  /// The limit.
  package let limit: FrameDuration

  /// Creates a limit.
  package init(limit: FrameDuration) { self.limit = limit }

  /// The first wait, after which the process's run delay is read; most replies arrive sooner.
  var firstWait: FrameDuration { min(limit, .milliseconds(100)) }

  /// Returns the remaining time to wait.
  ///
  /// - Parameters:
  ///   - elapsed: The time since the request.
  ///   - delayed: The part of it that the process was runnable without a core, as counted by the kernel.
  ///   - used: The processor time used since the request.
  ///   - isRunnable: Whether the process is running or waits only for a core.
  /// - Returns: The time, or nil when the limit is reached.
  func remaining(
    elapsed: FrameDuration, delayed: FrameDuration, used: FrameDuration, isRunnable: Bool
  ) -> FrameDuration? {
    let maximum = limit * 12
    let allowed = min(limit + delayed, maximum)
    if elapsed < allowed { return allowed - elapsed }
    return isRunnable && used < limit && elapsed < maximum ? min(limit - used, maximum - elapsed) : nil
  }
}

/// A detector that finds out by a process's processor time whether others occupy its core.
struct StarvationDetector {
  /// The time between two checks.
  static let interval = FrameDuration.milliseconds(40)
  /// A process is starved if it used less than this fraction of the time.
  private static let minimumShareDivisor: Int64 = 5

  private var elapsedBefore = FrameDuration.zero
  private var usedBefore: FrameDuration?

  /// Creates a detector for a process that has used the given processor time; nil if unknown.
  init(used: FrameDuration?) { usedBefore = used }

  /// Returns whether the process was starved since the last check.
  ///
  /// - Parameters:
  ///   - elapsed: The time since the detector was created.
  ///   - used: The processor time used by the process.
  ///   - isRunnable: Whether the process is running or waits only for a core, not for a disk.
  mutating func detectStarvation(elapsed: FrameDuration, used: FrameDuration?, isRunnable: Bool) -> Bool {
    defer { (elapsedBefore, usedBefore) = (elapsed, used) }
    guard let used, let usedBefore, isRunnable else { return false }
    return (used - usedBefore).nanoseconds * StarvationDetector.minimumShareDivisor
      < (elapsed - elapsedBefore).nanoseconds
  }
}
