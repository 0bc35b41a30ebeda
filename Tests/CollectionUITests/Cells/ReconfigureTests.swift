import CollectionUI
import struct FoundationEssentials.IndexPath
import Testing
import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineDiffableData
import VitrineFramePacing
import VitrineGeometry
import VitrineTestSupport
import VitrineViews

@Suite("Reconfiguring keeps the cell, and many requests cause no late frame")
struct ReconfigureTests {
  /// Returns a grid in which each cell configuration takes the given time.
  private func makeGrid(_ cost: FrameDuration, columns: Int = 10) -> (WordGrid, FrameActions) {
    let grid = WordGrid(WordGrid.words(0..<2_000), columns: columns)
    let actions = FrameActions()
    grid.harness.window.addFirstParticipant(actions)
    grid.harness.runUntilIdle()
    grid.onConfigure = { _, _ in grid.harness.clock.spend(cost) }
    grid.clearLog()
    return (grid, actions)
  }

  @Test(
    "Reconfiguring all visible items is spread over frames without a late one, starting at the center of the screen")
  func budget() {
    let (grid, actions) = makeGrid(.milliseconds(0.5))
    let cells = grid.view.visibleCells.map(ObjectIdentifier.init)
    let reuses = grid.cells.map(\.reuses)
    actions.pending = [{ grid.source.reconfigureItems(grid.shown) }]
    grid.harness.run(frames: 1)
    #expect((1...5).contains(grid.providerCalls.count), "\(grid.providerCalls)")
    // The center of the window is between the third and the fourth row, and the fifth and the sixth column.
    #expect(Set(grid.providerCalls.prefix(4)).isSubset(of: ["w24", "w25", "w34", "w35"]))
    grid.harness.runUntilIdle()
    #expect(grid.providerCalls.count == 60 && Set(grid.providerCalls).count == 60)
    #expect(grid.harness.loop.history.hitchCount == 0)
    #expect(grid.view.visibleCells.map(ObjectIdentifier.init) == cells && grid.cells.map(\.reuses) == reuses)
    #expect(grid.log.lines.isEmpty)
  }

  @Test("At least one cell a frame is reconfigured at any cost, and duplicate requests are merged")
  func progress() {
    let (grid, actions) = makeGrid(.milliseconds(40), columns: 1)
    actions.pending = [
      { grid.source.reconfigureItems(["w0", "w5"]) }, { grid.source.reconfigureItems(["w5", "w2"]) },
    ]
    grid.harness.run(frames: 1)
    #expect(grid.providerCalls.count == 1)
    grid.harness.run(frames: 1)
    #expect(grid.providerCalls.count == 2)
    grid.harness.runUntilIdle()
    #expect(grid.providerCalls == ["w0", "w5", "w2"])
  }

  @Test("A few requests are performed in the frame in which they arrive")
  func sameFrame() {
    let (grid, actions) = makeGrid(.zero, columns: 1)
    actions.pending = [
      { grid.source.reconfigureItems(["w3"]) },
      {
        grid.apply {
          $0.deleteItems(["w0"])
          $0.reconfigureItems(["w4"])
        }
      },
    ]
    grid.harness.run(frames: 1)
    #expect(grid.providerCalls == ["w3"])
    grid.harness.run(frames: 1)
    #expect(grid.providerCalls == ["w3", "w4", "w6"])
  }

  @Test("An item scrolled away before its reconfiguration is reconfigured in its waiting cell")
  func scrolledAway() {
    let (grid, actions) = makeGrid(.milliseconds(3), columns: 1)
    DemonstrationSwitches(grid.view).isCellPrefetchingEnabled = true
    grid.harness.runUntilIdle()
    grid.clearLog()
    actions.pending = [
      { grid.source.reconfigureItems(["w0", "w1", "w2", "w3", "w4", "w5"]) },
      { grid.view.scroll(to: 100, animated: false) },
    ]
    grid.harness.run(frames: 2)
    #expect(!grid.shown.contains("w0"))
    grid.harness.runUntilIdle()
    let reconfigured = grid.providerCalls.filter { ["w0", "w1", "w2", "w3", "w4", "w5"].contains($0) }
    #expect(reconfigured.sorted() == ["w0", "w1", "w2", "w3", "w4", "w5"])
  }

  @Test("Pending requests survive applies, except those of reloaded or deleted items")
  func applies() {
    let (grid, actions) = makeGrid(.milliseconds(3), columns: 1)
    actions.pending = [
      { grid.source.reconfigureItems(["w0", "w1", "w4", "w5"]) },
      {
        grid.apply {
          $0.deleteItems(["w0"])
          $0.insertItems(["new"], beforeItem: "w1")
          $0.reloadItems(["w5"])
        }
      },
    ]
    grid.harness.runUntilIdle()
    #expect(grid.providerCalls.sorted() == ["new", "w1", "w4", "w5"], "\(grid.providerCalls)")
  }

  @Test("Without frames, items are reconfigured immediately")
  func withoutFrames() {
    let (grid, _) = makeGrid(.zero, columns: 1)
    grid.source.reconfigureItems(["w1", "w3", "w900"])
    #expect(grid.providerCalls == ["w1", "w3"])
  }

