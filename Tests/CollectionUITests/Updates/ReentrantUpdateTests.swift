import CollectionUI
import struct FoundationEssentials.IndexPath
import Testing
import VitrineCollectionEngine
import VitrineDiffableData
import VitrineFramePacing
import VitrineGeometry
import VitrineTestSupport
import VitrineViews

@Suite("Client code may change the items in any call")
struct ReentrantUpdateTests {
  @Test("An apply in the provider is performed once the cells are ready, and displayed in the next frame")
  func applyInProvider() {
    let grid = WordGrid(WordGrid.words(0..<100))
    var isFirst = true
    grid.onConfigure = { _, word in
      guard isFirst else { return }
      isFirst = false
      grid.apply { $0.deleteItems([word]) }
      #expect(grid.view.itemCount == 100)
    }
    grid.scroll(to: 1_000)
    #expect(grid.view.itemCount == 99)
    grid.harness.runUntilIdle()
    #expect(grid.shown == ["w19"] + WordGrid.words(21..<26))
    #expect(grid.source.indexPath(for: "w20") == nil)
  }

  @Test("An apply in a delegate call is performed after the call")
  func applyInDelegate() {
    let grid = WordGrid(WordGrid.words(0..<100))
    var remaining = 5
    grid.log.onChange = {
      guard remaining > 0 else { return }
      remaining -= 1
      grid.apply { $0.insertItems(["x\(remaining)"], beforeItem: "w30") }
    }
    grid.scroll(to: 1_500)
    grid.harness.runUntilIdle()
    #expect(grid.view.itemCount == 105)
    #expect(grid.shown == WordGrid.words(30..<36))
    #expect(grid.origins["w30"] == Point(x: 0, y: 0))
  }

  @Test("An apply between a frame's layout and commit is visible in that frame")
  func betweenLayoutAndCommit() {
    /// Performs an apply once in the layout phase, after the grid's layout.
    final class LayoutPhaseAction: FrameParticipant {
      var apply: (() -> Void)?
      func layout() {
        apply?()
        apply = nil
      }
    }
    let grid = WordGrid(WordGrid.words(0..<100))
    let action = LayoutPhaseAction()
    grid.harness.window.addParticipant(action)
    grid.harness.runUntilIdle()
    action.apply = { grid.apply { $0.insertItems(["a", "b"], afterItem: "w41") } }
    grid.view.scroll(to: 2_000, animated: false)
    grid.harness.run(frames: 1)
    #expect(grid.shown == ["w40", "w41", "a", "b", "w42", "w43"])
    #expect(grid.providerCalls == grid.shown)
  }

  @Test("Several nested applies are performed in order, each based on the previous one")
  func applyOrder() {
    let grid = WordGrid(WordGrid.words(0..<10))
    var isFirst = true
    grid.onConfigure = { _, _ in
      guard isFirst else { return }
      isFirst = false
      grid.apply { $0.deleteItems(["w9"]) }
      grid.apply { $0.appendItems(["last"]) }
    }
    grid.source.reconfigureItems(["w0"])
    #expect(grid.source.snapshot().itemIdentifiers == WordGrid.words(0..<9) + ["last"])
    #expect(grid.view.itemCount == 10)
  }

  @Test("Reconfiguring another item in a provider or a handler keeps both cells")
  func nestedReconfigure() {
    let grid = WordGrid(WordGrid.words(0..<10))
    let cells = grid.view.visibleCells
    grid.onConfigure = { _, word in
      if word == "w1" { grid.source.reconfigureItems(["w2"]) }
    }
    grid.onProvide = { word in
      if word == "w1" { grid.source.reconfigureItems(["w3"]) }
    }
    grid.source.reconfigureItems(["w1"])
    #expect(grid.providerCalls == ["w1", "w3", "w2"])
    #expect(grid.shown == WordGrid.words(0..<6))
    #expect(grid.view.visibleCells.elementsEqual(cells) { $0 === $1 })
  }

  @Test("Queries while cells leave return consistent cells and items")
  func queriesWhileCellsLeave() {
    let grid = WordGrid(WordGrid.words(0..<100))
    var mismatches: [Int] = []
    grid.log.onChange = {
      for index in 0..<grid.view.itemCount {
        guard let cell = grid.view.cell(at: index) as? WordCell else { continue }
        if cell.itemIndex != index || grid.source.itemIdentifier(atFlatIndex: index) != cell.word {
          mismatches.append(index)
        }
      }
    }
    for offset in [25.0, 210, 120, 2_000, 1_900, 0] { grid.scroll(to: offset) }
    grid.apply { $0.deleteItems(["w1", "w3"]) }
    grid.harness.runUntilIdle()
    grid.apply { $0.insertItems(["a", "b"], beforeItem: "w0") }
    grid.harness.runUntilIdle()
    #expect(mismatches.isEmpty)
  }

  @Test("didEndDisplaying has the index path where the item was displayed")
  func didEndDisplayingPaths() {
    let grid = WordGrid(WordGrid.words(0..<100))
    grid.apply { $0.deleteItems(["w0", "w4"]) }
    let ends = zip(grid.log.lines, grid.log.paths).filter { $0.0.hasPrefix("-") }
    #expect(ends.map(\.0) == ["-w0", "-w4"])
    #expect(ends.map { $0.1.item } == [0, 4])
  }

  @Test("A new data source starts without the former cells")
  func newDataSource() {
    let grid = WordGrid(WordGrid.words(0..<100))
    grid.scroll(to: 700)
    let registration = CellRegistration<WordCell, Int> { cell, _, item in cell.word = "n\(item)" }
    let other = DiffableDataSource<Int, Int>(collectionView: grid.view) { view, path, item in
      view.dequeueConfiguredReusableCell(using: registration, for: path, item: item)
    }
    #expect(grid.view.visibleCells.isEmpty)
    #expect(grid.log.displayed.isEmpty)
    var snapshot = other.snapshot()
    snapshot.appendSections([0])
    snapshot.appendItems([1, 2, 3])
    other.apply(snapshot)
    grid.harness.runUntilIdle()
    #expect(grid.shown == ["n1", "n2", "n3"])
    #expect(grid.view.contentOffset == 0)
  }

  @Test("A view without its data source scrolls its displayed items, and is empty after the next layout")
  func releasedDataSource() {
    let view = CollectionView(layout: WordGrid.layout(columns: 1))
    let harness = WindowHarness(root: view)
    harness.window.addParticipant(view)
    do {
      let registration = CellRegistration<WordCell, Int> { cell, _, item in cell.word = "n\(item)" }
      let source = DiffableDataSource<Int, Int>(collectionView: view) { view, path, item in
        view.dequeueConfiguredReusableCell(using: registration, for: path, item: item)
      }
      var snapshot = source.snapshot()
      snapshot.appendSections([0])
      snapshot.appendItems(Array(0..<50))
      source.apply(snapshot)
      harness.run(frames: 2)
      #expect(view.visibleCells.count == 6)
    }
    view.scroll(to: 125, animated: false)
    harness.run(frames: 2)
    view.scroll(to: 40, animated: false)
    harness.run(frames: 2)
    #expect(view.visibleCells.count <= 6)
    harness.resize(to: Size(width: 300, height: 200))
    harness.runUntilIdle()
    #expect(view.visibleCells.isEmpty)
    #expect(view.itemCount == 0)
  }
}
