import DiffableData
import TestSupport
import Testing

@testable import CollectionUI

@Suite("The queue of applies decides what is compared when, what waits, and who is told")
struct ApplyQueueTests {
  typealias Queue = ApplyQueue<Int, Int>

  private static func snapshot(_ items: some Sequence<Int>) -> Queue.Snapshot {
    var snapshot = Queue.Snapshot()
    snapshot.appendSections([0])
    snapshot.appendItems(Array(items))
    return snapshot
  }

  /// More items than are compared at once.
  private static let many = Queue.maximumItemsAtOnce + 100

  /// A queue whose view shows items the other way round.
  private static func queue(showingReversed range: Range<Int>) -> Queue {
    var queue = Queue()
    _ = queue.handle(apply(snapshot(range.reversed())))
    // All is new: that is seen at once.
    #expect(items(queue.handle(.next(framesRun: true)))?.count == range.count)
    _ = queue.handle(.frameShown)
    return queue
  }

  private static func apply(_ snapshot: Queue.Snapshot, ticket: Int? = nil, isReload: Bool = false) -> Queue.Event {
    .apply(Queue.Request(snapshot, isReload: isReload, ticket: ticket))
  }

  /// The items of an update, or nothing where another effect came.
  private static func items(_ effect: Queue.Effect?) -> [Int]? {
    switch effect {
    case .update(let request, _)?, .reload(let request)?: request.snapshot.itemIdentifiers
    default: nil
    }
  }

  /// Gives as much time as a comparison needs.
  private static func work(_ queue: inout Queue) {
    while queue.isComparing { _ = queue.handle(.advance(steps: 1_000)) }
  }

