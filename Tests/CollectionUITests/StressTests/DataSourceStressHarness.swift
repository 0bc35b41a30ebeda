@testable import CollectionUI
import struct FoundationEssentials.IndexPath
import Testing
import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineDiffableData
import VitrineFramePacing
import VitrineGeometry
import VitrineScrollPhysics
import VitrineTestSupport
import VitrineViews

/// A harness that performs random events on a view with a `CollectionViewDataSource`.
final class DataSourceStressHarness {
  /// A data source of numbers in arrays, which fails the test if the view requests a missing item.
  final class Source: CollectionViewDataSource {
    var sections: [[Int]]
    var onCellRequest: () -> Void = {}
    let registrations = (0..<2).map { _ in
      CellRegistration<StressCell, Int> { cell, _, item in cell.show(item, version: 0) }
    }

    init(_ sections: [[Int]]) { self.sections = sections }

    func numberOfSections(in view: CollectionView) -> Int { sections.count }
    func collectionView(_ view: CollectionView, numberOfItemsInSection section: Int) -> Int { sections[section].count }
    func collectionView(_ view: CollectionView, cellForItemAt indexPath: IndexPath) -> CollectionViewCell {
      let items = sections.indices.contains(indexPath.section) ? sections[indexPath.section] : []
      #expect(items.indices.contains(indexPath.item), "\(indexPath) is requested and does not exist")
      let item = items.indices.contains(indexPath.item) ? items[indexPath.item] : -1
      let cell = view.dequeueConfiguredReusableCell(
        using: registrations[item % 5 == 0 ? 1 : 0], for: indexPath, item: item)
      onCellRequest()
      return cell
    }
  }

