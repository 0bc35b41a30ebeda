@testable import CollectionUI
import Testing
import VitrineDiffableData
import VitrineTestSupport

@Suite("The apply queue schedules comparisons, pending snapshots and completions")
struct ApplyQueueTests {
  typealias Queue = ApplyQueue<Int, Int>

  private static func snapshot(_ items: some Sequence<Int>) -> Queue.Snapshot {
    var snapshot = Queue.Snapshot()
    snapshot.appendSections([0])
    snapshot.appendItems(Array(items))
    return snapshot
  }

  /// A number of items whose comparison is not immediate.
  private static let largeCount = Queue.maximumImmediateItems + 100

  /// Returns a queue whose view displays the items in reverse.
  private static func queue(showingReversed range: Range<Int>) -> Queue {
    var queue = Queue()
    _ = queue.handle(apply(snapshot(range.reversed())))
    // A snapshot of only new items is displayed immediately.
    #expect(items(queue.handle(.next(framesRun: true)))?.count == range.count)
    _ = queue.handle(.frameShown)
    return queue
  }

  private static func apply(_ snapshot: Queue.Snapshot, ticket: Int? = nil, isReload: Bool = false) -> Queue.Event {
    .apply(Queue.Request(snapshot, isReload: isReload, ticket: ticket))
  }

  /// Returns the items of an update, or nil for another effect.
  private static func items(_ effect: Queue.Effect?) -> [Int]? {
    switch effect {
    case .update(let request, _)?, .reload(let request)?: request.snapshot.itemIdentifiers
    default: nil
    }
  }

  /// Advances the comparison until it is finished.
  private static func finishComparison(_ queue: inout Queue) {
    while queue.isComparing { _ = queue.handle(.advance(steps: 1_000)) }
  }

  @Test("A small difference is computed immediately")
  func smallDifference() throws {
    var queue = Queue()
    #expect(queue.handle(.next(framesRun: true)) == nil)
    #expect(queue.handle(Self.apply(Self.snapshot(0..<5))) == nil)
    #expect(queue.needsFrames)
    guard case .update(let request, let changes)? = queue.handle(.next(framesRun: true)) else {
      Issue.record("no update")
      return
    }
    #expect(request.snapshot == Self.snapshot(0..<5))
    #expect(changes == Self.snapshot(0..<5).changeset(from: Queue.Snapshot()))
    #expect(queue.handle(.next(framesRun: true)) == nil)
    #expect(!queue.needsFrames)
  }

  @Test("A large difference is computed in slack with frames, and immediately without")
  func largeDifference() {
    let large = Self.snapshot(0..<Self.largeCount)
    var queue = Self.queue(showingReversed: 0..<Self.largeCount)
    _ = queue.handle(Self.apply(large))
    var idle = queue
    #expect(Self.items(idle.handle(.next(framesRun: false)))?.count == Self.largeCount)
    #expect(idle.compared == 0)
    #expect(queue.handle(.next(framesRun: true)) == nil)
    #expect(queue.isComparing && queue.compared == 1)
    #expect(queue.handle(.next(framesRun: true)) == nil || !queue.isComparing)
    Self.finishComparison(&queue)
    #expect(queue.needsFrames)
    #expect(Self.items(queue.handle(.next(framesRun: true)))?.count == Self.largeCount)
    #expect(!queue.needsFrames)
    #expect(queue.compared == 1)
  }

  @Test("If frames stop during a comparison, it is finished immediately")
  func framesStop() {
    var queue = Self.queue(showingReversed: 0..<(2 * Self.largeCount))
    _ = queue.handle(Self.apply(Self.snapshot(0..<(2 * Self.largeCount))))
    #expect(queue.handle(.next(framesRun: true)) == nil)
    _ = queue.handle(.advance(steps: 100))
    #expect(Self.items(queue.handle(.next(framesRun: false)))?.count == 2 * Self.largeCount)
  }

  @Test("The latest pending snapshot replaces earlier ones, and a running comparison is finished")
  func latestWins() {
    var queue = Self.queue(showingReversed: 0..<Self.largeCount)
    _ = queue.handle(Self.apply(Self.snapshot(0..<Self.largeCount)))
    _ = queue.handle(.next(framesRun: true))
    for count in 1...9 { _ = queue.handle(Self.apply(Self.snapshot(0..<count))) }
    #expect(queue.replaced == 8)
    #expect(queue.handle(.next(framesRun: true)) == nil)
    Self.finishComparison(&queue)
    #expect(Self.items(queue.handle(.next(framesRun: true)))?.count == Self.largeCount)
    // The deletion of nearly all items is a large difference, too.
    #expect(queue.handle(.next(framesRun: true)) == nil)
    Self.finishComparison(&queue)
    guard case .update(let request, let changes)? = queue.handle(.next(framesRun: true)) else {
      Issue.record("no update")
      return
    }
    #expect(request.snapshot == Self.snapshot(0..<9))
    #expect(changes == Self.snapshot(0..<9).changeset(from: Self.snapshot(0..<Self.largeCount)))
  }

