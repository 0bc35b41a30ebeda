import Testing
import VitrineCollectionEngine
import VitrineFramePacing
import VitrineScrollPhysics
import VitrineTestSupport

@Suite("Cells are prepared in slack, so that expensive cells delay no frame")
struct PreparationSimulationTests {
  private static func lateFrames(_ simulation: PreparationSimulation) -> Int { simulation.hitches.count { $0 > .zero } }

  private static func steady(_ simulation: PreparationSimulation, speed: Double = 1_200, frames: Int = 240)
    -> PreparationSimulation
  {
    var simulation = simulation
    simulation.rest(frames: 40)
    simulation.scroll.handle(.steady(velocity: speed), at: simulation.clock.now())
    simulation.run(frames: frames)
    return simulation
  }

  @Test("With commits of 6.7 ms and cells of 12 ms, frames are late without prefetching and never with it")
  func talkExample() {
    let off = Self.steady(PreparationSimulation(parts: [12], commit: 6.667, isPrefetching: false))
    let on = Self.steady(PreparationSimulation(parts: [12], commit: 6.667))
    #expect(Self.lateFrames(off) > 30 && Self.lateFrames(on) == 0)
    #expect(on.scheduler.statistics.overruns == 0 && on.lifecycle.statistics.displayed > 50)
  }

  @Test("A cell of almost two frames delays no frame, and neither does one of three frames in parts")
  func expensiveCells() {
    let once = Self.steady(PreparationSimulation(parts: [30], commit: 1))
    #expect(Self.lateFrames(once) == 0 && once.scheduler.statistics.deferred > 40)
    let parts = Self.steady(PreparationSimulation(parts: Array(repeating: 5, count: 10), commit: 1))
    #expect(Self.lateFrames(parts) == 0 && parts.scheduler.statistics.overruns == 0)
    #expect(parts.lifecycle.statistics.preparedForced <= 8)
  }

