import Glibc
import TestSupport

/// A process that a test started; it and all in its group are ended when the test lets go of it.
///
/// Words are bytes, as names need not be UTF-8. What it writes is read while somebody waits for its end.
final class ChildProcess {
  /// A process could not be started.
  struct StartError: Error, CustomStringConvertible {
    var word: String
    var code: Int32
    var description: String { "cannot start \(word): \(String(cString: strerror(code)))" }
  }

  /// The kernel's number of the process.
  let number: pid_t
  private let words: [[UInt8]]
  private var output: Pipe
  private var complaints: Pipe
  private var end: ProcessEnd?

  /// Starts a process in a group of its own, no signal blocked or ignored, nothing open but 0, 1 and 2.
  ///
  /// The C function is `posix_spawn`.
  init(_ words: [[UInt8]], environment: [String: String]) throws {
    self.words = words
    output = try Pipe()
    complaints = try Pipe()
    number = try ChildProcess.spawn(
      words, environment.sorted { $0.key < $1.key }.map { Array("\($0.key)=\($0.value)".utf8) },
      output: output.writeEnd, complaints: complaints.writeEnd)
    output.closeWriteEnd()
    complaints.closeWriteEnd()
  }

  deinit {
    if end == nil {
      kill(-number, SIGKILL)
      kill(number, SIGKILL)
      // Nothing can refuse, and a dead process that nobody takes would be found by all who wait for another.
      while waitpid(number, nil, 0) < 0, errno == EINTR {}
    }
  }

  /// Sends a signal.
  func signal(_ signal: Int32) { kill(number, signal) }

  /// Whether it still runs.
  var isRunning: Bool {
    guard end == nil else { return false }
    // It stays there, to be waited for, until somebody takes its status.
    var information = siginfo_t()
    return waitid(P_PID, id_t(number), &information, WEXITED | WNOHANG | WNOWAIT) == 0 && information.si_signo == 0
  }

  /// Waits for its end and reads what it writes meanwhile.
  ///
  /// - Throws: ``TookTooLong`` with what it wrote, after having ended it.
  func waitForEnd(within limit: Duration = Deadline.defaultTimeout) throws -> ProcessEnd {
    if let end { return end }
    let deadline = Deadline(limit)
    while output.isOpen || complaints.isOpen {
      var watched = [output.watched, complaints.watched]
      poll(&watched, 2, deadline.millisecondsLeft)
      if watched[0].revents != 0 { output.read() }
      if watched[1].revents != 0 { complaints.read() }
      if deadline.hasPassed, output.isOpen || complaints.isOpen { throw giveUp() }
    }
    // Both ends are closed: it has ended or is about to.
    var status: Int32 = 0
    while waitpid(number, &status, WNOHANG) == 0 {
      if deadline.hasPassed { throw giveUp() }
      poll(nil, 0, 1)
    }
    let signal = status & 0x7F
    let result = ProcessEnd(
      status: signal == 0 ? status >> 8 & 0xFF : nil, signal: signal == 0 ? nil : signal, output: output.bytes,
      complaints: String(decoding: complaints.bytes, as: UTF8.self))
    end = result
    return result
  }

  /// Looks again and again until there is an answer, as long as the process runs.
  func wait<Answer>(
    for what: @autoclosure () throws -> String, within limit: Duration = Deadline.defaultTimeout,
    _ look: () throws -> Answer?
  ) throws -> Answer {
    try Deadline(limit).wait(for: try what()) {
      // In this order: the last thing that it did counts.
      let isRunning = isRunning
      if let answer = try look() { return answer }
      guard isRunning else {
        throw WaitTimeoutError(what: "\(try what()); meanwhile it ended: \(try waitForEnd())")
      }
      return nil
    }
  }

  private func giveUp() -> WaitTimeoutError {
    kill(-number, SIGKILL)
    let line = words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
    return WaitTimeoutError(
      what: "the end of “\(line)”, which wrote “\(String(decoding: complaints.bytes, as: UTF8.self))”")
  }

  private static func spawn(
    _ words: [[UInt8]], _ environment: [[UInt8]], output: Int32, complaints: Int32
  ) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output, 1)
    posix_spawn_file_actions_adddup2(&actions, complaints, 2)
    // What other tests have open here without O_CLOEXEC; a number that is not open is no error.
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
    var number: pid_t = 0
    let program = String(decoding: words.first ?? [], as: UTF8.self)
    let status = withCStrings(words) { arguments in
      withCStrings(environment) { variables in
        posix_spawnp(&number, program, &actions, &attributes, arguments, variables)
      }
    }
    guard status == 0 else { throw StartError(word: program, code: status) }
    return number
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
