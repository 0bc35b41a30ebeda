import CollectionEngine
import CollectionUI
import DiffableData
import Rendering
import TestSupport
import Testing
import Views

@Suite("A cell that is kept and written to late is found, and a reference to one outlives nothing")
struct LateWriteTests {
  @Test("A reference holds until the cell is put back, and not when it shows another item")
  func references() throws {
    let grid = WordGrid(WordGrid.words(0..<100))
    let first = try #require(grid.cell(of: "w0"))
    let reference = CellReference(first)
    #expect(reference.cell === first && reference.itemIdentifier as? String == "w0")
    grid.source.reconfigureItems(["w0"])
    #expect(reference.cell === first, "the same item in the same cell")
    grid.scroll(to: 600)
    #expect(first.isPooled || first.word != "w0")
    #expect(reference.cell == nil)
    grid.scroll(to: 1_200)
    #expect(reference.cell == nil)
    for case let cell as WordCell in grid.view.visibleCells { #expect(cell.itemIdentifier as? String == cell.word) }
  }

  @Test("A waiting cell is bound to its item still")
  func waiting() throws {
    let grid = WordGrid(WordGrid.words(0..<100))
    grid.view.isCellPrefetchingEnabled = true
    grid.stage.runUntilIdle()
    let reference = CellReference(try #require(grid.cell(of: "w0")))
    grid.scroll(to: 100)
    #expect(grid.cell(of: "w0") == nil && reference.cell?.word == "w0")
  }

  @Test("Cells in quarantine are used again in the order in which they came, once there are more")
  func quarantine() {
    let grid = WordGrid(WordGrid.words(0..<1_000))
    grid.view.cellQuarantine = 20
    for step in 1...20 { grid.scroll(to: Double(step) * 600) }
    #expect(grid.view.pooledCellCount >= 20)
    #expect(grid.view.statistics.created < 40)
    #expect(grid.view.statistics.reused > 0)
  }

  #if DEBUG
    /// The talk's wrong sample: an answer that comes late is written to the cell that asked for it.
    private static func writeLate(quarantine: Int, _ write: @MainActor (WordCell) -> Void) {
      let grid = WordGrid(WordGrid.words(0..<100))
      grid.view.cellQuarantine = quarantine
      let kept = grid.cell(of: "w3")
      grid.scroll(to: 600)
      if quarantine == 0 { grid.apply { $0.deleteAllItems() } } else { grid.scroll(to: 900) }
      if let kept { write(kept) }
    }

    @Test("An answer written to a cell that lies in the pool stops a debug build and names the item")
    func late() async throws {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        await LateWriteTests.writeLate(quarantine: 20) { $0.backgroundColor = .white }
      }
      let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
      #expect(text.contains("A WordCell was written to after it had been put back for reuse"), "\(text)")
      #expect(text.contains("the last item it showed was w3."))
      #expect(text.contains("call reconfigureItems([w3]), or keep a CellReference."))
    }

    @Test("So does one written to a view within it")
    func within() async throws {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        await LateWriteTests.writeLate(quarantine: 20) { $0.addSubview(View()) }
      }
      let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
      #expect(text.contains("the last item it showed was w3."))
    }

    @Test("Without items all cells lie in the pool")
    func empty() async throws {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        await LateWriteTests.writeLate(quarantine: 0) { $0.setNeedsLayout() }
      }
      let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
      #expect(text.contains("was written to after it had been put back for reuse"))
    }
  #endif
}
