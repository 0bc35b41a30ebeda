import VitrineDataStructures

/// A state machine that tracks the state of every cell, counts cell events and rejects invalid ones.
///
/// A cell is in exactly one state at a time. A displayed cell must end displaying before any other event, and only a
/// displayed cell can end displaying.
public struct CellLifecycle: Sendable {
  /// The state of a cell.
  public enum State: UInt8, Sendable {
    /// Bound to an item, prepared or being prepared, and not on screen.
    case waiting
    /// On screen.
    case displayed
    /// In its reuse pool, bound to no item.
    case pooled
    /// Discarded; its number may be reused for a new cell.
    case discarded
  }

  private struct Record: Sendable {
    var state = State.waiting
    var isPrepared = false
    var wasDisplayed = false
    /// Whether the cell was created ahead of need and has never been dequeued.
    var isSpare = false
  }

  /// The counts of all events so far.
  public private(set) var statistics = CellStatistics()
  /// The number of waiting cells that are prepared and have not been displayed for their current item.
  public private(set) var waitingNeverDisplayed = 0
  /// The number of spare cells that were never dequeued, including those that were discarded.
  public private(set) var neverDequeued = 0
  private var records: [Record] = []
  private var freeNumbers: [Int] = []

  /// Creates a state machine without cells.
  public init() {}

  // MARK: - Recording

  /// Records that a cell was created for an item.
  ///
  /// - Returns: The cell's number. The numbers of discarded cells are reused.
  public mutating func create() -> Int {
    statistics.created += 1
    statistics.dequeued += 1
    return addRecord(Record())
  }

  /// Records that a spare cell was created for its pool.
  ///
  /// - Returns: The cell's number. The numbers of discarded cells are reused.
  public mutating func createSpare() -> Int {
    statistics.created += 1
    neverDequeued += 1
    return addRecord(Record(state: .pooled, isSpare: true))
  }

  private mutating func addRecord(_ record: Record) -> Int {
    adjustCount(record.state, by: 1)
    guard let number = freeNumbers.popLast() else {
      records.append(record)
      return records.count - 1
    }
    records[number] = record
    return number
  }

  /// Returns whether a cell was created ahead of need and has not been dequeued since.
  ///
  /// - Precondition: The number belongs to a cell.
  public func isSpare(_ cell: Int) -> Bool { records[cell].isSpare }

  /// Returns the state of a cell.
  ///
  /// - Precondition: The number belongs to a cell.
  public func state(of cell: Int) -> State { records[cell].state }

  /// Returns whether a cell has been displayed since it was prepared for its item.
  ///
  /// - Precondition: The number belongs to a cell.
  public func wasDisplayed(_ cell: Int) -> Bool { records[cell].wasDisplayed }

  /// Records an event of a cell and updates the cell's state.
  ///
  /// - Precondition: The event is valid in the cell's current state.
  /// - Complexity: O(1).
  public mutating func handle(_ event: CellEvent, of cell: Int) {
    checkPrecondition(records.indices.contains(cell), "There is no cell \(cell).")
    var record = records[cell]
    checkPrecondition(
      allows(event, record),
      "Cell \(cell) is \(record.state)\(record.isPrepared ? "" : ", not prepared"): the event \(event) is invalid.")
    if isWaitingNeverDisplayed(record) { waitingNeverDisplayed -= 1 }
    adjustCount(record.state, by: -1)
    switch event {
    case .reuse:
      statistics.dequeued += 1
      if record.isSpare { neverDequeued -= 1 } else { statistics.reused += 1 }
      record = Record()
    case .prepare(let isForced):
      statistics.prepared += 1
      if isForced { statistics.preparedForced += 1 } else { statistics.preparedInSlack += 1 }
      record.isPrepared = true
    case .reconfigure:
      statistics.reconfigured += 1
    case .willDisplay:
      statistics.displayed += 1
      if record.wasDisplayed { statistics.redisplayedFromWaiting += 1 }
      record.state = .displayed
      record.wasDisplayed = true
    case .didEndDisplaying:
      record.state = .waiting
    case .pool, .discard:
      if record.isPrepared, !record.wasDisplayed { statistics.preparedNeverDisplayed += 1 }
      record = Record(state: event == .pool ? .pooled : .discarded)
    }
    adjustCount(record.state, by: 1)
    if isWaitingNeverDisplayed(record) { waitingNeverDisplayed += 1 }
    records[cell] = record
    if record.state == .discarded { freeNumbers.append(cell) }
  }

