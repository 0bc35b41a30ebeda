import DataStructures

/// What is to be shared next: decides, and touches no disk.
///
/// What was seen last goes first. Bounded: of what waits the oldest is pushed out, and then is no more known than if it had
/// never been seen; of what is done the oldest is forgotten, and would be looked at again.
struct SharingPlan: Sendable {
  /// How work on a candidate ended.
  enum Ending: Hashable, Sendable {
    /// There is no more to be done for it.
    case settled
    /// It was stopped for something more urgent, and is the next.
    case stopped
    /// Not now: when it is seen again.
    case forgotten
  }

  private let mostWaiting: Int
  /// The newest last.
  private var waiting = Deque<SharingCandidate>()
  /// What waits or is worked on.
  private var pending: Set<FileFingerprint> = []
  private var settled: LeastRecentlyUsed<FileFingerprint, Bool>
  /// What is worked on.
  private(set) var current: SharingCandidate?

  /// An empty plan.
  ///
  /// - Parameters:
  ///   - mostWaiting: how many may wait; at least 1.
  ///   - mostSettled: of how many it is known that there is no more to be done.
  init(mostWaiting: Int = 1_024, mostSettled: Int = 1 << 14) {
    demand(mostWaiting > 0, "a plan in which nothing may wait comes to nothing")
    self.mostWaiting = mostWaiting
    settled = LeastRecentlyUsed(costLimit: mostSettled)
  }

  /// How many wait.
  var waitingCount: Int { waiting.count }
  /// Of how many something is remembered.
  var knownCount: Int { pending.count + settled.count }
  /// Whether something is to be done.
  var hasWork: Bool { !waiting.isEmpty }

  /// A picture was seen that may be shared.
  ///
  /// - Returns: whether it waits now and did not before.
  /// - Complexity: O(1).
  mutating func note(_ candidate: SharingCandidate) -> Bool {
    let name = candidate.name
    guard settled.value(for: name) == nil, pending.insert(name).inserted else { return false }
    append(candidate)
    return true
  }

  /// What is to be done now, which is then ``current``.
  /// - Precondition: nothing is.
  mutating func takeNext() -> SharingCandidate? {
    demand(current == nil, "one picture is shared at a time")
    current = waiting.popLast()
    return current
  }

  /// Work on ``current`` has ended.
  /// - Precondition: there is one.
  mutating func end(_ ending: Ending) {
    guard let candidate = current else { misuse("no picture is being shared") }
    current = nil
    switch ending {
    case .settled:
      pending.remove(candidate.name)
      settled.insert(true, for: candidate.name, cost: 1)
    case .forgotten: pending.remove(candidate.name)
    case .stopped: append(candidate)
    }
  }

  /// Nothing more is to be shared.
  mutating func giveUp() {
    waiting.removeAll()
    pending = current.map { [$0.name] } ?? []
  }

  private mutating func append(_ candidate: SharingCandidate) {
    waiting.append(candidate)
    if waiting.count > mostWaiting, let oldest = waiting.popFirst() { pending.remove(oldest.name) }
  }
}
