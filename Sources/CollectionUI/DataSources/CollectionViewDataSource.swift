public import struct FoundationEssentials.IndexPath
import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineDataStructures
import VitrineDiffableData
import VitrineViews

/// The methods that provide a collection view with counts and cells by index path, for data without identifiers.
///
/// The view requests the counts when the data source is set, in ``CollectionView/reloadData()``, and at the end of each
/// batch of updates, and at no other time. After changing the data, call one of these methods immediately.
/// ``DiffableDataSource`` computes the changes itself.
@MainActor
public protocol CollectionViewDataSource: AnyObject {
  /// Returns the number of sections. The default is 1.
  func numberOfSections(in view: CollectionView) -> Int
  /// Returns the number of items in a section.
  func collectionView(_ view: CollectionView, numberOfItemsInSection section: Int) -> Int
  /// Returns the cell of an item, dequeued with a registration that was created before.
  func collectionView(_ view: CollectionView, cellForItemAt indexPath: IndexPath) -> CollectionViewCell
  /// Returns a supplementary view, dequeued with a registration that was created before.
  ///
  /// This method is required if the layout contains supplementary views.
  func collectionView(
    _ view: CollectionView, viewForSupplementaryElementOfKind kind: String, at indexPath: IndexPath
  ) -> CollectionReusableView
}

extension CollectionViewDataSource {
  /// Returns 1.
  public func numberOfSections(in view: CollectionView) -> Int { 1 }

  /// Stops the program.
  public func collectionView(
    _ view: CollectionView, viewForSupplementaryElementOfKind kind: String, at indexPath: IndexPath
  ) -> CollectionReusableView {
    failMissingSupplementaryMethod(kind)
  }
}

// MARK: - Adapter

/// An adapter between a collection view and a data source that provides items by index path.
///
/// It stores the counts that the view displays and converts batches of edits into updates.
final class DataSourceAdapter: CollectionViewSource {
  /// The data source.
  private(set) weak var dataSource: (any CollectionViewDataSource)?
  /// The collection view.
  private weak var host: (any DataSourceAdapterHost)?
  /// The item counts of the displayed sections.
  private var counts: [Int] = []
  /// The batch whose edits are being collected.
  private var batch: Batch?
  /// The completion handlers of batches, by ticket.
  private var completionQueue = CompletionQueue() {
    didSet { host?.sourceDidChange(self, adding: UpdateStatistics()) }
  }
  private var completions: [Int: (Bool) -> Void] = [:]
  private var lastTicket = 0
  /// Whether completion handlers will be called after pending updates.
  private var willCallCompletions = false

  /// The edits of one outermost call.
  private struct Batch {
    var edits = BatchEdits()
    var isReload = false
    var tickets: [Int] = []
  }

  init(_ dataSource: any CollectionViewDataSource, for host: any DataSourceAdapterHost) {
    self.dataSource = dataSource
    self.host = host
    counts = requestCounts()
  }

  private func requestCounts() -> [Int] {
    guard let dataSource, let host else { return [] }
    return host.itemCounts(of: dataSource)
  }

  // MARK: - Updates

  /// Whether edits are being collected.
  ///
  /// Nested calls belong to the same batch.
  var isCollectingEdits: Bool { batch != nil }

  /// Performs the updates of a closure as one batch, now or once the cells in progress are prepared.
  func performUpdates(isAnimated: Bool, _ updates: @escaping () -> Void, completion: ((Bool) -> Void)? = nil) {
    guard !isCollectingEdits else {
      if let completion { batch?.tickets.append(registerCompletion(completion)) }
      return updates()
    }
    host?.performWhenReady { [weak self] in self?.commitBatch(isAnimated, updates, completion) }
  }

  /// Adds edits to the current batch, or performs them as a batch.
  func addEdits(_ change: @escaping (inout BatchEdits) -> Void) {
    if batch != nil {
      batch.mutate { change(&$0.edits) }
    } else {
      performUpdates(isAnimated: true, { [weak self] in self?.addEdits(change) })
    }
  }

  /// Reloads all counts and cells.
  func reloadData() {
    if batch != nil {
      batch.mutate { $0.isReload = true }
    } else {
      performUpdates(isAnimated: false, { [weak self] in self?.reloadData() })
    }
  }

