import CollectionEngine
import CollectionLayout
import CollectionUI
import DiffableData
import struct FoundationEssentials.IndexPath
import FramePacing
import Geometry
import Rendering
import ScrollPhysics
import TestSupport
import Testing
import Views

@Suite("The cell controller, without a view")
struct CellControllerTests {
  @Test("Visible items get cells, and the cells of items that leave are reused")
  func display() {
    let host = CellHostDouble()
    host.show(0..<3)
    #expect(host.takeLog() == ["configure 0", "will 0", "configure 1", "will 1", "configure 2", "will 2"])
    host.show(1..<4)
    #expect(host.takeLog() == ["end 0", "configure 3", "will 3"])
    #expect(host.cells.statistics.created == 3 && host.cells.pooledCount == 0 && host.cells.isBalanced)
  }

  @Test("A cell that left waits for its item while it may, and is displayed again as it is")
  func waiting() {
    let host = CellHostDouble()
    host.waitingArea = 0..<10
    host.show(0..<3)
    host.show(3..<6)
    #expect(host.cells.waitingCells.count == 3)
    _ = host.takeLog()
    host.show(0..<3)
    #expect(host.takeLog() == ["end 3", "end 4", "end 5", "will 0", "will 1", "will 2"])
    host.cells.evictWaitingCells { $0 == 4 }
    #expect(host.cells.waitingCell(at: 4) != nil && host.cells.pooledCount == 2)
  }

  @Test("The steps of a cell run one at a time ahead, and it is then displayed without any")
  func steps() {
    let host = CellHostDouble()
    host.waitingArea = 0..<10
    host.show(0..<3)
    _ = host.takeLog()
    var steps: [PreparationStep] = []
    while let step = host.cells.nextStep(at: 3), steps.count < 10 {
      steps.append(step)
      host.cells.prepareStep(at: 3, from: host)
    }
    #expect(steps == [.create, .configure, .size, .draw])
    #expect(host.takeLog() == ["configure 3"])
    host.show(1..<4)
    #expect(host.takeLog() == ["end 0", "will 3"])
    #expect(host.cells.statistics.preparedInSlack == 1)
  }

  @Test("The remotest cell is evicted first when there are too many")
  func capacity() {
    let host = CellHostDouble()
    host.waitingArea = 0..<100
    host.cells.keepExtent = .none
    host.show(0..<1)
    for item in 2..<10 {
      while host.cells.nextStep(at: item) != nil { host.cells.prepareStep(at: item, from: host) }
    }
    #expect(host.cells.waitingCells.count == 8, "a few cells may always wait")
    #expect(!host.cells.hasCapacity(for: 20) && host.cells.hasCapacity(for: 1))
    while host.cells.nextStep(at: 1) != nil { host.cells.prepareStep(at: 1, from: host) }
    #expect(host.cells.waitingCell(at: 9) == nil && host.cells.waitingCell(at: 8) != nil)
    #expect(host.cells.isBalanced)
  }

  @Test("Reconfiguring keeps the cell, reloading replaces it")
  func reloading() throws {
    let host = CellHostDouble()
    host.show(0..<3)
    let cell = try #require(host.cells.displayedCell(at: 1))
    _ = host.takeLog()
    host.cells.reconfigureItem(1)
    #expect(host.takeLog() == ["configure 1"] && host.cells.displayedCell(at: 1) === cell)
    host.cells.reloadItem(1)
    #expect(host.takeLog() == ["configure 1", "end 1", "will 1"] && host.cells.displayedCell(at: 1) !== cell)
  }

  @Test("An update moves cells with their items, and returns those of deleted ones")
  func updates() {
    let host = CellHostDouble()
    host.waitingArea = 0..<10
    host.show(0..<3)
    host.show(3..<6)
    let map = IndexMap.deleting(1, of: 100)
    #expect(host.cells.applyToDisplayedCells(map).isEmpty)
    host.cells.apply(map)
    #expect(host.cells.waitingCells.compactMap(\.itemIndex) == [0, 1], "those of items 0 and 2")
    #expect(host.cells.displayedEntries.map(\.index) == [2, 3, 4])
    #expect(host.cells.pooledCount == 1 && host.cells.isBalanced)
  }
}

