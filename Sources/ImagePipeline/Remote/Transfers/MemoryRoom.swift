import DataStructures

/// Shares a bound of bytes among the bodies that are on their way.
///
/// A body is charged in steps, as its bytes come. One that gets no room waits, and the most urgent is served first. The first
/// of all comes to its end whatever the others hold: what it still needs is left to it where its length is known, and where
/// that is not enough the last of all gives way. So nobody waits for somebody who waits. One that found no room when it was let
/// in counts once its bytes are there.
struct MemoryRoom: Sendable {
  private struct Guest: Sendable {
    var urgency: TransferUrgency
    let most: Int
    var granted = 0
    var progress = TransferProgress()

    /// Up to where it would be served next.
    func next(_ step: Int) -> Int {
      // A server may send more than it said, which is for others to judge.
      let end = progress.expected.map { progress.isHeld && granted >= $0 ? most : min($0, most) } ?? most
      return min(granted + step, max(end, granted))
    }

    /// Whether it will soon have come as far as it may.
    func asks(_ step: Int) -> Bool {
      (progress.isHeld || progress.received + step / 2 > granted) && next(step) > granted
    }

    /// Whether it neither has room nor bytes that want any: then nobody waits for it, as its server may be slow to answer.
    var isIdle: Bool { granted == 0 && !progress.isHeld }

    /// What it needs beyond what it has.
    func need(_ step: Int) -> Int { max(progress.expected.map { min($0, most) - granted } ?? step, 0) }
  }

  /// The most bytes that all may hold.
  let limit: Int
  /// By how many each is served at once.
  let step: Int
  /// The bytes that are held.
  private(set) var taken = 0
  // A few dozen at most, as many as there are connections.
  private var guests: [UInt64: Guest] = [:]

  /// Makes room for nobody yet.
  ///
  /// - Precondition: `step > 0`, and `limit` is as large as the largest body at least.
  init(limit: Int, step: Int) {
    demand(step > 0 && limit >= step, "room for one step at least")
    self.limit = limit
    self.step = step
  }

  /// Lets a try in, before its answer.
  ///
  /// - Parameter most: the bytes that it may bring.
  /// - Returns: the bytes that it may take in unasked.
  mutating func enter(_ run: UInt64, _ urgency: TransferUrgency, most: Int) -> Int {
    demand(most <= limit, "one alone must find room")
    var guest = Guest(urgency: urgency, most: most)
    let count = guest.next(step)
    let isNext = firstAsking.map { urgency < $0.value.urgency } ?? true
    if isNext, taken + count + reserve(against: urgency) <= limit {
      guest.granted = count
      taken += count
    }
    guests[run] = guest
    return guest.granted
  }

  /// Gives a try another place.
  mutating func set(_ urgency: TransferUrgency, for run: UInt64) { guests[run]?.urgency = urgency }

  /// Notes how far a body has come.
  mutating func note(_ progress: TransferProgress, of run: UInt64) { guests[run]?.progress = progress }

  /// How far a body has come.
  func progress(of run: UInt64) -> TransferProgress? { guests[run]?.progress }

  /// Gives back all that a try held.
  mutating func leave(_ run: UInt64) {
    if let guest = guests.removeValue(forKey: run) { taken -= guest.granted }
  }

  /// Serves those who ask, the most urgent first, until one has to wait.
  /// - Returns: the tries, each with the bytes that it may have taken in altogether.
  /// - Complexity: O(tries²), of which there are a few dozen.
  mutating func share() -> [(run: UInt64, bytes: Int)] {
    var grants: [(run: UInt64, bytes: Int)] = []
    while let (run, guest) = firstAsking {
      let bytes = guest.next(step)
      guard fits(guest) else { break }
      taken += bytes - guest.granted
      guests[run]?.granted = bytes
      guests[run]?.progress.isHeld = false
      grants.append((run, bytes))
    }
    return grants
  }

  /// The tries whose bytes have to wait.
  var held: [UInt64] { guests.filter { $0.value.progress.isHeld && $0.value.asks(step) }.keys.sorted() }

  /// The try that gives way: the last of those that hold something, where the first of all has to wait.
  ///
  /// - Parameter isSpared: whether a try gives way only where no other can.
  func givingWay(sparing isSpared: (UInt64) -> Bool = { _ in false }) -> UInt64? {
    guard let first, first.value.progress.isHeld, first.value.asks(step),
      taken + first.value.next(step) - first.value.granted > limit
    else { return nil }
    let last = guests.filter { $0.key != first.key && $0.value.granted > 0 }
      .sorted { $1.value.urgency < $0.value.urgency }.map(\.key)
    return last.first { !isSpared($0) } ?? last.first
  }

  /// Whether somebody new of this urgency would not wait behind others.
  func admits(_ urgency: TransferUrgency) -> Bool {
    firstHeld.map { urgency < $0 } ?? true
  }

  private var first: (key: UInt64, value: Guest)? {
    guests.filter { !$0.value.isIdle }.min { $0.value.urgency < $1.value.urgency }
  }

  private var firstAsking: (key: UInt64, value: Guest)? {
    guests.filter { $0.value.asks(step) && (!$0.value.isIdle || fits($0.value)) }
      .min { $0.value.urgency < $1.value.urgency }
  }

  /// Whether there is room for what it would be served next.
  private func fits(_ guest: Guest) -> Bool {
    taken + guest.next(step) - guest.granted + reserve(against: guest.urgency) <= limit
  }

  private var firstHeld: TransferUrgency? {
    guests.values.filter { $0.progress.isHeld && $0.asks(step) }.map(\.urgency).min()
  }

  /// What is left to the first of all by one who comes after it.
  private func reserve(against urgency: TransferUrgency) -> Int {
    guard let first, first.value.urgency < urgency else { return 0 }
    return first.value.need(step)
  }
}
