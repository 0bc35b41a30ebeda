import CollectionUI
import struct FoundationEssentials.IndexPath
import Testing
import VitrineCollectionEngine
import VitrineDiffableData
import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineScrollPhysics
import VitrineTestSupport
import VitrineViews

@Suite("Cells are reused, and none is lost or displayed twice")
struct CellReuseTests {
  /// Expects the invariants that hold between any two frames.
  static func expectInvariants(of grid: WordGrid, maximumCells: Int, _ context: String) {
    let displayed = grid.view.visibleCells
    let shown = Set(displayed.map(ObjectIdentifier.init))
    #expect(shown.count == displayed.count, "a cell is displayed twice, \(context)")
    #expect(
      shown == Set(grid.log.displayed.keys),
      "willDisplay and didEndDisplaying do not match the visible cells, \(context)")
    #expect(grid.cells.count == grid.view.statistics.created, "\(context)")
    #expect(displayed.count + grid.view.pooledCellCount == grid.cells.count, "a cell is lost, \(context)")
    for cell in grid.cells {
      let isShown = shown.contains(ObjectIdentifier(cell))
      #expect((cell.superview === grid.view) == isShown, "\(cell.word), \(context)")
      #expect((cell.itemIndex != nil) == isShown, "\(cell.word), \(context)")
    }
    #expect(grid.cells.count <= maximumCells, "\(context)")
    for (cell, index) in zip(displayed, grid.view.visibleRange) {
      let word = (cell as? WordCell)?.word
      #expect(cell.itemIndex == index && grid.source.itemIdentifier(atFlatIndex: index) == word, "\(context)")
      #expect(grid.view.frameOfItem(at: grid.view.indexPath(at: index)) == cell.frame, "\(context)")
      #expect(grid.view.cell(at: index) === cell, "\(context)")
    }
  }

  @Test("A long scroll creates no more cells than are visible, and one row")
  func longScroll() {
    let grid = WordGrid(WordGrid.words(0..<50_000), columns: 4)
    var generator = SeededGenerator(seed: 5)
    var offset = 0.0
    for step in 0..<1_500 {
      offset = max(0, offset + Double.random(in: -60...130, using: &generator))
      grid.scroll(to: offset)
      if step % 100 == 0 { Self.expectInvariants(of: grid, maximumCells: 4 * 7, "step \(step)") }
    }
    #expect(grid.view.statistics.created <= 4 * 7)
    #expect(grid.view.statistics.displayed > 3_000)
    Self.expectInvariants(of: grid, maximumCells: 4 * 7, "at the end")
  }

  @Test("Jumping across the whole content creates no more cells than a step")
  func jumps() {
    let grid = WordGrid(WordGrid.words(0..<100_000), columns: 3)
    for offset in [1_000_000.0, 25, 1_600_000, 0, 777_777] { grid.scroll(to: offset) }
    Self.expectInvariants(of: grid, maximumCells: 3 * 7, "after jumps")
  }

  @Test(
    "willDisplay and didEndDisplaying alternate and no cell is lost over random scrolls, applies and resizes",
    arguments: TestScale.seeds(0..<12))
  func randomOperations(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    let columns = 1 + seed % 4
    let grid = WordGrid(WordGrid.words(0..<Int.random(in: 0...200, using: &generator)), columns: columns)
    var next = 1_000
    for step in 0..<150 {
      var context = "seed \(seed), step \(step)"
      switch Int.random(in: 0..<8, using: &generator) {
      case 0...3:
        grid.scroll(to: Double.random(in: 0...3_000, using: &generator))
        context += ", scrolled"
      case 4...6:
        let fresh = WordGrid.words(next..<(next + Int.random(in: 1...20, using: &generator)))
        next += 20
        grid.apply { CellReuseTests.applyRandomEdit(to: &$0, fresh: fresh, &generator) }
        context += ", applied"
      default:
        let height = Double.random(in: 0...300, using: &generator).rounded()
        grid.harness.resize(to: Size(width: 400, height: height))
        context += ", \(height) high"
      }
      // Several changes may occur before a frame.
      if generator.chance(oneIn: 3) { continue }
      grid.harness.run(frames: 2)
      // A reload uses two cells for an item briefly.
      Self.expectInvariants(of: grid, maximumCells: columns * 7 + 3, context)
    }
  }

  static func applyRandomEdit(
    to snapshot: inout WordGrid.Source.Snapshot, fresh: [String], _ generator: inout SeededGenerator
  ) {
    let words = snapshot.itemIdentifiers
    guard let word = words.randomElement(using: &generator) else { return snapshot.appendItems(fresh) }
    switch Int.random(in: 0..<8, using: &generator) {
    case 0: snapshot.appendItems(fresh)
    case 1: snapshot.insertItems(fresh, beforeItem: word)
    case 2: snapshot.insertItems(fresh, afterItem: word)
    case 3: snapshot.deleteItems(Array(words.shuffled(using: &generator).prefix(words.count / 8)))
    case 4:
      let other = words.randomElement(using: &generator) ?? word
      if other != word { snapshot.moveItem(word, afterItem: other) }
    case 5: snapshot.reconfigureItems(Array(words.shuffled(using: &generator).prefix(10)))
    case 6: snapshot.reloadItems(Array(words.shuffled(using: &generator).prefix(3)))
    default:
      if generator.chance(oneIn: 3) {
        snapshot.deleteAllItems()
      } else {
        snapshot.insertSections([snapshot.numberOfSections], beforeSection: 0)
      }
    }
  }

  @Test("A cell's generation is incremented when it is prepared for reuse")
  func generations() {
    let grid = WordGrid(WordGrid.words(0..<100))
    grid.scroll(to: 1_000)
    for case let cell as WordCell in grid.view.visibleCells { #expect(cell.generation == cell.reuses) }
    #expect(grid.view.statistics.reused == 6)
  }
}

