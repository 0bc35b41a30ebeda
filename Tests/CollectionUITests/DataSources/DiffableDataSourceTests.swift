import CollectionUI
import Testing
import VitrineDiffableData
import VitrineTestSupport

@Suite("A data source displays the visible items of a section snapshot, and expands and collapses items")
struct DiffableDataSourceOutlineTests {
  typealias Tree = DiffableDataSourceSectionSnapshot<String>

  private static func tree() -> Tree {
    var tree = Tree()
    tree.append(["trees", "flowers"])
    tree.append(["oak", "beech"], to: "trees")
    tree.append(["tulip"], to: "flowers")
    return tree
  }

  /// Returns a grid whose section 0 contains the tree.
  private static func makeGrid() -> WordGrid {
    let grid = WordGrid([])
    grid.source.apply(tree(), to: 0)
    grid.harness.runUntilIdle()
    grid.clearLog()
    return grid
  }

  @Test("Only visible items are displayed, and the section snapshot is returned unchanged")
  func apply() {
    let grid = Self.makeGrid()
    #expect(grid.shown == ["trees", "flowers"])
    #expect(grid.source.snapshot().itemIdentifiers == ["trees", "flowers"])
    #expect(grid.source.snapshot(for: 0) == Self.tree())
    #expect(grid.source.snapshot(for: 8).items.isEmpty)
  }

  @Test("An unknown section is appended, and a section without a tree is a flat list")
  func sections() {
    let grid = WordGrid(["a", "b"])
    grid.source.apply(Self.tree(), to: 5)
    grid.harness.runUntilIdle()
    #expect(grid.source.snapshot().sectionIdentifiers == [0, 5])
    #expect(grid.shown == ["a", "b", "trees", "flowers"])
    #expect(grid.source.snapshot(for: 0).rootItems == ["a", "b"])
  }

  @Test("Expanding requests cells for the items that become visible, and collapsing requests none")
  func expandAndCollapse() {
    let grid = Self.makeGrid()
    let cells = grid.view.visibleCells
    #expect(grid.source.expand("trees", in: 0))
    grid.harness.runUntilIdle()
    #expect(grid.shown == ["trees", "oak", "beech", "flowers"])
    #expect(grid.providerCalls == ["oak", "beech"])
    #expect(grid.source.snapshot(for: 0).expandedItems == ["trees"])
    grid.clearLog()
    #expect(grid.source.collapse("trees", in: 0))
    grid.harness.runUntilIdle()
    #expect(grid.shown == ["trees", "flowers"])
    #expect(grid.providerCalls.isEmpty)
    #expect(grid.view.visibleCells.elementsEqual(cells) { $0 === $1 })
    #expect(grid.source.snapshot(for: 0) == Self.tree())
  }