@Suite("The prefetch controller, without a view")
struct PrefetchControllerTests {
  @Test("In slack, the items around the viewport are prepared, the nearest first, until nothing is left")
  func order() {
    let host = CellHostDouble()
    host.scroll(to: 1_000)
    _ = host.takeLog()
    host.runSlack()
    let configured = host.takeLog()
    #expect(configured.prefix(2) == ["configure 26", "configure 27"], "a list is expected to scroll on")
    host.runSlack()
    #expect(!host.prefetch.hasWork)
    #expect(host.cells.waitingCells.allSatisfy { !(20..<26).contains($0.itemIndex ?? 0) })
  }

  @Test("A step that does not fit before the deadline is not begun")
  func refusal() {
    let host = CellHostDouble()
    host.meter.setClock(host.clock)
    host.cost = .milliseconds(9)
    host.scroll(to: 1_000)
    _ = host.takeLog()
    host.runSlack(remaining: .milliseconds(2))
    #expect(host.takeLog() == [] && host.prefetch.hasWork)
    host.runSlack(remaining: .milliseconds(12))
    #expect(host.takeLog().count == 1)
  }

  @Test("While an update is waiting, or prefetching is disabled, nothing is prepared")
  func pending() {
    let host = CellHostDouble()
    host.scroll(to: 1_000)
    _ = host.takeLog()
    host.hasPendingUpdate = true
    host.runSlack()
    #expect(host.takeLog() == [])
    host.hasPendingUpdate = false
    host.prefetch.isCellPrefetchingEnabled = false
    host.runSlack()
    #expect(host.takeLog() == [])
  }

  @Test("Cells wait around the viewport only, and when memory is short around less of it")
  func window() {
    let host = CellHostDouble()
    host.scroll(to: 1_000)
    host.runSlack()
    let usual = host.cells.waitingCells.count
    #expect(host.prefetch.canWait(27) && !host.prefetch.canWait(90))
    host.prefetch.releaseMemory()
    #expect(host.cells.waitingCells.count < usual && host.cells.pooledCount == 0)
  }
}

