import CollectionUI
import struct FoundationEssentials.IndexPath
import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineDiffableData
import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineScrollPhysics
import VitrineTestSupport
import VitrineViews

/// A double of the collection view for the controllers of cells and prefetching, with 100 items, one in a row.
class CellHostDouble: ControllerHostDouble, @MainActor CellHost, @MainActor PrefetchHost,
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
    let first = min(itemCount, Int(offset / 50))
    show(first..<max(first, min(itemCount, Int(((offset + 300) / 50).rounded(.up)))))
  }

  /// The items that have a displayed or a waiting cell.
  var itemsWithCells: Set<Int> {
    Set(cells.displayedEntries.map(\.index) + cells.waitingCells.compactMap(\.itemIndex))
  }

  /// Replaces the items by others, as an update does.
  func apply(_ map: IndexMap) {
    for (index, cell) in cells.applyToDisplayedCells(map) {
      cells.endDisplaying(cell, at: indexPath(at: index), waitingFor: nil)
    }
    cells.apply(map)
    prefetch.apply(map)
    solution = Self.layout(of: map.counts.total)
  }

  /// Runs steps in the slack time of frames until there is nothing left to prepare.
  func runSlackUntilDone() {
    for _ in 0..<50 where prefetch.hasWork { runSlack() }
  }

  /// Runs steps in the slack time of a frame, as many as fit.
  func runSlack(remaining: FrameDuration = .milliseconds(12)) {
    let budget = beginFrame(remaining: remaining)
    for _ in 0..<500 where !prefetch.prepareInSlack(budget) { return }
  }

  /// Returns the budget of a frame with slack time.
  func beginFrame(remaining: FrameDuration = .milliseconds(12), isPresentBlocking: Bool = true) -> FrameBudget {
    frameIndex += 1
    let now = clock.now()
    let slack = SlackBudget(
      index: frameIndex, deadline: now + remaining, presentedBy: now + remaining, nextDeadline: now + .milliseconds(28),
      nextCommit: .milliseconds(1), isPresentBlocking: isPresentBlocking,
      isNextCommitShort: true)
    return FrameBudget(clock: clock, limit: now + remaining, target: now + .milliseconds(16), slack: slack)
  }

  func takeLog() -> [String] {
    defer { log = [] }
    return log
  }

  /// Removes the calls so far, and returns the items that were configured.
  func takeConfigured() -> [Int] {
    takeLog().compactMap { $0.hasPrefix("configure ") ? Int($0.dropFirst(10)) : nil }
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
  func unfreezeSize(ofItem index: Int) {}
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
