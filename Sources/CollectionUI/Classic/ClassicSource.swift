import CollectionEngine
import CollectionLayout
import DataStructures
import DiffableData
import struct FoundationEssentials.IndexPath
import Views

/// Stands between a collection view and a data source that is asked by index path: keeps the counts that the view shows,
/// and turns batches of edits into updates.
final class DataSourceAdapter: CollectionViewSource {
  /// Who gives items and cells.
  private(set) weak var dataSource: (any CollectionViewDataSource)?
  private weak var view: CollectionView?
  /// What the view shows.
  private var counts: [Int] = []
  /// The batch that is being named, from its first update to its last.
  private var batch: Batch?
  /// Those who wait for batches to be seen.
  private var completionQueue = CompletionQueue() {
    didSet { if let view, view.source === self { view.hasUpdates = needsFrames } }
  }
  private var completions: [Int: (Bool) -> Void] = [:]
  private var lastTicket = 0

  /// What is named within one outermost call.
  private struct Batch {
    var edits = BatchEdits()
    var isReload = false
    var tickets: [Int] = []
  }

  init(_ dataSource: any CollectionViewDataSource, for view: CollectionView) {
    self.dataSource = dataSource
    self.view = view
    counts = requestCounts()
  }

  /// What the data source says now; what is no count is none.
  private func requestCounts() -> [Int] {
    guard let dataSource, let view else { return [] }
    let sections = clampedCount(dataSource.numberOfSections(in: view))
    return (0..<sections).map { clampedCount(dataSource.collectionView(view, numberOfItemsInSection: $0)) }
  }

  private func clampedCount(_ count: Int) -> Int {
    // As many as the moves of a difference can count.
    let bounded = min(max(0, count), Int(Int32.max))
    if bounded != count { view?.didRejectInvalidNumber() }
    return bounded
  }

  // MARK: Updates

  /// Whether updates are being named: nested ones belong to the same batch.
  var isCollectingEdits: Bool { batch != nil }

  /// Carries out the updates that a body names, as one; now, or once the cells that are being prepared are ready.
  func performUpdates(isAnimated: Bool, _ updates: @escaping () -> Void, completion: ((Bool) -> Void)? = nil) {
    guard !isCollectingEdits else {
      if let completion { batch?.tickets.append(registerCompletion(completion)) }
      return updates()
    }
    view?.performWhenReady { [weak self] in self?.commitBatch(isAnimated, updates, completion) }
  }

  /// Adds to the batch that is being named, or makes one of it.
  func addEdits(_ change: @escaping (inout BatchEdits) -> Void) {
    if batch != nil {
      batch.mutate { change(&$0.edits) }
    } else {
      performUpdates(isAnimated: true, { [weak self] in self?.addEdits(change) })
    }
  }

  /// Asks for everything anew.
  func reloadData() {
    if batch != nil {
      batch.mutate { $0.isReload = true }
    } else {
      performUpdates(isAnimated: false, { [weak self] in self?.reloadData() })
    }
  }

  private func commitBatch(_ isAnimated: Bool, _ updates: () -> Void, _ completion: ((Bool) -> Void)?) {
    guard let view, view.source === self else { return commitDetachedBatch(updates, completion) }
    view.deferringUpdates {
      batch = Batch()
      updates()
      guard var named = batch.take() else { return }
      if let completion { named.tickets.append(registerCompletion(completion)) }
      let next = requestCounts()
      if named.isReload { applyReload(view, to: next, named) } else { applyEdits(view, to: next, named, isAnimated) }
    }
    if !view.runsFrames { callCompletions(framesRun: false) }
  }

  /// The view has another data source by now: the data is changed all the same, and what is named means nothing.
  private func commitDetachedBatch(_ updates: () -> Void, _ completion: ((Bool) -> Void)?) {
    let other = view?.dataSourceAdapter
    view?.dataSourceAdapter = self
    batch = Batch()
    updates()
    batch = nil
    if view?.dataSourceAdapter === self { view?.dataSourceAdapter = other }
    guard let other, other !== self, view?.source === other else {
      completion?(false)
      return
    }
    // At once: it was asked for its counts before, and batches that wait for it count from those of now.
    other.commitBatch(false, { other.reloadData() }, completion.map { told in { _ in told(false) } })
  }