  @Test("A cell of 40 ms in one part is late, and the frame reports the preceding refusal")
  func tooExpensive() {
    let simulation = Self.steady(PreparationSimulation(parts: [40], commit: 1))
    #expect(
      Self.lateFrames(simulation) > 0 && simulation.scheduler.statistics.refusals > 0
        && simulation.scheduler.statistics.overruns == 0)
    #expect(simulation.causes.allSatisfy { $0.hasPrefix("forced prepare; last slack refusal: cost 40.0 ms > ") })
  }

  @Test("Scrolling back within the keep window prepares no cell again")
  func scrollingBack() {
    var simulation = PreparationSimulation(parts: [2])
    simulation.rest(frames: 40)
    simulation.scroll.handle(.jump(to: 100_300), at: simulation.clock.now())
    simulation.run(frames: 30)
    let forced = simulation.lifecycle.statistics.preparedForced
    simulation.scroll.handle(.jump(to: 100_000), at: simulation.clock.now())
    simulation.run(frames: 1)
    #expect(
      simulation.lifecycle.statistics.preparedForced == forced
        && simulation.lifecycle.statistics.redisplayedFromWaiting == 3)
  }

  @Test("After a turn, prepared cells that were never displayed go to the pool")
  func poolCellsAfterTurn() {
    var simulation = Self.steady(PreparationSimulation(parts: [1]), frames: 60)
    let before = simulation.lifecycle.statistics
    simulation.scroll.handle(.steady(velocity: -1_200), at: simulation.clock.now())
    simulation.run(frames: 20)
    #expect(simulation.lifecycle.statistics.preparedNeverDisplayed > before.preparedNeverDisplayed)
    #expect(Self.lateFrames(simulation) == 0)
  }

  @Test("The landing of a flick is prepared before the content arrives")
  func landing() {
    var simulation = PreparationSimulation(columns: 3, parts: [1])
    simulation.rest(frames: 40)
    simulation.scroll.handle(.flick(velocity: 12_000, accumulating: false), at: simulation.clock.now())
    simulation.run(frames: 30)
    let landing = simulation.scroll.projectedOffset
    let rows = (Int(landing / 100) * 3)..<(Int((landing + 800) / 100) * 3)
    #expect(rows.allSatisfy { simulation.waiting.isReady($0) || simulation.displayed[$0] != nil })
    #expect(simulation.scroll.offset(at: simulation.clock.now()) < landing - 1_600)
  }

  @Test(
    "The counts are consistent after every frame, and the number of cells is bounded by the limits",
    arguments: TestScale.seeds(0..<6))
  func invariants(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    let columns = Int.random(in: 1...4, using: &generator)
    let parts = generator.chance(oneIn: 2) ? [0.4] : [0.1, 0.2, 0.1]
    var simulation = PreparationSimulation(hertz: [60, 120, 240][seed % 3], columns: columns, parts: parts)
    var script: [(frame: Int, event: ScrollEvent)] = []
    let frameCount = TestScale.count(250, short: 80)
    for frame in 0..<frameCount {
      if generator.chance(oneIn: 10) {
        let number = Double.random(in: -20_000...20_000, using: &generator)
        let events: [ScrollEvent] = [
          .flick(velocity: number, accumulating: true), .steady(velocity: number), .jump(to: 100_000 + number), .stop,
          .page(by: 1), .wheel(distance: number / 100, kind: .continuous), .scrollTo(100_000 + number, animated: true),
        ]
        if let event = events.randomElement(using: &generator) {
          simulation.scroll.handle(event, at: simulation.clock.now())
          script.append((frame, event))
        }
      }
      simulation.runFrame()
      #expect(simulation.lifecycle.isBalanced && simulation.scheduler.statistics.overruns == 0)
      #expect(simulation.lifecycle.statistics.visible == simulation.displayed.cells.count)
      #expect(
        simulation.lifecycle.statistics.waiting == simulation.waiting.count
          && simulation.lifecycle.statistics.pooled == simulation.pool.count)
      #expect(Set(simulation.displayed.cells).isDisjoint(with: simulation.waiting.cells))
      #expect(simulation.displayed.entries.allSatisfy { simulation.waiting[$0.index] == nil })
    }
    // Nine rows on screen, at most 2.5 screens and half a screen around them, and 2.5 at the landing.
    #expect(
      simulation.lifecycle.statistics.created <= columns * (9 + 26 + 27)
        && simulation.peakCells <= columns * (9 + 26 + 27))
    #expect(simulation.lifecycle.statistics.reused > 0)
    // A second simulation with the same events makes the same decisions.
    var twin = PreparationSimulation(hertz: [60, 120, 240][seed % 3], columns: columns, parts: parts)
    for frame in 0..<frameCount {
      for (when, event) in script where when == frame { twin.scroll.handle(event, at: twin.clock.now()) }
      twin.runFrame()
    }
    #expect(
      twin.lifecycle.statistics == simulation.lifecycle.statistics
        && twin.scheduler.statistics == simulation.scheduler.statistics)
    #expect(
      twin.hitches == simulation.hitches && twin.list == simulation.list
        && twin.waiting.indices == simulation.waiting.indices)
  }

  @Test("Prefetching affords twice the cell cost in one column, and four times the cost of cells in parts in six")
  func headroom() {
    func isSmooth(_ columns: Int, _ parts: [Double], isPrefetching: Bool) -> Bool {
      let simulation = PreparationSimulation(columns: columns, parts: parts, isPrefetching: isPrefetching)
      return Self.lateFrames(Self.steady(simulation, frames: 400)) == 0
    }
    // A frame has 16.67 ms, of which its own commit takes 1 ms.
    #expect(isSmooth(1, [15.5], isPrefetching: false) && !isSmooth(1, [15.8], isPrefetching: false))
    #expect(isSmooth(1, [31], isPrefetching: true))
    #expect(isSmooth(6, [2.6], isPrefetching: false) && !isSmooth(6, [2.7], isPrefetching: false))
    // A row appears every fifth frame: 78 ms for six cells.
    #expect(isSmooth(6, Array(repeating: 1, count: 12), isPrefetching: true))
    #expect(!isSmooth(6, Array(repeating: 1, count: 16), isPrefetching: true))
  }
}

