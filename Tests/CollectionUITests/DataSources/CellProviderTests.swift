import CollectionUI
import Testing
import VitrineCollectionEngine
import VitrineDiffableData
import VitrineGeometry
import VitrineTestSupport
import VitrineViews

@Suite("An apply calls the cell provider only for newly visible items")
struct CellProviderTests {
  @Test("The provider is called for the visible items in order")
  func initialItems() {
    let grid = WordGrid([])
    grid.apply { $0.appendItems(WordGrid.words(0..<100)) }
    grid.harness.runUntilIdle()
    #expect(grid.providerCalls == WordGrid.words(0..<6))
    #expect(grid.shown == WordGrid.words(0..<6))
  }

  @Test("Inserting a visible item calls the provider once, and other items keep their cells")
  func insertOnScreen() {
    let grid = WordGrid(WordGrid.words(0..<100))
    let before = Dictionary(uniqueKeysWithValues: grid.shown.map { ($0, grid.cell(of: $0)) })
    grid.apply { $0.insertItems(["new"], afterItem: "w2") }
    grid.harness.runUntilIdle()
    #expect(grid.providerCalls == ["new"])
    #expect(grid.shown == ["w0", "w1", "w2", "new", "w3", "w4"])
    for word in grid.shown where word != "new" { #expect(grid.cell(of: word) === before[word] ?? nil, "\(word)") }
  }

  @Test("Deleting a visible item calls the provider once, for the item that enters, and reuses the deleted item's cell")
  func deleteOnScreen() {
    let grid = WordGrid(WordGrid.words(0..<100))
    let deletedCell = grid.cell(of: "w2")
    grid.apply { $0.deleteItems(["w2"]) }
    grid.harness.runUntilIdle()
    #expect(grid.providerCalls == ["w6"])
    #expect(grid.shown == ["w0", "w1", "w3", "w4", "w5", "w6"])
    #expect(grid.cell(of: "w6") === deletedCell)
    #expect(deletedCell?.reuses == 1)
  }

  @Test("Applying no change or a change below the screen makes no provider or delegate call")
  func unchangedVisibleItems() {
    let grid = WordGrid(WordGrid.words(0..<100))
    grid.apply { _ in }
    grid.harness.runUntilIdle()
    grid.apply { $0.appendItems(WordGrid.words(100..<200)) }
    grid.harness.runUntilIdle()
    grid.apply { $0.deleteItems(WordGrid.words(50..<150)) }
    grid.harness.runUntilIdle()
    #expect(grid.providerCalls.isEmpty)
    #expect(grid.log.lines.isEmpty)
    #expect(grid.view.itemCount == 100)
  }

  @Test("A reconfigured item keeps its cell, which is not prepared for reuse")
  func reconfigure() {
    let grid = WordGrid(WordGrid.words(0..<100))
    let cell = grid.cell(of: "w3")
    let before = grid.view.statistics
    grid.apply { $0.reconfigureItems(["w3", "w50"]) }
    #expect(grid.providerCalls == ["w3"])
    grid.source.reconfigureItems(["w3", "w51", "unknown"])
    grid.harness.runUntilIdle()
    #expect(grid.providerCalls == ["w3", "w3"])
    #expect(grid.cell(of: "w3") === cell)
    #expect(cell?.reuses == 0)
    #expect(cell?.generation == 0)
    #expect(grid.log.lines.isEmpty)
    #expect(grid.view.statistics.reconfigured - before.reconfigured == 2)
    #expect(grid.view.statistics.dequeued == before.dequeued)
  }

  @Test("Marks are applied once, and the next snapshot has none")
  func marksApplyOnce() {
    let grid = WordGrid(WordGrid.words(0..<10))
    grid.apply { $0.reconfigureItems(["w1"]) }
    grid.clearLog()
    #expect(grid.source.snapshot().reconfiguredItemIdentifiers.isEmpty)
    grid.apply { _ in }
    #expect(grid.providerCalls.isEmpty)
  }

  @Test("An item that is moved and reconfigured is configured at its new index path")
  func moveAndReconfigure() {
    let grid = WordGrid(WordGrid.words(0..<100))
    grid.apply {
      $0.moveItem("w1", afterItem: "w4")
      $0.reconfigureItems(["w1", "w80"])
    }
    grid.harness.runUntilIdle()
    #expect(grid.providerCalls.filter { $0 == "w1" }.count >= 1)
    #expect(!grid.providerCalls.contains("w80"))
    #expect(grid.shown == ["w0", "w2", "w3", "w4", "w1", "w5"])
  }

  @Test("A reloaded item gets another cell, which is prepared for reuse if it was used before")
  func reload() throws {
    let grid = WordGrid(WordGrid.words(0..<100))
    let first = try #require(grid.cell(of: "w3"))
    grid.apply { $0.reloadItems(["w3", "w60"]) }
    let second = try #require(grid.cell(of: "w3"))
    #expect(second !== first)
    #expect(grid.providerCalls == ["w3"])
    #expect(grid.log.lines == ["-w3", "+w3"])
    #expect(grid.view.pooledCellCount == 1)
    grid.apply { $0.reloadItems(["w3"]) }
    #expect(grid.cell(of: "w3") === first)
    #expect(first.reuses == 1)
    #expect(second.superview == nil)
  }

  @Test("Reloading a section replaces the cells of its visible items once and keeps all other cells")
  func reloadSection() {
    let grid = WordGrid(WordGrid.words(0..<3))
    grid.apply {
      $0.appendSections([1])
      $0.appendItems(WordGrid.words(3..<100))
    }
    grid.harness.runUntilIdle()
    grid.clearLog()
    let before = grid.view.visibleCells
    grid.apply {
      $0.reloadSections([1])
      $0.reloadItems(["w4"])
      $0.reconfigureItems(["w1", "w5"])
    }
    grid.harness.runUntilIdle()
    #expect(grid.providerCalls == ["w3", "w4", "w5", "w1"])
    #expect(grid.view.visibleCells.prefix(3).elementsEqual(before.prefix(3)) { $0 === $1 })
    #expect(!zip(grid.view.visibleCells, before).dropFirst(3).contains { $0 === $1 })
  }

  @Test("Inserted items get their own cells, and items pushed off the screen end their display")
  func insertSeveral() {
    let grid = WordGrid(WordGrid.words(0..<100))
    grid.apply {
      $0.insertItems(["a", "b"], afterItem: "w1")
      $0.insertItems(["c"], afterItem: "w2")
    }
    grid.harness.runUntilIdle()
    #expect(grid.shown == ["w0", "w1", "a", "b", "w2", "c"])
    #expect(grid.providerCalls == ["a", "b", "c"])
    #expect(grid.log.lines.filter { $0.hasPrefix("-") } == ["-w3", "-w4", "-w5"])
  }

  @Test("Visible items that change their order keep their cells")
  func shuffle() {
    let grid = WordGrid(WordGrid.words(0..<100))
    let before = Dictionary(uniqueKeysWithValues: grid.shown.map { ($0, grid.cell(of: $0)) })
    grid.apply {
      $0.moveItem("w5", beforeItem: "w0")
      $0.moveItem("w1", afterItem: "w4")
    }
    grid.harness.runUntilIdle()
    #expect(grid.shown == ["w5", "w0", "w2", "w3", "w4", "w1"])
    #expect(grid.providerCalls.isEmpty)
    #expect(grid.log.lines.isEmpty)
    for word in grid.shown { #expect(grid.cell(of: word) === before[word] ?? nil, "\(word)") }
  }

  @Test("A registration serves all items of its kind, and two registrations share no cells")
  func registrations() {
    let view = CollectionView(layout: WordGrid.layout(columns: 1))
    let harness = WindowHarness(root: view)
    harness.window.addParticipant(view)
    let even = CellRegistration<WordCell, Int> { cell, _, item in cell.word = "even \(item)" }
    let odd = CellRegistration<WordCell, Int> { cell, _, item in cell.word = "odd \(item)" }
    var kinds: [ObjectIdentifier: Set<String>] = [:]
    let source = DiffableDataSource<Int, Int>(collectionView: view) { view, path, item in
      let cell = view.dequeueConfiguredReusableCell(using: item % 2 == 0 ? even : odd, for: path, item: item)
      kinds[ObjectIdentifier(cell), default: []].insert(item % 2 == 0 ? "even" : "odd")
      return cell
    }
    var snapshot = source.snapshot()
    snapshot.appendSections([0])
    snapshot.appendItems(Array(0..<1_000))
    source.apply(snapshot)
    for offset in stride(from: 0.0, through: 20_000, by: 170) {
      view.scroll(to: offset, animated: false)
      harness.run(frames: 1)
    }
    #expect(kinds.values.allSatisfy { $0.count == 1 })
    // The visible cells, and those waiting around them for each registration: a screen ahead and half a screen behind.
    #expect(view.statistics.created <= 2 * (4 + 8))
    #expect(view.statistics.reused > 100)
  }
}
