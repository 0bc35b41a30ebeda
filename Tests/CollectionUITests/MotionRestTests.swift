import CollectionEngine
import CollectionUI
import DiffableData
import Geometry
import TestSupport
import Testing
import Views

@Suite("However it was interrupted, motion ends in what a view shows that never moved")
struct MotionRestTests {
  @Test("Random applies, layouts and scrolls in random frames", arguments: 1...6)
  func random(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let stage = MotionStage(WordGrid.words(0..<60), columns: 3)
    stage.grid.view.isCellPrefetchingEnabled = seed % 2 == 0
    var next = 1_000
    var columns = 3
    var lines: [Int] = []
    var asked = 0
    for _ in 0..<60 {
      switch Int.random(in: 0..<8, using: &random) {
      case 0..<5:
        let isAnimated = Int.random(in: 0..<5, using: &random) > 0
        let ticket = asked
        asked += 1
        var snapshot = stage.grid.source.snapshot()
        edit(&snapshot, &random, &next)
        stage.frame {
          stage.grid.source.apply(snapshot, animatingDifferences: isAnimated) { _ in lines.append(ticket) }
        }
      case 5:
        columns = Int.random(in: 1...5, using: &random)
        stage.frame {
          stage.grid.view.setCollectionViewLayout(WordGrid.layout(columns: columns), animated: true)
        }
      case 6: stage.grid.view.scroll(to: .random(in: 0...600, using: &random), animated: false)
      default: stage.run(40)
      }
      stage.run(Int.random(in: 0...14, using: &random))
      let counts = stage.grid.view.statistics
      #expect(counts.created == counts.visible + counts.waiting + counts.pooled + counts.discarded)
      #expect(counts.waiting == stage.grid.view.preparedCells.count)
      #expect(counts.visible == stage.grid.log.displayed.count)
      if !stage.grid.view.isAnimatingUpdates { #expect(counts.visible == stage.grid.view.visibleCells.count) }
    }
    stage.grid.stage.runUntilIdle()
    #expect(!stage.grid.view.isAnimatingUpdates && lines == Array(0..<asked))
    // A view that never moved, with the same items at the same offset.
    let fresh = WordGrid(stage.grid.source.snapshot().itemIdentifiers, columns: columns)
    fresh.scroll(to: stage.grid.view.contentOffset)
    fresh.stage.runUntilIdle()
    #expect(fresh.view.contentOffset == stage.grid.view.contentOffset)
    #expect(fresh.shown == stage.grid.shown && fresh.places == stage.grid.places)
    #expect(fresh.stage.lastFrameCommands == stage.grid.stage.lastFrameCommands)
  }

  private func edit(_ snapshot: inout WordGrid.Source.Snapshot, _ random: inout SeededGenerator, _ next: inout Int) {
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let words = snapshot.itemIdentifiers
      guard let some = words.prefix(40).randomElement(using: &random),
        let other = words.prefix(40).randomElement(using: &random)
      else { return snapshot.appendItems(["only \(next)"]) }
      switch Int.random(in: 0..<5, using: &random) {
      case 0:
        next += 1
        snapshot.insertItems(["n\(next)"], beforeItem: some)
      case 1: if words.count > 30 { snapshot.deleteItems([some]) }
      case 2: if some != other { snapshot.moveItem(some, afterItem: other) }
      case 3: snapshot.reloadItems([some])
      default: snapshot.reconfigureItems([some])
      }
    }
    if Int.random(in: 0..<12, using: &random) == 0 {
      let words = snapshot.itemIdentifiers
      snapshot.deleteAllItems()
      snapshot.appendItems(words.reversed())
    }
  }
}
