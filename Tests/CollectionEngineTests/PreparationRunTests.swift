import CollectionEngine
import FramePacing
import ScrollPhysics
import TestSupport
import Testing

@Suite("The machines together prepare cells in slack, so that heavy ones cost no frame")
struct PreparationRunTests {
  static func lateFrames(_ run: PreparationRun) -> Int { run.hitches.count { $0 > .zero } }

  static func steady(_ run: PreparationRun, speed: Double = 1_200, frames: Int = 240) -> PreparationRun {
    var run = run
    run.rest(frames: 40)
    run.scroll.handle(.steady(velocity: speed), at: run.clock.now())
    run.run(frames: frames)
    return run
  }

  @Test("Commits of 6.7 ms, cells of 12 ms: late without working ahead, never late with it")
  func talksExample() {
    let off = Self.steady(PreparationRun(parts: [12], commit: 6.667, isPrefetching: false))
    let on = Self.steady(PreparationRun(parts: [12], commit: 6.667))
    #expect(Self.lateFrames(off) > 30 && Self.lateFrames(on) == 0)
    #expect(on.decider.statistics.overruns == 0 && on.ledger.statistics.displayed > 50)
  }

  @Test("A cell that takes nearly two frames at once costs none, and one of three frames in parts neither")
  func heavy() {
    let once = Self.steady(PreparationRun(parts: [30], commit: 1))
    #expect(Self.lateFrames(once) == 0 && once.decider.statistics.deferred > 40)
    let parts = Self.steady(PreparationRun(parts: Array(repeating: 5, count: 10), commit: 1))
    #expect(Self.lateFrames(parts) == 0 && parts.decider.statistics.overruns == 0)
    #expect(parts.ledger.statistics.preparedForced <= 8)
  }

  @Test("A cell of 40 ms at once is late, and the frame says which refusal came before")
  func tooHeavy() {
    let run = Self.steady(PreparationRun(parts: [40], commit: 1))
    #expect(Self.lateFrames(run) > 0 && run.decider.statistics.refusals > 0 && run.decider.statistics.overruns == 0)
    #expect(run.causes.allSatisfy { $0.hasPrefix("forced prepare; last slack refusal: cost 40.0 ms > ") })
  }

  @Test("Scrolling back within what is kept prepares nothing again")
  func back() {
    var run = PreparationRun(parts: [2])
    run.rest(frames: 40)
    run.scroll.handle(.jump(to: 100_300), at: run.clock.now())
    run.run(frames: 30)
    let forced = run.ledger.statistics.preparedForced
    run.scroll.handle(.jump(to: 100_000), at: run.clock.now())
    run.run(frames: 1)
    #expect(run.ledger.statistics.preparedForced == forced && run.ledger.statistics.redisplayedFromWaiting == 3)
  }

  @Test("After a turn, candidates that were never shown go to the pool")
  func turn() {
    var run = Self.steady(PreparationRun(parts: [1]), frames: 60)
    let before = run.ledger.statistics
    run.scroll.handle(.steady(velocity: -1_200), at: run.clock.now())
    run.run(frames: 20)
    #expect(run.ledger.statistics.preparedNeverDisplayed > before.preparedNeverDisplayed)
    #expect(Self.lateFrames(run) == 0)
  }

  @Test("A flick finds its landing prepared before it gets there")
  func landing() {
    var run = PreparationRun(columns: 3, parts: [1])
    run.rest(frames: 40)
    run.scroll.handle(.flick(velocity: 12_000, accumulating: false), at: run.clock.now())
    run.run(frames: 30)
    let landing = run.scroll.projectedOffset
    let rows = (Int(landing / 100) * 3)..<(Int((landing + 800) / 100) * 3)
    #expect(rows.allSatisfy { run.waiting.isReady($0) || run.displayed[$0] != nil })
    #expect(run.scroll.offset(at: run.clock.now()) < landing - 1_600)
  }

  @Test(
    "Whatever is scrolled, the counts agree after every frame, and cells are bounded by what is seen and kept",
    arguments: 0..<6)
  func laws(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    let columns = Int.random(in: 1...4, using: &generator)
    let parts = generator.chance(oneIn: 2) ? [0.4] : [0.1, 0.2, 0.1]
    var run = PreparationRun(hertz: [60, 120, 240][seed % 3], columns: columns, parts: parts)
    var script: [(frame: Int, event: ScrollEvent)] = []
    for frame in 0..<250 {
      if generator.chance(oneIn: 10) {
        let number = Double.random(in: -20_000...20_000, using: &generator)
        let events: [ScrollEvent] = [
          .flick(velocity: number, accumulating: true), .steady(velocity: number), .jump(to: 100_000 + number), .stop,
          .page(by: 1), .wheel(distance: number / 100, kind: .continuous), .scrollTo(100_000 + number, animated: true),
        ]
        if let event = events.randomElement(using: &generator) {
          run.scroll.handle(event, at: run.clock.now())
          script.append((frame, event))
        }
      }
      run.runFrame()
      #expect(run.ledger.isBalanced && run.decider.statistics.overruns == 0)
      #expect(run.ledger.statistics.visible == run.displayed.cells.count)
      #expect(run.ledger.statistics.waiting == run.waiting.count && run.ledger.statistics.pooled == run.pool.count)
      #expect(Set(run.displayed.cells).isDisjoint(with: run.waiting.cells))
      #expect(run.displayed.entries.allSatisfy { run.waiting[$0.index] == nil })
    }
    // Nine rows on screen, at most two and a half screens and a half one around them, two and a half at the landing.
    #expect(run.ledger.statistics.created <= columns * (9 + 26 + 27) && run.mostAlive <= columns * (9 + 26 + 27))
    #expect(run.ledger.statistics.reused > 0)
    // The same again, event for event: everything decided is decided again.
    var twin = PreparationRun(hertz: [60, 120, 240][seed % 3], columns: columns, parts: parts)
    for frame in 0..<250 {
      for (when, event) in script where when == frame { twin.scroll.handle(event, at: twin.clock.now()) }
      twin.runFrame()
    }
    #expect(twin.ledger.statistics == run.ledger.statistics && twin.decider.statistics == run.decider.statistics)
    #expect(twin.hitches == run.hitches && twin.list == run.list && twin.waiting.indices == run.waiting.indices)
  }

  @Test("Headroom: twice the cost of a cell at once in one column, four times that of cells in steps in six")
  func headroom() {
    func isSmooth(_ columns: Int, _ parts: [Double], isPrefetching: Bool) -> Bool {
      let run = PreparationRun(columns: columns, parts: parts, isPrefetching: isPrefetching)
      return Self.lateFrames(Self.steady(run, frames: 400)) == 0
    }
    // A frame has 16.67 ms, its own commit takes 1.
    #expect(isSmooth(1, [15.5], isPrefetching: false) && !isSmooth(1, [15.8], isPrefetching: false))
    #expect(isSmooth(1, [31], isPrefetching: true))
    #expect(isSmooth(6, [2.6], isPrefetching: false) && !isSmooth(6, [2.7], isPrefetching: false))
    // A row comes every fifth frame: 78 ms for six cells.
    #expect(isSmooth(6, Array(repeating: 1, count: 12), isPrefetching: true))
    #expect(!isSmooth(6, Array(repeating: 1, count: 16), isPrefetching: true))
  }
}
