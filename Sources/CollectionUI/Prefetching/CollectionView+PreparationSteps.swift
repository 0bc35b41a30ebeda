package import CollectionEngine
import FramePacing
package import Views

extension CollectionView {
  /// Returns the next step of preparing an item's cell, or nil if its waiting cell is prepared.
  ///
  /// - Complexity: O(log cells), without allocation.
  final func nextStep(at index: Int) -> PreparationStep? {
    guard let progress = preparation.waiting.progress(at: index) else {
      let expected = preparation.recentRegistrations.last
      let createsCell = pool.isEmpty(of: expected) && registrations[expected]?.makeCell != nil && !hasReachedCellLimit
      return createsCell && hasFreeCapacity ? .create : .configure
    }
    if let next = progress.next { return next }
    guard let generation = window?.resources.generation, let cell = preparation.waiting[index] else { return nil }
    return cell.drawing.isValid(for: generation) || !cell.isWorthDrawingAhead ? nil : .draw
  }

  /// Schedules work ahead, because the drawing of a view became invalid, which may be a waiting one.
  final func drawingDidBecomeInvalid() {
    preparation.hasWork = preparesAhead
    preparation.drawnGeneration = nil
  }

  /// Performs the next step of preparing an item's cell ahead.
  final func prepareStep(of index: Int, _ source: any CollectionViewSource) {
    guard let step = nextStep(at: index) else { return }
    guard let cell = preparation.waiting[index], let progress = preparation.waiting.progress(at: index) else {
      return step == .create ? makeSpareCell(preparation.recentRegistrations.last) : beginPreparing(index, source)
    }
    // Updates by client code are deferred, so that all indices remain valid.
    deferringUpdates {
      var (next, needsReconfigure) = trackingPreparation(index) {
        performStep(step, of: cell, at: index, progress, source)
      }
      guard preparation.waiting[index] === cell else { return }
      if needsReconfigure, !cell.hasRequestedReconfigure {
        cell.hasRequestedReconfigure = true
        next = PreparationProgress(next: .configure)
      }
      preparation.waiting.setProgress(next, at: index)
      if next.isReady { recordPrepared(cell, isForced: false) }
      recordBytes(of: cell, at: index)
    }
  }

  /// Dequeues and configures the cell of an item ahead.
  private func beginPreparing(_ index: Int, _ source: any CollectionViewSource) {
    deferringUpdates {
      guard makeCapacity(for: index) else { return }
      let (cell, needsReconfigure) = trackingPreparation(index) { configureCell(at: index, from: source) }
      cell.hasRequestedReconfigure = needsReconfigure
      let next: PreparationStep = needsReconfigure ? .configure : cell.preparationSteps > 0 ? .part : .size
      preparation.waiting.insert(cell, at: index, progress: PreparationProgress(next: next))
      updateConfigurationState(of: cell)
    }
  }

  /// Performs a step of a waiting cell.
  ///
  /// - Returns: The cell's progress after the step.
  private func performStep(
    _ step: PreparationStep, of cell: CollectionViewCell, at index: Int, _ progress: PreparationProgress,
    _ source: any CollectionViewSource
  ) -> PreparationProgress {
    var progress = progress
    switch step {
    case .create, .configure:
      reconfigureCell(cell, at: index, source)
      progress = PreparationProgress(next: cell.preparationSteps > 0 ? .part : .size)
    case .part:
      if progress.part < cell.preparationSteps { performPart(progress.part, of: cell) }
      progress.advance(isWhole: progress.part + 1 >= cell.preparationSteps)
    case .size:
      measureCell(cell, at: index)
      progress.advance()
    case .draw:
      progress = drawCell(cell, after: progress)
    case .upload:
      uploadTextures(cell)
      // With its image the cell must be drawn again. Textures that are still missing are left to the frame that
      // displays it.
      progress = PreparationProgress(next: .draw)
      progress.advance(isWhole: false)
    }
    return progress
  }

  /// Performs the remaining steps of a cell that is needed now, except drawing and uploading, which the frame performs.
  final func finishPreparation(
    _ cell: CollectionViewCell, at index: Int, _ progress: PreparationProgress, _ source: any CollectionViewSource
  ) {
    guard let next = progress.next else { return }
    var part = progress.next == .part ? progress.part : 0
    if next <= .configure { reconfigureCell(cell, at: index, source) }
    if next <= .part {
      while part < cell.preparationSteps {
        performPart(part, of: cell)
        part += 1
      }
    }
    if next <= .size { measureCell(cell, at: index) }
  }

  // MARK: - Steps

  /// Creates a cell for its pool ahead of need.
  private func makeSpareCell(_ registration: Int) {
    guard let make = registrations[registration]?.makeCell else { return }
    let cell = measuringStep(.create, of: registration, make)
    cell.registration = registration
    cell.number = lifecycle.createSpare()
    pool.enqueue(cell, of: registration, keepingAtMost: .max)
    cell.isPooled = true
  }

  /// The maximum number of pooled cells up to which spare cells are created.
  private static var maximumSpareCells: Int { 256 }

