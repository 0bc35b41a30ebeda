@testable import CollectionUI
import struct FoundationEssentials.IndexPath
import Testing
import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineDiffableData
import VitrineTestSupport

@Suite("A diffable data source, without a view")
struct DiffableDataSourceHostTests {
  typealias Source = DiffableDataSource<Int, Int>

  let host = DataSourceHostDouble()
  let source: Source

  init() {
    source = Source(host: host) { _, _, _ in CollectionViewCell() }
    host.source = source
  }

  private func apply(_ items: some Sequence<Int>, isAnimated: Bool = true, completion: ((Bool) -> Void)? = nil) {
    var snapshot = Source.Snapshot()
    snapshot.appendSections([0])
    snapshot.appendItems(Array(items))
    guard let completion else { return source.apply(snapshot, animatingDifferences: isAnimated) }
    source.apply(snapshot, animatingDifferences: isAnimated, completion: completion)
  }

  @Test("An apply becomes exactly one update, from the displayed items to the new ones")
  func oneUpdate() throws {
    apply(0..<5, isAnimated: false)
    apply([0, 1, 2, 9, 4])
    #expect(host.updates.count == 2)
    let update = try #require(host.updates.last)
    #expect(update.isAnimated && !update.keepsOffset && !host.updates[0].isAnimated)
    #expect(update.map.formerCounts == ItemCounts([5]) && update.map.counts == ItemCounts([5]))
    #expect((0..<5).map { update.map.newIndex(ofItem: $0) } == [0, 1, 2, nil, 4])
    #expect(source.itemIdentifier(atFlatIndex: 3) == 9 && source.itemIdentifier(atFlatIndex: 5) == nil)
    #expect(host.statistics.applied == 2 && !host.needsFrames)
  }

  @Test("Marks alone become an update without structural changes, with the counts of before")
  func marks() throws {
    apply(0..<5)
    var snapshot = source.snapshot()
    snapshot.reconfigureItems([2])
    source.apply(snapshot)
    let changes = try #require(host.updates.last?.changes)
    #expect(changes.isReconfigureOnly && changes.reconfigures.map(\.item) == [2])
    #expect(host.updates.last?.map.counts == ItemCounts([5]))
  }

  @Test("A reload becomes one update without changes, whose map finds the remaining items")
  func reload() throws {
    apply(0..<5)
    var snapshot = source.snapshot()
    snapshot.deleteItems([0])
    source.applySnapshotUsingReloadData(snapshot)
    let update = try #require(host.updates.last)
    #expect(host.updates.count == 2 && update.changes == nil && !update.isAnimated)
    #expect(update.map.newIndex(ofItem: 1) == 0 && update.map.newIndex(ofItem: 0) == nil)
  }

  @Test(
    "An apply during client code is one update after it returned, and the last of several without handlers replaces them"
  )
  func deferred() {
    apply(0..<5)
    host.callClient {
      apply(0..<6)
      apply(0..<7)
      #expect(host.updates.count == 1 && source.displayedSnapshot().numberOfItems == 5)
      #expect(source.snapshot().numberOfItems == 7 && source.hasPendingUpdate)
    }
    #expect(host.updates.map(\.map.counts) == [ItemCounts([5]), ItemCounts([7])])
    #expect(host.statistics.replaced == 1 && !source.hasPendingUpdate)
  }

  @Test("A snapshot applied by a completion handler is displayed after the first one")
  func nested() {
    var finished: [Bool] = []
    apply(0..<5) { isFinished in
      finished.append(isFinished)
      apply(0..<6) { finished.append($0) }
    }
    #expect(host.updates.map(\.map.counts) == [ItemCounts([5]), ItemCounts([6])])
    #expect(finished.count == 2)
  }

