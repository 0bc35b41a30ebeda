import DataStructures

/// What is to be shared next: decides, and touches no disk.
///
/// What was seen last goes first. Bounded: of what waits the oldest is pushed out, and then is no more known than if it had
/// never been seen; of what is done the oldest is forgotten, and would be looked at again.
struct SharingPlan: Sendable {
  /// How work on a candidate ended.
  enum Outcome: Hashable, Sendable {
    /// There is no more to be done for it.
    case done
    /// It was not begun, and is the next.
    case notStarted
    /// It was stopped for something more urgent, and is the next, or after ``mostStopsInFront`` the last.
    case stopped
    /// The system was short of something: it is the last, and what comes next waits for ``delay``.
    case postponed
    /// Not now: when it is seen again.
    case dropped
  }

  /// How often one is stopped before it makes way for others.
  static let maximumStopsBeforeDemotion = 2
  /// How often one is tried before it is forgotten.
  static let maximumTries = 6
  /// The first delay, and the longest.
  static let delays = Duration.seconds(1)...Duration.seconds(64)

  private struct Entry {
    var candidate: SharingCandidate
    /// How often it was stopped or postponed.
    var tries = 0
  }

  private let maximumWaiting: Int
  /// The newest last.
  private var waiting = Deque<Entry>()
  /// What waits or is worked on.
  private var pending: Set<FileFingerprint> = []
  private var doneNames: LRUCache<FileFingerprint, Bool>
  private var currentEntry: Entry?
  /// How long nothing is to be tried, as the last try has failed for something passing.
  private(set) var delay = Duration.zero
  /// What is worked on.
  var current: SharingCandidate? { currentEntry?.candidate }

  /// An empty plan.
  ///
  /// - Parameters:
  ///   - mostWaiting: how many may wait; at least 1.
  ///   - mostSettled: of how many it is known that there is no more to be done.
  init(mostWaiting: Int = 1_024, mostSettled: Int = 1 << 14) {
    checkPrecondition(mostWaiting > 0, "a plan in which nothing may wait comes to nothing")
    self.maximumWaiting = mostWaiting
    doneNames = LRUCache(costLimit: mostSettled)
  }

  /// How many wait.
  var waitingCount: Int { waiting.count }
  /// Of how many something is remembered.
  var knownCount: Int { pending.count + doneNames.count }
  /// Whether something is to be done.
  var hasWork: Bool { !waiting.isEmpty }

  /// A picture was seen that may be shared.
  ///
  /// - Returns: whether it waits now and did not before.
  /// - Complexity: O(1).
  mutating func addCandidate(_ candidate: SharingCandidate) -> Bool {
    let name = candidate.name
    guard doneNames.value(for: name) == nil, pending.insert(name).inserted else { return false }
    enqueue(Entry(candidate: candidate))
    return true
  }

  /// What is to be done now, which is then ``current``.
  /// - Precondition: nothing is.
  mutating func takeNextCandidate() -> SharingCandidate? {
    checkPrecondition(currentEntry == nil, "one picture is shared at a time")
    currentEntry = waiting.popLast()
    return current
  }

  /// Work on ``current`` has ended.
  /// - Precondition: there is one.
  mutating func endCurrent(_ ending: Outcome) {
    guard var entry = currentEntry else { failPrecondition("no picture is being shared") }
    currentEntry = nil
    entry.tries += ending == .stopped || ending == .postponed ? 1 : 0
    let isLast = ending == .postponed || entry.tries > SharingPlan.maximumStopsBeforeDemotion
    switch ending {
    case .done:
      pending.remove(entry.candidate.name)
      doneNames.insert(true, for: entry.candidate.name, cost: 1)
      delay = .zero
    case .dropped: pending.remove(entry.candidate.name)
    case .notStarted: enqueue(entry)
    case .stopped, .postponed:
      if ending == .postponed {
        delay = min(max(delay * 2, SharingPlan.delays.lowerBound), SharingPlan.delays.upperBound)
      }
      if entry.tries >= SharingPlan.maximumTries || (isLast && waiting.count >= maximumWaiting) {
        pending.remove(entry.candidate.name)
      } else if isLast {
        waiting.prepend(entry)
      } else {
        enqueue(entry)
      }
    }
  }

  /// Nothing more is to be shared.
  mutating func dropWaiting() {
    waiting.removeAll()
    pending = currentEntry.map { [$0.candidate.name] } ?? []
  }

  private mutating func enqueue(_ entry: Entry) {
    waiting.append(entry)
    if waiting.count > maximumWaiting, let oldest = waiting.popFirst() { pending.remove(oldest.candidate.name) }
  }
}
