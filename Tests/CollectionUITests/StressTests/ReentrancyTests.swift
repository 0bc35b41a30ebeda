@testable import CollectionUI
import struct FoundationEssentials.IndexPath
import Testing
import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineDiffableData
import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineScrollPhysics
import VitrineTestSupport
import VitrineViews

@Suite("Client code may call the view in any callback")
struct ReentrancyTests {
  @Test("A view without a data source becomes idle")
  func idleWithoutDataSource() {
    let view = CollectionView(layout: WordGrid.layout(columns: 1))
    let harness = WindowHarness(root: view)
    harness.window.addParticipant(view)
    harness.runUntilIdle()
    #expect(harness.runUntilIdle() == 0)
  }

  @Test("A view whose data source was deallocated becomes idle, even with pending work")
  func idleAfterDeallocation() {
    let grid = WordGrid([])
    let registration = CellRegistration<WordCell, String> { cell, _, word in cell.word = word }
    var source: WordGrid.Source? = WordGrid.Source(collectionView: grid.view) { view, path, word in
      view.dequeueConfiguredReusableCell(using: registration, for: path, item: word)
    }
    let actions = FrameActions()
    grid.harness.window.addParticipant(actions)
    actions.pending.append {
      var snapshot = WordGrid.Source.Snapshot()
      snapshot.appendSections([0])
      snapshot.appendItems(["a"])
      source?.apply(snapshot) { _ in }
    }
    grid.harness.run(frames: 1)
    source = nil
    grid.harness.runUntilIdle()
    #expect(grid.harness.runUntilIdle() == 0)
  }

  @Test("The handler of a prepared cell may delete its item during a reconfiguration")
  func deletingDuringReconfiguration() {
    let grid = HeavyGrid(count: 100)
    grid.harness.runUntilIdle()
    grid.log.onConfigure = { item in
      guard item == 8 else { return }
      var snapshot = grid.source.snapshot()
      snapshot.deleteItems([8])
      grid.source.apply(snapshot)
    }
    grid.source.reconfigureItems([8])
    grid.harness.runUntilIdle()
    #expect(grid.view.itemCount == 99 && grid.view.cellController.isBalanced)
  }

  @Test("The handler of a visible cell may delete its item in a window without frames")
  func deletingWithoutFrames() {
    let grid = WordGrid(WordGrid.words(0..<100))
    grid.onConfigure = { _, word in grid.apply { if $0.contains(word) { $0.deleteItems([word]) } } }
    grid.source.reconfigureItems(["w3"])
    grid.onConfigure = nil
    grid.harness.runUntilIdle()
    #expect(grid.view.itemCount == 99 && grid.view.cellController.isBalanced)
  }

  @Test("A handler that reconfigures its own item is called again in the next frame, not in an endless loop")
  func selfReconfigure() {
    let (grid, actions) = FrameActions.makeGrid(100)
    var calls = 0
    grid.onConfigure = { _, word in
      calls += 1
      grid.source.reconfigureItems([word])
    }
    actions.pending.append { grid.source.reconfigureItems(["w2"]) }
    grid.harness.run(frames: 1)
    #expect(1...3 ~= calls)
    grid.harness.run(frames: 4)
    #expect(5...15 ~= calls)
    grid.onConfigure = nil
    grid.harness.runUntilIdle()
    grid.onConfigure = { _, word in grid.source.reconfigureItems([word]) }
    grid.source.reconfigureItems(["w2"])
    grid.onConfigure = nil
    #expect(grid.harness.runUntilIdle() > 0 && grid.harness.runUntilIdle() == 0)
  }

  @Test("Replacing a data source calls its completion handlers, and its items stay until the callback returns")
  func replacingDataSource() {
    let (grid, actions) = FrameActions.makeGrid(100)
    var completions: [Int] = []
    let registration = CellRegistration<WordCell, String> { cell, _, word in cell.word = word }
    var other: WordGrid.Source?
    actions.pending.append {
      grid.apply(animated: true) { $0.deleteItems(["w1"]) }
      grid.source.apply(grid.source.snapshot()) { _ in completions.append(1) }
    }
    grid.harness.run(frames: 1)
    grid.log.onChange = {
      guard other == nil else { return }
      let next = WordGrid.Source(collectionView: grid.view) { view, path, word in
        view.dequeueConfiguredReusableCell(using: registration, for: path, item: word)
      }
      other = next
      var snapshot = next.snapshot()
      snapshot.appendSections([0])
      snapshot.appendItems(["a", "b"])
      next.apply(snapshot) { _ in completions.append(2) }
      #expect(grid.view.itemCount == 99)
    }
    grid.scroll(to: 1_000)
    grid.harness.runUntilIdle()
    #expect(grid.shown == ["a", "b"] && grid.view.itemCount == 2 && grid.view.cellController.isBalanced)
    #expect(completions == [1, 2])
  }

