import BenchmarkSupport
import CollectionUI
import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineDiffableData
import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineScrollPhysics
import VitrineViews

/// Finds the largest cost of a cell that a steady scroll sustains with and without prefetching, on the virtual clock.
@MainActor
struct HeadroomProgram {
  /// The measured duration of a scroll, in seconds of the virtual clock.
  let seconds: Int
  /// The recorder of the figures.
  let recorder: FigureRecorder
  /// The precision of the largest cost, in nanoseconds.
  private static let resolution: Int64 = 20_000
  /// The duration of a scroll before the measurement, in seconds.
  private static let warmUp = 20

  /// Measures and prints case by case.
  func run() {
    Output.line(
      """
      Headroom: the largest cost of a cell with at most 5 ms of hitches a second, on the virtual clock at 60 Hz,
      \(Int(HeadroomCase.speed)) points a second, \(seconds) s after \(HeadroomProgram.warmUp) that begin with nothing \
      prepared. Each commit takes 1 ms besides cells; drawing 0.5 ms.
      """)
    var table = TextTable(HeadroomFigure.columns)
    for test in HeadroomCase.all {
      let figure = figure(test)
      table.add(figure.row)
      let words = ["scroll", "headroom", "\(test.columns)-columns", test.cell.key]
      recorder.add(words + ["on-over-off"], figure.ratio, .speedup, .counted)
      recorder.add(words + ["of-bound"], figure.share, .share, .counted)
    }
    for line in table.lines { Output.line("  " + line) }
  }

  private func figure(_ test: HeadroomCase) -> HeadroomFigure {
    func largest(_ prefetches: Bool) -> Double {
      let most = Int64(test.bound * 1.5)
      return LargestSustainableCost.find(in: 10_000...most, resolution: HeadroomProgram.resolution) { cost in
        hitches(test, cost, prefetches: prefetches) <= HeadroomCase.maximumHitchRatio
      }.map(Double.init) ?? 0
    }
    return HeadroomFigure(test, off: largest(false), on: largest(true))
  }

  /// Returns the hitch time ratio, in milliseconds per second.
  private func hitches(_ test: HeadroomCase, _ cost: Int64, prefetches: Bool) -> Double {
    let rows = Int(HeadroomCase.speed * Double(2 * seconds + 2 * HeadroomProgram.warmUp) / test.rowHeight)
    let fixture = ModelFixture(
      columns: test.columns, rowHeight: test.rowHeight, count: test.columns * rows,
      fixedWork: FrameDuration(nanoseconds: Int64(HeadroomCase.fixedWork)),
      model: CellModel(test.cell.work(total: cost)))
    let (view, loop) = (fixture.view, fixture.loop)
    DemonstrationSwitches(view).isCellPrefetchingEnabled = false
    _ = loop.run(LoopLimits(frames: 2))
    DemonstrationSwitches(view).isCellPrefetchingEnabled = prefetches
    view.applyScrollEvent(.steady(velocity: HeadroomCase.speed), at: loop.clock.now())
    _ = loop.run(LoopLimits(duration: .seconds(Double(HeadroomProgram.warmUp))))
    let (late, time) = (loop.history.hitchTime, loop.history.trackedTime)
    _ = loop.run(LoopLimits(duration: .seconds(Double(seconds))))
    let tracked = loop.history.trackedTime - time
    return tracked > .zero ? (loop.history.hitchTime - late).milliseconds / tracked.seconds : .infinity
  }
}

// MARK: - Rival policy

/// Compares our prefetching policy with a policy like Android RecyclerView's, with the same scripts and on the virtual
/// clock.
@MainActor
struct RivalProgram {
  private static let restFrames = 60

  /// Measures and prints script by script.
  func run() {
    Output.line(
      """
      A rival: whole cells, their cost by a mean of 3/4 and 1/4, of the next row alone, within the frame unless the next
      one needs it, no cancellation when the direction changes. 60 Hz on the virtual clock; each commit takes 1 ms besides cells.
      """)
    var table = TextTable(RivalFigure.columns)
    for test in RivalCase.all {
      let figure = RivalFigure(test, ours: outcome(of: test, .stepwise), rival: outcome(of: test, .wholeCells))
      table.add(figure.row)
    }
    for line in table.lines { Output.line("  " + line) }
  }

  private func outcome(of test: RivalCase, _ policy: PreparationPolicy) -> PolicyOutcome {
    let fixture = ModelFixture(
      columns: test.columns, rowHeight: test.rowHeight, count: test.columns * 2_000, fixedWork: .milliseconds(1),
      model: test.model)
    let (view, loop) = (fixture.view, fixture.loop)
    view.preparationPolicy = policy
    // Gives a policy that prefetches at rest the time to do so.
    _ = loop.run(LoopLimits(frames: RivalProgram.restFrames))
    loop.window.addFirstParticipant(ScriptPlayer(test.script, on: view, interval: loop.interval))
    _ = loop.run(LoopLimits(duration: loop.interval * Double(test.script.length)))
    return PolicyOutcome(
      hitchRatio: loop.history.hitchRatio ?? 0, late: loop.history.hitchCount,
      slackOverruns: loop.history.hitchCount(of: .slackOverrun), forced: view.statistics.preparedForced)
  }
}

