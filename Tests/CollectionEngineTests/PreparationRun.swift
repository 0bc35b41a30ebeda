import CollectionEngine
import FramePacing
import ScrollPhysics

/// A list of rows of 100 points that is scrolled frame by frame on a simulated line, with cells of a modelled cost.
///
/// Every machine is the real one; only the cells are numbers and the work is time that passes.
struct PreparationRun {
  static let rowHeight = 100.0

  let interval: FrameDuration
  let columns: Int
  let count = 100_000
  /// What configuring a cell takes, in parts that each may run in another frame.
  let parts: [FrameDuration]
  let commit: FrameDuration
  let isPrefetching: Bool

  var scroll: ScrollState
  var pacer: FramePacer
  let clock = SimulatedClock(kind: .virtual)
  var displayed = DisplayedCells<Int>()
  var waiting = WaitingCells<Int>()
  var pool = ReusePool<Int>()
  var ledger = CellLifecycle()
  var window = KeepWindow()
  var costs: StepCostEstimator
  var decider = SlackScheduler()
  var list: [PreparationCandidate] = []

  var hitches: [FrameDuration] = []
  var causes: [String] = []
  var dropped = 0
  var mostAlive = 0

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
      contentLength: Double(count / columns) * PreparationRun.rowHeight, viewportLength: 800)
    scroll = ScrollState(range: range, offset: offset)
    pacer = FramePacer(kind: .virtual, interval: interval)
    costs = StepCostEstimator(interval: interval)
    costs.declare(self.parts[0], for: .configure, of: 0)
  }

  static func frame(_ index: Int, columns: Int) -> (start: Double, end: Double) {
    let row = Double(index / columns) * PreparationRun.rowHeight
    return (row, row + PreparationRun.rowHeight)
  }

  func visible(at instant: FrameInstant) -> Range<Int> {
    let offset = scroll.offset(at: instant)
    let first = Int((offset / PreparationRun.rowHeight).rounded(.down))
    let end = Int(((offset + 800) / PreparationRun.rowHeight).rounded(.up))
    return min(count, max(0, first * columns))..<min(count, max(0, end * columns))
  }

  /// Lets some time pass without scrolling, and forgets its hitches.
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
    let carried = useSlack(plan)
    record.phaseEnds[FramePhase.slack.rawValue] = clock.now()
    record.presentStart = clock.now()
    record.phaseEnds[FramePhase.present.rawValue] = clock.now()
    if let carried {
      _ = decider.startStep(at: clock.now())
      prepare(carried)
      decider.finishStep(at: clock.now())
    }
    pacer.endFrame(&record, slackLimit: plan.deadline)
    hitches.append(record.hitch)
    if record.hitch > .zero, forced > 0 { causes.append(decider.forcedCause) }
    clock.wait(until: record.shown)
    mostAlive = max(mostAlive, ledger.statistics.visible + ledger.statistics.waiting)
  }

  /// Shows what is visible, and returns how many cells it had to prepare.
  private mutating func commitFrame(at target: FrameInstant) -> Int {
    clock.spend(commit)
    for (index, cell) in displayed.setRuns(visible(at: target)) {
      ledger.handle(.didEndDisplaying, of: cell)
      waiting.insert(cell, at: index, wasDisplayed: true)
    }
    var forced = 0
    while let index = displayed.firstIndexWithoutCell {
      if !waiting.isReady(index) { forced += 1 }
      while !waiting.isReady(index) { prepare(index, isForced: true) }
      guard let entry = waiting.removeCell(at: index) else { return forced }
      ledger.handle(.willDisplay, of: entry.cell)
      displayed.insert(entry.cell, at: index)
    }
    window.handle(scroll, shown: target, lead: interval * 6)
    if !isPrefetching { window.extent = .none }
    let limits = window.limits
    let columns = columns
    let idle = waiting.removeCells { index in
      let (start, end) = PreparationRun.frame(index, columns: columns)
      return limits.contains(start: start, end: end)
    }
    for entry in idle {
      dropped += 1
      ledger.handle(.pool, of: entry.cell)
      pool.enqueue(entry.cell, of: 0, keepingAtMost: .max)
    }
    return forced
  }

  /// Works ahead, and returns the item whose step is to run after presenting.
  private mutating func useSlack(_ plan: FramePlan) -> Int? {
    let next = plan.target + interval
    guard isPrefetching else { return nil }
    decider.beginFrame(
      SlackBudget(
        index: plan.index, deadline: plan.deadline, presentedBy: clock.now(), nextDeadline: plan.deadline + interval,
        nextCommit: commit, isPresentBlocking: false,
        isNextCommitShort: visible(at: next).allSatisfy { displayed[$0] != nil || waiting.isReady($0) },
        isAtRest: !scroll.isMoving(at: plan.target)),
      at: clock.now())
    let situation = VisibilityForecast(scroll: scroll, window: window, shown: plan.target, interval: interval)
    let order = PreparationOrder()
    let (total, columns) = (count, columns)
    let frame = { PreparationRun.frame($0, columns: columns) }
    while true {
      order.list(
        into: &list, situation,
        items: { PreparationOrder.items(in: $0, of: total, frame: frame) }, frame: frame,
        isWanted: { displayed[$0] == nil && !waiting.isReady($0) })
      guard let candidate = list.first else { return nil }
      let step = waiting.progress(at: candidate.index)?.next ?? .create
      let verdict = decider.decide(
        SlackStep(cost: costs.pessimisticCost(step, of: 0), isNeededNext: candidate.isNeeded(at: next)), at: clock.now()
      )
      if case .refused = verdict { return nil }
      if verdict.isAfterPresent { return candidate.index }
      prepare(candidate.index)
      decider.finishStep(at: clock.now())
    }
  }

  /// Does the next step for an item's cell.
  private mutating func prepare(_ index: Int, isForced: Bool = false) {
    guard var progress = waiting.progress(at: index), let step = progress.next else {
      let cell: Int
      if let pooled = pool.dequeueCell(of: 0) {
        ledger.handle(.reuse, of: pooled)
        cell = pooled
      } else {
        cell = ledger.create()
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
    if progress.isReady, let cell = waiting[index] { ledger.handle(.prepare(isForced: isForced), of: cell) }
  }
}