  let view = CollectionView(layout: WordGrid.layout(columns: 2))
  let harness: WindowHarness
  let observer = StressObserver()
  let actions = FrameActions()
  private(set) var source: Source
  private var random: SeededGenerator
  private var nextItem = 1_000
  private var remainingCalls = 0
  private var completed: [Int] = []
  private var requestedCompletions = 0
  private var isReplacing = false

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    harness = WindowHarness(root: view)
    harness.window.addFirstParticipant(actions)
    harness.window.addParticipant(view)
    source = Source([Array(0..<50), Array(50..<60), Array(60..<120)])
    view.delegate = observer
    observer.currentSelection = { [unowned self] in
      Set(view.indexPathsForSelectedItems.map { item(at: $0) })
    }
    observer.onCall = { [unowned self] in callBackRandomly() }
    source.onCellRequest = { [unowned self] in callBackRandomly() }
    view.dataSource = source
  }

  /// Performs a random action, now or in the collect phase of the next frame.
  func step() {
    remainingCalls = 3
    if Bool.random(using: &random) {
      performRandomAction()
    } else {
      actions.pending.append { [unowned self] in performRandomAction() }
    }
    harness.run(frames: Int.random(in: 1...4, using: &random))
  }

  private func callBackRandomly() {
    guard remainingCalls > 0, random.chance(oneIn: 9) else { return }
    remainingCalls -= 1
    performRandomAction()
  }

  private func performRandomAction() {
    switch Int.random(in: 0..<18, using: &random) {
    case 0..<7: performBatch()
    case 7: deleteFirstItem()
    case 8:
      // The data changes immediately, so the reload must be immediate too: not in a callback.
      if !view.isCallingClient {
        source.sections = source.sections.reversed()
        view.reloadData()
      }
    case 9: view.applyScrollEvent(.jump(to: .random(in: 0...3_000, using: &random)))
    case 10:
      view.applyScrollEvent(.steady(velocity: .random(in: -6_000...6_000, using: &random)), at: harness.clock.now())
    case 11:
      view.setCollectionViewLayout(
        WordGrid.layout(columns: .random(in: 1...4, using: &random)), animated: Bool.random(using: &random))
    case 12: view.scrollToItem(at: randomPath, at: .centeredVertically, animated: Bool.random(using: &random))
    case 13: view.selectItem(at: randomPath, animated: false)
    case 14:
      view.select([.all, .clear, .choose(5), .extend(to: 30, adds: true)].randomElement(using: &random) ?? .clear)
    case 15: if random.chance(oneIn: 4) { replaceDataSource() } else { view.focusedIndexPath = randomPath }
    case 16: leaveWindow()
    default: if random.chance(oneIn: 2) { view.reducesMotion.toggle() } else { view.isPrefetchingEnabled.toggle() }
    }
  }

  private func item(at path: IndexPath) -> Int {
    guard source.sections.indices.contains(path.section) else { return -1 }
    let items = source.sections[path.section]
    return items.indices.contains(path.item) ? items[path.item] : -1
  }

  private var randomPath: IndexPath {
    IndexPath(item: .random(in: 0..<40, using: &random), section: .random(in: 0..<3, using: &random))
  }

  private func makeCompletionNumber() -> Int {
    defer { requestedCompletions += 1 }
    return requestedCompletions
  }

  /// Changes the data, and reports every change.
  private func edit() {
    let before = source.sections
    var after: [[Int]] = []
    for (section, items) in before.enumerated() {
      var remaining: [Int] = []
      for (index, item) in items.enumerated() {
        if random.chance(oneIn: 12) {
          view.deleteItems(at: [IndexPath(item: index, section: section)])
        } else {
          remaining.append(item)
          if random.chance(oneIn: 20) {
            view.reconfigureItems(at: [IndexPath(item: index, section: section)])
          } else if random.chance(oneIn: 25) {
            view.reloadItems(at: [IndexPath(item: index, section: section)])
          }
        }
      }
      after.append(remaining)
    }
    for section in after.indices {
      var fresh: [Int] = []
      for _ in 0..<Int.random(in: 0...4, using: &random) {
        nextItem += 1
        fresh.append(nextItem)
        after[section].insert(nextItem, at: Int.random(in: 0...after[section].count, using: &random))
      }
      for item in fresh {
        if let index = after[section].firstIndex(of: item) {
          view.insertItems(at: [IndexPath(item: index, section: section)])
        }
      }
    }
    source.sections = after
  }

  private func performBatch() {
    let number = makeCompletionNumber()
    let moves = random.chance(oneIn: 6)
    view.performBatchUpdates(animated: Bool.random(using: &random)) { [unowned self] in
      if moves {
        source.sections = [source.sections[1], source.sections[2], source.sections[0]]
        view.moveSection(0, toSection: 2)
      } else {
        edit()
      }
    } completion: { [unowned self] _ in
      completed.append(number)
      callBackRandomly()
    }
  }

  private func deleteFirstItem() {
    guard !view.isCallingClient, !source.sections[0].isEmpty else { return }
    source.sections[0].removeFirst()
    view.deleteItems(at: [IndexPath(item: 0, section: 0)])
  }

  private func replaceDataSource() {
    guard !isReplacing, !view.isCallingClient else { return }
    isReplacing = true
    defer { isReplacing = false }
    source.onCellRequest = {}
    source = Source(source.sections)
    source.onCellRequest = { [unowned self] in callBackRandomly() }
    view.dataSource = source
  }

  private func leaveWindow() {
    harness.window.removeParticipant(view)
    harness.window.addParticipant(view)
  }

  /// Checks the invariants of every frame.
  func checkInvariants() {
    let counts = view.statistics
    #expect(view.cellController.isBalanced)
    #expect(counts.visible == observer.displayed.count && counts.waiting == view.preparedCells.count)
    for case let cell as StressCell in view.visibleCells + view.preparedCells {
      let path = view.indexPath(for: cell)
      #expect(path.map { item(at: $0) } == cell.item)
    }
    #expect(observer.currentSelection() == observer.selected)
    #expect(completed == Array(0..<completed.count), "\(completed.suffix(5))")
  }

  /// Waits until the view is idle, and checks its state.
  func checkIdleState() {
    remainingCalls = 0
    view.applyScrollEvent(.stop)
    harness.runUntilIdle()
    #expect(harness.runUntilIdle() == 0)
    checkInvariants()
    #expect(completed.count == requestedCompletions && !view.isAnimatingUpdates)
    let all = Array(source.sections.joined())
    #expect(view.itemCount == all.count)
    #expect(view.visibleCells.compactMap { ($0 as? StressCell)?.item } == Array(all[view.visibleRange]))
    let range = view.visibleRange
    let first = range.first.flatMap { view.frameOfItem(at: view.indexPath(at: $0)) }
    #expect(all.isEmpty || first.map { $0.maxY > view.contentOffset && $0.minY <= view.contentOffset } == true)
  }
}