/// A double of the collection view for the controllers of cells and prefetching, with 100 items, one in a row.
private final class CellHostDouble: ControllerHostDouble, @MainActor CellHost, @MainActor PrefetchHost,
  @MainActor SupplementaryHost,
  CellSource,
  PrefetchingSource
{
  let meter = StepMeter()
  let clock = SimulatedClock(kind: .virtual)
  private(set) lazy var cells = CellController(meter: meter)
  private(set) lazy var supplementaryViews = SupplementaryController(meter: meter)
  private(set) lazy var prefetch = PrefetchController(
    cells: cells, supplementaryViews: supplementaryViews, meter: meter)
  /// The items whose cells may wait, or nil if the prefetch controller decides.
  var waitingArea: Range<Int>?
  var hasPendingUpdate = false
  /// The time that a cell's handler takes.
  var cost = FrameDuration.zero
  private var log: [String] = []
  private var frameIndex = 0
  private lazy var registration = CellRegistration<CollectionViewCell, Int> { [unowned self] _, _, item in
    log.append("configure \(item)")
    clock.spend(cost)
  }

  init() {
    super.init(count: 100)
    cells.host = self
    supplementaryViews.host = self
    prefetch.host = self
    waitingArea = 0..<0
  }

  /// Displays items, as a frame does.
  func show(_ items: Range<Int>) {
    _ = cells.setVisibleRuns([items])
    cells.fillVisibleCells(from: self)
  }

  /// Scrolls to an offset and displays the items there, and lets the prefetch controller decide which cells wait.
  func scroll(to offset: Double) {
    waitingArea = nil
    scroll = ScrollState(range: scroll.range, offset: offset)
    _ = prefetch.recordMove(scroll, shown: lastInstant)
    prefetch.evictDistantViews()
    show(Int(offset / 50)..<Int(offset / 50) + 6)
  }

  /// Runs steps in the slack time of a frame, as many as fit.
  func runSlack(remaining: FrameDuration = .milliseconds(12)) {
    frameIndex += 1
    let now = clock.now()
    let slack = SlackBudget(
      index: frameIndex, deadline: now + remaining, presentedBy: now + remaining, nextDeadline: now + .milliseconds(28),
      nextCommit: .milliseconds(1), isPresentBlocking: true, isNextCommitShort: true)
    let budget = FrameBudget(clock: clock, limit: now + remaining, target: now + .milliseconds(16), slack: slack)
    for _ in 0..<500 where !prefetch.prepareInSlack(budget) { return }
  }

  func takeLog() -> [String] {
    defer { log = [] }
    return log
  }

  // MARK: - Both

  var renderResources: RenderResources? { nil }
  var preparesAhead: Bool { waitingArea.map { !$0.isEmpty } ?? prefetch.preparesAhead }
  func adoptChild(_ view: View) {}
  func setNeedsPreparation() { prefetch.setNeedsPreparation() }

  // MARK: - CellHost

  var runsFrames: Bool { false }
  func configurationState(of index: Int) -> CellConfigurationState { CellConfigurationState() }
  var cellSource: (any CellSource)? { self }
  func provideCell(at index: Int, from source: any CellSource) -> CollectionViewCell {
    cells.dequeueCell(using: registration, for: indexPath(at: index), at: index, item: index)
  }
  func canWait(_ index: Int) -> Bool { waitingArea.map { $0.contains(index) } ?? prefetch.canWait(index) }
  var remoteness: Remoteness {
    waitingArea == nil
      ? prefetch.remoteness
      : Remoteness(
        solution: solution, axis: .vertical, size: bounds.size,
        offset: Double(cells.visibleRange.lowerBound) * 50, projectedOffset: nil, isForward: true)
  }
  func recordForced(_ type: CollectionViewCell.Type, took duration: FrameDuration) {}
  func requestPreferredSize(_ cell: CollectionViewCell, at index: Int) {}
  func retainLeavingCell(_ cell: CollectionViewCell, at index: Int) -> Bool { false }
  func retainReplacedCell(_ cell: CollectionViewCell, at index: Int) -> Bool { false }
  func leavingCell(at index: Int) -> CollectionViewCell? { nil }
  func reclaimLeavingCell(at index: Int) -> CollectionViewCell? { nil }
  func detachLeavingCell(at index: Int) {}
  func willDisplay(_ cell: CollectionViewCell, at path: IndexPath) { log.append("will \(path.item)") }
  func didEndDisplaying(_ cell: CollectionViewCell, at path: IndexPath) { log.append("end \(path.item)") }

  // MARK: - PrefetchHost

  var isPrefetchingEnabled: Bool { true }
  var isCallingClient: Bool { false }
  var preparationSource: (any CellSource & PrefetchingSource)? { self }
  func checkForLostSource() {}
  func isLeaving(_ index: Int) -> Bool { false }
  func motion(ofSection section: Int) -> (scroll: ScrollState, window: KeepWindow)? { nil }
  func updateSectionWindows(lead: FrameDuration) {}

  // MARK: - Data source

  func cell(at index: Int, in view: CollectionView) -> CollectionViewCell { CollectionViewCell() }
  var isPrefetching: Bool { false }
  func announcement(of plan: PrefetchPlan, by planner: PrefetchPlanner) -> PrefetchAnnouncement? { nil }
  func recordShown(_ items: IndexRuns) {}
  func indicesWillChange(announced: IndexRuns, seen: IndexRuns) {}

  // MARK: - SupplementaryHost

  var keepLimits: KeepLimits { prefetch.keepLimits }
  func maximumWaitingViews(displayed count: Int) -> Int { 0 }
  func region(of interval: ClosedRange<Double>) -> Rect { prefetch.region(of: interval) }
  var providesSupplementaryViews: Bool { false }
  func provideSupplementaryView(ofKind kind: String, _ identity: ElementIdentity) -> CollectionReusableView {
    CollectionReusableView()
  }
  func requestPreferredSize(_ view: CollectionReusableView, _ element: ElementAttributes) {}
  func supplementaryViewsDidChange() {}
  func retainLeavingView(_ view: CollectionReusableView, _ identity: ElementIdentity, isDeleted: Bool) -> Bool { false }
  func reclaimLeavingView(of element: ElementAttributes) -> CollectionReusableView? { nil }
  func invalidateLeavingViews(where predicate: (ElementIdentity) -> Bool) {}
  func willDisplay(_ view: CollectionReusableView, _ identity: ElementIdentity) {}
  func didEndDisplaying(_ view: CollectionReusableView, _ identity: ElementIdentity) {}
}