// MARK: - Simulation

/// A simulation of a list with rows of 100 points that scrolls frame by frame, with cells of a modelled cost.
///
/// The scheduling types are the real ones. The cells are numbers, and work is simulated time.
private struct PreparationSimulation {
  static let rowHeight = 100.0

  let interval: FrameDuration
  let columns: Int
  let count = 100_000
  /// The cost of configuring a cell, in parts that may each run in another frame.
  let parts: [FrameDuration]
  let commit: FrameDuration
  let isPrefetching: Bool

  var scroll: ScrollState
  var pacer: FramePacer
  let clock = SimulatedClock(kind: .virtual)
  var displayed = DisplayedCells<Int>()
  var waiting = WaitingCells<Int>()
  var pool = ReusePool<Int>()
  var lifecycle = CellLifecycle()
  var window = KeepWindow()
  var costs: StepCostEstimator
  var scheduler = SlackScheduler()
  var list: [PreparationCandidate] = []

  var hitches: [FrameDuration] = []
  var causes: [String] = []
  var dropped = 0
  var peakCells = 0

  init(
    hertz: Int64 = 60, columns: Int = 1, parts: [Double], commit: Double = 1, isPrefetching: Bool = true,
    at offset: Double = 100_000
  ) {
    interval = FrameDuration(nanoseconds: 1_000_000_000 / hertz)
    self.columns = columns
    self.parts = parts.map { .milliseconds($0) }
    self.commit = .milliseconds(commit)
    self.isPrefetching = isPrefetching
    let range = ScrollRange(
      contentLength: Double(count / columns) * PreparationSimulation.rowHeight, viewportLength: 800)
    scroll = ScrollState(range: range, offset: offset)
    pacer = FramePacer(kind: .virtual, interval: interval)
    costs = StepCostEstimator(interval: interval)
    costs.declare(self.parts[0], for: .configure, of: 0)
  }

  static func frame(_ index: Int, columns: Int) -> (start: Double, end: Double) {
    let row = Double(index / columns) * PreparationSimulation.rowHeight
    return (row, row + PreparationSimulation.rowHeight)
  }

  func visible(at instant: FrameInstant) -> Range<Int> {
    let offset = scroll.offset(at: instant)
    let first = Int((offset / PreparationSimulation.rowHeight).rounded(.down))
    let end = Int(((offset + 800) / PreparationSimulation.rowHeight).rounded(.up))
    return min(count, max(0, first * columns))..<min(count, max(0, end * columns))
  }

  /// Runs frames without scrolling, and discards their hitches.
  mutating func rest(frames: Int) {
    for _ in 0..<frames { runFrame() }
    hitches = []
    causes = []
  }

  mutating func run(frames: Int) { for _ in 0..<frames { runFrame() } }

  mutating func runFrame() {
    let plan = pacer.beginFrame(at: clock.now())
    var record = FrameRecord()
    record.target = plan.target
    record.deadline = plan.deadline
    record.isFirstAfterIdle = plan.isFirstAfterIdle
    record.isTracked = scroll.isTracked(at: plan.target)
    record.start = clock.now()
    let forced = commitFrame(at: plan.target)
    for phase in FramePhase.events.rawValue...FramePhase.raster.rawValue { record.phaseEnds[phase] = clock.now() }
    let deferred = useSlack(plan)
    record.phaseEnds[FramePhase.slack.rawValue] = clock.now()
    record.presentStart = clock.now()
    record.phaseEnds[FramePhase.present.rawValue] = clock.now()
    if let deferred {
      _ = scheduler.startStep(at: clock.now())
      prepare(deferred)
      scheduler.finishStep(at: clock.now())
    }
    pacer.endFrame(&record, slackLimit: plan.deadline)
    hitches.append(record.hitch)
    if record.hitch > .zero, forced > 0 { causes.append(scheduler.forcedCause) }
    clock.wait(until: record.shown)
    peakCells = max(peakCells, lifecycle.statistics.visible + lifecycle.statistics.waiting)
  }

