import CVitrinePlatform
import Glibc

/// A file descriptor through which the kernel notifies of memory pressure (pressure stall information).
///
/// One thread waits on it. Any other thread can end the wait.
nonisolated final class PressureTrigger: Sendable {
  /// The reason for which a wait ended.
  enum WaitResult {
    /// Programs stalled for longer than the threshold.
    case underPressure
    /// Another thread called ``stop()``.
    case stopped
    /// The control group no longer exists.
    case unavailable
  }

  private let file: Int32
  private let stopEvent: Int32
  private let events: Int16

  /// A stall of 200 ms within 2 s, in microseconds.
  ///
  /// Windows that are multiples of 2 s need no privileges.
  private static let threshold = "some 200000 2000000"

  /// Opens a file and requests notifications.
  ///
  /// The C functions are `open`, `write` and `eventfd`.
  ///
  /// - Parameters:
  ///   - path: A file of pressure stall information.
  ///   - events: The `poll` events of the file.
  /// - Throws: ``PressureError`` if the kernel has no such file or denies the request.
  init(path: String, events: Int32 = POLLPRI) throws(PressureError) {
    let file = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { throw PressureError(path: path, call: "open", code: errno) }
    // The kernel expects the terminating zero byte.
    let text = Array(PressureTrigger.threshold.utf8) + [0]
    let written = write(file, text, text.count)
    guard written == text.count else {
      let code = written < 0 ? errno : EINVAL
      close(file)
      throw PressureError(path: path, call: "write", code: code)
    }
    let stopper = platform_eventfd()
    guard stopper >= 0 else {
      let code = errno
      close(file)
      throw PressureError(path: path, call: "eventfd", code: code)
    }
    self.file = file
    self.stopEvent = stopper
    self.events = Int16(events)
  }

  deinit {
    close(file)
    close(stopEvent)
  }

  /// Blocks until a notification arrives or another thread ends the wait.
  ///
  /// The C function is `poll`.
  func wait() -> WaitResult {
    var watched = [
      pollfd(fd: file, events: events, revents: 0), pollfd(fd: stopEvent, events: Int16(POLLIN), revents: 0),
    ]
    while poll(&watched, 2, -1) < 0 { guard errno == EINTR else { return .unavailable } }
    if watched[1].revents != 0 { return .stopped }
    return watched[0].revents & Int16(POLLERR | POLLNVAL | POLLHUP) == 0 ? .underPressure : .unavailable
  }

  /// Blocks for a time or until another thread ends the wait.
  ///
  /// The C function is `poll`.
  ///
  /// - Returns: Whether another thread ended the wait.
  func pause(milliseconds: Int32) -> Bool {
    var watched = pollfd(fd: stopEvent, events: Int16(POLLIN), revents: 0)
    return poll(&watched, 1, milliseconds) == 1
  }

  /// Ends the current wait and all later ones.
  ///
  /// The C function is `write`.
  func stop() {
    var one: UInt64 = 1
    // The write fails only if the counter has its maximum value, and then the descriptor is already readable.
    _ = write(stopEvent, &one, 8)
  }
}

/// The files of pressure stall information that concern this program.
nonisolated enum PressureFiles {
  /// The file of the program's control group, if any, followed by that of the machine.
  static var all: [String] {
    [controlGroupFile(groups: processControlGroups)].compactMap(\.self) + ["/proc/pressure/memory"]
  }

  /// The kernel's list of the program's control groups.
  static var processControlGroups: String { readText(of: "/proc/self/cgroup") }

  /// Returns the pressure file of the group in a text such as `/proc/self/cgroup`, or nil for the root group.
  static func controlGroupFile(groups: String) -> String? {
    let unified = groups.split(separator: "\n").first { $0.hasPrefix("0::/") }
    guard let path = unified?.dropFirst("0::/".count), !path.isEmpty else { return nil }
    return "/sys/fs/cgroup/\(path)/memory.pressure"
  }

  private static func readText(of path: String) -> String {
    guard let file = fopen(path, "re") else { return "" }
    defer { fclose(file) }
    var buffer = [UInt8](repeating: 0, count: 8_192)
    let count = fread(&buffer, 1, buffer.count, file)
    return String(decoding: buffer[..<count], as: UTF8.self)
  }
}

/// An error that occurs when the kernel does not provide notifications of memory pressure.
nonisolated struct PressureError: Error, CustomStringConvertible {
  /// The path of the file.
  let path: String
  /// The C function that failed.
  let call: String
  /// The value of `errno`.
  let code: Int32

  /// A description of the error.
  var description: String { "\(path): \(call): \(String(cString: strerror(code)))" }
}
