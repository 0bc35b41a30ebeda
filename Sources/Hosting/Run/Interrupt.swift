import FramePacing
import Glibc
import Synchronization
public import Threads

/// Turns the signals that ask a program to end into a flag and a call, so that reports are still written.
///
/// A thread sleeps in `sigwaitinfo`; no code of ours runs inside a signal handler. A second signal ends the program at once,
/// whatever its other threads are stuck in, with status 130. One that another program sends within half a second of the first
/// counts as the same request: `timeout` signals its child and then the child's group. A key pressed twice at the terminal
/// is two requests, however fast.
///
/// `SIGUSR1` ends nothing: it asks for the time line of the last seconds.
public final class Interrupt: Sendable {
  private let state: Atomic<Int32> = Atomic(0)
  private let handlers = Lock<[(id: Int, call: @Sendable () -> Void)]>([])
  private let wantsTrace: Atomic<Bool> = Atomic(false)
  private let traceHandler = Lock<(@Sendable () -> Void)?>(nil)
  /// Signals that follow the first within this time are part of it.
  private nonisolated static let coalescingInterval = FrameDuration.milliseconds(500)
  /// `SI_KERNEL`: the signal comes from the terminal's driver, for a key, and from no process.
  private nonisolated static let fromKernel: Int32 = 0x80

  /// Makes a flag that is not raised.
  public nonisolated init() {}

  /// Blocks the signals in this thread and in all that it starts from now on.
  ///
  /// The C function is `pthread_sigmask`. Call it before any other thread is started.
  public static func blockSignals() {
    var set = Interrupt.signals()
    pthread_sigmask(SIG_BLOCK, &set, nil)
    signal(SIGPIPE, SIG_IGN)
  }

  /// Starts waiting for signals.
  ///
  /// Call it once.
  ///
  /// - Throws: `ThreadError` where the system has no thread to give.
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
          // A key pressed twice is two wishes, however soon; a terminal that closes hangs up twice.
          let isKey = number == SIGINT && information.si_code == Interrupt.fromKernel
          guard now - first > Interrupt.coalescingInterval || isKey else { continue }
          _exit(130)
        }
        first = now
        raise(number)
      }
    }
  }

  /// Does what the first signal does.
  nonisolated func raise(_ number: Int32) {
    state.store(number, ordering: .releasing)
    for action in handlers.withLock({ $0 }) { action.call() }
  }

  /// Has something called, on another thread, when a signal comes, beside what is called already; at once when one has come.
  ///
  /// - Returns: the number by which ``forget(_:)`` knows the call.
  @discardableResult
  public nonisolated func addHandler(_ call: @escaping @Sendable () -> Void) -> Int {
    let id = handlers.withLock { actions in
      let id = (actions.last?.id ?? 0) + 1
      actions.append((id, call))
      return id
    }
    if isRaised { call() }
    return id
  }

  /// Has a call of ``whenRaised(_:)`` made no more; one may be under way.
  public nonisolated func removeHandler(_ id: Int) { handlers.withLock { $0.removeAll { $0.id == id } } }

  /// Runs a body that may block, as on a file system that does not answer, on a thread of its own, and waits until it has
  /// returned or a signal comes.
  ///
  /// - Returns: what the body returned; nil where a signal came first. The thread then ends by itself, if ever.
  /// - Throws: `ThreadError` where the system has no thread to give.
  public nonisolated func runInterruptibly<Result: Sendable>(
    _ body: @escaping @Sendable () -> Result
  ) throws(ThreadError) -> Result? {
    let state = Lock<(result: Result?, isLeft: Bool)>((nil, false))
    let thread = try WorkerThread(name: "blocking") {
      let result = body()
      state.withLock { $0.result = result }
      state.wakeAll()
    }
    thread.detach()
    let id = addHandler {
      state.withLock { $0.isLeft = true }
      state.wakeAll()
    }
    defer { removeHandler(id) }
    return state.wait { state -> Result?? in
      if let result = state.result { return .some(result) }
      return state.isLeft ? .some(nil) : nil
    }
  }

  /// Whether a signal came that asks the program to end.
  public nonisolated var isRaised: Bool { state.load(ordering: .acquiring) != 0 }

  /// Whether a trace was asked for, by `SIGUSR1`, since the last call.
  public nonisolated func takeTraceRequest() -> Bool {
    wantsTrace.load(ordering: .relaxed) && wantsTrace.exchange(false, ordering: .acquiring)
  }

  /// Notes that a trace is asked for, and makes the call that ``whenTraceAsked(_:)`` set.
  nonisolated func recordTraceRequest() {
    wantsTrace.store(true, ordering: .releasing)
    traceHandler.withLock { $0 }?()
  }

  /// Sets the call that is made, on another thread, when a trace is asked for; it replaces the last one.
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