  private func applyReload(_ view: CollectionView, to next: [Int], _ named: Batch) {
    completionQueue.interruptAnimations()
    completionQueue.add(named.tickets, isMoving: false)
    view.reloadAllItems {
      counts = next
      view.resetInteraction()
    }
    view.refreshInteractionAfterUpdate()
    view.updateStatistics.reloadedAll += 1
  }

  private func applyEdits(_ view: CollectionView, to next: [Int], _ named: Batch, _ isAnimated: Bool) {
    let changes: Changeset
    do {
      changes = try Changeset(named.edits, from: counts, to: next)
    } catch {
      failPrecondition(error.description)
    }
    let isMoving = isAnimated && view.runsFrames && !changes.isEmpty
    if isMoving || (changes.hasStructuralChanges && !changes.isAppendOnly) { completionQueue.interruptAnimations() }
    completionQueue.add(named.tickets, isMoving: isMoving)
    if isAnimated, !changes.isEmpty { view.beginUpdateAnimation() }
    let former = counts
    counts = next
    view.applyChangeset(changes, formerSectionCount: former.count, to: ItemCounts(next)) { ItemCounts(former) }
  }

  /// Whether the data source went away with what is shown.
  private var hasLostDataSource: Bool { dataSource == nil && !counts.isEmpty }

  /// Before cells are asked for: a data source that went away took its items along.
  func reloadIfDataSourceLost() { if hasLostDataSource { reloadData() } }

  func framesDidEnd() { callCompletions(framesRun: false) }

  private func registerCompletion(_ completion: @escaping (Bool) -> Void) -> Int {
    lastTicket += 1
    completions[lastTicket] = completion
    return lastTicket
  }

  private func callCompletions(framesRun: Bool) {
    while let next = completionQueue.next(framesRun: framesRun) {
      completions.removeValue(forKey: next.ticket)?(next.isFinished)
    }
  }

  // MARK: CollectionViewSource

  var sectionCounts: [Int] { counts }

  func cell(at index: Int, in view: CollectionView) -> CollectionViewCell {
    let path = view.indexPath(at: index)
    guard let dataSource else { failReleasedDataSource() }
    return ProviderContext.$current.withValue(ProviderContext.Value(isInside: true)) {
      dataSource.collectionView(view, cellForItemAt: path)
    }
  }

  func supplementaryView(
    ofKind kind: String, at path: IndexPath, in view: CollectionView
  ) -> CollectionReusableView? {
    guard let dataSource else { failReleasedDataSource() }
    return ProviderContext.$current.withValue(ProviderContext.Value(isInside: true)) {
      dataSource.collectionView(view, viewForSupplementaryElementOfKind: kind, at: path)
    }
  }

  var isPrefetching: Bool { false }
  /// Once the data source went away, that its items go is to be shown.
  var hasPendingUpdate: Bool { hasLostDataSource }

  func announcement(of plan: PrefetchPlan, by planner: PrefetchPlanner) -> PrefetchAnnouncement? { nil }

  /// Also once the data source went away.
  var needsFrames: Bool { !completionQueue.isEmpty || hasLostDataSource }

  func collectUpdates(_ budget: FrameBudget) {
    if !(view?.isAnimatingUpdates ?? false) { completionQueue.markAnimationsEnded() }
    callCompletions(framesRun: true)
  }

  func frameWillBegin() { completionQueue.markShown() }

  func slackStep(_ budget: FrameBudget) -> Bool { false }
}

extension Optional {
  /// Changes what there is in place.
  fileprivate mutating func mutate(_ change: (inout Wrapped) -> Void) {
    guard var value = take() else { return }
    change(&value)
    self = value
  }
}