  @Test("A small difference is found at once, and nothing is left to do")
  func small() throws {
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

  @Test("A large one is left to slack where frames run, and found at once where none do")
  func large() {
    let large = Self.snapshot(0..<Self.many)
    var queue = Self.queue(showingReversed: 0..<Self.many)
    _ = queue.handle(Self.apply(large))
    var still = queue
    #expect(Self.items(still.handle(.next(framesRun: false)))?.count == Self.many)
    #expect(still.compared == 0)
    #expect(queue.handle(.next(framesRun: true)) == nil)
    #expect(queue.isComparing && queue.compared == 1)
    #expect(queue.handle(.next(framesRun: true)) == nil || !queue.isComparing)
    Self.work(&queue)
    #expect(queue.needsFrames)
    #expect(Self.items(queue.handle(.next(framesRun: true)))?.count == Self.many)
    #expect(!queue.needsFrames)
    #expect(queue.compared == 1)
  }

  @Test("Frames that end while a comparison goes on have it ended at once")
  func framesEnd() {
    var queue = Self.queue(showingReversed: 0..<(2 * Self.many))
    _ = queue.handle(Self.apply(Self.snapshot(0..<(2 * Self.many))))
    #expect(queue.handle(.next(framesRun: true)) == nil)
    _ = queue.handle(.advance(steps: 100))
    #expect(Self.items(queue.handle(.next(framesRun: false)))?.count == 2 * Self.many)
  }

  @Test("What waits behind a comparison is replaced by the last; the comparison is not given up")
  func latestWins() {
    var queue = Self.queue(showingReversed: 0..<Self.many)
    _ = queue.handle(Self.apply(Self.snapshot(0..<Self.many)))
    _ = queue.handle(.next(framesRun: true))
    for count in 1...9 { _ = queue.handle(Self.apply(Self.snapshot(0..<count))) }
    #expect(queue.replaced == 8)
    #expect(queue.handle(.next(framesRun: true)) == nil)
    Self.work(&queue)
    #expect(Self.items(queue.handle(.next(framesRun: true)))?.count == Self.many)
    // That nearly all of it goes again is a large difference too.
    #expect(queue.handle(.next(framesRun: true)) == nil)
    Self.work(&queue)
    guard case .update(let request, let changes)? = queue.handle(.next(framesRun: true)) else {
      Issue.record("no update")
      return
    }
    #expect(request.snapshot == Self.snapshot(0..<9))
    #expect(changes == Self.snapshot(0..<9).changeset(from: Self.snapshot(0..<Self.many)))
  }

  @Test("A snapshot that somebody waits for is shown, and told of in the order of the applies")
  func tickets() {
    var queue = Queue()
    for number in 1...4 {
      _ = queue.handle(Self.apply(Self.snapshot(0..<number), ticket: number % 2 == 0 ? number : nil))
    }
    var shown: [Int] = []
    while let items = Self.items(queue.handle(.next(framesRun: true))) { shown.append(items.count) }
    #expect(shown == [2, 4], "those that nobody waits for gave way")
    #expect(queue.handle(.complete(framesRun: true)) == nil, "no frame was made yet")
    _ = queue.handle(.frameShown)
    var told: [Int] = []
    while case .complete(let ticket, _)? = queue.handle(.complete(framesRun: true)) { told.append(ticket) }
    #expect(told == [2, 4])
    #expect(!queue.needsFrames)
  }

  @Test("Without frames they are told at once")
  func ticketsWithoutFrames() {
    var queue = Queue()
    _ = queue.handle(Self.apply(Self.snapshot(0..<3), ticket: 7))
    _ = queue.handle(.next(framesRun: false))
    guard case .complete(7, true)? = queue.handle(.complete(framesRun: false)) else {
      Issue.record("not told")
      return
    }
    #expect(!queue.needsFrames)
  }

  @Test("Marks of a snapshot that was replaced are carried out with the one that is shown")
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

  @Test("New data altogether comes before all that waits, also before a comparison, and those who wait are told first")
  func reload() {
    var queue = Self.queue(showingReversed: 0..<Self.many)
    _ = queue.handle(Self.apply(Self.snapshot(0..<Self.many), ticket: 1))
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

  @Test("Over random applies and frames each update begins with what the last one left, and the last is the last")
  func chain() {
    var random = SeededGenerator(seed: 11)
    for _ in 0..<40 {
      var queue = Queue()
      var shown = Queue.Snapshot()
      var latest = Queue.Snapshot()
      var asked: [Int] = []
      var told: [Int] = []
      func take(_ effect: Queue.Effect?) {
        switch effect {
        case .update(let request, let changes)?:
          #expect(changes == request.snapshot.changeset(from: shown))
          #expect(shown.applying(changes, insertionsFrom: request.snapshot) == request.shown)
          shown = request.shown
        case .reload(let request)?: shown = request.shown
        case .complete(let ticket, _)?: told.append(ticket)
        case nil: break
        }
      }
      for step in 0..<60 {
        let framesRun = Int.random(in: 0..<20, using: &random) > 0
        switch Int.random(in: 0..<6, using: &random) {
        case 0, 1:
          let isLarge = Int.random(in: 0..<8, using: &random) == 0
          let count = isLarge ? Self.many / 2 : Int.random(in: 0..<30, using: &random)
          let start = Int.random(in: 0..<3, using: &random) * Self.many
          latest = Self.snapshot(start..<(start + count))
          let ticket = Bool.random(using: &random) ? step : nil
          if let ticket { asked.append(ticket) }
          take(queue.handle(Self.apply(latest, ticket: ticket, isReload: Int.random(in: 0..<9, using: &random) == 0)))
        case 2: take(queue.handle(.advance(steps: 3_000)))
        case 3: take(queue.handle(.frameShown))
        case 4: take(queue.handle(.complete(framesRun: framesRun)))
        default: take(queue.handle(.next(framesRun: framesRun)))
        }
      }
      while queue.needsFrames {
        take(queue.handle(.next(framesRun: false)))
        take(queue.handle(.complete(framesRun: false)))
      }
      #expect(shown == latest)
      #expect(told == asked)
    }
  }
}