  @Test("The delegate may apply a snapshot to the next data source when the last cells are removed")
  func applyingDuringReplacement() {
    let grid = WordGrid(WordGrid.words(0..<100))
    let registration = CellRegistration<WordCell, String> { cell, _, word in cell.word = word }
    var other: WordGrid.Source?
    var isFirst = true
    grid.log.onChange = {
      guard isFirst, let other else { return }
      isFirst = false
      var snapshot = other.snapshot()
      snapshot.insertItems(["c"], beforeItem: "b")
      other.apply(snapshot)
    }
    let replacement = ReplacementSource(grid.view, registration)
    other = replacement.source
    replacement.applySnapshot()
    grid.harness.runUntilIdle()
    #expect(grid.shown == ["a", "b"] || grid.shown == ["a", "c", "b"])
    #expect(grid.view.itemCount == replacement.source.snapshot().numberOfItems && grid.view.cellController.isBalanced)
  }

  /// A second data source for a view.
  private final class ReplacementSource {
    let source: WordGrid.Source
    init(_ view: CollectionView, _ registration: CellRegistration<WordCell, String>) {
      source = WordGrid.Source(collectionView: view) { view, path, word in
        view.dequeueConfiguredReusableCell(using: registration, for: path, item: word)
      }
    }
    func applySnapshot() {
      var snapshot = source.snapshot()
      snapshot.appendSections([0])
      snapshot.appendItems(["a", "b"])
      source.apply(snapshot)
    }
  }

  @Test("If the delegate selects another item in a callback, only one item is selected")
  func selectingInDelegate() {
    /// A delegate that selects another item in each call.
    final class SelectingDelegate: CollectionViewDelegate {
      var opened: [IndexPath] = []
      var onSelect: () -> Void = {}
      func collectionView(_ view: CollectionView, shouldSelectItemAt indexPath: IndexPath) -> Bool {
        view.selectItem(at: IndexPath(item: 9, section: 0), animated: false)
        return true
      }
      func collectionView(_ view: CollectionView, didSelectItemAt indexPath: IndexPath) { onSelect() }
      func collectionView(_ view: CollectionView, performPrimaryActionForItemAt indexPath: IndexPath) {
        opened.append(indexPath)
      }
    }
    let grid = InteractiveGrid(allowsMultipleSelection: false)
    let delegate = SelectingDelegate()
    grid.view.delegate = delegate
    grid.click("w5")
    #expect(grid.selected == ["w5"])
    // The update is applied after the event, so the clicked item is opened.
    delegate.onSelect = { grid.wordGrid.apply { $0.insertItems(["x"], beforeItem: "w0") } }
    grid.click("w6", clicks: 2)
    #expect(delegate.opened == [IndexPath(item: 6, section: 0)] && grid.view.itemCount == 101)
    #expect(grid.selected == ["w6"])
  }

  @Test("After the content jumps, the item beneath the pointer is hovered")
  func hoverAfterJump() {
    let grid = InteractiveGrid()
    let point = grid.middle(of: "w5")
    grid.move(to: point)
    #expect(grid.wordGrid.cell(of: "w5")?.configurationState.isHovered ?? false)
    grid.wordGrid.scroll(to: 100)
    let hovered = grid.wordGrid.view.visibleCells.compactMap { $0 as? WordCell }.filter {
      $0.configurationState.isHovered
    }
    #expect(hovered.map(\.word) == ["w13"])
  }

  @Test("A replaced prefetching delegate receives cancellations for all items, even right after an update")
  func replacedPrefetching() {
    let grid = WordGrid(WordGrid.words(0..<200))
    let first = PrefetchLog()
    let second = PrefetchLog()
    grid.source.prefetching = first
    grid.harness.runUntilIdle()
    first.recordDisplayed(grid.shown)
    #expect(!first.pendingItems.isEmpty)
    grid.apply { $0.insertItems(["x"], beforeItem: "w0") }
    grid.source.prefetching = second
    #expect(first.pendingItems.isEmpty && first.displayedItems.isEmpty)
    grid.harness.runUntilIdle()
    #expect(!second.pendingItems.isEmpty && second.cancels.isEmpty)
  }

  @Test("The same with a prefetchDataSource")
  func replacedPathPrefetching() {
    let grid = WordGrid(WordGrid.words(0..<200))
    let first = PathPrefetchLog()
    let second = PathPrefetchLog()
    (first.word, second.word) = ({ "\($0.item)" }, { "\($0.item)" })
    grid.view.prefetchDataSource = first
    grid.harness.runUntilIdle()
    let requestCount = first.requests.count
    grid.view.prefetchDataSource = second
    #expect(requestCount > 0 && first.requests.isEmpty)
    grid.harness.runUntilIdle()
    #expect(second.requests.count == requestCount)
  }
}

