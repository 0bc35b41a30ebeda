import CollectionEngine
import FramePacing
import Views

extension CollectionView {
  /// The next step in preparing an item's cell; nil where a waiting cell is ready.
  ///
  /// - Complexity: O(log cells), no allocation.
  final func nextStep(at index: Int) -> PreparationStep? {
    guard let progress = preparation.waiting.progress(at: index) else {
      let expected = preparation.recentRegistrations.last
      let makes = pool.isEmpty(of: expected) && registrations[expected]?.makeCell != nil && !hasReachedCellLimit
      return makes && hasFreeCapacity ? .create : .configure
    }
    if let next = progress.next { return next }
    guard let generation = window?.resources.generation, let cell = preparation.waiting[index] else { return nil }
    return cell.drawing.isValid(for: generation) || !cell.isWorthDrawingAhead ? nil : .draw
  }

  /// What was drawn of a cell or of a view beside cells does not hold any more: if it waits, that is work ahead.
  final func drawingDidBecomeInvalid() {
    preparation.hasWork = preparesAhead
    preparation.drawnGeneration = nil
  }

  /// Does the next step for an item's cell, ahead of its need.
  final func prepareStep(of index: Int, _ source: any CollectionViewSource) {
    guard let step = nextStep(at: index) else { return }
    guard let cell = preparation.waiting[index], let progress = preparation.waiting.progress(at: index) else {
      return step == .create ? makeSpareCell(preparation.recentRegistrations.last) : beginPreparing(index, source)
    }
    // What the client's code applies meanwhile waits: until the end the numbers are those of now.
    deferringUpdates {
      var (next, isAskedAgain) = trackingPreparation(index) { performStep(step, of: cell, at: index, progress, source) }
      guard preparation.waiting[index] === cell else { return }
      if isAskedAgain, !cell.hasRequestedReconfigure {
        cell.hasRequestedReconfigure = true
        next = PreparationProgress(next: .configure)
      }
      preparation.waiting.setProgress(next, at: index)
      if next.isReady { recordPrepared(cell, isForced: false) }
      recordBytes(of: cell, at: index)
    }
  }

  /// Has the cell of an item given and configured, ahead of its need.
  private func beginPreparing(_ index: Int, _ source: any CollectionViewSource) {
    deferringUpdates {
      guard makeCapacity(for: index) else { return }
      let (cell, isAskedAgain) = trackingPreparation(index) { configureCell(at: index, from: source) }
      cell.hasRequestedReconfigure = isAskedAgain
      let next: PreparationStep = isAskedAgain ? .configure : cell.preparationSteps > 0 ? .part : .size
      preparation.waiting.insert(cell, at: index, progress: PreparationProgress(next: next))
      updateConfigurationState(of: cell)
    }
  }

  /// Takes a step of a cell that waits.
  ///
  /// - Returns: how far it is prepared then.
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
      // With its picture the cell looks another way; what is not a texture by then is left to the frame that shows it.
      progress = PreparationProgress(next: .draw)
      progress.advance(isWhole: false)
    }
    return progress
  }

  /// Does what is left for a cell that is needed now; drawing and uploading are the frame's own affair.
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

  // MARK: Steps

  /// Makes a cell for its pool, ahead of need.
  private func makeSpareCell(_ registration: Int) {
    guard let make = registrations[registration]?.makeCell else { return }
    let cell = measuringStep(.create, of: registration, make)
    cell.registration = registration
    cell.number = lifecycle.createSpare()
    pool.enqueue(cell, of: registration, keepingAtMost: .max)
    cell.isPooled = true
  }

  /// How many cells are made at most while nothing moves.
  private static var maximumSpareCells: Int { 256 }

  /// Makes a cell for its pool while nothing moves, where a motion will need more than there are.
  ///
  /// As many as are seen now and may wait then, `mostSpares` in the pools at most, of the kinds that are seen and wait. Where
  /// there are as many cells as there may ever be, those of other kinds are let go first. Nothing while memory is short.
  ///
  /// - Returns: whether one was made or let go.
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

  /// Has the data source give and configure a cell for an item, and places it.
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

  /// Runs the provider again on an item's own cell.
  private func reconfigureCell(_ cell: CollectionViewCell, at index: Int, _ source: any CollectionViewSource) {
    let start = frameClock?.workTimestamp()
    deferringUpdates {
      configureAgain(cell, at: index, from: source)
      // Now, as an update that waits may take the cell's item away.
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
    let wantsTexture = progress.part == 0 && resources.uploads.isAwaited(within: cell)
    return wantsTexture ? PreparationProgress(next: .upload) : .ready
  }

  private func uploadTextures(_ cell: CollectionViewCell) {
    guard let uploads = window?.resources.uploads, let clock = frameClock else { return }
    measuringStep(.upload, of: cell.registration) {
      while uploads.uploadNext(within: cell, clock) {}
    }
  }

  /// Records the drawing of a cell or of a supplementary view again.
  final func redraw(_ view: CollectionReusableView, in resources: RenderResources) {
    measuringStep(.draw, of: view.registration) { view.redraw(in: resources) }
  }

  // MARK: Time

  /// Runs a step and notes what it took.
  final func measuringStep<Result>(_ step: PreparationStep, of registration: Int, _ body: () -> Result) -> Result {
    let start = frameClock?.workTimestamp()
    let result = body()
    if let start { recordStep(step, of: registration, since: start) }
    return result
  }

  /// A step has ended: on the virtual clock it takes what its registration declared.
  ///
  /// What is learned is what the step itself took, without steps inside it and without what others ran meanwhile: a busy
  /// machine makes no cell dearer.
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

  /// A cell counts as prepared once: in slack, or forced where a commit had to do the heavy steps.
  final func recordPrepared(_ cell: CollectionViewCell, isForced: Bool) {
    guard !cell.isPrepared else { return }
    cell.isPrepared = true
    lifecycle.handle(.prepare(isForced: isForced), of: cell.number)
  }
}
