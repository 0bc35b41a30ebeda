import CollectionEngine
import TestSupport
import Testing

@Suite("Every cell is displayed, waiting, pooled or gone, and the counts agree after every event")
struct CellLedgerTests {
  @Test("A cell is made, prepared ahead, shown, kept, shown again and pooled")
  func life() {
    var ledger = CellLifecycle()
    let cell = ledger.create()
    #expect(ledger.state(of: cell) == .waiting && ledger.statistics.waiting == 1)
    ledger.handle(.prepare(isForced: false), of: cell)
    #expect(ledger.waitingNeverDisplayed == 1)
    for _ in 0..<2 {
      ledger.handle(.willDisplay, of: cell)
      #expect(ledger.state(of: cell) == .displayed && ledger.wasDisplayed(cell))
      ledger.handle(.reconfigure, of: cell)
      ledger.handle(.didEndDisplaying, of: cell)
    }
    ledger.handle(.reconfigure, of: cell)
    ledger.handle(.pool, of: cell)
    let counts = ledger.statistics
    #expect(counts.created == 1 && counts.dequeued == 1 && counts.reused == 0)
    #expect(counts.prepared == 1 && counts.preparedInSlack == 1 && counts.preparedForced == 0)
    #expect(counts.displayed == 2 && counts.redisplayedFromWaiting == 1 && counts.preparedNeverDisplayed == 0)
    #expect(counts.reconfigured == 3 && counts.pooled == 1 && counts.waiting == 0 && counts.visible == 0)
    #expect(ledger.isBalanced)
  }

  @Test("A cell that was prepared and pooled unseen is counted; one whose preparation was given up is not")
  func unseen() {
    var ledger = CellLifecycle()
    let ready = ledger.create()
    ledger.handle(.prepare(isForced: false), of: ready)
    ledger.handle(.pool, of: ready)
    let unfinished = ledger.create()
    ledger.handle(.pool, of: unfinished)
    #expect(ledger.statistics.preparedNeverDisplayed == 1 && ledger.statistics.prepared == 1)
    ledger.handle(.reuse, of: ready)
    #expect(!ledger.wasDisplayed(ready) && ledger.statistics.reused == 1)
    ledger.handle(.prepare(isForced: true), of: ready)
    ledger.handle(.willDisplay, of: ready)
    #expect(ledger.statistics.redisplayedFromWaiting == 0 && ledger.statistics.preparedForced == 1)
    #expect(ledger.isBalanced)
  }

  @Test("The number of a cell that is gone is given to the next one, which begins anew")
  func numbers() {
    var ledger = CellLifecycle()
    let first = ledger.create()
    let second = ledger.create()
    ledger.handle(.prepare(isForced: false), of: first)
    ledger.handle(.discard, of: first)
    #expect(ledger.state(of: first) == .discarded && ledger.create() == first && second != first)
    #expect(ledger.state(of: first) == .waiting)
    #expect(ledger.statistics.created == 3 && ledger.statistics.discarded == 1 && ledger.isBalanced)
    ledger.recordFrozenSize()
    ledger.recordRefusedSize()
    #expect(ledger.statistics.frozenSizes == 1 && ledger.statistics.refusedSizes == 1)
  }

  @Test("A cell made ahead of need is pooled, and its first item is no reuse")
  func spares() {
    var ledger = CellLifecycle()
    let spare = ledger.createSpare()
    #expect(ledger.state(of: spare) == .pooled && ledger.isSpare(spare) && ledger.isBalanced)
    #expect(ledger.statistics.created == 1 && ledger.statistics.dequeued == 0 && ledger.neverDequeued == 1)
    ledger.handle(.reuse, of: spare)
    #expect(!ledger.isSpare(spare) && ledger.statistics.dequeued == 1 && ledger.statistics.reused == 0)
    ledger.handle(.pool, of: spare)
    ledger.handle(.reuse, of: spare)
    #expect(ledger.statistics.reused == 1 && ledger.neverDequeued == 0 && ledger.isBalanced)
    let unused = ledger.createSpare()
    ledger.handle(.discard, of: unused)
    #expect(ledger.neverDequeued == 1 && ledger.isBalanced)
    #expect(ledger.create() == unused && !ledger.isSpare(unused) && ledger.isBalanced)
  }