// MARK: - Nested calls

@Suite("Calls from a callback are neither repeated nor lost, and refer to the intended items")
struct NestedCallTests {
  @Test("Two handlers that reconfigure each other's items prepare each cell once per configuration")
  func mutualReconfiguration() {
    let grid = HeavyGrid(count: 100, parts: 2, preparesAhead: false)
    grid.harness.runUntilIdle()
    grid.log.clearLog()
    var calls = 0
    grid.log.onConfigure = { item in
      calls += 1
      if calls < 4 { grid.source.reconfigureItems([item == 1 ? 2 : 1]) }
    }
    grid.source.reconfigureItems([1])
    grid.harness.runUntilIdle()
    for item in [1, 2] {
      let lines = grid.log.lines.filter { $0.hasSuffix(" \(item)") && !$0.hasPrefix("draw") }
      let once = ["configure \(item)", "part 0 of \(item)", "part 1 of \(item)"]
      #expect(lines == Array([[String]](repeating: once, count: lines.count / 3).joined()), "\(grid.log.lines)")
    }
    #expect(calls >= 3)
  }

  @Test("The handler of a prepared cell that reconfigures its own item is called again")
  func selfReconfigurationOfPreparedCell() {
    let grid = HeavyGrid(count: 100, parts: 1)
    grid.harness.runUntilIdle()
    #expect(grid.view.preparedCells.contains { ($0 as? HeavyCell)?.item == 8 })
    grid.log.clearLog()
    var isFirst = true
    grid.log.onConfigure = { item in
      guard item == 8, isFirst else { return }
      isFirst = false
      grid.source.reconfigureItems([8])
    }
    grid.source.reconfigureItems([8])
    grid.harness.runUntilIdle()
    #expect(grid.log.lines.filter { $0 == "configure 8" }.count == 2, "\(grid.log.lines)")
    let lines = grid.log.lines.filter { $0.hasSuffix(" 8") }
    #expect(lines.suffix(2) == ["configure 8", "part 0 of 8"] && lines.count { $0.hasPrefix("part") } == 1)
    #expect(grid.harness.runUntilIdle() == 0)
  }

  /// Returns a grid whose data source is replaced when a cell is next displayed or ends its display.
  private func makeGrid(
    replacingWhen isReady: @escaping () -> Bool, beforeReplacing: @escaping (WordGrid) -> Void = { _ in }
  ) -> (WordGrid, PrefetchLog) {
    let (grid, log) = DataPrefetchingTests.makeGrid(100)
    let registration = CellRegistration<WordCell, String> { cell, _, word in cell.word = word }
    var other: WordGrid.Source?
    log.itemExists = { _ in true }
    grid.log.onChange = {
      log.recordDisplayed(Array(grid.log.displayed.values))
      guard other == nil, isReady() else { return }
      beforeReplacing(grid)
      let next = WordGrid.Source(collectionView: grid.view) { view, path, word in
        view.dequeueConfiguredReusableCell(using: registration, for: path, item: word)
      }
      other = next
      var snapshot = next.snapshot()
      snapshot.appendSections([0])
      snapshot.appendItems(["a", "b"])
      next.apply(snapshot)
    }
    return (grid, log)
  }

  @Test("A data source replaced while its snapshot is pending cancels prefetched items by their original identifiers")
  func replacementWithPendingSnapshot() {
    let (grid, log) = makeGrid(replacingWhen: { true }) { grid in
      grid.apply { $0.insertItems(WordGrid.words(500..<505), beforeItem: "w0") }
    }
    let prefetched = log.pendingItems
    #expect(prefetched == Set(WordGrid.words(6..<18)))
    grid.scroll(to: 50)
    grid.harness.runUntilIdle()
    #expect(grid.shown == ["a", "b"] && log.pendingItems.isEmpty)
    #expect(Set(log.cancels.joined()).isSubset(of: prefetched), "\(log.cancels)")
    #expect(!log.releases.joined().contains { $0.hasPrefix("w50") }, "\(log.releases)")
    #expect(grid.source.snapshot().numberOfItems == 105 && grid.source.displayedSnapshot().numberOfItems == 105)
  }

