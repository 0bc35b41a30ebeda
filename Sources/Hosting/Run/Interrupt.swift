import FramePacing
import Glibc
import Synchronization
public import Threads

/// Turns the signals that ask a program to end into a flag and a call, so that reports are still written.
///
/// A thread sleeps in `sigwait`; no code of ours runs inside a signal handler. A second signal ends the program at once,
/// unless it comes so soon after the first that it is the same wish: `timeout` signals its child and then the child's
/// group, and a terminal that closes may do so too.
///
/// `SIGUSR1` ends nothing: it asks for the time line of the last seconds.
public final class Interrupt: Sendable {
  private let state: Atomic<Int32> = Atomic(0)
  private let action = Lock<(@Sendable () -> Void)?>(nil)
  private let wantsTrace: Atomic<Bool> = Atomic(false)
  private let traceAction = Lock<(@Sendable () -> Void)?>(nil)
  /// Signals that follow the first within this time are part of it.
  private nonisolated static let echo = FrameDuration.milliseconds(500)

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
        var number: Int32 = 0
        guard sigwait(&set, &number) == 0 else { continue }
        guard number != SIGUSR1 else {
          noteTraceRequest()
          continue
        }
        let now = MonotonicClock.now()
        if let first {
          guard now - first > Interrupt.echo else { continue }
          _exit(130)
        }
        first = now
        state.store(number, ordering: .releasing)
        action.withLock { $0 }?()
      }
    }
  }

  /// Has something called, on another thread, when a signal comes; at once when one has come already.
  public nonisolated func whenRaised(_ call: @escaping @Sendable () -> Void) {
    action.withLock { $0 = call }
    if isRaised { call() }
  }

  /// Whether a signal came that asks the program to end.
  public nonisolated var isRaised: Bool { state.load(ordering: .acquiring) != 0 }

  /// Whether somebody asked for a trace, by `SIGUSR1`, since this was asked last.
  public nonisolated func takeTraceRequest() -> Bool {
    wantsTrace.load(ordering: .relaxed) && wantsTrace.exchange(false, ordering: .acquiring)
  }

  /// Somebody asks for a trace.
  nonisolated func noteTraceRequest() {
    wantsTrace.store(true, ordering: .releasing)
    traceAction.withLock { $0 }?()
  }

  /// Has something called, on another thread, when somebody asks for a trace, in place of what was told before.
  public nonisolated func whenTraceAsked(_ call: @escaping @Sendable () -> Void) {
    traceAction.withLock { $0 = call }
  }

  private nonisolated static func signals() -> sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for number in [SIGINT, SIGTERM, SIGHUP, SIGUSR1] { sigaddset(&set, number) }
    return set
  }
}
