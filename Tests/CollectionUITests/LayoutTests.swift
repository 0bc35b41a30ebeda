import CollectionUI
import struct FoundationEssentials.IndexPath
import Testing
import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineDiffableData
import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineTestSupport
import VitrineThreads
import VitrineViews

@Suite("A view queries its layout for ranges of items and final frames, and passes it updates")
struct LayoutUpdateTests {
  @Test("Items outside the screen between two visible items have no cell")
  func visibleRuns() {
    let stack = NumberStack(
      [("strip", Array(0..<30)), ("rows", Array(100..<120))], layout: StackLayout(hasStrip: true))
    #expect(stack.shown == Array(0..<5) + Array(100..<105))
    #expect(stack.view.visibleRange == 0..<35)
    #expect(stack.view.cell(at: 7) == nil)
    #expect(stack.view.cell(at: 31) != nil)
    stack.apply { $0.deleteItems([1, 102]) }
    stack.harness.runUntilIdle()
    #expect(stack.shown == [0, 2, 3, 4, 5, 100, 101, 103, 104, 105])
    stack.apply { $0.moveItem(20, beforeItem: 0) }
    stack.harness.runUntilIdle()
    #expect(stack.shown == [20, 0, 2, 3, 4, 100, 101, 103, 104, 105])
    stack.scroll(to: 80)
    #expect(stack.shown.first == 100)
  }

  @Test("Frames are final before they are visible, and visible items do not move for it", arguments: 0..<4)
  func settling(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    let heights = (0..<400).map { _ in Double.random(in: 20...120, using: &generator).rounded() }
    let facts = StackLayout.Facts(heights: heights)
    let stack = NumberStack([("a", Array(0..<400))], layout: StackLayout(facts: facts))
    let exact = stack.view.contentLength
    stack.view.collectionViewLayout = StackLayout(facts: facts, isEstimated: true)
    stack.harness.run(frames: 1)
    stack.scroll(to: Double.random(in: 2_000...12_000, using: &generator).rounded())
    for _ in 0..<40 {
      let before = stack.shown.compactMap { item in stack.top(of: item).map { (item, $0) } }
      let step = Double.random(in: -150...150, using: &generator).rounded()
      stack.view.scroll(to: stack.view.contentOffset + step, animated: false)
      stack.harness.run(frames: 1)
      let offsets = before.filter { stack.shown.contains($0.0) }.compactMap { item, top in
        stack.top(of: item).map { $0 - top }
      }
      #expect(offsets.allSatisfy { $0 == -step }, "seed \(seed): \(offsets) for \(step)")
      for item in stack.shown {
        let path = stack.source.indexPath(for: item)
        #expect(path.flatMap { stack.view.frameOfItem(at: $0) }?.height == heights[item])
      }
    }
    stack.harness.runUntilIdle()
    #expect(stack.view.contentLength == exact, "all frames are final")
    let frames = stack.harness.display.presentedFrames
    stack.harness.run(milliseconds: 10_000)
    #expect(stack.harness.display.presentedFrames == frames, "the loop is idle")
  }

  @Test("Refining frames in slack moves no visible item")
  func refining() throws {
    var generator = SeededGenerator(seed: 5)
    let heights = (0..<600).map { _ in Double.random(in: 20...120, using: &generator).rounded() }
    let stack = NumberStack([("a", Array(0..<600))], layout: StackLayout(facts: StackLayout.Facts(heights: heights)))
    stack.scroll(to: 14_000)
    stack.view.collectionViewLayout = StackLayout(facts: stack.layout.facts, isEstimated: true)
    stack.harness.run(frames: 1)
    let visible = stack.shown
    let tops = visible.map { stack.top(of: $0) }
    var frames = 0
    while stack.view.needsFrames, frames < 100 {
      stack.harness.run(frames: 1)
      frames += 1
      #expect(visible.map { stack.top(of: $0) } == tops)
    }
    #expect(frames > 1 && frames < 100)
    #expect(stack.view.contentLength == heights.reduce(0, +))
  }

