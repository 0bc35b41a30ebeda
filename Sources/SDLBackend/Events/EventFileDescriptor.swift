import CVitrineEventLoop
import CVitrinePlatform
import Glibc
import VitrineFramePacing
import VitrineRendering
import VitrineThreads

/// An owner of an event file descriptor (`eventfd`) that one thread waits for and any thread can signal.
nonisolated struct EventFileDescriptor: ~Copyable {
  /// The descriptor.
  ///
  /// It can be signalled on any thread while the owner exists.
  let descriptor: Int32

  /// Creates an unsignalled descriptor.
  /// - Throws: ``DisplayError`` if the process has no descriptor left.
  init() throws(DisplayError) {
    descriptor = platform_eventfd()
    guard descriptor >= 0 else {
      throw DisplayError(action: "make an event counter", reason: String(cString: strerror(errno)))
    }
  }

  deinit { close(descriptor) }

  /// Signals a descriptor, using `write`.
  static func signal(_ descriptor: Int32) {
    var one: UInt64 = 1
    // This fails only if the counter is at its maximum, when it is signalled already.
    _ = write(descriptor, &one, 8)
  }

  /// Clears the signal, using `read`.
  func reset() {
    var count: UInt64 = 0
    _ = read(descriptor, &count, 8)
  }

  /// Blocks until the descriptor is signalled, a watch has a signal or the time is up, without using the processor.
  ///
  /// The C functions are `poll`, which has a resolution of a millisecond, and `clock_nanosleep` for shorter times.
  ///
  /// - Parameters:
  ///   - nanoseconds: The limit, or nil for none.
  ///   - watch: A watch whose signal ends the wait, and is acknowledged. Default: nil.
  /// - Returns: Whether the descriptor is signalled.
  func wait(nanoseconds: Int64?, orSignalOf watch: SignalWatch? = nil) -> Bool {
    guard let nanoseconds else { return poll(milliseconds: -1, watch) }
    let milliseconds = nanoseconds / 1_000_000
    if milliseconds == 0, nanoseconds > 0 { MonotonicTime.sleep(nanoseconds: nanoseconds) }
    return poll(milliseconds: Int32(max(0, min(milliseconds, Int64(Int32.max)))), watch)
  }

  private func poll(milliseconds: Int32, _ watch: SignalWatch?) -> Bool {
    // A negative descriptor is ignored.
    var requests = (
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: watch?.descriptor ?? -1, events: Int16(POLLIN), revents: 0)
    )
    let count = withUnsafeMutableBytes(of: &requests) { bytes in
      Glibc.poll(bytes.assumingMemoryBound(to: pollfd.self).baseAddress, 2, milliseconds)
    }
    guard count > 0 else { return false }
    if requests.1.revents != 0 { watch?.acknowledge() }
    return requests.0.revents != 0
  }
}

/// A watch of an event file descriptor of another owner, such as Dispatch, each signal of which ends one wait.
///
/// The descriptor remains readable until its owner has handled the signal, which must not end all waits until then.
nonisolated final class SignalWatch: Sendable {
  /// The descriptor to wait for, which is readable after a signal until ``acknowledge()`` is called.
  let descriptor: Int32

  /// Creates a watch, or returns nil if the process has no descriptor left.
  ///
  /// A descriptor that is signalled already counts as one signal.
  init?(of signal: Int32) {
    descriptor = event_loop_watch(signal)
    guard descriptor >= 0 else { return nil }
  }

  deinit { close(descriptor) }

  /// Makes the descriptor unreadable until the next signal.
  func acknowledge() { event_loop_acknowledge(descriptor) }
}

/// A thread that wakes a loop at each signal of a watch, because SDL waits for nothing but its events.
nonisolated final class SignalWatcher {
  private let stopSignal: EventFileDescriptor
  private let thread: WorkerThread

  /// Starts the thread, or returns nil if the system gives no further one.
  init?(_ watch: SignalWatch, waker: any LoopWaker) {
    guard let stopSignal = try? EventFileDescriptor() else { return nil }
    let stop = stopSignal.descriptor
    let thread = try? WorkerThread(name: "main queue", stackBytes: 1 << 16) {
      var requests = [
        pollfd(fd: stop, events: Int16(POLLIN), revents: 0),
        pollfd(fd: watch.descriptor, events: Int16(POLLIN), revents: 0),
      ]
      while true {
        guard poll(&requests, 2, -1) > 0 else { continue }
        guard requests[0].revents == 0 else { return }
        watch.acknowledge()
        waker.wake()
      }
    }
    guard let thread else { return nil }
    self.stopSignal = stopSignal
    self.thread = thread
  }

  /// Stops the thread and waits for its end.
  func stop() {
    EventFileDescriptor.signal(stopSignal.descriptor)
    thread.join()
  }
}