  @Test("While frames run, a large difference is computed in steps, and waits until the view is ready for it")
  func stepwise() {
    apply(0..<30_000, isAnimated: false)
    host.runsFrames = true
    var isCalled = false
    apply((0..<30_000).filter { $0 % 3 != 0 }, isAnimated: false) { _ in isCalled = true }
    #expect(host.updates.count == 1 && host.needsFrames && source.hasPendingUpdate)
    host.isReady = false
    for _ in 0..<40 { host.runFrame(steps: 4) }
    #expect(host.updates.count == 1 && host.statistics.comparedInSlack == 1)
    host.isReady = true
    host.runFrame()
    #expect(host.updates.count == 2 && host.updates.last?.map.counts == ItemCounts([20_000]) && !isCalled)
    host.runFrame()
    #expect(isCalled && !host.needsFrames)
  }

  @Test("A handler of an animated update waits until the view's animation ended")
  func animation() {
    apply(0..<5)
    host.runsFrames = true
    var finished: Bool?
    apply(0..<4) { finished = $0 }
    host.isAnimatingUpdates = true
    for _ in 0..<3 { host.runFrame() }
    #expect(finished == nil && host.needsFrames)
    host.isAnimatingUpdates = false
    host.runFrame()
    #expect(finished == true && !host.needsFrames)
  }

  @Test("A transaction of reordering is one update, and the handlers see the items before and after it")
  func transaction() throws {
    apply(0..<4)
    var log: [[Int]] = []
    source.reorderingHandlers.canReorderItem = { $0 != 3 }
    source.reorderingHandlers.willReorder = { [host] transaction in
      log.append(transaction.finalSnapshot.itemIdentifiers)
      #expect(host.updates.count == 1)
    }
    source.reorderingHandlers.didReorder = { [source] _ in log.append(source.displayedSnapshot().itemIdentifiers) }
    #expect(source.moveItem(at: 0, to: [0, 2]))
    #expect(host.updates.count == 2 && log == [[1, 2, 0, 3], [1, 2, 0, 3]])
    #expect(host.updates.last?.map.newIndex(ofItem: 0) == 2)
    #expect(!source.moveItem(at: 3, to: [0, 0]) && host.updates.count == 2, "the handler refuses")
  }

  @Test("The steps of a drag preserve the offset, and its end is committed")
  func drag() {
    apply(0..<4)
    source.reorderingHandlers.canReorderItem = { _ in true }
    source.beginMove(of: 0)
    source.showMove(to: [0, 1])
    #expect(host.updates.last?.keepsOffset == true && source.snapshot().itemIdentifiers == [0, 1, 2, 3])
    source.endMove()
    #expect(source.snapshot().itemIdentifiers == [1, 0, 2, 3] && source.draggedItem == nil)
    #expect(source.displayedSnapshot().itemIdentifiers == [1, 0, 2, 3])
  }

  @Test("The tree of a section is displayed by one update for each expansion")
  func outline() {
    var tree = Source.SectionSnapshot()
    tree.append([1, 2])
    tree.append([10, 11], to: 1)
    source.apply(tree, to: 0)
    #expect(host.updates.count == 1 && source.displayedSnapshot().itemIdentifiers == [1, 2])
    #expect(source.expand(1, in: 0))
    #expect(host.updates.count == 2 && source.displayedSnapshot().itemIdentifiers == [1, 10, 11, 2])
    #expect(!source.expand(1, in: 0) && host.updates.count == 2)
  }

  @Test("A replaced data source changes its own items and not the view")
  func replaced() {
    apply(0..<5)
    host.source = nil
    var isCalled = false
    apply(0..<6) { _ in isCalled = true }
    #expect(host.updates.count == 1 && isCalled && source.displayedSnapshot().numberOfItems == 6)
    #expect(host.statistics.applied == 1)
  }

  @Test("Requests for single items name them by index, and skip items that are not displayed")
  func items() {
    apply(5..<10)
    source.reconfigureItems([7, 70])
    source.invalidateLayout(ofItems: [8, 80])
    let client = PrefetchingDouble()
    source.prefetching = client
    source.prefetching = client
    #expect(host.log == ["reconfigure 2", "invalidate [3]", "prefetching"])
  }

  private final class PrefetchingDouble: DataPrefetching {
    func prefetchItems(_ items: [Int]) {}
    func cancelPrefetchingItems(_ items: [Int]) {}
  }
}