  @Test("An apply passes its changes to the layout, which is solved again only if all data is reloaded")
  func updates() {
    let stack = NumberStack([("a", Array(0..<40)), ("b", Array(100..<140))], layout: StackLayout(hasHeaders: true))
    let solved = stack.layout.facts.current.solveCount
    stack.apply {
      $0.deleteItems([3, 4, 5])
      $0.insertItems([900, 901], afterItem: 104)
      $0.moveItem(110, beforeItem: 0)
    }
    stack.harness.runUntilIdle()
    let update = stack.layout.facts.current.updates.last
    #expect(stack.layout.facts.current.solveCount == solved)
    #expect(update?.counts == ItemCounts([38, 41]))
    #expect(update?.previousSections == nil)
    #expect(
      update?.edits == [
        SectionEdits(section: 0, removals: [3..<6], insertions: [0..<1]),
        SectionEdits(section: 1, removals: [10..<11], insertions: [5..<7]),
      ])
    stack.apply {
      $0.deleteSections(["a"])
      $0.appendSections(["c"])
      $0.appendItems([1_000], toSection: "c")
    }
    stack.harness.runUntilIdle()
    #expect(stack.layout.facts.current.updates.last?.previousSections == [1, nil])
    #expect(stack.layout.facts.current.updates.last?.edits == [])
    #expect(stack.layout.facts.current.solveCount == solved)
    stack.source.applySnapshotUsingReloadData(stack.source.snapshot())
    stack.harness.runUntilIdle()
    #expect(stack.layout.facts.current.solveCount == solved + 1)
    stack.harness.resize(to: Size(width: 300, height: 200))
    stack.harness.runUntilIdle()
    #expect(stack.layout.facts.current.solveCount == solved + 1, "a resize does not solve it again")
  }

  @Test("Updates by random applies result in the same frames as a new solution", arguments: 0..<8)
  func randomUpdates(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    let stack = NumberStack([("a", Array(0..<20)), ("b", [])], layout: StackLayout(hasHeaders: true))
    var next = 1_000
    for _ in 0..<60 {
      stack.apply { snapshot in
        let items = snapshot.itemIdentifiers
        switch Int.random(in: 0..<5, using: &generator) {
        case 0:
          let section = snapshot.sectionIdentifiers.randomElement(using: &generator)
          snapshot.appendItems(Array(next..<(next + 4)), toSection: section)
        case 1: snapshot.deleteItems(items.filter { _ in generator.chance(oneIn: 5) })
        case 2:
          if items.count > 1 { snapshot.moveItem(items[0], afterItem: items[items.count - 1]) }
        case 3:
          snapshot.insertSections(["n\(next)"], beforeSection: snapshot.sectionIdentifiers[0])
        default:
          let sections = snapshot.sectionIdentifiers
          if sections.count > 2 { snapshot.moveSection(sections[0], afterSection: sections[sections.count - 1]) }
          if sections.count > 5 { snapshot.deleteSections([sections[2]]) }
        }
        next += 10
      }
      stack.harness.run(frames: 1)
      let update = stack.layout.facts.current.updates.last
      #expect(update == nil || update?.counts == ItemCounts(stack.source.displayedSnapshot().itemCounts))
    }
    let expected = StackLayout(hasHeaders: true).solved(
      in: LayoutEnvironment(containerSize: Size(width: 400, height: 300)),
      for: ItemCounts(stack.source.displayedSnapshot().itemCounts))
    #expect(stack.view.contentLength == expected.contentSize.height)
  }

  @Test("Invalidated items are passed as ranges of indices, and those above the screen move no visible item")
  func invalidatedItems() {
    let stack = NumberStack(
      [("a", Array(0..<40)), ("b", Array(100..<140))],
      layout: StackLayout(facts: StackLayout.Facts(heights: Array(repeating: 50, count: 80))))
    stack.scroll(to: 1_010)
    let first = stack.shown[0]
    let top = stack.top(of: first)
    stack.layout.facts.change { state in for item in [0, 1, 2, 9, 45] { state.heights[item] = 90 } }
    stack.source.invalidateLayout(ofItems: [2, 105, 0, 1, 0, 9, 4_711])
    #expect(
      stack.layout.facts.current.updates.last?.edits == [
        SectionEdits(section: 0, dataChanges: [0..<3, 9..<10]), SectionEdits(section: 1, dataChanges: [5..<6]),
      ])
    #expect(stack.top(of: first) == top)
    #expect(stack.view.contentLength == 80 * 50 + 5 * 40)
    let updates = stack.layout.facts.current.updates.count
    stack.source.invalidateLayout(ofItems: [4_711])
    #expect(stack.layout.facts.current.updates.count == updates)
  }

  @Test("The delegate is called before the layout is queried, and once a frame after new frames")
  func delegateCalls() {
    final class DelegateRecorder: CollectionViewDelegate {
      var prepared = 0
      var laidOut = 0
      func collectionViewWillPrepareLayout(_ view: CollectionView) { prepared += 1 }
      func collectionViewDidLayout(_ view: CollectionView) { laidOut += 1 }
    }
    let stack = NumberStack([("a", Array(0..<40))], layout: StackLayout())
    let recorder = DelegateRecorder()
    stack.view.delegate = recorder
    stack.source.invalidateLayout(ofItems: [1])
    stack.source.invalidateLayout(ofItems: [2])
    #expect(recorder.prepared == 2 && recorder.laidOut == 0)
    stack.harness.runUntilIdle()
    #expect(recorder.laidOut == 1)
    stack.scroll(to: 50)
    #expect(recorder.prepared == 2 && recorder.laidOut == 1)
  }
}

