import Glibc
import VitrineDecodingProtocol
import VitrineFramePacing

/// A process that a decoding process has forked for one picture, and the socket to it.
///
/// Ends with its owner.
final class PictureProcess {
  /// The process.
  var child: ChildProcess
  /// Our end of the socket.
  let socket: RecordSocket

  init(_ child: consuming ChildProcess, _ socket: consuming RecordSocket) {
    self.child = child
    self.socket = socket
  }

  /// The process identifier.
  var number: pid_t { child.number }

  /// Whether the process has ended and was reaped.
  var isReaped: Bool { child.isReaped }
}

/// A wait for a process, which ends when the process has done something, its time is up, or the stop signal is raised.
package struct ProcessWait {
  /// What is waited for.
  package enum Event {
    /// A record arrives.
    case record
    /// The process ends.
    case end
  }

  /// The time that the process is given.
  let timeout: ProcessTimeout
  /// The shorter time that it is given while other images wait; nil if that makes no difference.
  var hurriedTimeout: ProcessTimeout?
  /// The start of the process, if the timeout counts from there; nil if it counts from now.
  var start: Stopwatch?
  /// The signal that ends the wait.
  let stop: StopSignal?

  /// Creates a wait.
  package init(
    timeout: ProcessTimeout, hurriedTimeout: ProcessTimeout? = nil, start: Stopwatch? = nil, stop: StopSignal?
  ) {
    self.timeout = timeout
    self.hurriedTimeout = hurriedTimeout
    self.start = start
    self.stop = stop
  }

  /// Waits.
  ///
  /// - Parameters:
  ///   - event: The event to wait for.
  ///   - socket: The socket to the process.
  ///   - child: The process.
  ///   - isHurried: A closure called from time to time that returns whether other images wait. Default: false.
  ///   - shouldContinue: A closure called from time to time that returns whether to continue.
  ///   - onStarvation: A closure called when the process gets no core for a while. Default: nil.
  /// - Throws: ``DecodingProcessError/exited`` if the process ends although a record was waited for, `timedOut`,
  ///   `interrupted`, and `refused(.interrupted)` if `shouldContinue` returned false.
  package func run(
    for event: Event, _ socket: borrowing RecordSocket, _ child: borrowing ChildProcess,
    isHurried: () -> Bool = { false }, shouldContinue: () -> Bool = { true }, onStarvation: (() -> Void)? = nil
  ) throws(DecodingProcessError) {
    let waitStart = Stopwatch()
    let watch = start ?? waitStart
    let usedNow = child.processorTime
    let usedBefore = start == nil ? usedNow : .zero
    var starvation = onStarvation.map { _ in StarvationDetector(used: usedNow) }
    var delayBefore: Int64? = start == nil ? nil : 0
    var wait = timeout.firstWait
    while true {
      guard shouldContinue() else { throw .refused(.interrupted) }
      var nextCheck = start == nil && starvation == nil ? wait : min(wait, StarvationDetector.interval)
      if hurriedTimeout != nil { nextCheck = min(nextCheck, timeout.firstWait) }
      let socketNumber = event == .record ? socket.number : -1
      switch poll(socketNumber, child.exitDescriptor, atMost: nextCheck) {
      case .record: return
      case .ended:
        guard event == .end else { throw .exited }
        return
      case .interrupted: throw .interrupted
      case .timedOut: break
      }
      let runDelay = child.runDelayNanoseconds ?? 0
      let before = delayBefore ?? runDelay
      delayBefore = before
      let delayed = FrameDuration(nanoseconds: runDelay - before)
      let (used, isRunnable) = (child.processorTime, child.isRunnable)
      let usedSince = used.flatMap { used in usedBefore.map { used - $0 } } ?? timeout.limit
      let current = hurriedTimeout.flatMap { isHurried() ? $0 : nil } ?? timeout
      guard
        let remaining = current.remaining(
          elapsed: watch.elapsed, delayed: delayed, used: usedSince, isRunnable: isRunnable)
      else { throw .timedOut }
      wait = remaining
      if starvation?.detectStarvation(elapsed: waitStart.elapsed, used: used, isRunnable: isRunnable) ?? false {
        starvation = nil
        onStarvation?()
      }
    }
  }

  private enum PollResult {
    case record
    case ended
    case interrupted
    case timedOut
  }

  /// Waits for a record, the end of the process, or the stop signal.
  ///
  /// The C function is `poll`, which ignores negative descriptors.
  private func poll(_ socket: Int32, _ exitDescriptor: Int32, atMost wait: FrameDuration) -> PollResult {
    var watched: InlineArray<3, pollfd> = [
      pollfd(fd: socket, events: Int16(POLLIN), revents: 0),
      pollfd(fd: exitDescriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: stop?.number ?? -1, events: Int16(POLLIN), revents: 0),
    ]
    let milliseconds = Int32(clamping: (wait.nanoseconds + 999_999) / 1_000_000)
    let count = withUnsafeMutablePointer(to: &watched) {
      $0.withMemoryRebound(to: pollfd.self, capacity: 3) { Glibc.poll($0, 3, milliseconds) }
    }
    guard count > 0 else { return .timedOut }
    if watched[2].revents != 0 { return .interrupted }
    // The reply of a process that ended afterwards is still valid.
    if watched[0].revents != 0 { return .record }
    guard watched[1].revents != 0 else { return .timedOut }
    // It may have replied and ended after `poll` had looked at the socket, and before it looked at the process.
    var again = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    return Glibc.poll(&again, 1, 0) > 0 ? .record : .ended
  }
}