// MARK: - Invariants

@Suite("Every cell is in exactly one state, and each willDisplay has its didEndDisplaying")
struct CellStateInvariantTests {
  /// A grid that is driven by random operations, with the invariants that hold after each of them.
  private final class RandomDriver {
    let grid: WordGrid
    private var generator: SeededGenerator
    private var next = 10_000
    private var maximumVisible = 0

    init(seed: Int) {
      generator = SeededGenerator(seed: UInt64(seed))
      grid = WordGrid(WordGrid.words(0..<300), columns: 1 + seed % 4)
      DemonstrationSwitches(grid.view).isCellPrefetchingEnabled = true
      // Cells that are expensive to prepare are unfinished at the end of a frame.
      DemonstrationSwitches(grid.view).addedCellCost = .milliseconds(Double(seed % 3) * 7)
    }

    /// Performs a random operation and returns its name.
    func performRandomStep() -> String {
      switch Int.random(in: 0..<16, using: &generator) {
      case 0:
        grid.view.applyScrollEvent(
          .flick(velocity: .random(in: -20_000...20_000, using: &generator), accumulating: true))
        return "flick"
      case 1:
        grid.view.applyScrollEvent(.jump(to: .random(in: 0...6_000, using: &generator)))
        return "jump"
      case 2:
        let steps = [12.0, -9, 9, -12]
        for step in steps {
          grid.view.applyScrollEvent(.jump(to: grid.view.contentOffset + step))
          grid.harness.run(frames: 1)
          expectInvariants("flip")
        }
        return "flips"
      case 3:
        grid.view.applyScrollEvent(.steady(velocity: .random(in: -2_000...2_000, using: &generator)))
        return "steady"
      case 4, 5:
        edit()
        return "apply"
      case 6:
        grid.source.reconfigureItems(randomWords(from: prepared + grid.shown))
        return "reconfigure"
      case 7:
        let words = randomWords(from: prepared + grid.shown)
        grid.apply(animated: .random(using: &generator)) { $0.reloadItems(words) }
        return "reload"
      case 8:
        grid.harness.resize(
          to: Size(
            width: .random(in: 200...500, using: &generator), height: .random(in: 60...400, using: &generator)))
        return "resize"
      case 9:
        grid.view.handleMemoryPressure()
        return "pressure"
      case 10:
        grid.view.isPrefetchingEnabled.toggle()
        return "prefetching"
      case 11:
        grid.view.setCollectionViewLayout(
          WordGrid.layout(columns: .random(in: 1...4, using: &generator)),
          animated: .random(using: &generator))
        return "layout"
      case 12:
        grid.source.applySnapshotUsingReloadData(grid.source.snapshot())
        return "reload all"
      case 13:
        grid.harness.run(milliseconds: .random(in: 100...2_000, using: &generator))
        return "rest"
      case 14:
        grid.view.reducesMotion.toggle()
        return "motion"
      default:
        grid.view.applyScrollEvent(.stop)
        return "stop"
      }
    }

    private func edit() {
      grid.apply(animated: .random(using: &generator)) { snapshot in
        let items = snapshot.itemIdentifiers
        if items.count > 60 { snapshot.deleteItems(randomWords(from: items)) }
        next += 1
        if let before = items.prefix(80).randomElement(using: &generator), snapshot.indexOfItem(before) != nil {
          snapshot.insertItems(["n\(next)"], beforeItem: before)
        }
        let left = snapshot.itemIdentifiers
        if let item = left.randomElement(using: &generator), let destination = left.randomElement(using: &generator),
          item != destination
        {
          snapshot.moveItem(item, beforeItem: destination)
        }
      }
    }

    private func randomWords(from words: [String]) -> [String] {
      Array(Set((0..<5).compactMap { _ in words.randomElement(using: &generator) })).sorted()
    }

    var prepared: [String] { grid.view.preparedCells.compactMap { ($0 as? WordCell)?.word } }

