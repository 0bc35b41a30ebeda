import CollectionUI
import DiffableData
import TestSupport
import Testing

@Suite("A data source shows the visible items of a section's tree, and expands and collapses them")
struct DiffableDataSourceOutlineTests {
  typealias Tree = DiffableDataSourceSectionSnapshot<String>

  private static func tree() -> Tree {
    var tree = Tree()
    tree.append(["trees", "flowers"])
    tree.append(["oak", "beech"], to: "trees")
    tree.append(["tulip"], to: "flowers")
    return tree
  }

  /// A grid whose section 0 holds the tree.
  private static func grid() -> WordGrid {
    let grid = WordGrid([])
    grid.source.apply(tree(), to: 0)
    grid.stage.runUntilIdle()
    grid.forget()
    return grid
  }

  @Test("Only visible items are shown; the tree comes back whole")
  func apply() {
    let grid = Self.grid()
    #expect(grid.shown == ["trees", "flowers"])
    #expect(grid.source.snapshot().itemIdentifiers == ["trees", "flowers"])
    #expect(grid.source.snapshot(for: 0) == Self.tree())
    #expect(grid.source.snapshot(for: 8).items.isEmpty)
  }

  @Test("A section that is not there is appended, and one without a tree is a list")
  func sections() {
    let grid = WordGrid(["a", "b"])
    grid.source.apply(Self.tree(), to: 5)
    grid.stage.runUntilIdle()
    #expect(grid.source.snapshot().sectionIdentifiers == [0, 5])
    #expect(grid.shown == ["a", "b", "trees", "flowers"])
    #expect(grid.source.snapshot(for: 0).rootItems == ["a", "b"])
  }

  @Test("Expanding asks for the cells that come into sight, collapsing for none")
  func expandAndCollapse() {
    let grid = Self.grid()
    let cells = grid.view.visibleCells
    #expect(grid.source.expand("trees", in: 0))
    grid.stage.runUntilIdle()
    #expect(grid.shown == ["trees", "oak", "beech", "flowers"])
    #expect(grid.provided == ["oak", "beech"])
    #expect(grid.source.snapshot(for: 0).expandedItems == ["trees"])
    grid.forget()
    #expect(grid.source.collapse("trees", in: 0))
    grid.stage.runUntilIdle()
    #expect(grid.shown == ["trees", "flowers"])
    #expect(grid.provided.isEmpty)
    #expect(grid.view.visibleCells.elementsEqual(cells) { $0 === $1 })
    #expect(grid.source.snapshot(for: 0) == Self.tree())
  }

  @Test("The handlers are asked, told and asked for children, in this order, and only for what happens")
  func handlers() {
    let grid = Self.grid()
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

  @Test("Children are given when they are needed, and given anew each time")
  func lazyChildren() {
    let grid = Self.grid()
    var visits = 0
    grid.source.sectionSnapshotHandlers.snapshotForExpandingParent = { parent, _ in
      visits += 1
      var children = Tree()
      children.append(["\(parent) \(visits)", "oak"].filter { parent == "trees" || $0 != "oak" })
      return children
    }
    grid.source.expand("trees", in: 0)
    grid.stage.runUntilIdle()
    #expect(grid.shown == ["trees", "trees 1", "oak", "flowers"])
    grid.source.collapse("trees", in: 0)
    grid.source.expand("trees", in: 0)
    grid.source.expand("flowers", in: 0)
    grid.stage.runUntilIdle()
    #expect(grid.shown == ["trees", "trees 2", "oak", "flowers", "flowers 3"])
    #expect(!grid.source.snapshot(for: 0).contains("beech"))
  }

  @Test("A list's item may be given children too")
  func list() {
    let grid = WordGrid(["a", "b"])
    grid.source.sectionSnapshotHandlers.snapshotForExpandingParent = { parent, _ in
      var children = Tree()
      children.append(["\(parent)1"])
      return children
    }
    #expect(grid.source.expand("a", in: 0))
    grid.stage.runUntilIdle()
    #expect(grid.shown == ["a", "a1", "b"])
    #expect(grid.source.snapshot(for: 0).level(of: "a1") == 1)
  }

  @Test("A handler may change the items: what it did counts, and an item that went is not expanded")
  func changesWithinHandlers() {
    let grid = Self.grid()
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
    grid.stage.runUntilIdle()
    #expect(grid.shown == ["trees"])
    #expect(grid.source.snapshot(for: 0).items == ["trees", "oak", "beech", "elm"])
  }

  @Test("An expansion within the provider is carried out when the cells are ready")
  func withinTheProvider() {
    let grid = WordGrid([])
    var isFirst = true
    grid.onConfigure = { _, _ in
      guard isFirst else { return }
      isFirst = false
      grid.source.expand("trees", in: 0)
    }
    grid.source.apply(Self.tree(), to: 0)
    grid.stage.runUntilIdle()
    #expect(grid.shown == ["trees", "oak", "beech", "flowers"])
  }

  @Test("A tree counts as long as its section holds its visible items, in their order")
  func otherSnapshots() {
    let grid = Self.grid()
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
    grid.stage.runUntilIdle()
    #expect(grid.shown == ["stone", "trees", "flowers"])
  }

  @Test("A tree takes an item from another section's, which is then a list without it")
  func itemOfAnotherTree() {
    let grid = Self.grid()
    var other = Tree()
    other.append(["flowers", "moss"])
    grid.source.apply(other, to: 1)
    grid.stage.runUntilIdle()
    #expect(grid.shown == ["trees", "flowers", "moss"])
    #expect(grid.source.snapshot(for: 0).items == ["trees"])
    #expect(grid.source.snapshot(for: 1) == other)
  }
}
