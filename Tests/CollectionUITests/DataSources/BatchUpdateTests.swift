import CollectionUI
import struct FoundationEssentials.IndexPath
import Testing
import VitrineCollectionEngine
import VitrineDiffableData
import VitrineFramePacing
import VitrineGeometry
import VitrineScrollPhysics
import VitrineTestSupport
import VitrineViews

@Suite("After any batch of edits, a view displays the arrays of its data source and keeps the cells of the items")
struct RandomBatchUpdateTests {
  @Test("Random deletions, insertions and moves at random offsets, animated or not", arguments: TestScale.seeds(0..<24))
  func randomEdits(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let grid = DataSourceGrid([WordGrid.words(0..<40), WordGrid.words(40..<60)])
    var fresh = 1_000
    for round in 0..<12 {
      grid.view.scroll(
        to: Double.random(in: 0...grid.view.scroll.range.maximum.rounded(), using: &random), animated: false)
      grid.harness.run(frames: 1)
      let before = grid.source.sections
      var after: [[String]] = [[], []]
      var moved: [(word: String, item: Int, section: Int)] = []
      var deletions: [(item: Int, section: Int)] = []
      for (section, words) in before.enumerated() {
        for (item, word) in words.enumerated() {
          switch Int.random(in: 0..<10, using: &random) {
          case 0: deletions.append((item, section))
          case 1: moved.append((word, item, section))
          default: after[section].append(word)
          }
        }
      }
      var insertions = moved.map(\.word)
      for _ in 0..<Int.random(in: 0...8, using: &random) {
        insertions.append("n\(fresh)")
        fresh += 1
      }
      for word in insertions.shuffled(using: &random) {
        let section = Int.random(in: 0...1, using: &random)
        after[section].insert(word, at: Int.random(in: 0...after[section].count, using: &random))
      }
      let cells = Dictionary(uniqueKeysWithValues: grid.words.map { ($0.word, $0) })
      grid.clearLog()
      let update = {
        grid.view.performBatchUpdates(animated: round % 2 == 0) {
          grid.source.sections = after
          grid.view.deleteItems(at: deletions.map { DataSourceGrid.path($0.item, $0.section) })
          for (section, words) in after.enumerated() {
            for (item, word) in words.enumerated() {
              if let origin = moved.first(where: { $0.word == word }) {
                grid.view.moveItem(
                  at: DataSourceGrid.path(origin.item, origin.section), to: DataSourceGrid.path(item, section))
              } else if !before.joined().contains(word) {
                grid.view.insertItems(at: [DataSourceGrid.path(item, section)])
              }
            }
          }
        }
      }
      if round % 3 == 0 { grid.performInFrame(update) } else { update() }
      grid.harness.runUntilIdle()
      let all = Array(after.joined())
      #expect(grid.view.itemCount == all.count)
      let range = grid.view.visibleRange
      #expect(grid.shown == Array(all[range]), "seed \(seed), round \(round)")
      for word in grid.words { if let cell = cells[word.word] { #expect(cell === word, "\(word.word)") } }
      #expect(grid.source.requestedWords.allSatisfy { cells[$0] == nil }, "items that have a cell request none")
      #expect(grid.log.displayed.values.sorted() == grid.shown.sorted())
    }
  }
}

// MARK: - Completion handlers

@Suite("Completion handlers of batches are called in order, when the animation ended or was interrupted")
struct BatchCompletionTests {
  private final class Log {
    let grid = DataSourceGrid([WordGrid.words(0..<100)])
    var lines: [String] = []

    func delete(_ name: String, animated isAnimated: Bool = true) {
      grid.view.performBatchUpdates(animated: isAnimated) { [grid] in
        grid.source.sections[0].removeFirst()
        grid.view.deleteItems(at: [DataSourceGrid.path(0)])
      } completion: { [unowned self] isFinished in
        lines.append("\(name) \(isFinished) \(grid.view.itemCount)")
      }
    }
  }

  @Test("A handler is called immediately if the window displays no frames")
  func withoutFrames() {
    let log = Log()
    log.delete("a")
    #expect(log.lines == ["a true 99"])
  }

  @Test("A handler is called in the frame after the last animated one, and in the next frame without an animation")
  func withFrames() {
    let log = Log()
    log.grid.performInFrame { log.delete("a") }
    #expect(log.grid.view.isAnimatingUpdates && log.lines.isEmpty)
    while log.grid.view.isAnimatingUpdates { log.grid.harness.run(frames: 1) }
    log.grid.harness.run(frames: 1)
    #expect(log.lines == ["a true 99"])
    log.grid.performInFrame { log.delete("b", animated: false) }
    #expect(!log.grid.view.isAnimatingUpdates && log.lines.count == 1)
    log.grid.harness.run(frames: 1)
    #expect(log.lines == ["a true 99", "b true 98"])
    #expect(log.grid.harness.runUntilIdle() == 0)
  }

  @Test("A handler is called with false after an interruption by the next batch, a reload or another data source")
  func interruption() {
    let log = Log()
    log.grid.performInFrame { log.delete("a") }
    log.grid.performInFrame { log.delete("b") }
    log.grid.harness.run(frames: 1)
    #expect(log.lines == ["a false 98"])
    log.grid.performInFrame { log.grid.view.reloadData() }
    log.grid.harness.run(frames: 1)
    #expect(log.lines == ["a false 98", "b false 98"])
    log.grid.performInFrame {
      log.delete("c")
      log.grid.view.dataSource = nil
    }
    #expect(log.lines == ["a false 98", "b false 98", "c false 97"])
  }

  @Test("The handler of a nested batch is called before that of the outer one, both after the update")
  func nested() {
    let grid = DataSourceGrid([WordGrid.words(0..<10)])
    var lines: [String] = []
    grid.view.performBatchUpdates {
      grid.source.sections[0].removeLast()
      grid.view.performBatchUpdates {
        grid.view.deleteItems(at: [DataSourceGrid.path(9)])
      } completion: {
        lines.append("inner \($0) \(grid.view.itemCount)")
      }
      #expect(lines.isEmpty)
    } completion: {
      lines.append("outer \($0) \(grid.view.itemCount)")
    }
    #expect(lines == ["inner true 9", "outer true 9"])
  }
}

// MARK: - Reentrancy

@Suite("Client code can start a batch in any callback, and batches are performed in order on the current data")
struct ReentrantBatchUpdateTests {
  private func deleteFirst(
    _ grid: DataSourceGrid, _ source: DataSourceGrid.Source, _ done: @escaping (Bool) -> Void = { _ in }
  ) {
    grid.view.performBatchUpdates(animated: false) {
      source.sections[0].removeFirst()
      grid.view.deleteItems(at: [DataSourceGrid.path(0)])
    } completion: {
      done($0)
    }
  }

  @Test("A batch that starts while the last cells of a data source are removed applies to the next data source")
  func duringReplacement() {
    let grid = DataSourceGrid([WordGrid.words(0..<40)])
    let next = DataSourceGrid.Source([WordGrid.words(100..<140)])
    var completions: [Bool] = []
    grid.log.onChange = {
      grid.log.onChange = nil
      deleteFirst(grid, next) { completions.append($0) }
    }
    grid.view.dataSource = next
    grid.harness.runUntilIdle()
    #expect(grid.shown == WordGrid.words(101..<107) && completions == [true] && grid.view.itemCount == 39)
  }

  @Test("A batch that is waiting when the data source is replaced changes the data that the next one displays")
  func pendingDuringReplacement() {
    let grid = DataSourceGrid([WordGrid.words(0..<40)])
    let next = DataSourceGrid.Source(grid.source.sections)
    var completions: [String] = []
    grid.source.onCellRequest = { _ in
      grid.source.onCellRequest = nil
      // The batch changes the data of the next data source, which is set by then.
      deleteFirst(grid, next) { completions.append("first \($0)") }
      grid.view.dataSource = next
      deleteFirst(grid, next) { completions.append("second \($0)") }
      #expect(next.sections[0].count == 40)
    }
    grid.view.scroll(to: 100, animated: false)
    grid.harness.runUntilIdle()
    #expect(next.sections[0].count == 38 && grid.view.itemCount == 38)
    #expect(grid.shown == WordGrid.words(2..<8) && completions == ["first false", "second true"])
  }

  @Test("A waiting batch only changes the data if the data source was removed")
  func pendingDuringRemoval() {
    let grid = DataSourceGrid([WordGrid.words(0..<40)])
    let source = grid.source
    var completions: [Bool] = []
    source.onCellRequest = { _ in
      source.onCellRequest = nil
      deleteFirst(grid, source) { completions.append($0) }
      grid.view.dataSource = nil
    }
    grid.view.scroll(to: 100, animated: false)
    grid.harness.runUntilIdle()
    #expect(source.sections[0].count == 39 && grid.view.itemCount == 0 && completions == [false])
  }

  @Test("A batch that starts in a completion handler is performed after those that are waiting")
  func completionHandlerOrder() {
    let grid = DataSourceGrid([WordGrid.words(0..<40)])
    var completions: [String] = []
    grid.performInFrame {
      deleteFirst(grid, grid.source) { _ in
        completions.append("first")
        deleteFirst(grid, grid.source) { _ in completions.append("third") }
      }
      grid.view.scroll(to: 400, animated: false)
      grid.source.onCellRequest = { _ in
        grid.source.onCellRequest = nil
        // The handlers of finished batches are called before the next batch is performed, and start more batches.
        grid.harness.window.removeParticipant(grid.view)
        deleteFirst(grid, grid.source) { _ in completions.append("second") }
      }
    }
    #expect(completions == ["first", "second", "third"] && grid.view.itemCount == 37)
    grid.harness.window.addParticipant(grid.view)
    grid.view.scroll(to: 0, animated: false)
    grid.harness.runUntilIdle()
    #expect(grid.shown == WordGrid.words(3..<9))
  }

  @Test("Reducing motion while a disappearing cell is configured ends the animation after the callback")
  func reducingMotionInCallback() {
    let motion = MotionHarness()
    motion.apply { $0.insertItems(["a", "b", "c"], beforeItem: "w0") }
    motion.run(3)
    #expect(motion.grid.view.isAnimatingUpdates && !motion.grid.shown.contains("w4"))
    motion.grid.onConfigure = { _, _ in motion.grid.view.reducesMotion = true }
    motion.performInFrame { motion.grid.source.reconfigureItems(["w4"]) }
    #expect(motion.grid.providerCalls.last == "w4" && !motion.grid.view.isAnimatingUpdates)
    motion.grid.harness.runUntilIdle()
    #expect(motion.shown.map { $0.split(separator: " ")[0] } == ["a", "b", "c", "w0", "w1", "w2"])
    #expect(motion.grid.view.statistics.visible == 6 && motion.grid.log.displayed.count == 6)
  }
}