@Suite("The adapter of a data source by index path, without a view")
struct DataSourceAdapterTests {
  let host = DataSourceHostDouble()
  let client = Client()
  let adapter: DataSourceAdapter

  final class Client: CollectionViewDataSource {
    func collectionView(_ view: CollectionView, numberOfItemsInSection section: Int) -> Int { 0 }
    func collectionView(_ view: CollectionView, cellForItemAt indexPath: IndexPath) -> CollectionViewCell {
      CollectionViewCell()
    }
  }

  init() {
    host.counts = [3]
    adapter = DataSourceAdapter(client, for: host)
    host.source = adapter
  }

  private func position(_ item: Int) -> ItemPosition { ItemPosition(section: 0, item: item) }

  @Test("A batch with nested batches and several edits becomes exactly one update")
  func batch() throws {
    var finished: [Int] = []
    adapter.performUpdates(isAnimated: false) {
      host.counts = [4]
      adapter.addEdits { $0.deletes.append(position(0)) }
      adapter.performUpdates(isAnimated: true) {
        adapter.addEdits { $0.inserts += [position(0), position(1)] }
      } completion: { _ in
        finished.append(1)
      }
    } completion: { _ in
      finished.append(2)
    }
    let update = try #require(host.updates.first)
    #expect(host.updates.count == 1 && finished == [1, 2] && !update.isAnimated)
    #expect((0..<3).map { update.map.newIndex(ofItem: $0) } == [nil, 2, 3])
    #expect(adapter.itemCounts == ItemCounts([4]))
  }

  @Test("A batch during client code, and one that the closure of a batch requests later, are performed afterwards")
  func deferred() {
    host.callClient {
      adapter.performUpdates(
        isAnimated: true,
        {
          host.counts = [2]
          adapter.addEdits { $0.deletes.append(position(2)) }
        })
      #expect(host.updates.isEmpty && host.counts == [3])
    }
    #expect(host.updates.count == 1 && host.updates.last?.isAnimated == true)
    adapter.performUpdates(isAnimated: false) {
      host.performWhenReady { #expect(adapter.itemCounts == ItemCounts([1]), "after the batch") }
      host.counts = [1]
      adapter.addEdits { $0.deletes.append(position(0)) }
    }
    #expect(host.updates.count == 2)
  }

  @Test("A handler that changes the data finds no batch pending that its change would contradict")
  func handlerBetweenBatches() {
    var finished: [Int] = []
    host.callClient {
      adapter.performUpdates(isAnimated: false) {
        host.counts[0] -= 1
        adapter.addEdits { $0.deletes.append(position(2)) }
      } completion: { _ in
        finished.append(1)
        host.counts[0] += 1
        adapter.addEdits { $0.inserts.append(position(0)) }
      }
      adapter.performUpdates(isAnimated: false) {
        host.counts[0] -= 1
        adapter.addEdits { $0.deletes.append(position(1)) }
      } completion: { _ in
        finished.append(2)
      }
    }
    #expect(host.updates.map(\.map.counts.total) == [2, 1, 2] && finished == [1, 2])
    #expect(adapter.itemCounts == ItemCounts([2]) && !adapter.needsFrames)
  }

  @Test("A reload within a batch replaces its edits")
  func reload() {
    adapter.performUpdates(isAnimated: true) {
      host.counts = [7]
      adapter.addEdits { $0.deletes.append(position(0)) }
      adapter.reloadData()
    }
    #expect(host.updates.count == 1 && host.updates.last?.changes == nil)
    #expect(host.updates.last?.map.replacesAll == true && adapter.itemCounts == ItemCounts([7]))
  }

  @Test("A batch of a replaced adapter changes the data without an update, and is reported as not finished")
  func replaced() {
    host.source = nil
    var finished: Bool?
    adapter.performUpdates(isAnimated: true) {
      host.counts = [2]
      adapter.addEdits { $0.deletes.append(position(0)) }
    } completion: {
      finished = $0
    }
    #expect(host.updates.isEmpty && host.counts == [2] && finished == false && !adapter.isCollectingEdits)
  }
}
