import DataStructures
import FramePacing
import Threads

/// When people like what is on screen: a seeded time line, the same on every clock.
///
/// On a clock of real time a thread wakes the loop; on a simulated one the loop asks when the next like comes.
final class LikeTicker {
  /// When the next like comes; nothing where none do.
  private(set) var next: FrameInstant?
  private var random: SplitMix64
  private let interval: FrameDuration
  /// Whether the thread is to end.
  private let isEnded = Lock(false)
  private var thread: WorkerThread?

  /// Makes a ticker.
  ///
  /// - Parameters:
  ///   - rate: likes a second on the whole; none for 0.
  ///   - seed: when exactly.
  ///   - clock: whose instants these are.
  ///   - waker: woken a few times a second, where time is real.
  /// - Throws: `ThreadError` where the system has no thread to give.
  init(rate: Double, seed: UInt64, clock: any FrameClock, waker: any LoopWaker) throws {
    random = SplitMix64(seed: seed ^ 0x11CE)
    interval = rate > 0 ? .seconds(1 / rate) : .zero
    guard rate > 0 else { return }
    next = clock.now() + interval
    guard !clock.kind.isSimulated else { return }
    let isEnded = isEnded
    let pause = Duration.nanoseconds(interval.nanoseconds)
    thread = try WorkerThread(name: "likes") {
      while isEnded.wait(atMost: pause, until: { $0 ? () : nil }) == nil { waker.wake() }
    }
  }

  /// Takes the likes that have come by an instant.
  /// - Returns: a number for each, that says who is liked.
  func take(by now: FrameInstant) -> [UInt64] {
    var likes: [UInt64] = []
    while let instant = next, instant <= now {
      likes.append(random.next())
      next = instant + interval * (0.5 + random.nextFraction())
      // Nobody looked for long: what was missed is.
      if likes.count >= 16 { next = now + interval }
    }
    return likes
  }

  /// Ends the thread.
  func end() {
    isEnded.withLock { $0 = true }
    isEnded.wakeAll()
    thread?.join()
  }
}
