import CollectionEngine
import CollectionUI
import DiffableData
import Geometry
import TestSupport
import Testing
import Views

@Suite("Cells come, go and come again: none is lost, none is shown twice")
struct CellLifeTests {
  /// What must hold between any two frames.
  static func check(_ grid: WordGrid, mostOnScreen: Int, _ note: String) {
    let displayed = grid.view.visibleCells
    let shown = Set(displayed.map(ObjectIdentifier.init))
    #expect(shown.count == displayed.count, "a cell twice on screen, \(note)")
    #expect(shown == Set(grid.log.displayed.keys), "will and did are not those of the cells on screen, \(note)")
    #expect(grid.cells.count == grid.view.statistics.created, "\(note)")
    #expect(displayed.count + grid.view.pooledCellCount == grid.cells.count, "a cell is lost, \(note)")
    for cell in grid.cells {
      let isShown = shown.contains(ObjectIdentifier(cell))
      #expect((cell.superview === grid.view) == isShown, "\(cell.word), \(note)")
      #expect((cell.itemIndex != nil) == isShown, "\(cell.word), \(note)")
    }
    #expect(grid.cells.count <= mostOnScreen, "\(note)")
    for (cell, index) in zip(displayed, grid.view.visibleRange) {
      let word = (cell as? WordCell)?.word
      #expect(cell.itemIndex == index && grid.source.itemIdentifier(atFlatIndex: index) == word, "\(note)")
      #expect(grid.view.frameOfItem(at: grid.view.indexPath(at: index)) == cell.frame, "\(note)")
      #expect(grid.view.cell(at: index) === cell, "\(note)")
    }
  }

  @Test("Over a long scroll no more cells are made than fit on screen, and one row")
  func boundedOverALongScroll() {
    let grid = WordGrid(WordGrid.words(0..<50_000), columns: 4)
    var generator = SeededGenerator(seed: 5)
    var offset = 0.0
    for step in 0..<1_500 {
      offset = max(0, offset + Double.random(in: -60...130, using: &generator))
      grid.scroll(to: offset)
      if step % 100 == 0 { Self.check(grid, mostOnScreen: 4 * 7, "step \(step)") }
    }
    #expect(grid.view.statistics.created <= 4 * 7)
    #expect(grid.view.statistics.displayed > 3_000)
    Self.check(grid, mostOnScreen: 4 * 7, "in the end")
  }

  @Test("A leap over the whole content needs no more cells than a step")
  func leap() {
    let grid = WordGrid(WordGrid.words(0..<100_000), columns: 3)
    for offset in [1_000_000.0, 25, 1_600_000, 0, 777_777] { grid.scroll(to: offset) }
    Self.check(grid, mostOnScreen: 3 * 7, "after leaps")
  }

  @Test("Random scrolls, applies and resizes: the two calls alternate and every cell is somewhere", arguments: 0..<12)
  func property(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    let columns = 1 + seed % 4
    let grid = WordGrid(WordGrid.words(0..<Int.random(in: 0...200, using: &generator)), columns: columns)
    var next = 1_000
    for step in 0..<150 {
      var note = "seed \(seed), step \(step)"
      switch Int.random(in: 0..<8, using: &generator) {
      case 0...3:
        grid.scroll(to: Double.random(in: 0...3_000, using: &generator))
        note += ", scrolled"
      case 4...6:
        let fresh = WordGrid.words(next..<(next + Int.random(in: 1...20, using: &generator)))
        next += 20
        grid.apply { CellLifeTests.edit(&$0, fresh: fresh, &generator) }
        note += ", applied"
      default:
        let height = Double.random(in: 0...300, using: &generator).rounded()
        grid.stage.resize(to: Size(width: 400, height: height))
        note += ", \(height) high"
      }
      // Several changes may come before a frame.
      if generator.chance(oneIn: 3) { continue }
      grid.stage.run(frames: 2)
      // A reload has two cells for one item for a moment.
      Self.check(grid, mostOnScreen: columns * 7 + 3, note)
    }
  }

  static func edit(_ snapshot: inout WordGrid.Source.Snapshot, fresh: [String], _ generator: inout SeededGenerator) {
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

  @Test("A cell that was prepared for reuse belongs to a new generation")
  func generations() {
    let grid = WordGrid(WordGrid.words(0..<100))
    grid.scroll(to: 1_000)
    for case let cell as WordCell in grid.view.visibleCells { #expect(cell.generation == cell.reuses) }
    #expect(grid.view.statistics.reused == 6)
  }
}
