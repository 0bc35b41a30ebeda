import CollectionEngine
import CollectionLayout
public import FramePacing
public import struct FoundationEssentials.IndexPath
import Geometry
import ScrollPhysics
import Views

extension CollectionView {
  /// The cells that are prepared and not on screen, in the order of their items.
  ///
  /// They are bound to their items, and come on screen without work.
  public final var preparedCells: [CollectionViewCell] { preparation.waiting.cells }

  /// The cell of an item, on screen or prepared.
  ///
  /// - Complexity: O(log cells).
  public final func cellForItem(at path: IndexPath) -> CollectionViewCell? {
    solution.itemCounts.index(section: path.section, item: path.item).flatMap {
      displayed[$0] ?? preparation.waiting[$0]
    }
  }

  /// Whether an item has a cell, on screen or waiting.
  ///
  /// - Complexity: O(log cells).
  final func hasCell(at index: Int) -> Bool { displayed[index] != nil || preparation.waiting[index] != nil }

  /// What became of the time that short commits left.
  public final var slackLedger: SlackLedger { preparation.decider.ledger }

  /// Whether cells are prepared before their items are seen.
  final var preparesAhead: Bool { isPrefetchingEnabled && isCellPrefetchingEnabled }

  // MARK: Frames

  /// The content stands elsewhere or shows other items: lets go of cells that wait too far away.
  final func noteWindow() {
    preparation.window.handle(scroll, shown: lastInstant)
    preparation.hasWork = preparesAhead
    guard !preparation.waiting.isEmpty else { return }
    let limits = preparation.window.limits
    let isKept = preparesAhead
    // Read once: they are asked for every cell.
    let (axis, solution) = (scrollAxis, solution)
    let dropped = preparation.waiting.drop { index in
      let frame = solution.frame(ofItem: index)
      let start = frame.origin[axis]
      return isKept && limits.contains(start: start, end: start + frame.size[axis])
    }
    for entry in dropped { putBack(entry.cell) }
  }

  /// Begins the slack of a frame.
  private func beginSlack(_ frame: SlackFrame, _ budget: FrameBudget) {
    preparation.carried = nil
    preparation.costs.interval = max(.milliseconds(1), frame.nextDeadline - frame.deadline)
    let situation = PreparationSituation(
      scroll: scroll, window: preparation.window, shown: lastInstant, interval: preparation.costs.interval)
    let cross = scrollAxis.cross
    let breadth = bounds.size[cross]
    // Taken out, as the questions below look at what is prepared.
    var candidates: [PreparationCandidate] = []
    swap(&candidates, &preparation.candidates)
    CellPreparation.order.list(
      into: &candidates, situation, items: { self.solution.items(in: self.region(of: $0)) },
      frame: { self.extent(ofItem: $0) },
      isWanted: { index in
        guard self.displayed[index] == nil, !self.preparation.waiting.isReady(index) else { return false }
        // An item of a section that scrolls across may lie beside the screen.
        let frame = self.solution.frame(ofItem: index)
        return frame.origin[cross] < breadth && frame.origin[cross] + frame.size[cross] > 0
      })
    preparation.candidates = candidates
    preparation.hasWork = !candidates.isEmpty
    var frame = frame
    let next = budget.target + preparation.costs.interval
    frame.isNextCommitShort = !preparation.candidates.contains { $0.isNeeded(at: next) }
    frame.isAtRest = !isTracked
    preparation.frame = frame
    preparation.decider.begin(frame, at: budget.clock.now())
  }

  /// Prepares a step of the most urgent cell, if it fits.
  ///
  /// - Returns: whether a step was done.
  final func prepareInSlack(_ budget: FrameBudget) -> Bool {
    // Items ahead may be gone once the snapshot that waits is shown, and others in their place.
    guard preparesAhead, preparation.hasWork, let frame = budget.slack, let source, !source.needsFrames else {
      return false
    }
    if preparation.frame?.index != frame.index { beginSlack(frame, budget) }
    guard preparation.carried == nil, let next = nextCandidate() else { return false }
    let cost = preparation.costs.pessimistic(preparation.step(at: next.index), of: preparation.lastRegistration)
    let isNeeded = next.isNeeded(at: budget.target + preparation.costs.interval)
    switch preparation.decider.decide(SlackStep(cost: cost, isNeededNext: isNeeded), at: budget.clock.now()) {
    case .run:
      prepareStep(of: next.index, source, budget.clock)
      preparation.decider.finish(at: budget.clock.now())
      return true
    case .runAfterPresent, .forced:
      preparation.carried = next
      return false
    case .refuse:
      return false
    }
  }

  /// Takes the step that did not fit before the frame was presented.
  final func prepareAfterPresent(_ budget: FrameBudget) -> Bool {
    guard let next = preparation.carried else { return false }
    preparation.carried = nil
    guard let source, !source.needsFrames, next.index < itemCount, displayed[next.index] == nil else {
      preparation.decider.abandon()
      return false
    }
    preparation.decider.start(at: budget.clock.now())
    prepareStep(of: next.index, source, budget.clock)
    preparation.decider.finish(at: budget.clock.now())
    return true
  }

