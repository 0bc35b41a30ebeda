import Synchronization
public import VitrineFramePacing
import VitrineThreads

/// What the frame thread is doing, for a watchdog on another thread.
///
/// The frame thread records the phases of each frame, and what it calls in them. A watchdog reads the record, and is
/// parked while the loop rests, so that an idle program is not woken.
public nonisolated final class FrameThreadActivity: Sendable {
  /// What the frame thread was doing at one moment.
  public nonisolated struct Reading: Hashable, Sendable {
    /// The phase of the frame, or nil between frames.
    public var phase: FramePhase?
    /// What is called in the phase, such as `the handler of PhotoCell`, or nil if it is not known.
    public var subject: String?
    /// The number of changes of the phase so far.
    public var changes: Int

    /// Creates a reading.
    public init(phase: FramePhase?, subject: String?, changes: Int) {
      self.phase = phase
      self.subject = subject
      self.changes = changes
    }
  }

  /// The number of changes, shifted by a byte, and the phase's number and 1; 0 between frames.
  private let word = Atomic<Int>(FrameThreadActivity.resting)
  private let subject = Atomic<Int>(-1)
  private let subjects = Lock<[String]>([])
  private let isParked = Atomic<Bool>(false)
  private let parking = Lock<(isParked: Bool, isStopped: Bool)>((false, false))

  private static let resting = 0xFF

  /// Creates the record of a thread that rests.
  public init() {}

  // MARK: - The frame thread

  /// Records that a phase begins, or that the thread is between frames.
  func begin(_ phase: FramePhase?) { store((phase?.rawValue ?? -1) + 1) }

  /// Records that a phase ended and the next one, if any, begins.
  @inline(__always)
  func endPhase(_ phase: FramePhase) {
    store(phase == .present ? 0 : phase.rawValue + 2)
  }

  /// Records that the thread rests until there is something to do.
  func rest() { store(FrameThreadActivity.resting) }

  /// Records that the thread no longer rests, and wakes a parked watchdog.
  func endRest() {
    begin(nil)
    // Sequentially consistent, as in `park()`: either this thread sees the flag or the watchdog sees the store above.
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    guard isParked.load(ordering: .relaxed) else { return }
    isParked.store(false, ordering: .relaxed)
    parking.withLock { $0.isParked = false }
    parking.wakeAll()
  }

  /// Returns the number of a subject.
  ///
  /// - Parameter name: What is called, such as `the handler of PhotoCell`.
  package func makeSubject(_ name: String) -> Int {
    subjects.withLock { names in
      if let number = names.firstIndex(of: name) { return number }
      names.append(name)
      return names.count - 1
    }
  }

  /// Records what is called, or -1 after it returned.
  package func setSubject(_ number: Int) { subject.store(number, ordering: .relaxed) }

  // Only the frame thread stores.
  private func store(_ code: Int) {
    let changes = word.load(ordering: .relaxed) >> 8
    word.store((changes &+ 1) << 8 | code, ordering: .releasing)
  }

  // MARK: - The watchdog

  /// Returns what the frame thread is doing, or nil while it rests.
  public var reading: Reading? {
    let word = word.load(ordering: .acquiring)
    let code = word & 0xFF
    guard code != FrameThreadActivity.resting else { return nil }
    let number = subject.load(ordering: .relaxed)
    let name = subjects.withLock { $0.indices.contains(number) ? $0[number] : nil }
    return Reading(phase: FramePhase(rawValue: code - 1), subject: name, changes: word >> 8)
  }

  /// Blocks while the frame thread rests, then for a time.
  ///
  /// - Parameter time: The time to wait after the thread has begun to work.
  /// - Returns: Whether the watchdog is to go on; false after ``stop()``.
  public func waitForWork(thenFor time: Duration) -> Bool {
    park()
    return parking.wait(atMost: time) { $0.isStopped ? true : nil } == nil
  }

  private func park() {
    parking.withLock { $0.isParked = true }
    isParked.store(true, ordering: .relaxed)
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    guard word.load(ordering: .relaxed) & 0xFF == FrameThreadActivity.resting else {
      isParked.store(false, ordering: .relaxed)
      return
    }
    parking.wait { $0.isStopped || !$0.isParked ? () : nil }
  }

  /// Ends the waiting of the watchdog.
  public func stop() {
    parking.withLock { $0.isStopped = true }
    parking.wakeAll()
  }
}
