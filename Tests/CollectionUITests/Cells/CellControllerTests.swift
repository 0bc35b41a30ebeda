import CollectionUI
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

@Suite("The cell controller, without a view")
struct CellControllerTests {
  @Test("Visible items get cells, and the cells of items that leave are reused")
  func display() {
    let host = CellHostDouble()
    host.show(0..<3)
    #expect(host.takeLog() == ["configure 0", "will 0", "configure 1", "will 1", "configure 2", "will 2"])
    host.show(1..<4)
    #expect(host.takeLog() == ["end 0", "configure 3", "will 3"])
    #expect(host.cells.statistics.created == 3 && host.cells.pooledCount == 0 && host.cells.isBalanced)
  }

  @Test("A cell that left waits for its item while it may, and is displayed again as it is")
  func waiting() {
    let host = CellHostDouble()
    host.waitingArea = 0..<10
    host.show(0..<3)
    host.show(3..<6)
    #expect(host.cells.waitingCells.count == 3)
    _ = host.takeLog()
    host.show(0..<3)
    #expect(host.takeLog() == ["end 3", "end 4", "end 5", "will 0", "will 1", "will 2"])
    host.cells.evictWaitingCells { $0 == 4 }
    #expect(host.cells.waitingCell(at: 4) != nil && host.cells.pooledCount == 2)
  }

  @Test("The steps of a cell run one at a time ahead, and it is then displayed without any")
  func steps() {
    let host = CellHostDouble()
    host.waitingArea = 0..<10
    host.show(0..<3)
    _ = host.takeLog()
    var steps: [PreparationStep] = []
    while let step = host.cells.nextStep(at: 3), steps.count < 10 {
      steps.append(step)
      host.cells.prepareStep(at: 3, from: host)
    }
    #expect(steps == [.create, .configure, .size, .draw])
    #expect(host.takeLog() == ["configure 3"])
    host.show(1..<4)
    #expect(host.takeLog() == ["end 0", "will 3"])
    #expect(host.cells.statistics.preparedInSlack == 1)
  }

  @Test("The remotest cell is evicted first when there are too many")
  func capacity() {
    let host = CellHostDouble()
    host.waitingArea = 0..<100
    host.cells.keepExtent = .none
    host.show(0..<1)
    for item in 2..<10 {
      while host.cells.nextStep(at: item) != nil { host.cells.prepareStep(at: item, from: host) }
    }
    #expect(host.cells.waitingCells.count == 8, "a few cells may always wait")
    #expect(!host.cells.hasCapacity(for: 20) && host.cells.hasCapacity(for: 1))
    while host.cells.nextStep(at: 1) != nil { host.cells.prepareStep(at: 1, from: host) }
    #expect(host.cells.waitingCell(at: 9) == nil && host.cells.waitingCell(at: 8) != nil)
    #expect(host.cells.isBalanced)
  }

  @Test("Reconfiguring keeps the cell, reloading replaces it")
  func reloading() throws {
    let host = CellHostDouble()
    host.show(0..<3)
    let cell = try #require(host.cells.displayedCell(at: 1))
    _ = host.takeLog()
    host.cells.reconfigureItem(1)
    #expect(host.takeLog() == ["configure 1"] && host.cells.displayedCell(at: 1) === cell)
    host.cells.reloadItem(1)
    #expect(host.takeLog() == ["configure 1", "end 1", "will 1"] && host.cells.displayedCell(at: 1) !== cell)
  }

  @Test("An update moves cells with their items, and returns those of deleted ones")
  func updates() {
    let host = CellHostDouble()
    host.waitingArea = 0..<10
    host.show(0..<3)
    host.show(3..<6)
    let map = IndexMap.deleting(1, of: 100)
    #expect(host.cells.applyToDisplayedCells(map).isEmpty)
    host.cells.apply(map)
    #expect(host.cells.waitingCells.compactMap(\.itemIndex) == [0, 1], "those of items 0 and 2")
    #expect(host.cells.displayedEntries.map(\.index) == [2, 3, 4])
    #expect(host.cells.pooledCount == 1 && host.cells.isBalanced)
  }
}
