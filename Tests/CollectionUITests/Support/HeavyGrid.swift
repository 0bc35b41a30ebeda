import CollectionUI
import VitrineCollectionEngine
import VitrineDiffableData
import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineScrollPhysics
import VitrineTestSupport
import VitrineViews

/// A collection view of expensive cells with rows of 50 points, in a window of 400 by 300 points with frames of 16 ms.
final class HeavyGrid {
  /// Spends time in each commit phase.
  final class CommitLoad: FrameParticipant {
    let clock: SimulatedClock
    var cost = FrameDuration.zero
    init(_ clock: SimulatedClock) { self.clock = clock }
    func commit(_ record: inout FrameRecord) { clock.spend(cost) }
  }

  let view = CollectionView(layout: WordGrid.layout(columns: 1))
  let harness: WindowHarness
  let registration: CellRegistration<HeavyCell, Int>
  let source: DiffableDataSource<Int, Int>
  let log = HeavyCell.Log()
  let commitLoad: CommitLoad

  init(count: Int = 400, columns: Int = 1, parts: Int = 0, costs: DeclaredCosts = .none, preparesAhead: Bool = true) {
    view.collectionViewLayout = WordGrid.layout(columns: columns)
    DemonstrationSwitches(view).isCellPrefetchingEnabled = preparesAhead
    harness = WindowHarness(root: view)
    commitLoad = CommitLoad(harness.clock)
    harness.window.addParticipant(commitLoad)
    harness.window.addParticipant(view)
    log.parts = parts
    let log = log
    let registration = CellRegistration<HeavyCell, Int>(declaredCosts: costs) { cell, _, item in
      cell.log = log
      cell.item = item
      log.lines.append("configure \(item)")
      log.onConfigure?(item)
    }
    self.registration = registration
    source = DiffableDataSource(collectionView: view) { view, path, item in
      view.dequeueConfiguredReusableCell(using: registration, for: path, item: item)
    }
    var snapshot = source.snapshot()
    snapshot.appendSections([0])
    snapshot.appendItems(Array(0..<count))
    source.apply(snapshot)
  }

  /// The late frames so far, in order.
  var lateFrames: [FrameRecord] {
    let history = harness.loop.history
    return (0..<history.availableCount).map { history.record(atAge: $0) }.filter { $0.hitch > .zero }.reversed()
  }

  /// Scrolls at a constant velocity, in points per second, for a number of frames.
  func scroll(at velocity: Double, frames: Int) {
    view.applyScrollEvent(.steady(velocity: velocity), at: harness.clock.now())
    harness.run(frames: frames)
  }
}

/// A cell that is prepared in several steps and records its calls.
final class HeavyCell: CollectionViewCell {
  /// The number of steps of all cells, and the recorded calls.
  final class Log {
    var parts = 0
    /// The retained bytes of each cell.
    var bytes = 0
    var lines: [String] = []
    /// Called after a cell was configured, with its item.
    var onConfigure: ((Int) -> Void)?
    /// Called when a cell draws.
    var onDraw: ((HeavyCell) -> Void)?
    /// Called after a step, with its index and the item.
    var onPart: ((Int, Int) -> Void)?
    func clearLog() { lines = [] }
  }

  var item = -1
  var log: Log?

  override var preparationSteps: Int { log?.parts ?? 0 }

  override var retainedBytes: Int { log?.bytes ?? 0 }

  override func prepare(step: Int) {
    log?.lines.append("part \(step) of \(item)")
    log?.onPart?(step, item)
  }

  override func prepareForReuse() {
    super.prepareForReuse()
    log?.lines.append("reuse \(item)")
  }

  override func draw(in context: DrawContext) {
    log?.lines.append("draw \(item)")
    log?.onDraw?(self)
    context.fill(bounds, .white)
  }
}

/// A collection view of two registrations of different costs, with rows of 50 points, in a window of 400 by 300 points.
final class MixedGrid {
  let view = CollectionView(layout: WordGrid.layout(columns: 1))
  let harness: WindowHarness
  let source: DiffableDataSource<Int, Int>
  private(set) var maximumVisible = 0
  /// The number of visible cells that displayed the wrong item.
  private(set) var mismatches = 0

  private let heavyEvery: Int

  /// Creates a grid in which every n-th item uses the second registration.
  ///
  /// - Parameters:
  ///   - heavyEvery: The interval of items with the second registration.
  ///   - cheap: The cost of configuring a cell of the first registration.
  ///   - heavy: The cost of configuring a cell of the second registration.
  init(count: Int = 400, heavyEvery: Int = 2, cheap: FrameDuration = .zero, heavy: FrameDuration = .zero) {
    self.heavyEvery = heavyEvery
    harness = WindowHarness(root: view)
    harness.window.addParticipant(view)
    let even = CellRegistration<WordCell, Int>(declaredCosts: DeclaredCosts(configure: cheap)) { cell, _, item in
      cell.word = "even \(item)"
    }
    let odd = CellRegistration<WordCell, Int>(declaredCosts: DeclaredCosts(configure: heavy)) { cell, _, item in
      cell.word = "odd \(item)"
    }
    source = DiffableDataSource(collectionView: view) { view, path, item in
      view.dequeueConfiguredReusableCell(using: item % heavyEvery != heavyEvery - 1 ? even : odd, for: path, item: item)
    }
    var snapshot = source.snapshot()
    snapshot.appendSections([0])
    snapshot.appendItems(Array(0..<count))
    source.apply(snapshot)
    harness.runUntilIdle()
  }

  func scroll(to offset: Double) {
    view.scroll(to: offset, animated: false)
    harness.run(frames: 1)
    maximumVisible = max(maximumVisible, view.visibleCells.count)
    for case let cell as WordCell in view.visibleCells {
      guard let item = cell.itemIndex else { continue }
      if cell.word != (item % heavyEvery != heavyEvery - 1 ? "even" : "odd") + " \(item)" { mismatches += 1 }
    }
  }
}
