import CPlatform
import Glibc

/// A descriptor by which the kernel tells that programs stall for want of memory (pressure stall information).
///
/// One thread waits on it; any other may end that wait.
nonisolated final class PressureTrigger: Sendable {
  /// Why a wait ended.
  enum WaitResult {
    /// Programs stalled for longer than was asked for.
    case underPressure
    /// Another thread ended it.
    case stopped
    /// There is nothing to wait on any more: the group of processes is gone.
    case unavailable
  }

  private let file: Int32
  private let stopEvent: Int32
  private let events: Int16

  /// Any program waits for 200 ms within 2 s; the kernel's term is microseconds, and whole windows of 2 s need no rights.
  private static let threshold = "some 200000 2000000"

  /// Asks for notices; the C functions are `open`, `write` and `eventfd`.
  ///
  /// - Parameters:
  ///   - path: a file of pressure stall information.
  ///   - events: what `poll` reports of it.
  /// - Throws: ``PressureError`` where the kernel has no such file, or does not let this program ask.
  init(path: String, events: Int32 = POLLPRI) throws(PressureError) {
    let file = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { throw PressureError(path: path, call: "open", code: errno) }
    // The kernel wants the zero behind the text as well.
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

  /// Blocks until there is something to tell; the C function is `poll`.
  func wait() -> WaitResult {
    var watched = [
      pollfd(fd: file, events: events, revents: 0), pollfd(fd: stopEvent, events: Int16(POLLIN), revents: 0),
    ]
    while poll(&watched, 2, -1) < 0 { guard errno == EINTR else { return .unavailable } }
    if watched[1].revents != 0 { return .stopped }
    return watched[0].revents & Int16(POLLERR | POLLNVAL | POLLHUP) == 0 ? .underPressure : .unavailable
  }

  /// Blocks for a while, or until another thread ends that; the C function is `poll`.
  ///
  /// - Returns: whether one did.
  func pause(milliseconds: Int32) -> Bool {
    var watched = pollfd(fd: stopEvent, events: Int16(POLLIN), revents: 0)
    return poll(&watched, 1, milliseconds) == 1
  }

  /// Ends the wait of another thread, now and for good; the C function is `write`.
  func stop() {
    var one: UInt64 = 1
    // Refused only when the counter is at its limit, and then it is raised already.
    _ = write(stopEvent, &one, 8)
  }
}
