import Glibc
import Synchronization
import VitrineFramePacing
public import VitrineThreads

/// A flag that is raised by the signals that request the end of a program, so that reports are still written.
///
/// A thread blocks in `sigwaitinfo`, so no code runs inside a signal handler. A second signal ends the program
/// immediately with status 130, even if other threads are blocked. A signal that another process sends within half a
/// second of the first is part of the same request: `timeout` signals its child and then the child's group. A key
/// pressed twice at the terminal is always two requests.
///
/// `SIGUSR1` does not end the program. It requests a trace of the last seconds.
@MainActor
public final class Interrupt: Sendable {
  private let state: Atomic<Int32> = Atomic(0)
  private let handlers = Lock<[(id: Int, call: @Sendable () -> Void)]>([])
  private let isTraceRequested: Atomic<Bool> = Atomic(false)
  private let traceHandler = Lock<(@Sendable () -> Void)?>(nil)
  /// The time after the first signal during which further signals are part of the same request.
  private nonisolated static let coalescingInterval = FrameDuration.milliseconds(500)
  /// `SI_KERNEL`: the signal comes from the terminal driver, for a key, and not from a process.
  private nonisolated static let fromKernel: Int32 = 0x80

  /// Creates a flag that is not raised.
  public nonisolated init() {}

  /// Blocks the signals in this thread and in all threads that it starts later.
  ///
  /// The C function is `pthread_sigmask`. Call this before starting any other thread.
  public static func blockSignals() {
    var set = Interrupt.signals()
    pthread_sigmask(SIG_BLOCK, &set, nil)
    signal(SIGPIPE, SIG_IGN)
  }

  /// Starts to wait for signals.
  ///
  /// Call this once.
  ///
  /// - Throws: `ThreadError` if the system cannot create a thread.
  public nonisolated func start() throws(ThreadError) {
    _ = try WorkerThread(name: "signals") { [self] in
      var set = Interrupt.signals()
      var first: FrameInstant?
      while true {
        var information = siginfo_t()
        let number = sigwaitinfo(&set, &information)
        guard number > 0 else { continue }
        guard number != SIGUSR1 else {
          recordTraceRequest()
          continue
        }
        let now = MonotonicClock.now()
        if let first {
          // Pressing a key twice is two requests, however fast. A terminal that closes sends two hangups.
          let isKey = number == SIGINT && information.si_code == Interrupt.fromKernel
          guard now - first > Interrupt.coalescingInterval || isKey else { continue }
          _exit(130)
        }
        first = now
        raise(number)
      }
    }
  }

  /// Raises the flag and calls the handlers, as the first signal does.
  nonisolated func raise(_ number: Int32) {
    state.store(number, ordering: .releasing)
    for handler in handlers.withLock({ $0 }) { handler.call() }
  }

  /// Adds a closure to call on another thread when a signal arrives, or immediately if one has arrived.
  ///
  /// - Returns: An identifier for ``removeHandler(_:)``.
  @discardableResult
  public nonisolated func addHandler(_ call: @escaping @Sendable () -> Void) -> Int {
    let id = handlers.withLock { handlers in
      let id = (handlers.last?.id ?? 0) + 1
      handlers.append((id, call))
      return id
    }
    if isRaised { call() }
    return id
  }

  /// Removes a handler.
  ///
  /// A call of it may still be running.
  public nonisolated func removeHandler(_ id: Int) { handlers.withLock { $0.removeAll { $0.id == id } } }

  /// Runs a closure that may block, for example on an unresponsive file system, on a separate thread and waits until it
  /// returns or a signal arrives.
  ///
  /// - Returns: The closure's result, or nil if a signal arrived first. In that case, the thread continues until the
  ///   closure returns.
  /// - Throws: `ThreadError` if the system cannot create a thread.
  public nonisolated func runInterruptibly<Result: Sendable>(
    _ body: @escaping @Sendable () -> Result
  ) throws(ThreadError) -> Result? {
    let state = Lock<(result: Result?, isAbandoned: Bool)>((nil, false))
    let thread = try WorkerThread(name: "blocking") {
      let result = body()
      state.withLock { $0.result = result }
      state.wakeAll()
    }
    thread.detach()
    let id = addHandler {
      state.withLock { $0.isAbandoned = true }
      state.wakeAll()
    }
    defer { removeHandler(id) }
    return state.wait { state -> Result?? in
      if let result = state.result { return .some(result) }
      return state.isAbandoned ? .some(nil) : nil
    }
  }

  /// Whether a signal has requested the end of the program.
  public nonisolated var isRaised: Bool { state.load(ordering: .acquiring) != 0 }

  /// Returns whether `SIGUSR1` has requested a trace since the last call.
  public nonisolated func takeTraceRequest() -> Bool {
    isTraceRequested.load(ordering: .relaxed) && isTraceRequested.exchange(false, ordering: .acquiring)
  }

  /// Records a request for a trace and calls the handler set by ``setTraceHandler(_:)``.
  nonisolated func recordTraceRequest() {
    isTraceRequested.store(true, ordering: .releasing)
    traceHandler.withLock { $0 }?()
  }

  /// Sets the closure to call on another thread when a trace is requested.
  ///
  /// It replaces the previous one.
  public nonisolated func setTraceHandler(_ call: @escaping @Sendable () -> Void) {
    traceHandler.withLock { $0 = call }
  }

  private nonisolated static func signals() -> sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for number in [SIGINT, SIGTERM, SIGHUP, SIGUSR1] { sigaddset(&set, number) }
    return set
  }
}
