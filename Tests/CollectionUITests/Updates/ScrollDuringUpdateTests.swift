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

@Suite("During an update animation, a view can be scrolled and resized as after it")
struct ScrollDuringUpdateTests {
  @Test("Scrolling to an item uses its final frame, not the animated one")
  func scrollToItem() {
    let motion = MotionHarness()
    motion.apply { $0.insertItems(["a", "b"], beforeItem: "w0") }
    motion.run(3)
    motion.performInFrame {
      motion.grid.view.scrollToItem(at: IndexPath(item: 42, section: 0), at: .top, animated: false)
    }
    #expect(motion.grid.view.contentOffset == 2_100 && motion.top(of: "w40") == 0)
    motion.grid.harness.runUntilIdle()
    #expect(motion.shown == (40..<46).map { "w\($0) \(($0 - 40) * 50)" })
    #expect(motion.grid.log.displayed.values.sorted() == WordGrid.words(40..<46))
  }

  @Test("Animated scrolling ends at the item, even if items before it are deleted at any time")
  func animatedScrollToItem() {
    for frames in [0, 1, 5, 12] {
      let motion = MotionHarness()
      motion.grid.scroll(to: 2_000)
      motion.performInFrame {
        motion.grid.view.scrollToItem(at: IndexPath(item: 30, section: 0), at: .top, animated: true)
      }
      motion.run(frames)
      motion.apply { $0.deleteItems(["w3", "w5"]) }
      motion.grid.harness.runUntilIdle()
      #expect(motion.top(of: "w30") == 0, "after \(frames) frames: \(motion.shown)")
    }
  }

  @Test(
    "After resizing at any time, even to zero, the view displays what a new view of that size displays",
    arguments: 0..<6)
  func resizing(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let motion = MotionHarness(WordGrid.words(0..<60), columns: 2)
    motion.grid.scroll(to: 500)
    for _ in 0..<6 {
      motion.apply { snapshot in
        let words = snapshot.itemIdentifiers
        if let word = words.randomElement(using: &random) { snapshot.deleteItems([word]) }
        if let last = words.last, let other = words.dropLast().randomElement(using: &random),
          snapshot.contains(last), snapshot.contains(other)
        {
          snapshot.moveItem(last, beforeItem: other)
        }
      }
      motion.run(.random(in: 0...5, using: &random))
      let isEmpty = random.chance(oneIn: 4)
      let size = Size(
        width: isEmpty ? 0 : Double(Int.random(in: 3...5, using: &random) * 100),
        height: isEmpty ? 0 : Double(Int.random(in: 2...4, using: &random) * 100))
      motion.grid.harness.resize(to: size)
      motion.run(.random(in: 0...3, using: &random))
      #expect(motion.grid.view.statistics.visible == motion.grid.log.displayed.count)
    }
    motion.grid.harness.resize(to: Size(width: 400, height: 300))
    motion.grid.harness.runUntilIdle()
    let fresh = WordGrid(motion.grid.source.snapshot().itemIdentifiers, columns: 2)
    fresh.scroll(to: motion.grid.view.contentOffset)
    fresh.harness.runUntilIdle()
    #expect(fresh.shown == motion.grid.shown && fresh.origins == motion.grid.origins)
    #expect(fresh.harness.lastFrameCommands == motion.grid.harness.lastFrameCommands)
  }

  @Test("Reducing motion during an animation shows the final state and calls the completion handlers")
  func reducingMotion() {
    let motion = MotionHarness()
    var completions: [Bool] = []
    func delete(_ word: String) {
      motion.performInFrame {
        var snapshot = motion.grid.source.snapshot()
        snapshot.deleteItems([word])
        motion.grid.source.apply(snapshot) { completions.append($0) }
      }
    }
    delete("w0")
    motion.run(3)
    motion.grid.view.reducesMotion = true
    #expect(!motion.grid.view.isAnimatingUpdates && completions.isEmpty)
    motion.run(1)
    #expect(completions == [true] && motion.shown.first == "w1 0" && motion.grid.log.displayed.count == 6)
    delete("w1")
    #expect(motion.shown.first == "w2 0" && !motion.grid.view.isAnimatingUpdates)
    motion.run(1)
    #expect(completions == [true, true])
  }