// MARK: - Queries by closures

/// A query or change that a layout's closure attempts.
enum LayoutQuery: String, CaseIterable, Codable, Sendable {
  case count, frame, cell, path, item, invalidation, apply, scroll

  @MainActor
  func run(on grid: NumberGrid) {
    switch self {
    case .count: _ = grid.view.itemCount
    case .frame: _ = grid.view.frameOfItem(at: [0, 0])
    case .cell: _ = grid.view.cellForItem(at: [0, 0])
    case .path: _ = grid.view.indexPath(at: 0)
    case .item: _ = grid.view.indexPathForItem(at: Point(x: 1, y: 1))
    case .invalidation: grid.view.invalidateLayout()
    case .apply: grid.apply { $0.deleteAllItems() }
    case .scroll: grid.view.scrollToItem(at: [0, 0], at: .top, animated: false)
    }
  }
}

/// Layouts whose closures run an installed query.
@MainActor
private struct QueryingLayout {
  private nonisolated final class QueryRunner: Sendable {
    let query = Lock<(@Sendable () -> Void)?>(nil)
    func run() { query.withLock { $0 }?() }
  }

  private let runner = QueryRunner()

  /// Rows whose heights depend on the aspect ratios of images.
  var justified: CompositionalLayout {
    CompositionalLayout(
      section: .justified(targetRowHeight: 70, spacing: 0, lineSpacing: 0) { [runner] _ in
        runner.run()
        return 1
      })
  }

  /// Rows from a section provider.
  var sections: CompositionalLayout {
    CompositionalLayout { [runner] _, _ in
      runner.run()
      return .grid(columns: .count(2))
    }
  }

  /// A grid with a handler for visible items.
  var handlerLayout: CompositionalLayout {
    var section = CollectionLayoutSection.grid(columns: .count(2))
    section.visibleItemsInvalidationHandler = { [runner] _, _, _ in runner.run() }
    return CompositionalLayout(section: section)
  }

  func install(_ query: LayoutQuery, on grid: NumberGrid) {
    nonisolated struct UncheckedReference: @unchecked Sendable {
      // @unchecked: layouts are solved on the main thread, to which both belong.
      let grid: NumberGrid
    }
    let reference = UncheckedReference(grid: grid)
    runner.query.withLock { $0 = { MainActor.assumeIsolated { query.run(on: reference.grid) } } }
  }
}

@Suite("A layout's closures cannot query the view for which it is being solved")
struct LayoutClosureTests {
  @MainActor
  static func run(_ query: LayoutQuery, whileUpdating isUpdate: Bool) {
    let layout = QueryingLayout()
    let grid = NumberGrid([Array(0..<40)], layout: isUpdate ? layout.justified : layout.sections)
    layout.install(query, on: grid)
    // Updates a solution, or creates one.
    if isUpdate { grid.view.invalidateItems(at: [[0, 3]]) } else { grid.view.invalidateLayout() }
    grid.harness.runUntilIdle()
  }

  @Test(
    "Each query stops the program with an error message", arguments: LayoutQuery.allCases,
    [true, false])
  func disallowedQueries(query: LayoutQuery, isUpdate: Bool) async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [query, isUpdate] in
      await LayoutClosureTests.run(query, whileUpdating: isUpdate)
    }
    try Misuse.expectMessage(
      of: result,
      contains: """
        A closure of a layout queried its collection view for items or frames, or changed them, while the layout was being \
        solved. They are not known then. Use the index and the environment that are passed to the closure, and data that \
        collectionViewWillPrepareLayout(_:) stored.
        """)
  }

  @Test("Handlers for visible items may query the view", arguments: [LayoutQuery.count, .frame, .cell, .path, .item])
  func visibleItemsHandlers(query: LayoutQuery) {
    let layout = QueryingLayout()
    let grid = NumberGrid([Array(0..<40)], layout: layout.handlerLayout)
    layout.install(query, on: grid)
    grid.scroll(to: 40)
    #expect(!grid.shown.isEmpty)
  }

  @Test("collectionViewWillPrepareLayout may query the view")
  func delegateCalls() {
    final class ItemCounter: CollectionViewDelegate {
      var counts: [Int] = []
      func collectionViewWillPrepareLayout(_ view: CollectionView) { counts.append(view.itemCount) }
    }
    let counter = ItemCounter()
    let grid = NumberGrid([Array(0..<40)], layout: QueryingLayout().sections)
    grid.view.delegate = counter
    grid.view.invalidateLayout()
    #expect(counter.counts == [40])
  }
}
