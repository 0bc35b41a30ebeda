import Testing
import VitrineCollectionEngine
import VitrineTestSupport

@Suite("Every cell is displayed, waiting, pooled or discarded, and the counts stay consistent")
struct CellLifecycleTests {
  @Test("A cell is created, prepared, displayed, reconfigured, displayed again and pooled")
  func fullLifecycle() {
    var lifecycle = CellLifecycle()
    let cell = lifecycle.create()
    #expect(lifecycle.state(of: cell) == .waiting && lifecycle.statistics.waiting == 1)
    lifecycle.handle(.prepare(isForced: false), of: cell)
    #expect(lifecycle.waitingNeverDisplayed == 1)
    for _ in 0..<2 {
      lifecycle.handle(.willDisplay, of: cell)
      #expect(lifecycle.state(of: cell) == .displayed && lifecycle.wasDisplayed(cell))
      lifecycle.handle(.reconfigure, of: cell)
      lifecycle.handle(.didEndDisplaying, of: cell)
    }
    lifecycle.handle(.reconfigure, of: cell)
    lifecycle.handle(.pool, of: cell)
    let counts = lifecycle.statistics
    #expect(counts.created == 1 && counts.dequeued == 1 && counts.reused == 0)
    #expect(counts.prepared == 1 && counts.preparedInSlack == 1 && counts.preparedForced == 0)
    #expect(counts.displayed == 2 && counts.redisplayedFromWaiting == 1 && counts.preparedNeverDisplayed == 0)
    #expect(counts.reconfigured == 3 && counts.pooled == 1 && counts.waiting == 0 && counts.visible == 0)
    #expect(lifecycle.isBalanced)
  }

  @Test("A cell pooled after its preparation without a display is counted; an unfinished preparation is not")
  func neverDisplayed() {
    var lifecycle = CellLifecycle()
    let ready = lifecycle.create()
    lifecycle.handle(.prepare(isForced: false), of: ready)
    lifecycle.handle(.pool, of: ready)
    let unfinished = lifecycle.create()
    lifecycle.handle(.pool, of: unfinished)
    #expect(lifecycle.statistics.preparedNeverDisplayed == 1 && lifecycle.statistics.prepared == 1)
    lifecycle.handle(.reuse, of: ready)
    #expect(!lifecycle.wasDisplayed(ready) && lifecycle.statistics.reused == 1)
    lifecycle.handle(.prepare(isForced: true), of: ready)
    lifecycle.handle(.willDisplay, of: ready)
    #expect(lifecycle.statistics.redisplayedFromWaiting == 0 && lifecycle.statistics.preparedForced == 1)
    #expect(lifecycle.isBalanced)
  }

  @Test("The number of a discarded cell is reused by the next cell, which starts from scratch")
  func reusedNumbers() {
    var lifecycle = CellLifecycle()
    let first = lifecycle.create()
    let second = lifecycle.create()
    lifecycle.handle(.prepare(isForced: false), of: first)
    lifecycle.handle(.discard, of: first)
    #expect(lifecycle.state(of: first) == .discarded && lifecycle.create() == first && second != first)
    #expect(lifecycle.state(of: first) == .waiting)
    #expect(lifecycle.statistics.created == 3 && lifecycle.statistics.discarded == 1 && lifecycle.isBalanced)
    lifecycle.recordFrozenSize()
    lifecycle.recordRefusedSize()
    #expect(lifecycle.statistics.frozenSizes == 1 && lifecycle.statistics.refusedSizes == 1)
  }

  @Test("A spare cell is pooled, and its first item does not count as reuse")
  func spares() {
    var lifecycle = CellLifecycle()
    let spare = lifecycle.createSpare()
    #expect(lifecycle.state(of: spare) == .pooled && lifecycle.isSpare(spare) && lifecycle.isBalanced)
    #expect(lifecycle.statistics.created == 1 && lifecycle.statistics.dequeued == 0 && lifecycle.neverDequeued == 1)
    lifecycle.handle(.reuse, of: spare)
    #expect(!lifecycle.isSpare(spare) && lifecycle.statistics.dequeued == 1 && lifecycle.statistics.reused == 0)
    lifecycle.handle(.pool, of: spare)
    lifecycle.handle(.reuse, of: spare)
    #expect(lifecycle.statistics.reused == 1 && lifecycle.neverDequeued == 0 && lifecycle.isBalanced)
    let unused = lifecycle.createSpare()
    lifecycle.handle(.discard, of: unused)
    #expect(lifecycle.neverDequeued == 1 && lifecycle.isBalanced)
    #expect(lifecycle.create() == unused && !lifecycle.isSpare(unused) && lifecycle.isBalanced)
  }

