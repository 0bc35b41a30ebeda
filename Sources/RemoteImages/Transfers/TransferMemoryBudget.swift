import VitrineDataStructures

/// The memory budget of unfinished response bodies.
///
/// The byte allowance of a body grows in steps as its bytes arrive. A body that exceeds its allowance pauses, and
/// paused bodies receive memory in order of urgency. The most urgent body always completes: the bytes that it still
/// needs are reserved if its length is known, and if they are not sufficient, the least urgent transfer is preempted.
/// So there are no circular waits. A transfer that received no memory when it was added is ignored until its first
/// bytes arrive.
struct TransferMemoryBudget: Sendable {
  private struct Entry: Sendable {
    var urgency: TransferUrgency
    let maximumBytes: Int
    var granted = 0
    var progress = TransferProgress()

    /// The allowance after the next grant.
    func nextGrant(_ step: Int) -> Int {
      // A server may send more bytes than it announced. The receiver checks that.
      let end =
        progress.expected.map { progress.isPaused && granted >= $0 ? maximumBytes : min($0, maximumBytes) }
        ?? maximumBytes
      return min(granted + step, max(end, granted))
    }

    /// Whether the body has reached its allowance or soon will.
    func needsGrant(_ step: Int) -> Bool {
      (progress.isPaused || progress.received + step / 2 > granted) && nextGrant(step) > granted
    }

    /// Whether the transfer has neither memory nor bytes that wait for it.
    ///
    /// Other transfers do not wait for it, because its server may be slow to respond.
    var isIdle: Bool { granted == 0 && !progress.isPaused }

    /// The bytes that the body needs beyond its allowance, or one step if its length is unknown.
    func remainingNeed(_ step: Int) -> Int { max(progress.expected.map { min($0, maximumBytes) - granted } ?? step, 0) }
  }

  /// The maximum number of bytes of all bodies.
  let limit: Int
  /// The bytes of one grant.
  let step: Int
  /// The bytes that are granted.
  private(set) var usedBytes = 0
  // As many entries as connections: a few dozen at most.
  private var entries: [UInt64: Entry] = [:]

  /// Creates a budget without transfers.
  ///
  /// - Precondition: `step > 0`, and `limit` is at least `step` and the size of the largest body.
  init(limit: Int, step: Int) {
    checkPrecondition(step > 0 && limit >= step, "The limit must be at least one step.")
    self.limit = limit
    self.step = step
  }

  /// Adds a transfer before its response arrives.
  ///
  /// - Parameter maximumBytes: The maximum size of the body, in bytes.
  /// - Returns: The initial byte allowance.
  mutating func addTransfer(_ run: UInt64, _ urgency: TransferUrgency, maximumBytes: Int) -> Int {
    checkPrecondition(maximumBytes <= limit, "One transfer must fit into the limit.")
    var entry = Entry(urgency: urgency, maximumBytes: maximumBytes)
    let count = entry.nextGrant(step)
    let isNext = firstNeedingGrant.map { urgency < $0.value.urgency } ?? true
    if isNext, usedBytes + count + reservedBytes(against: urgency) <= limit {
      entry.granted = count
      usedBytes += count
    }
    entries[run] = entry
    return entry.granted
  }

  /// Changes the urgency of a transfer.
  mutating func setUrgency(_ urgency: TransferUrgency, for run: UInt64) { entries[run]?.urgency = urgency }

  /// Records the progress of a body.
  mutating func recordProgress(_ progress: TransferProgress, of run: UInt64) { entries[run]?.progress = progress }

  /// Returns the progress of a body.
  func progress(of run: UInt64) -> TransferProgress? { entries[run]?.progress }

  /// Removes a transfer and releases its memory.
  mutating func removeTransfer(_ run: UInt64) {
    if let entry = entries.removeValue(forKey: run) { usedBytes -= entry.granted }
  }

  /// Grants memory to transfers in order of urgency, until one has to wait.
  /// - Returns: The transfers with their new total allowances.
  /// - Complexity: O(transfers²), with a few dozen transfers.
  mutating func grantWaiting() -> [(run: UInt64, bytes: Int)] {
    var grants: [(run: UInt64, bytes: Int)] = []
    while let (run, entry) = firstNeedingGrant {
      let bytes = entry.nextGrant(step)
      guard fits(entry) else { break }
      usedBytes += bytes - entry.granted
      entries[run]?.granted = bytes
      entries[run]?.progress.isPaused = false
      grants.append((run, bytes))
    }
    return grants
  }

  /// The transfers that are paused until memory is free.
  var waitingTransfers: [UInt64] {
    entries.filter { $0.value.progress.isPaused && $0.value.needsGrant(step) }.keys.sorted()
  }

  /// Returns the transfer to preempt: the least urgent one that has memory.
  ///
  /// - Parameter isSpared: Returns whether a transfer is preempted only if there is no other candidate.
  /// - Returns: The transfer, or nil if the most urgent transfer is not waiting for memory.
  func transferToPreempt(sparing isSpared: (UInt64) -> Bool = { _ in false }) -> UInt64? {
    guard let first, first.value.progress.isPaused, first.value.needsGrant(step),
      usedBytes + first.value.nextGrant(step) - first.value.granted > limit
    else { return nil }
    let candidates = entries.filter { $0.key != first.key && $0.value.granted > 0 }
      .sorted { $1.value.urgency < $0.value.urgency }.map(\.key)
    return candidates.first { !isSpared($0) } ?? candidates.first
  }

  /// Returns whether a new transfer of the given urgency would not queue behind paused ones.
  func canStart(_ urgency: TransferUrgency) -> Bool {
    firstWaitingUrgency.map { urgency < $0 } ?? true
  }

  private var first: (key: UInt64, value: Entry)? {
    entries.filter { !$0.value.isIdle }.min { $0.value.urgency < $1.value.urgency }
  }

  private var firstNeedingGrant: (key: UInt64, value: Entry)? {
    entries.filter { $0.value.needsGrant(step) && (!$0.value.isIdle || fits($0.value)) }
      .min { $0.value.urgency < $1.value.urgency }
  }

  /// Whether the next grant fits into the budget.
  private func fits(_ entry: Entry) -> Bool {
    usedBytes + entry.nextGrant(step) - entry.granted + reservedBytes(against: entry.urgency) <= limit
  }

  private var firstWaitingUrgency: TransferUrgency? {
    entries.values.filter { $0.progress.isPaused && $0.needsGrant(step) }.map(\.urgency).min()
  }

  /// The bytes that are reserved for the most urgent transfer and not available to a less urgent one.
  private func reservedBytes(against urgency: TransferUrgency) -> Int {
    guard let first, first.value.urgency < urgency else { return 0 }
    return first.value.remainingNeed(step)
  }
}

/// The progress of a response body.
struct TransferProgress: Hashable, Sendable {
  /// The number of bytes that were received.
  var received = 0
  /// The length of the body, if the server announced it.
  var expected: Int?
  /// Whether the transfer has received bytes that exceed its allowance.
  var isPaused = false

  /// Whether so little is missing that cancelling the transfer would cost more than it saves.
  var isAlmostComplete: Bool {
    guard received > 0, let expected else { return false }
    let rest = expected - received
    return rest <= TransferProgress.smallRemainder || rest <= expected / 4
  }

  /// Approximately what one read from a connection returns.
  private static let smallRemainder = 64 << 10
}
