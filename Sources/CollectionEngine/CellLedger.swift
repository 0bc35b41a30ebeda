import DataStructures

/// Knows where every cell is, counts what happens to it, and refuses what may not: a pure machine.
///
/// A cell is on screen, waiting, in its pool or gone, and in one of these alone; what is displayed ends being displayed
/// before anything else happens to it, and what ends was displayed.
public struct CellLedger: Sendable {
  /// Where a cell is.
  public enum Place: UInt8, Sendable {
    /// It is bound to an item, ready or on the way to it, and not on screen.
    case waiting
    /// It is on screen.
    case displayed
    /// It is in its pool, bound to no item.
    case pooled
    /// It was let go; its number may be another's.
    case discarded
  }

  private struct Account: Sendable {
    var place = Place.waiting
    var isPrepared = false
    var wasDisplayed = false
    /// Whether it was made ahead of need, and never was an item's.
    var isSpare = false
  }

  /// What happened so far.
  public private(set) var statistics = CellStatistics()
  /// Waiting cells that are ready and were not yet on screen for their item.
  public private(set) var waitingUnseen = 0
  /// Cells that were made ahead of need and have not been an item's, those among them that were let go.
  public private(set) var neverDequeued = 0
  private var accounts: [Account] = []
  private var free: [Int] = []

  /// No cells.
  public init() {}

  /// A cell was made for an item.
  ///
  /// - Returns: the cell's number, the number of a cell that is gone if there is one.
  public mutating func create() -> Int {
    statistics.created += 1
    statistics.dequeued += 1
    return open(Account())
  }

  /// A cell was made ahead of need, for its pool.
  ///
  /// - Returns: the cell's number, the number of a cell that is gone if there is one.
  public mutating func createSpare() -> Int {
    statistics.created += 1
    neverDequeued += 1
    return open(Account(place: .pooled, isSpare: true))
  }

  private mutating func open(_ account: Account) -> Int {
    change(account.place, by: 1)
    guard let number = free.popLast() else {
      accounts.append(account)
      return accounts.count - 1
    }
    accounts[number] = account
    return number
  }

  /// Whether a cell was made ahead of need and has not been an item's.
  ///
  /// - Precondition: the number was given out.
  public func isSpare(_ cell: Int) -> Bool { accounts[cell].isSpare }

  /// Where a cell is.
  ///
  /// - Precondition: the number was given out.
  public func place(of cell: Int) -> Place { accounts[cell].place }

  /// Whether a cell has been on screen since it was prepared for its item.
  ///
  /// - Precondition: the number was given out.
  public func wasDisplayed(_ cell: Int) -> Bool { accounts[cell].wasDisplayed }

  /// Something happened to a cell.
  ///
  /// - Precondition: it may happen to a cell where this one is.
  /// - Complexity: O(1).
  public mutating func handle(_ event: CellEvent, of cell: Int) {
    demand(accounts.indices.contains(cell), "There is no cell \(cell).")
    var account = accounts[cell]
    demand(
      allows(event, account),
      "Cell \(cell) is \(account.place)\(account.isPrepared ? "" : ", not prepared"): \(event) may not happen.")
    if isUnseen(account) { waitingUnseen -= 1 }
    change(account.place, by: -1)
    switch event {
    case .reuse:
      statistics.dequeued += 1
      if account.isSpare { neverDequeued -= 1 } else { statistics.reused += 1 }
      account = Account()
    case .prepare(let isForced):
      statistics.prepared += 1
      if isForced { statistics.preparedForced += 1 } else { statistics.preparedInSlack += 1 }
      account.isPrepared = true
    case .reconfigure:
      statistics.reconfigured += 1
    case .willDisplay:
      statistics.displayed += 1
      if account.wasDisplayed { statistics.redisplayedFromWaiting += 1 }
      account.place = .displayed
      account.wasDisplayed = true
    case .didEndDisplaying:
      account.place = .waiting
    case .pool, .discard:
      if account.isPrepared, !account.wasDisplayed { statistics.preparedNeverDisplayed += 1 }
      account = Account(place: event == .pool ? .pooled : .discarded)
    }
    change(account.place, by: 1)
    if isUnseen(account) { waitingUnseen += 1 }
    accounts[cell] = account
    if account.place == .discarded { free.append(cell) }
  }

  /// A cell asked for one size after the other without end.
  public mutating func noteFrozenSize() { statistics.frozenSizes += 1 }

  /// A cell asked for a size that cannot be meant.
  public mutating func noteRefusedSize() { statistics.refusedSizes += 1 }

  /// A client gave a number that cannot be meant.
  public mutating func noteRefusedNumber() { statistics.refusedNumbers += 1 }

  /// Whether the counts agree with each other, as they do after every event.
  public var isBalanced: Bool {
    let counts = statistics
    return counts.created == counts.visible + counts.waiting + counts.pooled + counts.discarded
      && counts.dequeued == counts.created - neverDequeued + counts.reused
      && counts.prepared == counts.preparedInSlack + counts.preparedForced
      && counts.prepared
        == counts.displayed - counts.redisplayedFromWaiting + counts.preparedNeverDisplayed + waitingUnseen
      && accounts.count - free.count == counts.visible + counts.waiting + counts.pooled
  }

  private func allows(_ event: CellEvent, _ account: Account) -> Bool {
    switch event {
    case .reuse: account.place == .pooled
    case .prepare: account.place == .waiting && !account.isPrepared
    case .reconfigure: account.isPrepared
    case .willDisplay: account.place == .waiting && account.isPrepared
    case .didEndDisplaying: account.place == .displayed
    case .pool: account.place == .waiting
    case .discard: account.place == .waiting || account.place == .pooled
    }
  }

  private func isUnseen(_ account: Account) -> Bool {
    account.place == .waiting && account.isPrepared && !account.wasDisplayed
  }

  private mutating func change(_ place: Place, by step: Int) {
    switch place {
    case .waiting: statistics.waiting += step
    case .displayed: statistics.visible += step
    case .pooled: statistics.pooled += step
    case .discarded: statistics.discarded += step
    }
  }
}