  /// Records that a cell requested new sizes without end.
  public mutating func recordFrozenSize() { statistics.frozenSizes += 1 }

  /// Records that a cell requested an invalid size.
  public mutating func recordRefusedSize() { statistics.refusedSizes += 1 }

  /// Records that a client supplied an invalid number.
  public mutating func recordRefusedNumber() { statistics.refusedNumbers += 1 }

  // MARK: - Invariants

  /// Whether the counts are consistent.
  ///
  /// This is an invariant after every event.
  public var isBalanced: Bool {
    let counts = statistics
    return counts.created == counts.visible + counts.waiting + counts.pooled + counts.discarded
      && counts.dequeued == counts.created - neverDequeued + counts.reused
      && counts.prepared == counts.preparedInSlack + counts.preparedForced
      && counts.prepared
        == counts.displayed - counts.redisplayedFromWaiting + counts.preparedNeverDisplayed + waitingNeverDisplayed
      && records.count - freeNumbers.count == counts.visible + counts.waiting + counts.pooled
  }

  private func allows(_ event: CellEvent, _ record: Record) -> Bool {
    switch event {
    case .reuse: record.state == .pooled
    case .prepare: record.state == .waiting && !record.isPrepared
    case .reconfigure: record.isPrepared
    case .willDisplay: record.state == .waiting && record.isPrepared
    case .didEndDisplaying: record.state == .displayed
    case .pool: record.state == .waiting
    case .discard: record.state == .waiting || record.state == .pooled
    }
  }

  private func isWaitingNeverDisplayed(_ record: Record) -> Bool {
    record.state == .waiting && record.isPrepared && !record.wasDisplayed
  }

  private mutating func adjustCount(_ state: State, by delta: Int) {
    switch state {
    case .waiting: statistics.waiting += delta
    case .displayed: statistics.visible += delta
    case .pooled: statistics.pooled += delta
    case .discarded: statistics.discarded += delta
    }
  }
}

// MARK: - Events

/// An event in the life of a cell, from its dequeuing to its discarding.
public enum CellEvent: Hashable, Sendable {
  /// The cell was dequeued from its pool for an item.
  case reuse
  /// The cell is ready for display. The preparation is forced if a commit had to do it; otherwise it was done in slack
  /// time.
  case prepare(isForced: Bool)
  /// The cell was configured again for the same item.
  case reconfigure
  /// The cell is about to appear on screen.
  case willDisplay
  /// The cell left the screen and is still bound to its item.
  case didEndDisplaying
  /// The cell was unbound from its item and returned to its pool.
  case pool
  /// The cell was discarded.
  case discard
}

// MARK: - Statistics

/// Counts of a collection view's cells over its lifetime.
public struct CellStatistics: Hashable, Sendable {
  /// The number of cells created.
  public var created = 0
  /// The number of cells dequeued.
  public var dequeued = 0
  /// The number of dequeued cells that had displayed another item before.
  public var reused = 0
  /// The number of cells prepared for an item.
  public var prepared = 0
  /// The number of preparations done in the slack time after a short commit.
  public var preparedInSlack = 0
  /// The number of preparations that a commit had to do because no cell was waiting.
  public var preparedForced = 0
  /// The number of prepared cells that were discarded or reused for another item without having been on screen.
  public var preparedNeverDisplayed = 0
  /// The number of times that a cell appeared on screen.
  public var displayed = 0
  /// The number of times that a waiting cell appeared on screen again for the same item.
  public var redisplayedFromWaiting = 0
  /// The number of times that a cell was configured again for the same item.
  public var reconfigured = 0
  /// The number of cells on screen now.
  public var visible = 0
  /// The number of cells that are bound to an item and not on screen now.
  public var waiting = 0
  /// The number of cells in reuse pools now.
  public var pooled = 0
  /// The number of cells discarded.
  public var discarded = 0
  /// The number of cells that requested new sizes without end.
  ///
  /// Such a cell keeps its largest size and is not measured again.
  public var frozenSizes = 0
  /// The number of invalid sizes that cells requested: not a number, negative or infinite.
  public var refusedSizes = 0
  /// The number of other invalid numbers that clients supplied.
  ///
  /// These are negative counts, and positions, insets and offsets that are not finite. An invalid number is replaced by
  /// the previous value, or by 0.
  public var refusedNumbers = 0

  /// Creates statistics of no cells.
  public init() {}
}
