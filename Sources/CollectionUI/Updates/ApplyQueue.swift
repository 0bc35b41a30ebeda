import VitrineDataStructures
import VitrineDiffableData

/// A state machine that decides which applied snapshot is compared and displayed next, and when completion handlers are
/// called.
///
/// One comparison with the displayed snapshot runs at a time, immediately or in steps. A later snapshot does not cancel
/// it, because a stream of snapshots would then display nothing. Snapshots waiting behind it are replaced by the last
/// one, unless they have a completion handler.
nonisolated struct ApplyQueue<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Sendable {
  typealias Snapshot = DiffableDataSourceSnapshot<SectionID, ItemID>
  typealias Request = ApplyRequest<SectionID, ItemID>
  private typealias Difference = SnapshotDifference<SectionID, ItemID>

  /// An event of the queue.
  enum Event: Sendable {
    /// A snapshot was applied.
    case apply(Request)
    /// The view can be updated; requests the next effect.
    ///
    /// While frames run, a long comparison is left to their slack time.
    case next(framesRun: Bool)
    /// There is time to compare the given number of items.
    case advance(steps: Int)
    /// A frame that contains the displayed snapshot is being produced.
    case frameShown
    /// The animations of an update ended.
    case animationsEnded
    /// Completion handlers can be called: those whose update finished or was interrupted, or all if no frames run.
    case complete(framesRun: Bool)
  }

  /// An effect to be performed.
  enum Effect: Sendable {
    /// Display a snapshot by its differences from the last one.
    case update(Request, Changeset)
    /// Display a snapshot with new cells.
    case reload(Request)
    /// Call a completion handler.
    case complete(ticket: Int, isFinished: Bool)
  }

  /// The maximum number of items compared immediately, which takes one or two milliseconds.
  static var maximumImmediateItems: Int { 20_000 }

  /// The displayed snapshot.
  private var shown = Snapshot() {
    // A comparison with the former snapshot is invalid.
    didSet { comparison = nil }
  }
  private var waiting = Deque<Request>()
  /// The comparison for the first waiting snapshot.
  private var comparison: Comparison?
  /// The completion handlers of performed updates.
  private var completions = CompletionQueue()
  /// The number of snapshots that were replaced by later ones before they were displayed.
  private(set) var replaced = 0
  /// The number of snapshots that were compared in steps.
  private(set) var compared = 0

  private enum Comparison: Sendable {
    case running(Difference)
    case done(Changeset)
  }

  /// Whether a comparison is running in steps.
  var isComparing: Bool {
    if case .running? = comparison { return true }
    return false
  }

  /// The next update, if it was compared in steps and is complete.
  var ready: (request: Request, changes: Changeset)? {
    guard case .done(let changes)? = comparison, let request = waiting.first, !request.isReload else { return nil }
    return (request, changes)
  }

  /// Whether a snapshot is waiting to be displayed.
  var isWaiting: Bool { !waiting.isEmpty }

  /// Whether there is work to do in a frame.
  var needsFrames: Bool { !waiting.isEmpty || !completions.isEmpty }

  /// Handles an event.
  ///
  /// - Returns: The effect to perform, which the queue regards as performed.
  /// - Complexity: O(1), in addition to the comparison, which is of at most ``maximumImmediateItems`` items while
  ///   frames run.
  mutating func handle(_ event: Event) -> Effect? {
    switch event {
    case .apply(let request): enqueue(request)
    case .next(let framesRun): return next(framesRun)
    case .advance(let steps):
      guard case .running(var difference)? = comparison else { return nil }
      // Moved out of the storage, or each step would copy it.
      comparison = nil
      comparison = difference.advance(steps: steps).map(Comparison.done) ?? .running(difference)
    case .frameShown: completions.markShown()
    case .animationsEnded: completions.markAnimationsEnded()
    case .complete(let framesRun):
      return completions.next(framesRun: framesRun).map {
        Effect.complete(ticket: $0.ticket, isFinished: $0.isFinished)
      }
    }
    return nil
  }

  private mutating func enqueue(_ new: Request) {
    var request = new
    if request.isReload {
      // They would not be visible in any frame: only their completion handlers are called, in order.
      var earlier: [Int] = []
      while let removed = waiting.popFirst() {
        earlier += removed.tickets
        if !removed.isProvisional { replaced += 1 }
      }
      comparison = nil
      request.tickets = earlier + request.tickets
    } else if waiting.count > (comparison == nil ? 0 : 1), let last = waiting.last, last.isReplaceable {
      _ = waiting.popLast()
      // A provisional order is not counted, and a snapshot that it contains is displayed after all.
      if !last.isProvisional, !request.isProvisional { replaced += 1 }
      request.supersede(last)
    }
    waiting.append(request)
  }

  private mutating func next(_ framesRun: Bool) -> Effect? {
    guard let request = waiting.first else { return nil }
    if request.isReload {
      completions.interruptAnimations()
      finishRequest(request, isMoving: false)
      return .reload(request)
    }
    var difference: Difference
    switch comparison {
    case .done(let changes)?:
      return makeUpdate(request, changes, framesRun)
    case .running? where framesRun:
      return nil
    case .running(let running)?: difference = running
    case nil: difference = Difference(from: shown, to: request.snapshot)
    }
    comparison = nil
    if framesRun {
      guard let changes = difference.advance(steps: Self.maximumImmediateItems) else {
        compared += 1
        comparison = .running(difference)
        return nil
      }
      return makeUpdate(request, changes, framesRun)
    }
    while true {
      guard let changes = difference.advance(steps: .max) else { continue }
      return makeUpdate(request, changes, framesRun)
    }
  }

  private mutating func makeUpdate(_ request: Request, _ changes: Changeset, _ framesRun: Bool) -> Effect {
    let isMoving = framesRun && request.isAnimated && !changes.isEmpty
    // An unanimated append interrupts no animation. A provisional order only extends animations, so that their
    // completion handlers are called later.
    let interrupts = isMoving || (changes.hasStructuralChanges && !changes.isAppendOnly)
    if interrupts, !request.isProvisional { completions.interruptAnimations() }
    finishRequest(request, isMoving: isMoving)
    return .update(request, changes)
  }

  private mutating func finishRequest(_ request: Request, isMoving: Bool) {
    _ = waiting.popFirst()
    shown = request.shown
    completions.add(request.tickets, isMoving: isMoving)
  }
}