  /// Displays the visible items, and returns the number of cells that had to be prepared.
  private mutating func commitFrame(at target: FrameInstant) -> Int {
    clock.spend(commit)
    for (index, cell) in displayed.setRuns(visible(at: target)) {
      lifecycle.handle(.didEndDisplaying, of: cell)
      waiting.insert(cell, at: index, wasDisplayed: true)
    }
    var forced = 0
    while let index = displayed.firstIndexWithoutCell {
      if !waiting.isReady(index) { forced += 1 }
      while !waiting.isReady(index) { prepare(index, isForced: true) }
      guard let entry = waiting.removeCell(at: index) else { return forced }
      lifecycle.handle(.willDisplay, of: entry.cell)
      displayed.insert(entry.cell, at: index)
    }
    window.handle(scroll, shown: target, lead: interval * 6)
    if !isPrefetching { window.extent = .none }
    let limits = window.limits
    let columns = columns
    let idle = waiting.removeCells { index in
      let (start, end) = PreparationSimulation.frame(index, columns: columns)
      return limits.contains(start: start, end: end)
    }
    for entry in idle {
      dropped += 1
      lifecycle.handle(.pool, of: entry.cell)
      pool.enqueue(entry.cell, of: 0, keepingAtMost: .max)
    }
    return forced
  }

  /// Prepares cells in the slack, and returns the item whose step is to run after presenting.
  private mutating func useSlack(_ plan: FramePlan) -> Int? {
    let next = plan.target + interval
    guard isPrefetching else { return nil }
    scheduler.beginFrame(
      SlackBudget(
        index: plan.index, deadline: plan.deadline, presentedBy: clock.now(), nextDeadline: plan.deadline + interval,
        nextCommit: commit, isPresentBlocking: false,
        isNextCommitShort: visible(at: next).allSatisfy { displayed[$0] != nil || waiting.isReady($0) },
        isAtRest: !scroll.isMoving(at: plan.target)),
      at: clock.now())
    let situation = VisibilityForecast(scroll: scroll, window: window, shown: plan.target, interval: interval)
    let order = PreparationOrder()
    let (total, columns) = (count, columns)
    let frame = { PreparationSimulation.frame($0, columns: columns) }
    while true {
      order.list(
        into: &list, situation,
        items: { PreparationOrder.items(in: $0, of: total, frame: frame) }, frame: frame,
        needsCell: { displayed[$0] == nil && !waiting.isReady($0) })
      guard let candidate = list.first else { return nil }
      let step = waiting.progress(at: candidate.index)?.next ?? .create
      let verdict = scheduler.decide(
        SlackStep(cost: costs.pessimisticCost(step, of: 0), isNeededNext: candidate.isNeeded(at: next)), at: clock.now()
      )
      if case .refused = verdict { return nil }
      if verdict.isAfterPresent { return candidate.index }
      prepare(candidate.index)
      scheduler.finishStep(at: clock.now())
    }
  }

  /// Performs the next preparation step of an item.
  private mutating func prepare(_ index: Int, isForced: Bool = false) {
    guard var progress = waiting.progress(at: index), let step = progress.next else {
      let cell: Int
      if let pooled = pool.dequeueCell(of: 0) {
        lifecycle.handle(.reuse, of: pooled)
        cell = pooled
      } else {
        cell = lifecycle.create()
      }
      costs.record(.zero, for: .create, of: 0)
      waiting.insert(cell, at: index, progress: PreparationProgress(next: .configure))
      return
    }
    let cost = step == .configure ? parts[progress.part] : .zero
    clock.spend(cost)
    costs.record(cost, for: step, of: 0)
    progress.advance(isWhole: step != .configure || progress.part + 1 == parts.count)
    waiting.setProgress(progress, at: index)
    if progress.isReady, let cell = waiting[index] { lifecycle.handle(.prepare(isForced: isForced), of: cell) }
  }
}