// MARK: - Modeled cells

/// A collection view of modeled cells on the virtual clock, where equal scripts produce equal frames on any machine.
@MainActor
private final class ModelFixture {
  /// The collection view.
  let view: CollectionView
  /// The frame loop.
  let loop: CommitLoop
  private let clock = SimulatedClock(kind: .virtual)
  private let source: DiffableDataSource<Int, Int>

  static let size = Size(width: 1_280, height: 800)

  /// Creates a collection view with items.
  ///
  /// - Parameters:
  ///   - columns: The number of columns.
  ///   - rowHeight: The distance between rows, in points.
  ///   - count: The number of items.
  ///   - fixedWork: The cost of every commit in addition to its cells.
  ///   - model: The costs of the cells.
  init(columns: Int, rowHeight: Double, count: Int, fixedWork: FrameDuration, model: CellModel) {
    let clock = clock
    let display = NullDisplay(size: ModelFixture.size)
    let view = CollectionView(
      layout: GridLayout(columns: .count(columns), heightRatio: 0, captionHeight: rowHeight))
    let window = Window(rootView: view, resources: RenderResources(display: display, text: BlockTextRasterizer()))
    loop = CommitLoop(
      window: window, display: display, events: ScriptedEventSource(now: { clock.now() }), clock: clock,
      pacing: LoopPacing(kind: .virtual, interval: .seconds(1.0 / 60), isMeasured: false, reason: "a benchmark"))
    window.addParticipant(FixedWork(fixedWork, on: clock))
    window.addParticipant(view)
    window.resize(to: ModelFixture.size)
    let registrations = model.kinds.map { work in
      CellRegistration<ModelCell, Int> { cell, _, _ in cell.configure(work, clock) }
    }
    source = DiffableDataSource(collectionView: view) { view, path, item in
      view.dequeueConfiguredReusableCell(using: registrations[model.kind(of: item)], for: path, item: item)
    }
    var snapshot = DiffableDataSourceSnapshot<Int, Int>()
    snapshot.appendSections([0])
    snapshot.appendItems(Array(0..<count), toSection: 0)
    source.applySnapshotUsingReloadData(snapshot)
    self.view = view
  }
}

/// A cell whose preparation takes the time of a model, on a simulated clock.
@MainActor
private final class ModelCell: CollectionViewCell {
  private var work = CellWork()
  private var clock: SimulatedClock?

  /// Configures the cell for an item.
  func configure(_ work: CellWork, _ clock: SimulatedClock) {
    (self.work, self.clock) = (work, clock)
    spend(work.handler)
    setNeedsDisplay()
  }

  override var preparationSteps: Int { work.parts }

  override func prepare(step: Int) { spend(work.part) }

  override func draw(in context: DrawContext) {
    spend(work.drawing)
    context.fill(bounds, .white)
  }

  private func spend(_ nanoseconds: Int64) { clock?.spend(FrameDuration(nanoseconds: nanoseconds)) }
}

/// Spends a constant time in the commit of every frame, which represents all work except for cells.
@MainActor
private final class FixedWork: FrameParticipant {
  private let cost: FrameDuration
  private let clock: SimulatedClock

  init(_ cost: FrameDuration, on clock: SimulatedClock) { (self.cost, self.clock) = (cost, clock) }

  func commit(_ record: inout FrameRecord) { clock.spend(cost) }
}

// MARK: - Scripts

/// Applies a script of gestures to a view, by refreshes.
@MainActor
final class ScriptPlayer: FrameParticipant {
  private let view: CollectionView
  private let script: GestureScript
  private let interval: FrameDuration
  private var origin: FrameInstant?
  private var next = 0
  /// The refresh of the current frame, relative to the start of the script.
  private(set) var refresh = 0

  init(_ script: GestureScript, on view: CollectionView, interval: FrameDuration) {
    (self.script, self.view, self.interval) = (script, view, interval)
  }

  var needsFrames: Bool { true }

  func update(at target: FrameInstant) {
    let start = origin ?? target
    origin = start
    refresh = Int(((target - start).seconds / interval.seconds).rounded())
    for step in script.gestures(upTo: refresh, from: &next) { perform(step.gesture, at: target) }
  }

  private func perform(_ gesture: ScrollGesture, at target: FrameInstant) {
    let range = view.scroll.range
    func offset(_ share: Double) -> Double { range.minimum + (range.maximum - range.minimum) * share }
    switch gesture {
    case .steady(let speed): view.applyScrollEvent(.steady(velocity: speed), at: target)
    case .flick(let speed): view.applyScrollEvent(.flick(velocity: speed, accumulating: false), at: target)
    case .page(let pages): view.applyScrollEvent(.page(by: pages), at: target)
    case .glide(let share): view.applyScrollEvent(.scrollTo(offset(share), animated: true), at: target)
    case .jump(let share): view.applyScrollEvent(.jump(to: offset(share)), at: target)
    case .stop: view.applyScrollEvent(.stop, at: target)
    }
  }
}