  @Test("Each cell has one state, displays alternate, and the counts stay consistent", arguments: 0..<8)
  func invariants(seed: Int) {
    struct Model { var state = CellLifecycle.State.waiting, isPrepared = false, displays = 0, endedDisplays = 0 }
    var generator = SeededGenerator(seed: UInt64(seed))
    var lifecycle = CellLifecycle()
    var model: [Int: Model] = [:]
    for _ in 0..<2_000 {
      let numbers = model.keys.sorted()
      guard let cell = numbers.randomElement(using: &generator), !generator.chance(oneIn: 12), let known = model[cell]
      else {
        let newCell = lifecycle.create()
        #expect(model[newCell] == nil)
        model[newCell] = Model()
        continue
      }
      var next = known
      let event: CellEvent
      switch (known.state, Int.random(in: 0..<8, using: &generator)) {
      case (.displayed, 0): event = .reconfigure
      case (.waiting, 0) where known.isPrepared: event = .reconfigure
      case (.displayed, _):
        event = .didEndDisplaying
        next.state = .waiting
        next.endedDisplays += 1
      case (.pooled, 0), (.waiting, 1): event = .discard
      case (.pooled, _):
        event = .reuse
        next.state = .waiting
        next.isPrepared = false
      case (.waiting, 2), (.waiting, 3):
        event = .pool
        next.state = .pooled
      case (.waiting, _) where known.isPrepared:
        event = .willDisplay
        next.state = .displayed
        next.displays += 1
      default:
        event = .prepare(isForced: generator.chance(oneIn: 3))
        next.isPrepared = true
      }
      lifecycle.handle(event, of: cell)
      model[cell] = event == .discard ? nil : next
      #expect(next.displays - next.endedDisplays == (next.state == .displayed ? 1 : 0))
      #expect(lifecycle.state(of: cell) == (event == .discard ? .discarded : next.state))
      #expect(lifecycle.isBalanced)
      let states = model.values.map(\.state)
      #expect(lifecycle.statistics.visible == states.count { $0 == .displayed })
      #expect(lifecycle.statistics.waiting == states.count { $0 == .waiting })
      #expect(lifecycle.statistics.pooled == states.count { $0 == .pooled })
    }
    #expect(lifecycle.statistics.redisplayedFromWaiting > 0 && lifecycle.statistics.preparedNeverDisplayed > 0)
  }

  @Test("An invalid event is a precondition failure that names the state of the cell")
  func misuse() async throws {
    let unprepared = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var lifecycle = CellLifecycle()
      lifecycle.handle(.willDisplay, of: lifecycle.create())
    }
    #expect(
      String(decoding: try #require(unprepared).standardErrorContent, as: UTF8.self)
        .contains("Cell 0 is waiting, not prepared: the event willDisplay is invalid."))
    let twice = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var lifecycle = CellLifecycle()
      let cell = lifecycle.create()
      lifecycle.handle(.prepare(isForced: true), of: cell)
      lifecycle.handle(.willDisplay, of: cell)
      lifecycle.handle(.willDisplay, of: cell)
    }
    #expect(
      String(decoding: try #require(twice).standardErrorContent, as: UTF8.self)
        .contains("Cell 0 is displayed: the event willDisplay is invalid."))
    let pooled = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var lifecycle = CellLifecycle()
      let cell = lifecycle.create()
      lifecycle.handle(.pool, of: cell)
      lifecycle.handle(.didEndDisplaying, of: cell)
    }
    #expect(
      String(decoding: try #require(pooled).standardErrorContent, as: UTF8.self)
        .contains("Cell 0 is pooled, not prepared: the event didEndDisplaying is invalid."))
    let unknown = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var lifecycle = CellLifecycle()
      lifecycle.handle(.pool, of: 4)
    }
    #expect(
      String(decoding: try #require(unknown).standardErrorContent, as: UTF8.self).contains("There is no cell 4."))
  }
}

// MARK: - Reuse pool

@Suite("The reuse pool returns the cell that was enqueued last")
struct ReusePoolTests {
  @Test("Registrations never share cells, and each stack is last in, first out")
  func stacks() {
    var pool = ReusePool<String>()
    pool.enqueue("a", of: 1, keepingAtMost: 4)
    pool.enqueue("b", of: 2, keepingAtMost: 4)
    pool.enqueue("c", of: 1, keepingAtMost: 4)
    #expect(pool.count == 3)
    #expect(pool.dequeueCell(of: 1) == "c")
    #expect(pool.dequeueCell(of: 1) == "a")
    #expect(pool.dequeueCell(of: 1) == nil)
    #expect(pool.dequeueCell(of: 2) == "b")
    #expect(pool.count == 0)
  }

  @Test("A full stack rejects further cells")
  func limit() {
    var pool = ReusePool<Int>()
    let isFirstStored = pool.enqueue(1, of: 0, keepingAtMost: 1)
    let isSecondStored = pool.enqueue(2, of: 0, keepingAtMost: 1)
    #expect(isFirstStored)
    #expect(!isSecondStored)
    #expect(pool.dequeueCell(of: 0) == 1)
  }

  @Test("A negative limit is a precondition failure with a message")
  func negativeLimit() async throws {
    let result = try #require(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        var pool = ReusePool<Int>()
        pool.enqueue(1, of: 0, keepingAtMost: -1)
      })
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(text.contains("The limit of a reuse pool must not be negative; it is -1."))
  }
}
