import DataStructures

/// Shares a bound of bytes among the bodies that are on their way.
///
/// A body is charged in steps, as its bytes come. One that gets no room waits, and the most urgent is served first. The first
/// of all comes to its end whatever the others hold: what it still needs is left to it where its length is known, and where
/// that is not enough the last of all gives way. So nobody waits for somebody who waits. One that found no room when it was let
/// in counts once its bytes are there.
struct TransferMemoryBudget: Sendable {
  private struct Entry: Sendable {
    var urgency: TransferUrgency
    let most: Int
    var granted = 0
    var progress = TransferProgress()

    /// Up to where it would be served next.
    func nextGrant(_ step: Int) -> Int {
      // A server may send more than it said, which is for others to judge.
      let end = progress.expected.map { progress.isPaused && granted >= $0 ? most : min($0, most) } ?? most
      return min(granted + step, max(end, granted))
    }

    /// Whether it will soon have come as far as it may.
    func needsGrant(_ step: Int) -> Bool {
      (progress.isPaused || progress.received + step / 2 > granted) && nextGrant(step) > granted
    }

    /// Whether it neither has room nor bytes that want any: then nobody waits for it, as its server may be slow to answer.
    var isIdle: Bool { granted == 0 && !progress.isPaused }

    /// What it needs beyond what it has.
    func remainingNeed(_ step: Int) -> Int { max(progress.expected.map { min($0, most) - granted } ?? step, 0) }
  }

  /// The most bytes that all may hold.
  let limit: Int
  /// By how many each is served at once.
  let step: Int
  /// The bytes that are held.
  private(set) var usedBytes = 0
  // A few dozen at most, as many as there are connections.
  private var entries: [UInt64: Entry] = [:]

  /// Makes room for nobody yet.
  ///
  /// - Precondition: `step > 0`, and `limit` is as large as the largest body at least.
  init(limit: Int, step: Int) {
    checkPrecondition(step > 0 && limit >= step, "room for one step at least")
    self.limit = limit
    self.step = step
  }

  /// Lets a try in, before its answer.
  ///
  /// - Parameter most: the bytes that it may bring.
  /// - Returns: the bytes that it may take in unasked.
  mutating func addTransfer(_ run: UInt64, _ urgency: TransferUrgency, most: Int) -> Int {
    checkPrecondition(most <= limit, "one alone must find room")
    var guest = Entry(urgency: urgency, most: most)
    let count = guest.nextGrant(step)
    let isNext = firstNeedingGrant.map { urgency < $0.value.urgency } ?? true
    if isNext, usedBytes + count + reservedBytes(against: urgency) <= limit {
      guest.granted = count
      usedBytes += count
    }
    entries[run] = guest
    return guest.granted
  }

  /// Gives a try another place.
  mutating func setUrgency(_ urgency: TransferUrgency, for run: UInt64) { entries[run]?.urgency = urgency }

  /// Notes how far a body has come.
  mutating func recordProgress(_ progress: TransferProgress, of run: UInt64) { entries[run]?.progress = progress }

  /// How far a body has come.
  func progress(of run: UInt64) -> TransferProgress? { entries[run]?.progress }

  /// Gives back all that a try held.
  mutating func removeTransfer(_ run: UInt64) {
    if let guest = entries.removeValue(forKey: run) { usedBytes -= guest.granted }
  }

  /// Serves those who ask, the most urgent first, until one has to wait.
  /// - Returns: the tries, each with the bytes that it may have taken in altogether.
  /// - Complexity: O(tries²), of which there are a few dozen.
  mutating func grantWaiting() -> [(run: UInt64, bytes: Int)] {
    var grants: [(run: UInt64, bytes: Int)] = []
    while let (run, guest) = firstNeedingGrant {
      let bytes = guest.nextGrant(step)
      guard fits(guest) else { break }
      usedBytes += bytes - guest.granted
      entries[run]?.granted = bytes
      entries[run]?.progress.isPaused = false
      grants.append((run, bytes))
    }
    return grants
  }

  /// The tries whose bytes have to wait.
  var waitingTransfers: [UInt64] {
    entries.filter { $0.value.progress.isPaused && $0.value.needsGrant(step) }.keys.sorted()
  }

  /// The try that gives way: the last of those that hold something, where the first of all has to wait.
  ///
  /// - Parameter isSpared: whether a try gives way only where no other can.
  func transferToPreempt(sparing isSpared: (UInt64) -> Bool = { _ in false }) -> UInt64? {
    guard let first, first.value.progress.isPaused, first.value.needsGrant(step),
      usedBytes + first.value.nextGrant(step) - first.value.granted > limit
    else { return nil }
    let last = entries.filter { $0.key != first.key && $0.value.granted > 0 }
      .sorted { $1.value.urgency < $0.value.urgency }.map(\.key)
    return last.first { !isSpared($0) } ?? last.first
  }

  /// Whether somebody new of this urgency would not wait behind others.
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

  /// Whether there is room for what it would be served next.
  private func fits(_ guest: Entry) -> Bool {
    usedBytes + guest.nextGrant(step) - guest.granted + reservedBytes(against: guest.urgency) <= limit
  }

  private var firstWaitingUrgency: TransferUrgency? {
    entries.values.filter { $0.progress.isPaused && $0.needsGrant(step) }.map(\.urgency).min()
  }

  /// What is left to the first of all by one who comes after it.
  private func reservedBytes(against urgency: TransferUrgency) -> Int {
    guard let first, first.value.urgency < urgency else { return 0 }
    return first.value.remainingNeed(step)
  }
}
