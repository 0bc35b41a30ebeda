import DataStructures
import DiffableData

/// Decides what becomes of snapshots that are applied: which is compared, at once or in steps, which waits, and when
/// completion handlers are called.
///
/// One comparison goes on at a time, against what is shown. It is never given up for a later snapshot, or a stream of
/// them would show nothing; those that wait behind it are replaced by the last one, unless a completion handler waits for
/// them.
nonisolated struct ApplyQueue<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Sendable {
  typealias Snapshot = DiffableDataSourceSnapshot<SectionID, ItemID>
  typealias Request = ApplyRequest<SectionID, ItemID>
  private typealias Difference = SnapshotDifference<SectionID, ItemID>

  /// What happens to the queue.
  enum Event: Sendable {
    /// A snapshot is applied.
    case apply(Request)
    /// The view can be changed: what is to be done next?
    ///
    /// Where frames run, a long comparison is left to their slack.
    case next(framesRun: Bool)
    /// There is time to look at so many items.
    case advance(steps: Int)
    /// A frame is being made of what is shown.
    case frameShown
    /// What an update set in motion has come to its place.
    case animationsEnded
    /// Completion handlers can be called: those whose update was seen to its end or cut short, or all where no frames
    /// run.
    case complete(framesRun: Bool)
  }

  /// What is to be done.
  enum Effect: Sendable {
    /// Show a snapshot by its differences to the last one.
    case update(Request, Changeset)
    /// Show a snapshot with other cells.
    case reload(Request)
    /// Call a completion handler.
    case complete(ticket: Int, isFinished: Bool)
  }

  /// Items of a comparison that is made at once; a millisecond or two.
  static var maximumItemsAtOnce: Int { 20_000 }

  /// What the view shows.
  private var shown = Snapshot() {
    // Compared with another one, it is worth nothing.
    didSet { comparison = nil }
  }
  private var waiting = Deque<Request>()
  /// The comparison for the first that waits.
  private var comparison: Comparison?
  /// Completion handlers whose update was carried out.
  private var completions = CompletionQueue()
  /// Snapshots that were never shown, as later ones took their place.
  private(set) var replaced = 0
  /// Snapshots that were compared in steps.
  private(set) var compared = 0

  private enum Comparison: Sendable {
    case running(Difference)
    case done(Changeset)
  }

  /// Whether a comparison goes on in steps.
  var isComparing: Bool {
    if case .running? = comparison { return true }
    return false
  }

  /// What is shown next, where it was compared in steps and waits for nothing more.
  var ready: (request: Request, changes: Changeset)? {
    guard case .done(let changes)? = comparison, let request = waiting.first, !request.isReload else { return nil }
    return (request, changes)
  }

  /// Whether a snapshot waits to be shown.
  var isWaiting: Bool { !waiting.isEmpty }

  /// Whether something remains to be done in a frame.
  var needsFrames: Bool { !waiting.isEmpty || !completions.isEmpty }

  /// Takes an event in.
  ///
  /// - Returns: what is to be done; it is done as far as the queue is concerned.
  /// - Complexity: O(1), but for what a comparison takes, at most ``mostAtOnce`` items of it where frames run.
  mutating func handle(_ event: Event) -> Effect? {
    switch event {
    case .apply(let request): enqueue(request)
    case .next(let framesRun): return next(framesRun)
    case .advance(let steps):
      guard case .running(var difference)? = comparison else { return nil }
      // Not held twice while it goes on, or each step would copy it.
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
      // All of it would be seen in no frame: only those who wait for it are told, in their order.
      var earlier: [Int] = []
      while let dropped = waiting.popFirst() {
        earlier += dropped.tickets
        if !dropped.isProvisional { replaced += 1 }
      }
      comparison = nil
      request.tickets = earlier + request.tickets
    } else if waiting.count > (comparison == nil ? 0 : 1), let last = waiting.last, last.isReplaceable {
      _ = waiting.popLast()
      // What was never applied is not counted, and in its order a snapshot that was is shown after all.
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
    case .running(let begun)?: difference = begun
    case nil: difference = Difference(from: shown, to: request.snapshot)
    }
    comparison = nil
    if framesRun {
      guard let changes = difference.advance(steps: Self.maximumItemsAtOnce) else {
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
    // What is put behind all others at once disturbs no motion, and where others make way for what is carried they go on
    // to their places: who waits until they are there waits for that, too.
    let disturbs = isMoving || (changes.hasStructuralChanges && !changes.isAppendOnly)
    if disturbs, !request.isProvisional { completions.interruptAnimations() }
    finishRequest(request, isMoving: isMoving)
    return .update(request, changes)
  }

  private mutating func finishRequest(_ request: Request, isMoving: Bool) {
    _ = waiting.popFirst()
    shown = request.shown
    completions.add(request.tickets, isMoving: isMoving)
  }
}
