import DataStructures

/// Knows where every cell is, counts what happens to it, and refuses what may not: a pure machine.
///
/// A cell is on screen, waiting, in its pool or gone, and in one of these alone; what is displayed ends being displayed
/// before anything else happens to it, and what ends was displayed.
public struct CellLifecycle: Sendable {
  /// Where a cell is.
  public enum State: UInt8, Sendable {
    /// It is bound to an item, ready or on the way to it, and not on screen.
    case waiting
    /// It is on screen.
    case displayed
    /// It is in its pool, bound to no item.
    case pooled
    /// It was let go; its number may be another's.
    case discarded
  }

  private struct Record: Sendable {
    var state = State.waiting
    var isPrepared = false
    var wasDisplayed = false
    /// Whether it was made ahead of need, and never was an item's.
    var isSpare = false
  }

  /// What happened so far.
  public private(set) var statistics = CellStatistics()
  /// Waiting cells that are ready and were not yet on screen for their item.
  public private(set) var waitingNeverDisplayed = 0
  /// Cells that were made ahead of need and have not been an item's, those among them that were let go.
  public private(set) var neverDequeued = 0
  private var records: [Record] = []
  private var freeNumbers: [Int] = []

  /// No cells.
  public init() {}

  /// A cell was made for an item.
  ///
  /// - Returns: the cell's number, the number of a cell that is gone if there is one.
  public mutating func create() -> Int {
    statistics.created += 1
    statistics.dequeued += 1
    return addRecord(Record())
  }

  /// A cell was made ahead of need, for its pool.
  ///
  /// - Returns: the cell's number, the number of a cell that is gone if there is one.
  public mutating func createSpare() -> Int {
    statistics.created += 1
    neverDequeued += 1
    return addRecord(Record(state: .pooled, isSpare: true))
  }

  private mutating func addRecord(_ account: Record) -> Int {
    adjustCount(account.state, by: 1)
    guard let number = freeNumbers.popLast() else {
      records.append(account)
      return records.count - 1
    }
    records[number] = account
    return number
  }

  /// Whether a cell was made ahead of need and has not been an item's.
  ///
  /// - Precondition: the number was given out.
  public func isSpare(_ cell: Int) -> Bool { records[cell].isSpare }

  /// Where a cell is.
  ///
  /// - Precondition: the number was given out.
  public func state(of cell: Int) -> State { records[cell].state }

  /// Whether a cell has been on screen since it was prepared for its item.
  ///
  /// - Precondition: the number was given out.
  public func wasDisplayed(_ cell: Int) -> Bool { records[cell].wasDisplayed }

  /// Something happened to a cell.
  ///
  /// - Precondition: it may happen to a cell where this one is.
  /// - Complexity: O(1).
  public mutating func handle(_ event: CellEvent, of cell: Int) {
    checkPrecondition(records.indices.contains(cell), "There is no cell \(cell).")
    var account = records[cell]
    checkPrecondition(
      allows(event, account),
      "Cell \(cell) is \(account.state)\(account.isPrepared ? "" : ", not prepared"): \(event) may not happen.")
    if isWaitingNeverDisplayed(account) { waitingNeverDisplayed -= 1 }
    adjustCount(account.state, by: -1)
    switch event {
    case .reuse:
      statistics.dequeued += 1
      if account.isSpare { neverDequeued -= 1 } else { statistics.reused += 1 }
      account = Record()
    case .prepare(let isForced):
      statistics.prepared += 1
      if isForced { statistics.preparedForced += 1 } else { statistics.preparedInSlack += 1 }
      account.isPrepared = true
    case .reconfigure:
      statistics.reconfigured += 1
    case .willDisplay:
      statistics.displayed += 1
      if account.wasDisplayed { statistics.redisplayedFromWaiting += 1 }
      account.state = .displayed
      account.wasDisplayed = true
    case .didEndDisplaying:
      account.state = .waiting
    case .pool, .discard:
      if account.isPrepared, !account.wasDisplayed { statistics.preparedNeverDisplayed += 1 }
      account = Record(state: event == .pool ? .pooled : .discarded)
    }
    adjustCount(account.state, by: 1)
    if isWaitingNeverDisplayed(account) { waitingNeverDisplayed += 1 }
    records[cell] = account
    if account.state == .discarded { freeNumbers.append(cell) }
  }

  /// A cell asked for one size after the other without end.
  public mutating func recordFrozenSize() { statistics.frozenSizes += 1 }

  /// A cell asked for a size that cannot be meant.
  public mutating func recordRefusedSize() { statistics.refusedSizes += 1 }

  /// A client gave a number that cannot be meant.
  public mutating func recordRefusedNumber() { statistics.refusedNumbers += 1 }

  /// Whether the counts agree with each other, as they do after every event.
  public var isBalanced: Bool {
    let counts = statistics
    return counts.created == counts.visible + counts.waiting + counts.pooled + counts.discarded
      && counts.dequeued == counts.created - neverDequeued + counts.reused
      && counts.prepared == counts.preparedInSlack + counts.preparedForced
      && counts.prepared
        == counts.displayed - counts.redisplayedFromWaiting + counts.preparedNeverDisplayed + waitingNeverDisplayed
      && records.count - freeNumbers.count == counts.visible + counts.waiting + counts.pooled
  }

  private func allows(_ event: CellEvent, _ account: Record) -> Bool {
    switch event {
    case .reuse: account.state == .pooled
    case .prepare: account.state == .waiting && !account.isPrepared
    case .reconfigure: account.isPrepared
    case .willDisplay: account.state == .waiting && account.isPrepared
    case .didEndDisplaying: account.state == .displayed
    case .pool: account.state == .waiting
    case .discard: account.state == .waiting || account.state == .pooled
    }
  }

  private func isWaitingNeverDisplayed(_ account: Record) -> Bool {
    account.state == .waiting && account.isPrepared && !account.wasDisplayed
  }

  private mutating func adjustCount(_ place: State, by step: Int) {
    switch place {
    case .waiting: statistics.waiting += step
    case .displayed: statistics.visible += step
    case .pooled: statistics.pooled += step
    case .discarded: statistics.discarded += step
    }
  }
}