  private func commitBatch(_ isAnimated: Bool, _ updates: () -> Void, _ completion: ((Bool) -> Void)?) {
    guard let host, host.hasSource(self) else { return commitDetachedBatch(updates, completion) }
    var next: [Int] = []
    host.performUpdate {
      batch = Batch()
      updates()
      guard var collected = batch.take() else { return nil }
      if let completion { collected.tickets.append(registerCompletion(completion)) }
      next = requestCounts()
      return collected.isReload ? reload(to: next, collected) : update(to: next, collected, isAnimated, in: host)
    } showing: {
      self.counts = next
    }
    if !host.runsFrames { callCompletionsWhenReady() }
  }

  /// Commits a batch after the view's data source was replaced: the closure still changes the data, but its edits are
  /// ignored.
  private func commitDetachedBatch(_ updates: () -> Void, _ completion: ((Bool) -> Void)?) {
    guard let host else {
      changeData(by: updates)
      completion?(false)
      return
    }
    host.performUpdates(of: self) {
      changeData(by: updates)
    } completion: {
      completion?(false)
    }
  }

  private func changeData(by updates: () -> Void) {
    batch = Batch()
    updates()
    batch = nil
  }

  /// Reloads all counts and cells now, in the middle of an update of a replaced adapter.
  func commitReload(_ completion: @escaping () -> Void) {
    commitBatch(false, { self.reloadData() }, { _ in completion() })
  }

  private func reload(to next: [Int], _ collected: Batch) -> CollectionUpdate {
    completionQueue.interruptAnimations()
    completionQueue.add(collected.tickets, isMoving: false)
    return CollectionUpdate(reloading: IndexMap(replacing: itemCounts, by: ItemCounts(next)))
  }

  private func update(
    to next: [Int], _ collected: Batch, _ isAnimated: Bool, in host: any DataSourceHost
  ) -> CollectionUpdate {
    let changes: Changeset
    do {
      changes = try Changeset(collected.edits, from: counts, to: next)
    } catch {
      failPrecondition(error.description)
    }
    let isMoving = isAnimated && host.runsFrames && !changes.isEmpty
    if isMoving || (changes.hasStructuralChanges && !changes.isAppendOnly) { completionQueue.interruptAnimations() }
    completionQueue.add(collected.tickets, isMoving: isMoving)
    var update = CollectionUpdate(changes, from: itemCounts, to: ItemCounts(next))
    update.isAnimated = isAnimated
    return update
  }

  /// Whether the data source was deallocated while its items are displayed.
  private var hasLostDataSource: Bool { dataSource == nil && !counts.isEmpty }

  /// Removes the items of a deallocated data source, before their cells are requested.
  ///
  /// - Returns: Whether it was deallocated.
  func reloadIfDataSourceLost() -> Bool {
    guard hasLostDataSource else { return false }
    reloadData()
    return true
  }

  func framesDidEnd() { callCompletionsWhenReady() }

  private func registerCompletion(_ completion: @escaping (Bool) -> Void) -> Int {
    lastTicket += 1
    completions[lastTicket] = completion
    return lastTicket
  }

  /// Calls the completion handlers without waiting for frames, but after all pending updates.
  ///
  /// A handler may change the data and report the change. A batch that is pending then would be performed with data that
  /// its edits do not explain.
  private func callCompletionsWhenReady() {
    guard let host, host.hasSource(self) else { return callCompletions(framesRun: false) }
    guard !willCallCompletions, !completionQueue.isEmpty else { return }
    willCallCompletions = true
    host.performWhenReady {
      self.willCallCompletions = false
      self.callCompletions(framesRun: false)
    }
  }

  private func callCompletions(framesRun: Bool) {
    while let next = completionQueue.next(framesRun: framesRun) {
      completions.removeValue(forKey: next.ticket)?(next.isFinished)
    }
  }

  // MARK: - CollectionViewSource

  var itemCounts: ItemCounts { ItemCounts(counts) }

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
  /// True after the data source was deallocated, because the removal of its items is pending.
  var hasPendingUpdate: Bool { hasLostDataSource }

  func announcement(of plan: PrefetchPlan, by planner: PrefetchPlanner) -> PrefetchAnnouncement? { nil }

  /// Also true after the data source was deallocated.
  var needsFrames: Bool { !completionQueue.isEmpty || hasLostDataSource }

  func collectUpdates(_ budget: FrameBudget) {
    if !(host?.isAnimatingUpdates ?? false) { completionQueue.markAnimationsEnded() }
    callCompletions(framesRun: true)
  }

  func frameWillBegin() { completionQueue.markShown() }

  func slackStep(_ budget: FrameBudget) -> Bool { false }
}

extension Optional {
  /// Mutates the wrapped value in place, if there is one.
  fileprivate mutating func mutate(_ change: (inout Wrapped) -> Void) {
    guard var value = take() else { return }
    change(&value)
    self = value
  }
}