  /// Creates a cell for its pool at rest, if scrolling will need more cells than exist.
  ///
  /// Cells are created up to the number of visible items and of cells that may wait while scrolling, with at most
  /// ``maximumSpareCells`` in the pools, of the registrations of displayed and waiting cells. If the maximum number of
  /// cells exists, cells of other registrations are discarded first. No cells are created while memory is short.
  ///
  /// - Returns: Whether a cell was created or discarded.
  /// - Complexity: O(cells).
  final func makeSpareCellAtRest() -> Bool {
    guard preparesAhead, clientCallDepth == 0, displayedSource != nil, !isMemoryShort, hasFreeCapacity else {
      return false
    }
    var shares: [Int: Int] = [:]
    for cell in displayed.cells + preparation.waiting.cells { shares[cell.registration, default: 0] += 1 }
    guard let scarcest = pool.scarcestRegistration(shares), registrations[scarcest]?.makeCell != nil else {
      return false
    }
    let needed = min(
      itemCount, displayed.itemCount + preparation.window.extent.maximumCells(visible: displayed.itemCount))
    let pooled = shares.keys.reduce(0) { $0 + pool.count(of: $1) }
    guard pooled < CollectionView.maximumSpareCells, statistics.visible + statistics.waiting + pooled < needed else {
      return false
    }
    if hasReachedCellLimit {
      guard let other = pool.dequeueCell(notIn: shares) else { return false }
      lifecycle.handle(.discard, of: other.number)
    } else {
      makeSpareCell(scarcest)
    }
    return true
  }

  /// Dequeues and configures a cell for an item, and positions it.
  final func configureCell(at index: Int, from source: any CollectionViewSource) -> CollectionViewCell {
    let start = frameClock?.workTimestamp()
    preparation.creating = .zero
    let cell = source.cell(at: index, in: self)
    requireDequeuedCell(cell, as: dequeuedCell, at: indexPath(at: index))
    dequeuedCell = nil
    positionCell(cell, at: index)
    adoptChild(cell)
    if addedCellCost > .zero { frameClock?.spend(addedCellCost) }
    if let start { recordStep(.configure, of: cell.registration, since: start, less: preparation.creating) }
    preparation.recentRegistrations.recordRegistration(cell.registration)
    preparation.lastParts = Double(max(0, cell.preparationSteps))
    return cell
  }

  /// Calls the provider again for an item's current cell.
  private func reconfigureCell(_ cell: CollectionViewCell, at index: Int, _ source: any CollectionViewSource) {
    let start = frameClock?.workTimestamp()
    deferringUpdates {
      configureAgain(cell, at: index, from: source)
      // Now, because a pending update may unbind the cell from its item.
      if let start { recordStep(.configure, of: cell.registration, since: start) }
      recordPrepared(cell, isForced: false)
      lifecycle.handle(.reconfigure, of: cell.number)
    }
  }

  private func performPart(_ part: Int, of cell: CollectionViewCell) {
    measuringStep(.part, of: cell.registration) { cell.prepare(step: part) }
  }

  private func measureCell(_ cell: CollectionViewCell, at index: Int) {
    measuringStep(.size, of: cell.registration) {
      cell.layoutIfNeeded()
      requestPreferredSize(cell, at: index)
    }
  }

  private func drawCell(_ cell: CollectionViewCell, after progress: PreparationProgress) -> PreparationProgress {
    guard let resources = window?.resources else { return .ready }
    if !cell.drawing.isValid(for: resources.generation) { redraw(cell, in: resources) }
    let needsUpload = progress.part == 0 && resources.uploads.isAwaited(within: cell)
    return needsUpload ? PreparationProgress(next: .upload) : .ready
  }

  private func uploadTextures(_ cell: CollectionViewCell) {
    guard let uploads = window?.resources.uploads, let clock = frameClock else { return }
    measuringStep(.upload, of: cell.registration) {
      while uploads.uploadNext(within: cell, clock) {}
    }
  }

  /// Draws a cell, supplementary view or decoration view into its cached drawing, measuring the time.
  package final func redraw(_ view: CollectionReusableView, in resources: RenderResources) {
    measuringStep(.draw, of: view.registration) { view.redraw(in: resources) }
  }

  // MARK: - Measuring

  /// Performs a step and records its duration.
  package final func measuringStep<Result>(_ step: PreparationStep, of registration: Int, _ body: () -> Result)
    -> Result
  {
    let start = frameClock?.workTimestamp()
    let result = body()
    if let start { recordStep(step, of: registration, since: start) }
    return result
  }

  /// Records the end of a step.
  ///
  /// On a virtual clock, it takes the declared time. The recorded cost is that of the step itself, without steps inside
  /// it and without the time in which its thread was preempted, so that a busy machine does not raise the estimates.
  final func recordStep(
    _ step: PreparationStep, of registration: Int, since start: WorkTimestamp, less inner: FrameDuration = .zero
  ) {
    guard let clock = frameClock, let entry = registrations[registration] else { return }
    if clock.kind == .virtual, entry.declared[step] > .zero { clock.spend(entry.declared[step]) }
    let took = max(.zero, start.cost(until: clock.workTimestamp()) - inner)
    if step == .create { preparation.creating += took }
    preparation.costs.record(took, for: step, of: registration)
    entry.log?.record(took, for: step)
  }

  /// Records that a cell is prepared, once: in slack time, or forced if a commit had to perform its steps.
  final func recordPrepared(_ cell: CollectionViewCell, isForced: Bool) {
    guard !cell.isPrepared else { return }
    cell.isPrepared = true
    lifecycle.handle(.prepare(isForced: isForced), of: cell.number)
  }
}
