import CollectionUI
import DiffableData
import TestSupport
import Testing

@Suite("A data source commits a new order itself, and hands over a transaction to store")
struct DiffableDataSourceReorderTests {
  typealias Transaction = DiffableDataSourceTransaction<Int, String>

  @Test("Without a handler that allows it, nothing is put elsewhere")
  func notAllowed() {
    let grid = WordGrid(["a", "b", "c"])
    #expect(!grid.source.reorder("a", to: .after("c")))
    grid.source.reorderingHandlers.canReorderItem = { $0 != "a" }
    #expect(!grid.source.reorder("a", to: .after("c")))
    #expect(grid.source.reorder("b", to: .after("c")))
    grid.stage.runUntilIdle()
    #expect(grid.shown == ["a", "c", "b"])
  }

  @Test("The order is committed between the two handlers; a store follows by difference or by snapshot")
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
    grid.stage.runUntilIdle()
    #expect(orders == [["a", "b", "c", "d"], ["a", "d", "b", "c"]])
    #expect(store == ["a", "d", "b", "c"] && grid.shown == store)
    #expect(grid.provided.isEmpty)
    #expect(Set(grid.view.visibleCells.map(ObjectIdentifier.init)) == Set(cells.map(ObjectIdentifier.init)))
  }

  @Test("Nothing is told of what changes nothing, or is not there")
  func nothing() {
    let grid = WordGrid(["a", "b"])
    grid.source.reorderingHandlers.canReorderItem = { _ in true }
    var told = 0
    grid.source.reorderingHandlers.willReorder = { _ in told += 1 }
    grid.source.reorderingHandlers.didReorder = { _ in told += 1 }
    let destinations: [ReorderDestination<Int, String>] = [
      .after("a"), .before("a"), .before("b"), .after("x"), .endOfSection(4),
    ]
    for destination in destinations { #expect(!grid.source.reorder("a", to: destination)) }
    #expect(!grid.source.reorder("x", to: .after("a")))
    #expect(told == 0)
  }

  @Test("Where a handler changes the items, its change stands and the order is not committed")
  func changesWithinHandlers() {
    let grid = WordGrid(["a", "b", "c"])
    grid.source.reorderingHandlers.canReorderItem = { _ in true }
    grid.source.reorderingHandlers.willReorder = { _ in grid.apply { $0.deleteItems(["b"]) } }
    var isTold = false
    grid.source.reorderingHandlers.didReorder = { _ in isTold = true }
    #expect(!grid.source.reorder("a", to: .after("c")))
    grid.stage.runUntilIdle()
    #expect(grid.shown == ["a", "c"] && !isTold)
  }

  @Test("In a tree what is below an item goes along, and the tree is kept")
  func tree() {
    let grid = WordGrid([])
    var tree = DiffableDataSourceSectionSnapshot<String>()
    tree.append(["trees", "flowers"])
    tree.append(["oak", "beech"], to: "trees")
    tree.append(["tulip"], to: "flowers")
    tree.expand(["trees"])
    grid.source.apply(tree, to: 0)
    grid.stage.runUntilIdle()
    grid.forget()
    grid.source.reorderingHandlers.canReorderItem = { _ in true }
    var last: Transaction?
    grid.source.reorderingHandlers.didReorder = { last = $0 }
    #expect(grid.source.reorder("flowers", to: .before("beech")))
    grid.stage.runUntilIdle()
    #expect(grid.shown == ["trees", "oak", "flowers", "beech"] && grid.provided.isEmpty)
    #expect(grid.source.snapshot(for: 0).items == ["trees", "oak", "flowers", "tulip", "beech"])
    #expect(grid.source.snapshot(for: 0).parent(of: "flowers") == "trees")
    #expect(last?.sectionTransactions.first?.initialSnapshot == tree)
    #expect(last?.sectionTransactions.first?.finalSnapshot == grid.source.snapshot(for: 0))
    #expect(grid.source.expand("flowers", in: 0))
    #expect(!grid.source.reorder("trees", to: .after("tulip")))
    grid.stage.runUntilIdle()
    #expect(grid.shown == ["trees", "oak", "flowers", "tulip", "beech"])
  }
}