  @Test("The should, will and children handlers are called in this order, and only if needed")
  func handlers() {
    let grid = Self.makeGrid()
    var calls: [String] = []
    var isAllowed = false
    grid.source.sectionSnapshotHandlers.shouldExpandItem = {
      calls.append("should expand \($0)")
      return isAllowed
    }
    grid.source.sectionSnapshotHandlers.willExpandItem = { calls.append("will expand \($0)") }
    grid.source.sectionSnapshotHandlers.snapshotForExpandingParent = { parent, current in
      calls.append("children of \(parent): \(current.items)")
      return current
    }
    grid.source.sectionSnapshotHandlers.shouldCollapseItem = {
      calls.append("should collapse \($0)")
      return isAllowed
    }
    grid.source.sectionSnapshotHandlers.willCollapseItem = { calls.append("will collapse \($0)") }
    #expect(!grid.source.expand("trees", in: 0))
    #expect(!grid.source.expand("cactus", in: 0))
    #expect(!grid.source.expand("trees", in: 3))
    #expect(!grid.source.collapse("trees", in: 0))
    #expect(calls == ["should expand trees"])
    isAllowed = true
    calls = []
    #expect(grid.source.expand("trees", in: 0))
    #expect(!grid.source.expand("trees", in: 0))
    #expect(grid.source.collapse("trees", in: 0))
    #expect(
      calls == [
        "should expand trees", "will expand trees", "children of trees: [\"oak\", \"beech\"]", "should collapse trees",
        "will collapse trees",
      ])
  }

  @Test("Children are requested at each expansion")
  func lazyChildren() {
    let grid = Self.makeGrid()
    var visits = 0
    grid.source.sectionSnapshotHandlers.snapshotForExpandingParent = { parent, _ in
      visits += 1
      var children = Tree()
      children.append(["\(parent) \(visits)", "oak"].filter { parent == "trees" || $0 != "oak" })
      return children
    }
    grid.source.expand("trees", in: 0)
    grid.harness.runUntilIdle()
    #expect(grid.shown == ["trees", "trees 1", "oak", "flowers"])
    grid.source.collapse("trees", in: 0)
    grid.source.expand("trees", in: 0)
    grid.source.expand("flowers", in: 0)
    grid.harness.runUntilIdle()
    #expect(grid.shown == ["trees", "trees 2", "oak", "flowers", "flowers 3"])
    #expect(!grid.source.snapshot(for: 0).contains("beech"))
  }

  @Test("An item of a flat list may have children")
  func list() {
    let grid = WordGrid(["a", "b"])
    grid.source.sectionSnapshotHandlers.snapshotForExpandingParent = { parent, _ in
      var children = Tree()
      children.append(["\(parent)1"])
      return children
    }
    #expect(grid.source.expand("a", in: 0))
    grid.harness.runUntilIdle()
    #expect(grid.shown == ["a", "a1", "b"])
    #expect(grid.source.snapshot(for: 0).level(of: "a1") == 1)
  }

  @Test("Changes by a handler are kept, and an item deleted by a handler is not expanded")
  func changesInHandlers() {
    let grid = Self.makeGrid()
    grid.source.sectionSnapshotHandlers.willExpandItem = { item in
      var tree = grid.source.snapshot(for: 0)
      tree.append(["elm"], to: "trees")
      if item == "flowers" { tree.delete([item]) }
      grid.source.apply(tree, to: 0)
    }
    #expect(grid.source.expand("trees", in: 0))
    grid.source.collapse("trees", in: 0)
    grid.source.sectionSnapshotHandlers.willExpandItem = { item in
      var tree = grid.source.snapshot(for: 0)
      tree.delete([item])
      grid.source.apply(tree, to: 0)
    }
    #expect(!grid.source.expand("flowers", in: 0))
    grid.harness.runUntilIdle()
    #expect(grid.shown == ["trees"])
    #expect(grid.source.snapshot(for: 0).items == ["trees", "oak", "beech", "elm"])
  }

  @Test("An expansion in the provider is performed once the cells are ready")
  func expansionInProvider() {
    let grid = WordGrid([])
    var isFirst = true
    grid.onConfigure = { _, _ in
      guard isFirst else { return }
      isFirst = false
      grid.source.expand("trees", in: 0)
    }
    grid.source.apply(Self.tree(), to: 0)
    grid.harness.runUntilIdle()
    #expect(grid.shown == ["trees", "oak", "beech", "flowers"])
  }

  @Test("A tree is kept while its section contains its visible items in the same order")
  func snapshotsOfAllSections() {
    let grid = Self.makeGrid()
    grid.apply {
      $0.appendSections([1])
      $0.appendItems(["stone"])
      $0.reconfigureItems(["trees"])
    }
    #expect(grid.source.snapshot(for: 0) == Self.tree())
    grid.apply { $0.moveItem("flowers", beforeItem: "trees") }
    #expect(grid.source.snapshot(for: 0).items == ["flowers", "trees"])
    grid.source.apply(Self.tree(), to: 0)
    grid.apply { $0.deleteSections([0]) }
    #expect(grid.source.snapshot(for: 0).items.isEmpty)
    grid.source.apply(Self.tree(), to: 0)
    grid.harness.runUntilIdle()
    #expect(grid.shown == ["stone", "trees", "flowers"])
  }

  @Test("Adding an item to another section's tree removes it from its former section, which becomes a flat list")
  func itemOfAnotherTree() {
    let grid = Self.makeGrid()
    var other = Tree()
    other.append(["flowers", "moss"])
    grid.source.apply(other, to: 1)
    grid.harness.runUntilIdle()
    #expect(grid.shown == ["trees", "flowers", "moss"])
    #expect(grid.source.snapshot(for: 0).items == ["trees"])
    #expect(grid.source.snapshot(for: 1) == other)
  }
}

// MARK: - Reordering

@Suite("A data source performs reordering itself and passes a transaction to its handlers")
struct DiffableDataSourceReorderTests {
  typealias Transaction = DiffableDataSourceTransaction<Int, String>

