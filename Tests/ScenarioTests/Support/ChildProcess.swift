import Glibc
import VitrineTestSupport

/// A process that a test starts in a new process group.
///
/// The group is killed when the object is deallocated. Arguments are bytes, because file names need not be UTF-8.
/// Output is read only while a caller waits for the exit.
final class ChildProcess {
  /// An error that is thrown if a process cannot be started.
  struct StartError: Error, CustomStringConvertible {
    var command: String
    var code: Int32
    var description: String { "cannot start \(command): \(String(cString: strerror(code)))" }
  }

  /// The process ID.
  let id: pid_t
  private let arguments: [[UInt8]]
  private var output: Pipe
  private var errorOutput: Pipe
  private var result: ProcessResult?

  /// Starts a process in a new process group, with default signal handling and without open descriptors other than 0 to
  /// 2.
  ///
  /// Uses `posix_spawnp`.
  init(_ arguments: [[UInt8]], environment: [String: String]) throws {
    self.arguments = arguments
    output = try Pipe()
    errorOutput = try Pipe()
    id = try ChildProcess.spawn(
      arguments, environment.sorted { $0.key < $1.key }.map { Array("\($0.key)=\($0.value)".utf8) },
      output: output.writeEnd, errorOutput: errorOutput.writeEnd)
    output.closeWriteEnd()
    errorOutput.closeWriteEnd()
  }

  deinit {
    if result == nil {
      kill(-id, SIGKILL)
      kill(id, SIGKILL)
      // Reaps the process, because other callers that wait for any child would find the zombie.
      while waitpid(id, nil, 0) < 0, errno == EINTR {}
    }
  }

  /// Sends a signal to the process.
  func signal(_ signal: Int32) { kill(id, signal) }

  /// Whether the process is running.
  var isRunning: Bool {
    guard result == nil else { return false }
    // `WNOWAIT` leaves the status for `waitForExit(within:)`.
    var information = siginfo_t()
    return waitid(P_PID, id_t(id), &information, WEXITED | WNOHANG | WNOWAIT) == 0 && information.si_signo == 0
  }

  // MARK: Waiting

  /// Waits until the process exits, and reads its output meanwhile.
  ///
  /// - Throws: `WaitTimeoutError` with the output so far, after the process group was killed.
  func waitForExit(within limit: Duration = Deadline.defaultTimeout) throws -> ProcessResult {
    if let result { return result }
    let deadline = Deadline(limit)
    while output.isOpen || errorOutput.isOpen {
      var descriptors = [output.pollDescriptor, errorOutput.pollDescriptor]
      poll(&descriptors, 2, deadline.millisecondsLeft)
      if descriptors[0].revents != 0 { output.read() }
      if descriptors[1].revents != 0 { errorOutput.read() }
      if deadline.hasPassed, output.isOpen || errorOutput.isOpen { throw terminateAfterTimeout() }
    }
    // Both pipes are closed: the process has exited or is about to exit.
    var status: Int32 = 0
    while waitpid(id, &status, WNOHANG) == 0 {
      if deadline.hasPassed { throw terminateAfterTimeout() }
      poll(nil, 0, 1)
    }
    let signal = status & 0x7F
    let exit = ProcessResult(
      status: signal == 0 ? status >> 8 & 0xFF : nil, signal: signal == 0 ? nil : signal, output: output.bytes,
      errorOutput: String(decoding: errorOutput.bytes, as: UTF8.self))
    result = exit
    return exit
  }

  /// Polls a condition until it returns a value or the process exits.
  ///
  /// - Parameters:
  ///   - event: The event, for the error.
  ///   - limit: The time limit.
  ///   - condition: A closure that returns nil until the event has occurred.
  /// - Throws: `WaitTimeoutError` if the process exits or the time limit passes.
  func wait<Value>(
    for event: @autoclosure () throws -> String, within limit: Duration = Deadline.defaultTimeout,
    _ condition: () throws -> Value?
  ) throws -> Value {
    try Deadline(limit).wait(for: try event()) {
      // The state is read first, because the event may be the last thing that the process does.
      let isRunning = isRunning
      if let value = try condition() { return value }
      guard isRunning else {
        throw WaitTimeoutError(event: "\(try event()); meanwhile the process exited: \(try waitForExit())")
      }
      return nil
    }
  }