  @Test("A registration's handler may reconfigure other items and apply a snapshot")
  func withinHandler() {
    let (grid, actions) = makeGrid(.zero, columns: 1)
    var isFirst = true
    grid.onConfigure = { _, word in
      guard isFirst else { return }
      isFirst = false
      grid.source.reconfigureItems(["w5"])
      grid.apply { $0.deleteItems(["w2"]) }
    }
    actions.pending = [{ grid.source.reconfigureItems(["w1"]) }]
    grid.harness.runUntilIdle()
    #expect(grid.providerCalls == ["w1", "w5", "w6"])
    #expect(grid.shown == ["w0", "w1", "w3", "w4", "w5", "w6"])
  }

  @Test("Reconfiguring a waiting cell queries its preferred size again")
  func sizes() {
    var height = 60.0
    let rows = CollectionLayoutSize(width: .fractionalWidth(1), height: .estimated(60))
    let section = CollectionLayoutSection(
      group: .vertical(layoutSize: rows, subitems: [CollectionLayoutItem(layoutSize: rows)]))
    let grid = NumberGrid([Array(0..<40)], layout: CompositionalLayout(section: section)) { number, _ in
      Size(width: 400, height: number == 6 ? height : 60)
    }
    DemonstrationSwitches(grid.view).isCellPrefetchingEnabled = true
    grid.harness.runUntilIdle()
    #expect(grid.view.cellForItem(at: IndexPath(item: 6, section: 0)) != nil && !grid.shown.contains(6))
    height = 90
    grid.source.reconfigureItems([6])
    grid.harness.runUntilIdle()
    #expect(grid.view.frameOfItem(at: IndexPath(item: 6, section: 0))?.height == 90)
  }
}

// MARK: - Repeated requests

@Suite("Code that prepares a cell may request the same item's reconfiguration")
struct RepeatedReconfigureTests {
  /// The recorded steps of an item, without drawing.
  private func steps(of item: Int, in grid: HeavyGrid) -> [String] {
    grid.log.lines.filter { $0.hasSuffix(" \(item)") && !$0.hasPrefix("draw") }
  }

  private static func allSteps(_ item: Int) -> [String] {
    ["configure \(item)", "part 0 of \(item)", "part 1 of \(item)"]
  }

  @Test(
    "A request from a preparation step is performed after the step, for visible and waiting cells", arguments: [3, 8])
  func fromPreparationStep(item: Int) {
    let grid = HeavyGrid(parts: 2)
    var isRequested = false
    grid.log.onPart = { part, shown in
      guard shown == item, part == 1, !isRequested else { return }
      isRequested = true
      grid.source.reconfigureItems([item])
    }
    grid.harness.runUntilIdle()
    #expect(steps(of: item, in: grid) == Self.allSteps(item) + Self.allSteps(item))
    #expect(grid.harness.runUntilIdle() == 0)
  }

  @Test(
    "A request from the first configuration is performed after all steps if visible, or before the other steps",
    arguments: [3, 8])
  func fromHandler(item: Int) {
    let grid = HeavyGrid(parts: 2)
    var isRequested = false
    grid.log.onConfigure = { shown in
      guard shown == item, !isRequested else { return }
      isRequested = true
      grid.source.reconfigureItems([item])
    }
    grid.harness.runUntilIdle()
    // A cell that is needed immediately is completed first.
    #expect(steps(of: item, in: grid) == (item == 8 ? ["configure 8"] : Self.allSteps(3)) + Self.allSteps(item))
  }

  @Test("A request by an apply is performed after the step", arguments: [3, 8])
  func fromApply(item: Int) {
    let grid = HeavyGrid(parts: 2)
    var isRequested = false
    grid.log.onPart = { part, shown in
      guard shown == item, part == 1, !isRequested else { return }
      isRequested = true
      var snapshot = grid.source.snapshot()
      snapshot.reconfigureItems([item])
      grid.source.apply(snapshot)
    }
    grid.harness.runUntilIdle()
    #expect(steps(of: item, in: grid) == Self.allSteps(item) + Self.allSteps(item))
  }

  @Test("A handler that always requests reconfiguration runs once more, and the loop becomes idle")
  func unconditionalRequests() {
    let grid = HeavyGrid(parts: 2)
    grid.log.onConfigure = { if $0 == 8 { grid.source.reconfigureItems([8]) } }
    grid.log.onPart = { if $1 == 8 { grid.source.reconfigureItems([8]) } }
    #expect(grid.harness.runUntilIdle() < 10)
    #expect(grid.log.lines.filter { $0 == "configure 8" }.count == 2)
    grid.log.clearLog()
    grid.log.onConfigure = nil
    grid.log.onPart = nil
    grid.source.reconfigureItems([8])
    grid.harness.runUntilIdle()
    #expect(steps(of: 8, in: grid) == Self.allSteps(8), "a request from outside is performed as usual")
  }

  @Test("Without frames, a nested request waits for a frame and does not recurse")
  func withoutFrames() {
    let grid = HeavyGrid(parts: 1)
    grid.harness.runUntilIdle()
    grid.log.clearLog()
    grid.log.onPart = { if $1 == 3 { grid.source.reconfigureItems([3]) } }
    grid.source.reconfigureItems([3])
    #expect(steps(of: 3, in: grid) == ["configure 3", "part 0 of 3"])
    grid.log.onPart = nil
    grid.harness.runUntilIdle()
    #expect(steps(of: 3, in: grid) == ["configure 3", "part 0 of 3", "configure 3", "part 0 of 3"])
  }
}