  @Test("A snapshot with a completion is displayed, and completions are called in the order of the applies")
  func ticketOrder() {
    var queue = Queue()
    for number in 1...4 {
      _ = queue.handle(Self.apply(Self.snapshot(0..<number), ticket: number % 2 == 0 ? number : nil))
    }
    var shown: [Int] = []
    while let items = Self.items(queue.handle(.next(framesRun: true))) { shown.append(items.count) }
    #expect(shown == [2, 4], "snapshots without a completion are replaced")
    #expect(queue.handle(.complete(framesRun: true)) == nil, "no frame was displayed yet")
    _ = queue.handle(.frameShown)
    var completed: [Int] = []
    while case .complete(let ticket, _)? = queue.handle(.complete(framesRun: true)) { completed.append(ticket) }
    #expect(completed == [2, 4])
    #expect(!queue.needsFrames)
  }

  @Test("Without frames, completions are called immediately")
  func ticketsWithoutFrames() {
    var queue = Queue()
    _ = queue.handle(Self.apply(Self.snapshot(0..<3), ticket: 7))
    _ = queue.handle(.next(framesRun: false))
    guard case .complete(7, true)? = queue.handle(.complete(framesRun: false)) else {
      Issue.record("not completed")
      return
    }
    #expect(!queue.needsFrames)
  }

  @Test("Marks of a replaced snapshot are applied with the next one")
  func marks() {
    var queue = Queue()
    _ = queue.handle(Self.apply(Self.snapshot(0..<6)))
    _ = queue.handle(.next(framesRun: true))
    var first = Self.snapshot(0..<6)
    first.reconfigureItems([1, 5])
    first.reloadItems([2])
    first.reloadSections([0])
    _ = queue.handle(Self.apply(first))
    var second = Self.snapshot([3, 2, 1, 0])
    second.reconfigureItems([3])
    _ = queue.handle(Self.apply(second))
    guard case .update(let request, let changes)? = queue.handle(.next(framesRun: true)) else {
      Issue.record("no update")
      return
    }
    #expect(request.snapshot.itemIdentifiers == [3, 2, 1, 0])
    #expect(changes.reloads == [ItemPosition(section: 0, item: 1)])
    #expect(changes.reconfigures == [ItemPosition(section: 0, item: 0), ItemPosition(section: 0, item: 2)])
    #expect(changes.sectionReloads.ranges == [0..<1])
  }

  @Test("A reload replaces pending snapshots and a running comparison, and their completions are called first")
  func reload() {
    var queue = Self.queue(showingReversed: 0..<Self.largeCount)
    _ = queue.handle(Self.apply(Self.snapshot(0..<Self.largeCount), ticket: 1))
    _ = queue.handle(.next(framesRun: true))
    _ = queue.handle(Self.apply(Self.snapshot(0..<2), ticket: 2))
    _ = queue.handle(Self.apply(Self.snapshot(7..<9), ticket: 3, isReload: true))
    #expect(!queue.isComparing && queue.replaced == 2)
    guard case .reload(let request)? = queue.handle(.next(framesRun: true)) else {
      Issue.record("no reload")
      return
    }
    #expect(request.snapshot.itemIdentifiers == [7, 8])
    #expect(request.tickets == [1, 2, 3])
    #expect(queue.handle(.next(framesRun: true)) == nil)
  }

  @Test("Over random applies and frames, each update starts from the last one, and the latest snapshot is displayed")
  func randomApplies() {
    var random = SeededGenerator(seed: 11)
    for _ in 0..<40 {
      var queue = Queue()
      var shown = Queue.Snapshot()
      var latest = Queue.Snapshot()
      var requested: [Int] = []
      var completed: [Int] = []
      func process(_ effect: Queue.Effect?) {
        switch effect {
        case .update(let request, let changes)?:
          #expect(changes == request.snapshot.changeset(from: shown))
          #expect(shown.applying(changes, insertionsFrom: request.snapshot) == request.shown)
          shown = request.shown
        case .reload(let request)?: shown = request.shown
        case .complete(let ticket, _)?: completed.append(ticket)
        case nil: break
        }
      }
      for step in 0..<60 {
        let framesRun = Int.random(in: 0..<20, using: &random) > 0
        switch Int.random(in: 0..<6, using: &random) {
        case 0, 1:
          let isLarge = Int.random(in: 0..<8, using: &random) == 0
          let count = isLarge ? Self.largeCount / 2 : Int.random(in: 0..<30, using: &random)
          let start = Int.random(in: 0..<3, using: &random) * Self.largeCount
          latest = Self.snapshot(start..<(start + count))
          let ticket = Bool.random(using: &random) ? step : nil
          if let ticket { requested.append(ticket) }
          process(
            queue.handle(Self.apply(latest, ticket: ticket, isReload: Int.random(in: 0..<9, using: &random) == 0)))
        case 2: process(queue.handle(.advance(steps: 3_000)))
        case 3: process(queue.handle(.frameShown))
        case 4: process(queue.handle(.complete(framesRun: framesRun)))
        default: process(queue.handle(.next(framesRun: framesRun)))
        }
      }
      while queue.needsFrames {
        process(queue.handle(.next(framesRun: false)))
        process(queue.handle(.complete(framesRun: false)))
      }
      #expect(shown == latest)
      #expect(completed == requested)
    }
  }
}