  @Test("Cells are prepared ahead during an update animation")
  func preparation() {
    let grid = WordGrid(WordGrid.words(0..<400))
    let actions = FrameActions()
    grid.harness.window.addFirstParticipant(actions)
    DemonstrationSwitches(grid.view).addedCellCost = .milliseconds(6)
    DemonstrationSwitches(grid.view).isCellPrefetchingEnabled = true
    grid.harness.runUntilIdle()
    grid.view.applyScrollEvent(.steady(velocity: 1_500))
    grid.harness.run(frames: 60)
    let forced = grid.view.statistics.preparedForced
    var completions: [Bool] = []
    actions.pending = [
      {
        var snapshot = grid.source.snapshot()
        snapshot.moveItem(grid.shown[2], afterItem: grid.shown[3])
        grid.source.apply(snapshot) { completions.append($0) }
      }
    ]
    grid.harness.run(frames: 15)
    #expect(grid.view.isAnimatingUpdates && completions.isEmpty)
    grid.harness.run(frames: 25)
    #expect(grid.view.statistics.preparedForced == forced && completions == [true])
  }
}

// MARK: - End of the content

@Suite("When the content gets shorter, the offset is clamped, and the remaining items move to their new frames")
struct EndOfContentTests {
  private func makeGridAtEnd() -> MotionHarness {
    let motion = MotionHarness(WordGrid.words(0..<20))
    motion.grid.scroll(to: 10_000)
    #expect(motion.shown == (14..<20).map { "w\($0) \(($0 - 14) * 50)" })
    return motion
  }

  @Test("Without an animation, the last items are at the end of the view immediately")
  func withoutAnimation() {
    let motion = makeGridAtEnd()
    motion.apply(animated: false) { $0.deleteItems(["w17", "w18", "w19"]) }
    #expect(motion.grid.view.contentOffset == 550 && motion.grid.view.scroll.range.maximum == 550)
    #expect(motion.shown == (11..<17).map { "w\($0) \(($0 - 11) * 50)" })
    motion.apply(animated: false) { $0.deleteItems(WordGrid.words(3..<17)) }
    #expect(motion.grid.view.contentOffset == 0 && motion.shown == ["w0 0", "w1 50", "w2 100"])
    #expect("\(motion.grid.view.contentOffset)" == "0.0", "and not negative zero")
    motion.apply(animated: false) { $0.deleteAllItems() }
    #expect(motion.grid.view.contentOffset == 0 && motion.shown.isEmpty)
  }

  @Test("With an animation, the remaining items and the items above them move down from their previous frames")
  func withAnimation() {
    let motion = makeGridAtEnd()
    motion.apply { $0.deleteItems(["w17", "w18", "w19"]) }
    #expect(motion.grid.view.contentOffset == 550)
    #expect(motion.top(of: "w14") == 0 && motion.top(of: "w11") == -150 && motion.top(of: "w17") == 150)
    motion.run(4)
    #expect(motion.top(of: "w14") == 47 && motion.top(of: "w11") == -103 && motion.top(of: "w17") == 150)
    motion.grid.harness.runUntilIdle()
    #expect(motion.shown == (11..<17).map { "w\($0) \(($0 - 11) * 50)" })
    #expect(motion.grid.log.displayed.count == 6)
  }

  @Test("Appending items leaves the visible ones in place")
  func appendingItems() {
    let motion = makeGridAtEnd()
    let before = motion.shown
    motion.apply { $0.appendItems(["x", "y"]) }
    motion.run(4)
    #expect(motion.shown == before && motion.grid.view.contentOffset == 700)
  }

  @Test("Animated scrolling to the end stops at the new end of the content")
  func scrollingToShorterEnd() {
    let motion = MotionHarness(WordGrid.words(0..<40))
    motion.grid.view.scroll(to: 1_700, animated: true)
    motion.run(4)
    motion.apply { $0.deleteItems(WordGrid.words(25..<40)) }
    motion.grid.harness.runUntilIdle()
    #expect(motion.grid.view.contentOffset == 950)
    #expect(motion.shown == (19..<25).map { "w\($0) \(($0 - 19) * 50)" })
  }
}