  @Test("A data source replaced in a callback that ends an animation cancels its prefetched items")
  func replacementDuringAnimation() {
    var isReady = false
    let (grid, log) = makeGrid { isReady }
    let actions = FrameActions()
    grid.harness.window.addFirstParticipant(actions)
    // Items of another section before them change their flat indexes, but not their index paths.
    grid.apply {
      $0.appendSections([1])
      $0.appendItems(WordGrid.words(100..<200))
    }
    grid.scroll(to: 6_000)
    grid.harness.runUntilIdle()
    actions.pending = [{ grid.apply(animated: true) { $0.deleteItems(["w121"]) } }]
    grid.harness.run(frames: 3)
    #expect(grid.view.isAnimatingUpdates && grid.shown.first == "w120")
    isReady = true
    let prefetched = log.pendingItems
    log.clearLog()
    // Without frames, animated cells move to their final frames first, and the disappearing cell ends its display.
    grid.apply(animated: true) { $0.insertItems(WordGrid.words(500..<505), beforeItem: "w0") }
    #expect(grid.view.itemCount == 2 && log.pendingItems.isEmpty)
    #expect(Set(log.cancels.joined()).isSubset(of: prefetched), "\(log.cancels)")
    #expect(!log.releases.joined().contains { $0.hasPrefix("w50") || prefetched.contains($0) }, "\(log.releases)")
    #expect(grid.source.displayedSnapshot().numberOfItems == 204)
    grid.harness.runUntilIdle()
    #expect(grid.shown == ["a", "b"])
  }

  @Test(
    "Completion handlers of the replaced data source are called before those of the next one, even during an update")
  func completionHandlerOrder() {
    let grid = WordGrid(WordGrid.words(0..<100))
    let registration = CellRegistration<WordCell, String> { cell, _, word in cell.word = word }
    var completions: [String] = []
    var other: WordGrid.Source?
    grid.log.onChange = {
      guard other == nil else { return }
      let next = WordGrid.Source(collectionView: grid.view) { view, path, word in
        view.dequeueConfiguredReusableCell(using: registration, for: path, item: word)
      }
      other = next
      var snapshot = next.snapshot()
      snapshot.appendSections([0])
      snapshot.appendItems(["a", "b"])
      next.apply(snapshot) { completions.append("other") }
    }
    var snapshot = grid.source.snapshot()
    snapshot.deleteItems(["w1"])
    grid.source.apply(snapshot) { completions.append("first") }
    #expect(completions == ["first", "other"])
    grid.harness.runUntilIdle()
    #expect(grid.shown == ["a", "b"] && completions.count == 2)
  }
}

// MARK: - Scrolling

@Suite("Client code may scroll in any callback, and the items at the final offset are displayed")
struct ReentrantScrollTests {
  /// The callback in which the client scrolls.
  enum CallSite: CaseIterable, Sendable {
    case willDisplay, didEndDisplaying, providing, configuring, didScroll, didLayout, didChangeSelection
  }

  /// A delegate that scrolls in a given callback.
  private final class ScrollingDelegate: CollectionViewDelegate {
    let site: CallSite
    let scroll: () -> Void
    init(_ site: CallSite, _ scroll: @escaping () -> Void) { (self.site, self.scroll) = (site, scroll) }
    func collectionView(_ view: CollectionView, willDisplay cell: CollectionViewCell, at indexPath: IndexPath) {
      if site == .willDisplay { scroll() }
    }
    func collectionView(_ view: CollectionView, didEndDisplaying cell: CollectionViewCell, at indexPath: IndexPath) {
      if site == .didEndDisplaying { scroll() }
    }
    func collectionViewDidScroll(_ view: CollectionView) { if site == .didScroll { scroll() } }
    func collectionViewDidLayout(_ view: CollectionView) { if site == .didLayout { scroll() } }
    func collectionViewDidChangeSelection(_ view: CollectionView) { if site == .didChangeSelection { scroll() } }
  }

  @Test("One scroll, or several in succession", arguments: CallSite.allCases)
  func scroll(site: CallSite) {
    for targets in [[40], [40, 90], [40, 41, 90, 2]] {
      let grid = WordGrid(WordGrid.words(0..<100))
      var remaining = targets[...]
      let scroll = { [view = grid.view] in
        guard let target = remaining.popFirst() else { return }
        view.scrollToItem(at: IndexPath(item: target, section: 0), at: .top, animated: false)
      }
      let delegate = ScrollingDelegate(site, scroll)
      grid.view.delegate = delegate
      if site == .providing { grid.onProvide = { _ in scroll() } }
      if site == .configuring { grid.onConfigure = { _, _ in scroll() } }
      switch site {
      case .didLayout: grid.apply { $0.deleteItems(["w99"]) }
      case .didChangeSelection: grid.view.select(.choose(3))
      default: grid.scroll(to: 500)
      }
      grid.harness.runUntilIdle()
      if site == .didChangeSelection {
        grid.view.select(.choose(5))
        grid.harness.runUntilIdle()
      }
      #expect(remaining.count < targets.count, "\(site)")
      let first = Int((grid.view.contentOffset / 50).rounded(.down))
      let last = Int(((grid.view.contentOffset + 300) / 50).rounded(.up))
      #expect(grid.shown == WordGrid.words(first..<last), "\(site), \(targets), \(remaining)")
      #expect(grid.harness.runUntilIdle() == 0 && grid.view.statistics.visible == grid.shown.count)
    }
  }
}