    /// Expects the invariants that hold at any time.
    func expectInvariants(_ step: String) {
      let view = grid.view
      let counts = view.statistics
      maximumVisible = max(maximumVisible, counts.visible)
      #expect(
        counts.created == counts.visible + counts.waiting + counts.pooled + counts.discarded, "\(step)")
      #expect(counts.waiting == view.preparedCells.count && counts.pooled == view.pooledCellCount, "\(step)")
      // Disappearing cells count as displayed until they have left the screen.
      #expect(counts.visible >= view.visibleCells.count && counts.visible == grid.log.displayed.count, "\(step)")
      #expect(
        counts.created - counts.discarded <= maximumVisible + KeepExtent.standard.maximumCells(visible: maximumVisible))
      let displayed = Set(grid.log.displayed.keys)
      let waiting = Set(view.preparedCells.map { ObjectIdentifier($0) })
      #expect(displayed.isDisjoint(with: waiting), "\(step)")
      #expect(displayed.isSuperset(of: view.visibleCells.map { ObjectIdentifier($0) }), "\(step)")
      let pooled = Set(grid.cells.filter(\.isPooled).map { ObjectIdentifier($0) })
      #expect(pooled.isDisjoint(with: displayed) && pooled.isDisjoint(with: waiting), "\(step)")
      for case let cell as WordCell in view.visibleCells + view.preparedCells {
        guard let index = cell.itemIndex, index < view.itemCount else { continue }
        #expect(grid.source.itemIdentifier(for: view.indexPath(at: index)) == cell.word, "\(step)")
      }
    }
  }

  @Test(
    "Invariants hold after every scroll, edit, resize, animation and memory warning", arguments: TestScale.seeds(0..<8))
  func invariants(seed: Int) {
    let driver = RandomDriver(seed: seed)
    var generator = SeededGenerator(seed: UInt64(seed) &+ 77)
    for _ in 0..<120 {
      let step = driver.performRandomStep()
      driver.expectInvariants(step)
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        driver.grid.harness.run(frames: 1)
        driver.expectInvariants(step + ", a frame")
      }
    }
    driver.grid.apply { $0.deleteAllItems() }
    driver.grid.harness.runUntilIdle()
    driver.expectInvariants("all deleted")
    #expect(driver.grid.log.displayed.isEmpty && driver.grid.view.preparedCells.isEmpty)
    let counts = driver.grid.view.statistics
    #expect(counts.visible == 0 && counts.waiting == 0)
  }
}

// MARK: - Late writes

@Suite("Late writes to a pooled cell are detected, and a cell reference expires with its item")
struct LateWriteTests {
  @Test("A cell reference is valid until the cell is pooled or displays another item")
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

  @Test("A reference to a waiting cell is valid")
  func waiting() throws {
    let grid = WordGrid(WordGrid.words(0..<100))
    DemonstrationSwitches(grid.view).isCellPrefetchingEnabled = true
    grid.harness.runUntilIdle()
    let reference = CellReference(try #require(grid.cell(of: "w0")))
    grid.scroll(to: 100)
    #expect(grid.cell(of: "w0") == nil && reference.cell?.word == "w0")
  }

  @Test("Quarantined cells are reused in first-in, first-out order once there are enough")
  func quarantine() {
    let grid = WordGrid(WordGrid.words(0..<1_000))
    grid.view.cellQuarantine = 20
    for step in 1...20 { grid.scroll(to: Double(step) * 600) }
    #expect(grid.view.pooledCellCount >= 20)
    #expect(grid.view.statistics.created < 40)
    #expect(grid.view.statistics.reused > 0)
  }

  #if DEBUG
    /// Writes to a retained cell after its item has left the screen, as the incorrect example of WWDC21 session 10252
    /// does.
    private static func writeToPooledCell(quarantine: Int, _ write: @MainActor (WordCell) -> Void) {
      let grid = WordGrid(WordGrid.words(0..<100))
      grid.view.cellQuarantine = quarantine
      let cell = grid.cell(of: "w3")
      grid.scroll(to: 600)
      if quarantine == 0 { grid.apply { $0.deleteAllItems() } } else { grid.scroll(to: 900) }
      if let cell { write(cell) }
    }

    @Test("Writing to a pooled cell stops a debug build with an error that names the item")
    func pooledCell() async throws {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        await LateWriteTests.writeToPooledCell(quarantine: 20) { $0.backgroundColor = .white }
      }
      let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
      #expect(text.contains("A WordCell was written to after it was returned for reuse"), "\(text)")
      #expect(text.contains("the last item it displayed was w3."))
      #expect(text.contains("call reconfigureItems([w3]), or use a CellReference."))
    }

    @Test("Adding a subview to a pooled cell stops a debug build")
    func subviewOfPooledCell() async throws {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        await LateWriteTests.writeToPooledCell(quarantine: 20) { $0.addSubview(View()) }
      }
      let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
      #expect(text.contains("the last item it displayed was w3."))
    }

    @Test("Deleting all items pools all cells")
    func poolOfEmptyView() async throws {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        await LateWriteTests.writeToPooledCell(quarantine: 0) { $0.setNeedsLayout() }
      }
      let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
      #expect(text.contains("was written to after it was returned for reuse"))
    }
  #endif
}