  @Test("Items are not reordered unless a handler allows it")
  func notAllowed() {
    let grid = WordGrid(["a", "b", "c"])
    #expect(!grid.source.reorder("a", to: .after("c")))
    grid.source.reorderingHandlers.canReorderItem = { $0 != "a" }
    #expect(!grid.source.reorder("a", to: .after("c")))
    #expect(grid.source.reorder("b", to: .after("c")))
    grid.harness.runUntilIdle()
    #expect(grid.shown == ["a", "c", "b"])
  }

  @Test("The order changes between the two handlers, and a store can follow by difference or snapshot")
  func commit() {
    let grid = WordGrid(["a", "b", "c", "d"])
    let cells = grid.view.visibleCells
    var store = ["a", "b", "c", "d"]
    var orders: [[String]] = []
    grid.source.reorderingHandlers.canReorderItem = { _ in true }
    grid.source.reorderingHandlers.willReorder = { _ in orders.append(grid.source.snapshot().itemIdentifiers) }
    grid.source.reorderingHandlers.didReorder = { transaction in
      orders.append(grid.source.snapshot().itemIdentifiers)
      store = store.applying(transaction.difference) ?? []
      #expect(transaction.finalSnapshot == grid.source.snapshot())
      #expect(transaction.sectionTransactions.map(\.finalSnapshot.items) == [store])
    }
    #expect(grid.source.reorder("d", to: .before("b")))
    grid.harness.runUntilIdle()
    #expect(orders == [["a", "b", "c", "d"], ["a", "d", "b", "c"]])
    #expect(store == ["a", "d", "b", "c"] && grid.shown == store)
    #expect(grid.providerCalls.isEmpty)
    #expect(Set(grid.view.visibleCells.map(ObjectIdentifier.init)) == Set(cells.map(ObjectIdentifier.init)))
  }

  @Test("No handler is called for a move that changes nothing or for unknown items")
  func noChange() {
    let grid = WordGrid(["a", "b"])
    grid.source.reorderingHandlers.canReorderItem = { _ in true }
    var calls = 0
    grid.source.reorderingHandlers.willReorder = { _ in calls += 1 }
    grid.source.reorderingHandlers.didReorder = { _ in calls += 1 }
    let destinations: [ReorderDestination<Int, String>] = [
      .after("a"), .before("a"), .before("b"), .after("x"), .endOfSection(4),
    ]
    for destination in destinations { #expect(!grid.source.reorder("a", to: destination)) }
    #expect(!grid.source.reorder("x", to: .after("a")))
    #expect(calls == 0)
  }

  @Test("A change by a handler is kept and cancels the reordering")
  func changesInHandlers() {
    let grid = WordGrid(["a", "b", "c"])
    grid.source.reorderingHandlers.canReorderItem = { _ in true }
    grid.source.reorderingHandlers.willReorder = { _ in grid.apply { $0.deleteItems(["b"]) } }
    var isCalled = false
    grid.source.reorderingHandlers.didReorder = { _ in isCalled = true }
    #expect(!grid.source.reorder("a", to: .after("c")))
    grid.harness.runUntilIdle()
    #expect(grid.shown == ["a", "c"] && !isCalled)
  }

  @Test("In a tree, an item moves with its descendants, and the tree is preserved")
  func tree() {
    let grid = WordGrid([])
    var tree = DiffableDataSourceSectionSnapshot<String>()
    tree.append(["trees", "flowers"])
    tree.append(["oak", "beech"], to: "trees")
    tree.append(["tulip"], to: "flowers")
    tree.expand(["trees"])
    grid.source.apply(tree, to: 0)
    grid.harness.runUntilIdle()
    grid.clearLog()
    grid.source.reorderingHandlers.canReorderItem = { _ in true }
    var last: Transaction?
    grid.source.reorderingHandlers.didReorder = { last = $0 }
    #expect(grid.source.reorder("flowers", to: .before("beech")))
    grid.harness.runUntilIdle()
    #expect(grid.shown == ["trees", "oak", "flowers", "beech"] && grid.providerCalls.isEmpty)
    #expect(grid.source.snapshot(for: 0).items == ["trees", "oak", "flowers", "tulip", "beech"])
    #expect(grid.source.snapshot(for: 0).parent(of: "flowers") == "trees")
    #expect(last?.sectionTransactions.first?.initialSnapshot == tree)
    #expect(last?.sectionTransactions.first?.finalSnapshot == grid.source.snapshot(for: 0))
    #expect(grid.source.expand("flowers", in: 0))
    #expect(!grid.source.reorder("trees", to: .after("tulip")))
    grid.harness.runUntilIdle()
    #expect(grid.shown == ["trees", "oak", "flowers", "tulip", "beech"])
  }
}