  private func nextCandidate() -> PreparationCandidate? {
    while let next = preparation.candidates.first {
      if next.index < itemCount, displayed[next.index] == nil, !preparation.waiting.isReady(next.index) { return next }
      preparation.candidates.removeFirst()
    }
    return nil
  }

  private func prepareStep(of index: Int, _ source: any CollectionViewSource, _ clock: any FrameClock) {
    let start = clock.now()
    let step = preparation.step(at: index)
    if let cell = preparation.waiting[index] {
      if step == .configure { reconfigureCell(cell, at: index, source) }
      if let resources = window?.resources, !cell.drawing.holds(resources.generation) { cell.redraw(in: resources) }
      preparation.waiting.setProgress(.ready, at: index)
      notePrepared(cell)
      preparation.costs.record(clock.now() - start, for: step, of: cell.registration)
    } else {
      exclusively {
        let cell = prepareCell(at: index, from: source)
        preparation.waiting.insert(cell, at: index, progress: PreparationProgress(next: .draw))
        preparation.costs.record(clock.now() - start, for: .configure, of: cell.registration)
        preparation.lastRegistration = cell.registration
      }
    }
  }

  // MARK: Coming and going

  /// The cell that waits for an item, if one does, finished and placed.
  final func takeWaiting(at index: Int, from source: any CollectionViewSource) -> CollectionViewCell? {
    guard let entry = preparation.waiting.take(index) else { return nil }
    let cell = entry.cell
    if entry.progress.next == .configure { reconfigureCell(cell, at: index, source) }
    notePrepared(cell)
    place(cell, at: index)
    cell.layoutIfNeeded()
    return cell
  }

  /// Lets a cell that left the screen wait for its item, where it may.
  ///
  /// - Returns: whether it does.
  final func keepWaiting(_ cell: CollectionViewCell, at index: Int) -> Bool {
    guard preparesAhead, index < itemCount, preparation.waiting[index] == nil else { return false }
    let extent = extent(ofItem: index)
    guard preparation.window.limits.contains(start: extent.start, end: extent.end) else { return false }
    preparation.waiting.insert(cell, at: index, progress: .ready, wasDisplayed: true)
    return true
  }

  /// Takes a cell's item from it and puts it into its pool.
  final func putBack(_ cell: CollectionViewCell) {
    cell.itemIndex = nil
    cell.isPrepared = false
    cell.removeFromSuperview()
    let isKept = pool.put(cell, of: cell.registration, keepingAtMost: max(16, 2 * mostVisible))
    ledger.handle(isKept ? .pool : .discard, of: cell.number)
  }

  /// The items are numbered anew: cells wait on for those that stay.
  final func renumberWaiting(_ newIndex: (Int) -> Int?) {
    for entry in preparation.waiting.renumber(newIndex) { putBack(entry.cell) }
    for entry in preparation.waiting.entries { entry.cell.itemIndex = entry.index }
    preparation.candidates.removeAll(keepingCapacity: true)
    preparation.carried = nil
    preparation.frame = nil
  }

  /// Lets go of every cell that waits.
  final func dropWaiting() {
    for entry in preparation.waiting.removeAll() { putBack(entry.cell) }
    preparation.candidates.removeAll(keepingCapacity: true)
    preparation.carried = nil
  }

  /// An item's cell waits and is to be configured again: in slack, or when it comes on screen.
  ///
  /// - Returns: whether one waits.
  final func reconfigureWaiting(at index: Int) -> Bool {
    guard preparation.waiting.setProgress(PreparationProgress(next: .configure), at: index) else { return false }
    preparation.hasWork = true
    return true
  }

  private func reconfigureCell(_ cell: CollectionViewCell, at index: Int, _ source: any CollectionViewSource) {
    exclusively {
      let outer = reconfiguredCell
      reconfiguredCell = cell
      let answer = source.cell(at: index, in: self)
      reconfiguredCell = outer
      demandSame(answer, as: cell, at: indexPath(at: index))
      cell.layoutIfNeeded()
    }
    notePrepared(cell)
    ledger.handle(.reconfigure, of: cell.number)
  }

  /// A cell that was configured ahead counts as prepared, whether it has drawn already or will when it is seen.
  private func notePrepared(_ cell: CollectionViewCell) {
    guard !cell.isPrepared else { return }
    cell.isPrepared = true
    ledger.handle(.prepare(isForced: false), of: cell.number)
  }

  // MARK: Geometry

  private func extent(ofItem index: Int) -> (start: Double, end: Double) {
    let frame = solution.frame(ofItem: index)
    let start = frame.origin[scrollAxis]
    return (start, start + frame.size[scrollAxis])
  }

  private func region(of interval: ClosedRange<Double>) -> Rect {
    var rect = Rect(origin: .zero, size: bounds.size)
    rect.origin[scrollAxis] = interval.lowerBound
    rect.size[scrollAxis] = interval.upperBound - interval.lowerBound
    return rect
  }
}