// MARK: - Requests

/// A snapshot that was applied and is not displayed yet.
nonisolated struct ApplyRequest<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Sendable {
  typealias Snapshot = DiffableDataSourceSnapshot<SectionID, ItemID>

  /// The snapshot, with its marks.
  private(set) var snapshot: Snapshot
  /// Whether every cell is reloaded, without a comparison.
  let isReload: Bool
  /// Whether the changes are animated.
  private(set) var isAnimated: Bool
  /// Whether it is a provisional order, displayed during or after a drag, which was never applied.
  ///
  /// It preserves the offset instead of the first visible item, and does not count as interrupting animations.
  private(set) var isProvisional: Bool
  /// The tickets of its completion handlers, in the order in which they were applied.
  var tickets: [Int] = []

  init(
    _ snapshot: Snapshot, isReload: Bool = false, isAnimated: Bool = false, isProvisional: Bool = false,
    ticket: Int? = nil
  ) {
    self.snapshot = snapshot
    self.isReload = isReload
    self.isAnimated = isAnimated && !isReload
    self.isProvisional = isProvisional
    tickets = ticket.map { [$0] } ?? []
  }

  /// The snapshot without its marks, which is the displayed one after the update.
  var shown: Snapshot {
    var shown = snapshot
    shown.removeMarks()
    return shown
  }

  /// Whether a later snapshot may replace it.
  var isReplaceable: Bool { tickets.isEmpty && !isReload }

  /// Sets another order of the items, possibly without some of them.
  ///
  /// The marks of remaining items are preserved.
  mutating func setOrder(_ order: Snapshot) {
    let original = self
    snapshot = order
    mergeMarks(of: original)
  }

  /// Replaces an earlier request that will not be displayed.
  ///
  /// The marks of its items and sections that still exist are preserved. A provisional order that replaces an applied
  /// snapshot, which it contains, is displayed as that snapshot was requested to be.
  mutating func supersede(_ earlier: ApplyRequest) {
    mergeMarks(of: earlier)
    guard isProvisional, !earlier.isProvisional else { return }
    isProvisional = false
    isAnimated = earlier.isAnimated
  }

  /// Adds the marks of an earlier request to the items and sections that still exist.
  private mutating func mergeMarks(of earlier: ApplyRequest) {
    let other = earlier.snapshot
    let sections = other.reloadedSectionIdentifiers.filter { snapshot.indexOfSection($0) != nil }
    if !sections.isEmpty { snapshot.reloadSections(sections) }
    let reloads = other.reloadedItemIdentifiers.filter(snapshot.contains)
    if !reloads.isEmpty { snapshot.reloadItems(reloads) }
    let reconfigures = other.reconfiguredItemIdentifiers.filter(snapshot.contains)
    if !reconfigures.isEmpty { snapshot.reconfigureItems(reconfigures) }
  }
}

// MARK: - Completion handlers

/// A queue of completion handlers, called in the order of their updates.
///
/// A handler is called after its update was visible and its animations finished or were interrupted.
nonisolated struct CompletionQueue: Sendable {
  private struct Entry: Sendable {
    var ticket: Int
    var isSeen = false
    var isMoving: Bool
    var isFinished = true
  }

  private var entries: [Entry] = []

  /// Whether no handlers are waiting.
  var isEmpty: Bool { entries.isEmpty }

  /// Adds the handlers of an update that was performed.
  ///
  /// - Parameter isMoving: Whether the update is animated in the coming frames.
  mutating func add(_ tickets: [Int], isMoving: Bool) {
    for ticket in tickets { entries.append(Entry(ticket: ticket, isMoving: isMoving)) }
  }

  /// Marks running animations as interrupted by another update.
  ///
  /// Their handlers are called in the next collect phase, before a frame displays the other update.
  mutating func interruptAnimations() {
    for position in entries.indices where entries[position].isMoving {
      entries[position].isMoving = false
      entries[position].isFinished = false
      entries[position].isSeen = true
    }
  }

  /// Marks all updates as visible, because a frame that contains them is being produced.
  mutating func markShown() { for position in entries.indices { entries[position].isSeen = true } }

  /// Marks the animations of visible updates as ended.
  mutating func markAnimationsEnded() {
    for position in entries.indices where entries[position].isSeen { entries[position].isMoving = false }
  }

  /// Removes and returns the next handler to call.
  ///
  /// If no frames run, it is the first one, whose animations count as interrupted.
  mutating func next(framesRun: Bool) -> (ticket: Int, isFinished: Bool)? {
    guard let first = entries.first, !framesRun || (first.isSeen && !first.isMoving) else { return nil }
    entries.removeFirst()
    return (first.ticket, first.isFinished && !first.isMoving)
  }
}
