import CollectionEngine
import CollectionUI
import DiffableData
import Geometry
import TestSupport
import Testing
import Views

@Suite("An apply asks the provider for what is new on screen, and for nothing else")
struct ProviderTests {
  @Test("At first it is called for the items on screen, in order")
  func first() {
    let grid = WordGrid([])
    grid.apply { $0.appendItems(WordGrid.words(0..<100)) }
    grid.stage.runUntilIdle()
    #expect(grid.provided == WordGrid.words(0..<6))
    #expect(grid.shown == WordGrid.words(0..<6))
  }

  @Test("An item inserted on screen is one call; the cells of the others are kept")
  func insertOnScreen() {
    let grid = WordGrid(WordGrid.words(0..<100))
    let before = Dictionary(uniqueKeysWithValues: grid.shown.map { ($0, grid.cell(of: $0)) })
    grid.apply { $0.insertItems(["new"], afterItem: "w2") }
    grid.stage.runUntilIdle()
    #expect(grid.provided == ["new"])
    #expect(grid.shown == ["w0", "w1", "w2", "new", "w3", "w4"])
    for word in grid.shown where word != "new" { #expect(grid.cell(of: word) === before[word] ?? nil, "\(word)") }
  }

  @Test("An item deleted on screen is one call for the one that comes in below; its cell serves again")
  func deleteOnScreen() {
    let grid = WordGrid(WordGrid.words(0..<100))
    let gone = grid.cell(of: "w2")
    grid.apply { $0.deleteItems(["w2"]) }
    grid.stage.runUntilIdle()
    #expect(grid.provided == ["w6"])
    #expect(grid.shown == ["w0", "w1", "w3", "w4", "w5", "w6"])
    #expect(grid.cell(of: "w6") === gone)
    #expect(gone?.reuses == 1)
  }

  @Test("An apply without a change, and one that appends below the screen, call nothing and end no display")
  func nothing() {
    let grid = WordGrid(WordGrid.words(0..<100))
    grid.apply { _ in }
    grid.stage.runUntilIdle()
    grid.apply { $0.appendItems(WordGrid.words(100..<200)) }
    grid.stage.runUntilIdle()
    grid.apply { $0.deleteItems(WordGrid.words(50..<150)) }
    grid.stage.runUntilIdle()
    #expect(grid.provided.isEmpty)
    #expect(grid.log.lines.isEmpty)
    #expect(grid.view.itemCount == 100)
  }

  @Test("A reconfigured item keeps its cell, and nothing prepares it for reuse")
  func reconfigure() {
    let grid = WordGrid(WordGrid.words(0..<100))
    let cell = grid.cell(of: "w3")
    let before = grid.view.statistics
    grid.apply { $0.reconfigureItems(["w3", "w50"]) }
    #expect(grid.provided == ["w3"])
    grid.source.reconfigureItems(["w3", "w51", "unknown"])
    grid.stage.runUntilIdle()
    #expect(grid.provided == ["w3", "w3"])
    #expect(grid.cell(of: "w3") === cell)
    #expect(cell?.reuses == 0)
    #expect(cell?.generation == 0)
    #expect(grid.log.lines.isEmpty)
    #expect(grid.view.statistics.reconfigured - before.reconfigured == 2)
    #expect(grid.view.statistics.dequeued == before.dequeued)
  }

  @Test("Marks are carried out once: the next snapshot has none")
  func marksAreTaken() {
    let grid = WordGrid(WordGrid.words(0..<10))
    grid.apply { $0.reconfigureItems(["w1"]) }
    grid.forget()
    #expect(grid.source.snapshot().reconfiguredItemIdentifiers.isEmpty)
    grid.apply { _ in }
    #expect(grid.provided.isEmpty)
  }

  @Test("An item that moves and is reconfigured is configured at its new place")
  func moveAndReconfigure() {
    let grid = WordGrid(WordGrid.words(0..<100))
    grid.apply {
      $0.moveItem("w1", afterItem: "w4")
      $0.reconfigureItems(["w1", "w80"])
    }
    grid.stage.runUntilIdle()
    #expect(grid.provided.filter { $0 == "w1" }.count >= 1)
    #expect(!grid.provided.contains("w80"))
    #expect(grid.shown == ["w0", "w2", "w3", "w4", "w1", "w5"])
  }

  @Test("A reloaded item gets another cell, prepared for reuse where it has shown something before")
  func reload() throws {
    let grid = WordGrid(WordGrid.words(0..<100))
    let first = try #require(grid.cell(of: "w3"))
    grid.apply { $0.reloadItems(["w3", "w60"]) }
    let second = try #require(grid.cell(of: "w3"))
    #expect(second !== first)
    #expect(grid.provided == ["w3"])
    #expect(grid.log.lines == ["-w3", "+w3"])
    #expect(grid.view.pooledCellCount == 1)
    grid.apply { $0.reloadItems(["w3"]) }
    #expect(grid.cell(of: "w3") === first)
    #expect(first.reuses == 1)
    #expect(second.superview == nil)
  }

  @Test("A reloaded section gives its items on screen other cells, once each, and leaves the rest alone")
  func reloadSection() {
    let grid = WordGrid(WordGrid.words(0..<3))
    grid.apply {
      $0.appendSections([1])
      $0.appendItems(WordGrid.words(3..<100))
    }
    grid.stage.runUntilIdle()
    grid.forget()
    let before = grid.view.visibleCells
    grid.apply {
      $0.reloadSections([1])
      $0.reloadItems(["w4"])
      $0.reconfigureItems(["w1", "w5"])
    }
    grid.stage.runUntilIdle()
    #expect(grid.provided == ["w3", "w4", "w5", "w1"])
    #expect(grid.view.visibleCells.prefix(3).elementsEqual(before.prefix(3)) { $0 === $1 })
    #expect(!zip(grid.view.visibleCells, before).dropFirst(3).contains { $0 === $1 })
  }

  @Test("Items that come between others ask for cells of their own; those pushed off screen end their display")
  func insertSeveral() {
    let grid = WordGrid(WordGrid.words(0..<100))
    grid.apply {
      $0.insertItems(["a", "b"], afterItem: "w1")
      $0.insertItems(["c"], afterItem: "w2")
    }
    grid.stage.runUntilIdle()
    #expect(grid.shown == ["w0", "w1", "a", "b", "w2", "c"])
    #expect(grid.provided == ["a", "b", "c"])
    #expect(grid.log.lines.filter { $0.hasPrefix("-") } == ["-w3", "-w4", "-w5"])
  }

  @Test("Items on screen that change places keep their cells")
  func shuffle() {
    let grid = WordGrid(WordGrid.words(0..<100))
    let before = Dictionary(uniqueKeysWithValues: grid.shown.map { ($0, grid.cell(of: $0)) })
    grid.apply {
      $0.moveItem("w5", beforeItem: "w0")
      $0.moveItem("w1", afterItem: "w4")
    }
    grid.stage.runUntilIdle()
    #expect(grid.shown == ["w5", "w0", "w2", "w3", "w4", "w1"])
    #expect(grid.provided.isEmpty)
    #expect(grid.log.lines.isEmpty)
    for word in grid.shown { #expect(grid.cell(of: word) === before[word] ?? nil, "\(word)") }
  }

  @Test("A registration made before serves every item of its kind, and two kinds share no cells")
  func kinds() {
    let view = CollectionView(layout: WordGrid.layout(columns: 1))
    let stage = WindowHarness(root: view)
    stage.window.addParticipant(view)
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
      stage.run(frames: 1)
    }
    #expect(kinds.values.allSatisfy { $0.count == 1 })
    // What is on screen, and what waits around it: a screen ahead and half a one behind, for each kind.
    #expect(view.statistics.created <= 2 * (4 + 8))
    #expect(view.statistics.reused > 100)
  }
}
