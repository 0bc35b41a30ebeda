import CollectionEngine
import CollectionUI
import DiffableData
import struct FoundationEssentials.IndexPath
import FramePacing
import Geometry
import ScrollPhysics
import TestSupport
import Testing
import Views

@Suite("However a view is driven, every cell is in one place, and every coming has its going")
struct CellLawTests {
  /// A grid that is driven at random, and what holds after everything that is done to it.
  private final class Drive {
    let grid: WordGrid
    private var generator: SeededGenerator
    private var next = 10_000
    private var mostVisible = 0

    init(seed: Int) {
      generator = SeededGenerator(seed: UInt64(seed))
      grid = WordGrid(WordGrid.words(0..<300), columns: 1 + seed % 4)
      grid.view.isCellPrefetchingEnabled = true
      // Heavy cells are left between two steps at the end of a frame.
      grid.view.addedCellCost = .milliseconds(Double(seed % 3) * 7)
    }

    /// Does one thing, and returns its name.
    func step() -> String {
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
          grid.stage.run(frames: 1)
          check("flip")
        }
        return "flips"
      case 3:
        grid.view.applyScrollEvent(.steady(velocity: .random(in: -2_000...2_000, using: &generator)))
        return "steady"
      case 4, 5:
        edit()
        return "apply"
      case 6:
        grid.source.reconfigureItems(some(of: prepared + grid.shown))
        return "reconfigure"
      case 7:
        let words = some(of: prepared + grid.shown)
        grid.apply(animated: .random(using: &generator)) { $0.reloadItems(words) }
        return "reload"
      case 8:
        grid.stage.resize(
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
        grid.stage.run(milliseconds: .random(in: 100...2_000, using: &generator))
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
        if items.count > 60 { snapshot.deleteItems(some(of: items)) }
        next += 1
        if let before = items.prefix(80).randomElement(using: &generator), snapshot.indexOfItem(before) != nil {
          snapshot.insertItems(["n\(next)"], beforeItem: before)
        }
        let left = snapshot.itemIdentifiers
        if let mover = left.randomElement(using: &generator), let place = left.randomElement(using: &generator),
          mover != place
        {
          snapshot.moveItem(mover, beforeItem: place)
        }
      }
    }

    private func some(of words: [String]) -> [String] {
      Array(Set((0..<5).compactMap { _ in words.randomElement(using: &generator) })).sorted()
    }

    var prepared: [String] { grid.view.preparedCells.compactMap { ($0 as? WordCell)?.word } }

    /// What holds at any time.
    func check(_ step: String) {
      let view = grid.view
      let counts = view.statistics
      mostVisible = max(mostVisible, counts.visible)
      #expect(
        counts.created == counts.visible + counts.waiting + counts.pooled + counts.discarded, "\(step)")
      #expect(counts.waiting == view.preparedCells.count && counts.pooled == view.pooledCellCount, "\(step)")
      // Cells that are seen to leave are displayed until they have left.
      #expect(counts.visible >= view.visibleCells.count && counts.visible == grid.log.displayed.count, "\(step)")
      #expect(counts.created - counts.discarded <= mostVisible + KeepExtent.standard.maximumCells(visible: mostVisible))
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

  @Test("Scrolled, edited, resized, animated, short of memory: the laws hold after every event", arguments: 0..<8)
  func laws(seed: Int) {
    let drive = Drive(seed: seed)
    var generator = SeededGenerator(seed: UInt64(seed) &+ 77)
    for _ in 0..<120 {
      let step = drive.step()
      drive.check(step)
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        drive.grid.stage.run(frames: 1)
        drive.check(step + ", a frame")
      }
    }
    drive.grid.apply { $0.deleteAllItems() }
    drive.grid.stage.runUntilIdle()
    drive.check("all deleted")
    #expect(drive.grid.log.displayed.isEmpty && drive.grid.view.preparedCells.isEmpty)
    let counts = drive.grid.view.statistics
    #expect(counts.visible == 0 && counts.waiting == 0)
  }
}