  private func terminateAfterTimeout() -> WaitTimeoutError {
    kill(-id, SIGKILL)
    let line = arguments.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
    return WaitTimeoutError(
      event: "the exit of “\(line)”, which wrote “\(String(decoding: errorOutput.bytes, as: UTF8.self))”")
  }

  // MARK: Starting

  private static func spawn(
    _ arguments: [[UInt8]], _ environment: [[UInt8]], output: Int32, errorOutput: Int32
  ) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output, 1)
    posix_spawn_file_actions_adddup2(&actions, errorOutput, 2)
    // Closes what other tests have open without `O_CLOEXEC`. It is no error to close a descriptor that is not open.
    for descriptor in 3..<Int32(256) { posix_spawn_file_actions_addclose(&actions, descriptor) }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    var every = sigset_t()
    sigemptyset(&none)
    sigfillset(&every)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &every)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
    var id: pid_t = 0
    let program = String(decoding: arguments.first ?? [], as: UTF8.self)
    let status = withCStrings(arguments) { arguments in
      withCStrings(environment) { variables in
        posix_spawnp(&id, program, &actions, &attributes, arguments, variables)
      }
    }
    guard status == 0 else { throw StartError(command: program, code: status) }
    return id
  }

  private static func withCStrings<Result>(
    _ strings: [[UInt8]], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    let copies = strings.map { string -> UnsafeMutablePointer<CChar> in
      let copy = UnsafeMutablePointer<CChar>.allocate(capacity: string.count + 1)
      for (index, byte) in string.enumerated() { copy[index] = CChar(bitPattern: byte) }
      copy[string.count] = 0
      return copy
    }
    defer { for copy in copies { copy.deallocate() } }
    return body(copies + [nil])
  }
}

// MARK: - Output

/// The exit status and the output of a process.
struct ProcessResult: CustomStringConvertible {
  /// The exit status, or nil if a signal terminated the process.
  var status: Int32?
  /// The signal that terminated the process, or nil if it exited by itself.
  var signal: Int32?
  /// The bytes of standard output.
  var output: [UInt8]
  /// The text of standard error.
  var errorOutput: String

  /// Standard output as text.
  var text: String { String(decoding: output, as: UTF8.self) }

  /// The lines of standard error.
  var errorLines: [Substring] { errorOutput.split(separator: "\n", omittingEmptySubsequences: false).dropLast() }

  var description: String {
    let exit = status.map { "status \($0)" } ?? signal.map { "signal \($0)" } ?? "not exited"
    return "\(exit), standard error: \(errorOutput), output: \(text.prefix(400))"
  }
}

/// A connection that collects the output of a child process.
private struct Pipe {
  /// The bytes that were read so far.
  private(set) var bytes: [UInt8] = []
  /// The descriptor for the child, or -1 after it was closed in this process.
  private(set) var writeEnd: Int32
  private let readEnd: ReadEnd
  /// Whether more output may follow.
  private(set) var isOpen = true

  /// A descriptor that is closed when its owner is deallocated.
  private final class ReadEnd {
    let descriptor: Int32
    init(_ descriptor: Int32) { self.descriptor = descriptor }
    deinit { close(descriptor) }
  }

  /// Creates a pair of connected sockets that no other child inherits.
  ///
  /// Uses `socketpair`, because `pipe` cannot set `O_CLOEXEC` atomically.
  init() throws {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
      throw ChildProcess.StartError(command: "socketpair", code: errno)
    }
    readEnd = ReadEnd(ends[0])
    writeEnd = ends[1]
  }

  /// Closes the write end in this process, so that only the child has it.
  mutating func closeWriteEnd() {
    close(writeEnd)
    writeEnd = -1
  }

  /// The descriptor and events to pass to `poll`.
  var pollDescriptor: pollfd { pollfd(fd: isOpen ? readEnd.descriptor : -1, events: Int16(POLLIN), revents: 0) }

  /// Reads the available bytes, or records the end of the output.
  mutating func read() {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count = Glibc.read(readEnd.descriptor, &buffer, buffer.count)
    if count > 0 { bytes += buffer[..<count] } else if count == 0 || errno != EINTR { isOpen = false }
  }
}