  @Test("Whatever happens, each cell is in one place, displays alternate, and the counts agree", arguments: 0..<8)
  func laws(seed: Int) {
    struct Model { var place = CellLifecycle.State.waiting, isPrepared = false, begun = 0, ended = 0 }
    var generator = SeededGenerator(seed: UInt64(seed))
    var ledger = CellLifecycle()
    var model: [Int: Model] = [:]
    for _ in 0..<2_000 {
      let numbers = model.keys.sorted()
      guard let cell = numbers.randomElement(using: &generator), !generator.chance(oneIn: 12), let known = model[cell]
      else {
        let made = ledger.create()
        #expect(model[made] == nil)
        model[made] = Model()
        continue
      }
      var next = known
      let event: CellEvent
      switch (known.place, Int.random(in: 0..<8, using: &generator)) {
      case (.displayed, 0): event = .reconfigure
      case (.waiting, 0) where known.isPrepared: event = .reconfigure
      case (.displayed, _):
        event = .didEndDisplaying
        next.place = .waiting
        next.ended += 1
      case (.pooled, 0), (.waiting, 1): event = .discard
      case (.pooled, _):
        event = .reuse
        next.place = .waiting
        next.isPrepared = false
      case (.waiting, 2), (.waiting, 3):
        event = .pool
        next.place = .pooled
      case (.waiting, _) where known.isPrepared:
        event = .willDisplay
        next.place = .displayed
        next.begun += 1
      default:
        event = .prepare(isForced: generator.chance(oneIn: 3))
        next.isPrepared = true
      }
      ledger.handle(event, of: cell)
      model[cell] = event == .discard ? nil : next
      #expect(next.begun - next.ended == (next.place == .displayed ? 1 : 0))
      #expect(ledger.state(of: cell) == (event == .discard ? .discarded : next.place))
      #expect(ledger.isBalanced)
      let places = model.values.map(\.place)
      #expect(ledger.statistics.visible == places.count { $0 == .displayed })
      #expect(ledger.statistics.waiting == places.count { $0 == .waiting })
      #expect(ledger.statistics.pooled == places.count { $0 == .pooled })
    }
    #expect(ledger.statistics.redisplayedFromWaiting > 0 && ledger.statistics.preparedNeverDisplayed > 0)
  }

  @Test("What may not happen to a cell is refused with where it is")
  func misuse() async throws {
    let unprepared = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var ledger = CellLifecycle()
      ledger.handle(.willDisplay, of: ledger.create())
    }
    #expect(
      String(decoding: try #require(unprepared).standardErrorContent, as: UTF8.self)
        .contains("Cell 0 is waiting, not prepared: willDisplay may not happen."))
    let twice = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var ledger = CellLifecycle()
      let cell = ledger.create()
      ledger.handle(.prepare(isForced: true), of: cell)
      ledger.handle(.willDisplay, of: cell)
      ledger.handle(.willDisplay, of: cell)
    }
    #expect(
      String(decoding: try #require(twice).standardErrorContent, as: UTF8.self)
        .contains("Cell 0 is displayed: willDisplay may not happen."))
    let pooled = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var ledger = CellLifecycle()
      let cell = ledger.create()
      ledger.handle(.pool, of: cell)
      ledger.handle(.didEndDisplaying, of: cell)
    }
    #expect(
      String(decoding: try #require(pooled).standardErrorContent, as: UTF8.self)
        .contains("Cell 0 is pooled, not prepared: didEndDisplaying may not happen."))
    let unknown = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var ledger = CellLifecycle()
      ledger.handle(.pool, of: 4)
    }
    #expect(
      String(decoding: try #require(unknown).standardErrorContent, as: UTF8.self).contains("There is no cell 4."))
  }
}
