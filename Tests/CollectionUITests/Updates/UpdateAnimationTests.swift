import CollectionUI
import Testing
import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineDiffableData
import VitrineGeometry
import VitrineScrollPhysics
import VitrineTestSupport
import VitrineViews

/// Frames are 16 ms apart.
///
/// After four frames 69 % of a distance is left, after eight 34 %, and after twelve 15 %.
@Suite("An animated apply moves views from their current to their final frames")
struct UpdateAnimationTests {
  private static let atRest = ["w0 0", "w1 50", "w2 100", "w3 150", "w4 200", "w5 250"]

  @Test("An inserted item fades in while others move, and only its cell is requested")
  func insert() {
    let motion = MotionHarness()
    motion.apply { $0.insertItems(["new"], beforeItem: "w2") }
    #expect(
      motion.shown == ["w5 250", "w0 0", "w1 50", "w2 100", "w3 150", "w4 200"],
      "the animation starts at the current frames")
    #expect(motion.grid.shown == ["w0", "w1", "new", "w2", "w3", "w4"], "the model is final immediately")
    #expect(motion.grid.view.isTracked && motion.grid.view.isAnimatingUpdates)
    motion.run(4)
    #expect(
      motion.shown == ["w5 266", "w0 0", "w1 50", "w2 116", "w3 166", "w4 216", "new 103 h45 x21 a79"])
    motion.run(4)
    #expect(
      motion.shown == ["w5 283", "w0 0", "w1 50", "w2 133", "w3 183", "w4 233", "new 101 h47 x10 a168"])
    #expect(motion.grid.log.lines == ["+new"])
    motion.grid.harness.runUntilIdle()
    #expect(motion.shown == ["w0 0", "w1 50", "new 100", "w2 150", "w3 200", "w4 250"])
    #expect(motion.grid.providerCalls == ["new"])
    #expect(motion.grid.log.lines == ["+new", "-w5"], "displayed until it has left the screen")
    #expect(!motion.grid.view.isTracked && !motion.grid.view.isAnimatingUpdates)
  }

  @Test("A deleted item fades out in place, and its cell is displayed but not visible until then")
  func delete() {
    let motion = MotionHarness()
    let cell = motion.grid.cell(of: "w1")
    motion.apply { $0.deleteItems(["w1"]) }
    motion.run(4)
    #expect(motion.shown == ["w1 50 a176", "w0 0", "w2 84", "w3 134", "w4 184", "w5 234", "w6 284"])
    #expect(motion.grid.providerCalls == ["w6"] && motion.grid.log.lines == ["+w6"])
    #expect(!motion.grid.view.visibleCells.contains { $0 === cell } && cell?.itemIndex == nil)
    #expect(motion.grid.view.statistics.visible == 7)
    motion.grid.harness.runUntilIdle()
    #expect(motion.grid.log.lines == ["+w6", "-w1"])
    #expect(motion.grid.log.paths.last?.item == 1)
    #expect(motion.shown == ["w0 0", "w2 50", "w3 100", "w4 150", "w5 200", "w6 250"])
    #expect(motion.grid.view.statistics.visible == 6)
  }

  @Test("Cells that were scrolled away do not accumulate while animated updates overlap")
  func overlappingUpdates() {
    let motion = MotionHarness(WordGrid.words(0..<2_000))
    var most = 0
    for round in 0..<200 {
      let first = round * 9
      motion.grid.view.applyScrollEvent(.jump(to: Double(first * 50)))
      if round % 12 == 0 {
        motion.apply { $0.moveItem("w\(first + 1)", afterItem: "w\(first + 4)") }
      } else {
        motion.run(1)
      }
      most = max(most, motion.grid.view.statistics.visible)
    }
    #expect(motion.grid.view.isAnimatingUpdates, "no animation ended in between")
    #expect(most <= 18, "those of three screens")
    #expect(motion.grid.view.statistics.created < 60)
    motion.grid.harness.runUntilIdle()
    #expect(motion.grid.view.statistics.visible == 6 && motion.grid.view.statistics.waiting < 60)
  }

  @Test("A moved item is above the others")
  func move() {
    let motion = MotionHarness()
    motion.apply { $0.moveItem("w4", beforeItem: "w1") }
    motion.run(8)
    #expect(motion.shown == ["w0 0", "w1 83", "w2 133", "w3 183", "w5 250", "w4 101"])
    motion.grid.harness.runUntilIdle()
    #expect(motion.shown == ["w0 0", "w4 50", "w1 100", "w2 150", "w3 200", "w5 250"])
    #expect(motion.grid.providerCalls.isEmpty && motion.grid.log.lines.isEmpty)
  }

  @Test("The cells of a reloaded item cross-fade while moving")
  func reload() {
    let motion = MotionHarness()
    motion.apply {
      $0.reloadItems(["w2"])
      $0.deleteItems(["w0"])
    }
    motion.run(8)
    #expect(motion.shown.filter { $0.hasPrefix("w2") } == ["w2 67 a87", "w2 67 a168"])
    motion.grid.harness.runUntilIdle()
    #expect(motion.shown == ["w1 0", "w2 50", "w3 100", "w4 150", "w5 200", "w6 250"])
    #expect(motion.grid.providerCalls == ["w2", "w6"])
    #expect(motion.grid.log.lines.sorted() == ["+w2", "+w6", "-w0", "-w2"])
  }

  @Test("A change that is not visible starts no animation and draws no frame")
  func noVisibleChange() {
    let motion = MotionHarness()
    motion.apply { _ in }
    #expect(!motion.grid.view.isAnimatingUpdates)
    #expect(motion.grid.harness.runUntilIdle() == 0)
    motion.apply { $0.insertItems(["far"], afterItem: "w90") }
    #expect(!motion.grid.view.isAnimatingUpdates && motion.grid.harness.runUntilIdle() <= 1)
    motion.apply { $0.reconfigureItems(["w1"]) }
    #expect(!motion.grid.view.isAnimatingUpdates)
    #expect(motion.shown == Self.atRest && motion.grid.providerCalls == ["w1"])
  }

  @Test("Interrupted twice, the animation continues from the current frames to the final ones")
  func interrupted() {
    let motion = MotionHarness()
    motion.apply { $0.insertItems(["a"], beforeItem: "w0") }
    motion.run(7)
    let before = motion.top(of: "w2")
    #expect(before == 129)
    motion.apply { $0.deleteItems(["a"]) }
    // As fast as before in the frame of the change, then slower, and back.
    #expect(motion.top(of: "w2") == 133)
    motion.run(1)
    #expect(motion.top(of: "w2") == 134)
    motion.run(6)
    #expect(motion.top(of: "w2") == 117)
    motion.apply { $0.moveItem("w2", beforeItem: "w0") }
    #expect(motion.top(of: "w2") == 114)
    motion.grid.harness.runUntilIdle()
    #expect(motion.shown == ["w2 0", "w0 50", "w1 100", "w3 150", "w4 200", "w5 250"])
    #expect(motion.grid.providerCalls == ["a"], "the disappearing cell returned unchanged")
    #expect(motion.grid.log.lines == ["+a", "-a"])
  }

  @Test("The first visible item stays in place, and hidden changes before it are not animated")
  func anchoredContent() {
    let motion = MotionHarness()
    motion.grid.scroll(to: 1_025)
    motion.apply { $0.insertItems(["a", "b", "c"], beforeItem: "w3") }
    motion.run(3)
    #expect(!motion.grid.view.isAnimatingUpdates)
    #expect(motion.shown == ["w20 -25", "w21 25", "w22 75", "w23 125", "w24 175", "w25 225", "w26 275"])
    motion.apply { $0.insertItems(["d"], afterItem: "w21") }
    motion.run(4)
    #expect(motion.top(of: "w20") == -25 && motion.top(of: "w22") == 91)
  }

  @Test("Scrolling moves animated views with the content")
  func scrolling() {
    let (still, scrolled) = (MotionHarness(), MotionHarness())
    for motion in [still, scrolled] { motion.apply { $0.insertItems(["new"], beforeItem: "w2") } }
    still.run(6)
    scrolled.run(3)
    scrolled.grid.view.scroll(to: 40, animated: false)
    scrolled.run(3)
    for word in ["w1", "w2", "w3", "w4", "new"] {
      #expect(scrolled.top(of: word) == still.top(of: word).map { $0 - 40 })
    }
    #expect(scrolled.top(of: "w5") == still.top(of: "w5").map { $0 - 40 }, "it returned during the animation")
    #expect(scrolled.grid.log.lines == ["+new"])
  }

  @Test("An item scrolled in during an animation has the same offset as its neighbors")
  func enteringCells() {
    let motion = MotionHarness()
    motion.apply { $0.deleteItems(["w0"]) }
    motion.run(2)
    motion.grid.view.scroll(to: 60, animated: false)
    motion.run(1)
    let (before, entered) = (motion.top(of: "w6"), motion.top(of: "w7"))
    #expect(entered != nil && entered == before.map { $0 + 50 })
  }

  @Test("Items from far outside the screen move by at most a viewport")
  func limitedDistance() {
    let motion = MotionHarness()
    motion.apply { $0.moveItem("w90", beforeItem: "w1") }
    #expect(motion.shown.last == "w90 600")
    motion.grid.harness.runUntilIdle()
    motion.apply { $0.moveItem("w0", afterItem: "w80") }
    motion.run(8)
    // It starts at -50 or 0 and ends two viewports below the top, instead of at 4,000 points.
    #expect(motion.top(of: "w0") == 395)
    motion.grid.harness.runUntilIdle()
    #expect(motion.shown.first == "w90 0")
  }

  @Test("If most visible items would leave the screen, old and new content cross-fade")
  func crossFade() {
    let motion = MotionHarness()
    motion.apply { snapshot in
      let words = snapshot.itemIdentifiers
      snapshot.deleteAllItems()
      snapshot.appendItems(words.reversed())
    }
    motion.run(8)
    #expect(
      motion.shown == [
        "w5 250 a87", "w4 200 a87", "w3 150 a87", "w2 100 a87", "w1 50 a87", "w0 0 a87", "w99 0 a168", "w98 50 a168",
        "w97 100 a168", "w96 150 a168", "w95 200 a168", "w94 250 a168",
      ])
    motion.grid.harness.runUntilIdle()
    #expect(motion.shown == ["w99 0", "w98 50", "w97 100", "w96 150", "w95 200", "w94 250"])
  }

  @Test("A layout change may be animated, with the first item in place")
  func layout() {
    let motion = MotionHarness()
    motion.grid.scroll(to: 500)
    motion.performInFrame { motion.grid.view.setCollectionViewLayout(WordGrid.layout(columns: 2), animated: true) }
    #expect(motion.grid.view.contentOffset == 250)
    motion.run(8)
    #expect(motion.shown.prefix(4) == ["w10 0", "w11 17 x132", "w12 67", "w13 84 x132"])
    #expect(motion.shown.last == "w21 353 x132", "it comes from below the screen")
    motion.grid.harness.runUntilIdle()
    #expect(motion.shown.suffix(2) == ["w20 250", "w21 250 x200"])
    #expect(motion.shown.count == 12)
    motion.performInFrame { motion.grid.view.setCollectionViewLayout(WordGrid.layout(columns: 1)) }
    #expect(!motion.grid.view.isAnimatingUpdates)
  }

  @Test("Without animation, frames or motion, updates are displayed immediately")
  func withoutAnimation() {
    let motion = MotionHarness()
    motion.grid.view.reducesMotion = true
    motion.apply { $0.deleteItems(["w0"]) }
    #expect(
      !motion.grid.view.isAnimatingUpdates && motion.shown.first == "w1 0" && motion.grid.log.lines == ["-w0", "+w6"])
    motion.grid.view.reducesMotion = false
    motion.apply(animated: false) { $0.deleteItems(["w1"]) }
    #expect(!motion.grid.view.isAnimatingUpdates && motion.shown.first == "w2 0")
    motion.grid.apply(animated: true) { $0.deleteItems(["w2"]) }
    #expect(!motion.grid.view.isAnimatingUpdates)
    motion.grid.harness.runUntilIdle()
    #expect(motion.shown.first == "w3 0")
    motion.apply { $0.deleteItems(["w3"]) }
    motion.run(4)
    motion.grid.view.reducesMotion = true
    motion.run(1)
    #expect(
      motion.shown == ["w4 0", "w5 50", "w6 100", "w7 150", "w8 200", "w9 250"],
      "animated views are at their final frames")
  }

  @Test("An update without animation does not interrupt a running one")
  func updateWithoutAnimation() {
    let motion = MotionHarness()
    motion.apply { $0.insertItems(["new"], beforeItem: "w1") }
    motion.run(4)
    #expect(motion.top(of: "w1") == 66)
    motion.apply(animated: false) { $0.appendItems(["end"]) }
    #expect(motion.grid.view.isAnimatingUpdates && motion.top(of: "w1") == 71)
    motion.apply(animated: false) { $0.deleteItems(["w0"]) }
    #expect(motion.grid.log.lines.contains("-w0"))
    motion.grid.harness.runUntilIdle()
    #expect(motion.shown == ["new 0", "w1 50", "w2 100", "w3 150", "w4 200", "w5 250"])
  }

  @Test("Expanding and collapsing items is animated")
  func outline() {
    var tree = DiffableDataSourceSectionSnapshot<String>()
    tree.append(["trees", "flowers"])
    tree.append(["oak", "beech"], to: "trees")
    let motion = MotionHarness([])
    for word in tree.items { motion.registerColor(of: word) }
    motion.performInFrame { motion.grid.source.apply(tree, to: 0, animatingDifferences: false) }
    motion.grid.harness.runUntilIdle()
    motion.performInFrame { motion.grid.source.expand("trees", in: 0) }
    motion.run(8)
    #expect(
      motion.shown == ["trees 0", "flowers 116", "oak 51 h47 x10 a168", "beech 101 h47 x10 a168"])
    motion.performInFrame { motion.grid.source.collapse("trees", in: 0) }
    motion.grid.harness.runUntilIdle()
    #expect(motion.shown == ["trees 0", "flowers 50"])
    motion.performInFrame { motion.grid.source.expand("trees", in: 0, animatingDifferences: false) }
    #expect(motion.shown == ["trees 0", "oak 50", "beech 100", "flowers 150"])
  }

  @Test("Animations are deterministic")
  func determinism() {
    func digest() -> String {
      let motion = MotionHarness(columns: 3)
      motion.apply { $0.deleteItems(["w1", "w5"]) }
      motion.run(5)
      motion.apply {
        $0.moveItem("w9", beforeItem: "w0")
        $0.insertItems(["x", "y"], afterItem: "w3")
      }
      motion.grid.harness.runUntilIdle()
      return "\(motion.grid.harness.loop.frameDigest)"
    }
    #expect(digest() == digest())
  }
}

// MARK: - Random operations

@Suite("An interrupted animation ends in the same frame as a view without animation")
struct AnimationEndStateTests {
  @Test("Random applies, layout changes and scrolls", arguments: TestScale.seeds(1...6))
  func randomOperations(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let motion = MotionHarness(WordGrid.words(0..<60), columns: 3)
    DemonstrationSwitches(motion.grid.view).isCellPrefetchingEnabled = seed % 2 == 0
    var next = 1_000
    var columns = 3
    var lines: [Int] = []
    var requestCount = 0
    for _ in 0..<60 {
      switch Int.random(in: 0..<8, using: &random) {
      case 0..<5:
        let isAnimated = Int.random(in: 0..<5, using: &random) > 0
        let index = requestCount
        requestCount += 1
        var snapshot = motion.grid.source.snapshot()
        applyRandomEdits(&snapshot, &random, &next)
        motion.performInFrame {
          motion.grid.source.apply(snapshot, animatingDifferences: isAnimated) { _ in lines.append(index) }
        }
      case 5:
        columns = Int.random(in: 1...5, using: &random)
        motion.performInFrame {
          motion.grid.view.setCollectionViewLayout(WordGrid.layout(columns: columns), animated: true)
        }
      case 6: motion.grid.view.scroll(to: .random(in: 0...600, using: &random), animated: false)
      default: motion.run(40)
      }
      motion.run(Int.random(in: 0...14, using: &random))
      let counts = motion.grid.view.statistics
      #expect(counts.created == counts.visible + counts.waiting + counts.pooled + counts.discarded)
      #expect(counts.waiting == motion.grid.view.preparedCells.count)
      #expect(counts.visible == motion.grid.log.displayed.count)
      if !motion.grid.view.isAnimatingUpdates { #expect(counts.visible == motion.grid.view.visibleCells.count) }
    }
    motion.grid.harness.runUntilIdle()
    #expect(!motion.grid.view.isAnimatingUpdates && lines == Array(0..<requestCount))
    // A view without animations, with the same items at the same offset.
    let fresh = WordGrid(motion.grid.source.snapshot().itemIdentifiers, columns: columns)
    fresh.scroll(to: motion.grid.view.contentOffset)
    fresh.harness.runUntilIdle()
    #expect(fresh.view.contentOffset == motion.grid.view.contentOffset)
    #expect(fresh.shown == motion.grid.shown && fresh.origins == motion.grid.origins)
    #expect(fresh.harness.lastFrameCommands == motion.grid.harness.lastFrameCommands)
  }

  private func applyRandomEdits(
    _ snapshot: inout WordGrid.Source.Snapshot, _ random: inout SeededGenerator, _ next: inout Int
  ) {
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let words = snapshot.itemIdentifiers
      guard let item = words.prefix(40).randomElement(using: &random),
        let other = words.prefix(40).randomElement(using: &random)
      else { return snapshot.appendItems(["only \(next)"]) }
      switch Int.random(in: 0..<5, using: &random) {
      case 0:
        next += 1
        snapshot.insertItems(["n\(next)"], beforeItem: item)
      case 1: if words.count > 30 { snapshot.deleteItems([item]) }
      case 2: if item != other { snapshot.moveItem(item, afterItem: other) }
      case 3: snapshot.reloadItems([item])
      default: snapshot.reconfigureItems([item])
      }
    }
    if Int.random(in: 0..<12, using: &random) == 0 {
      let words = snapshot.itemIdentifiers
      snapshot.deleteAllItems()
      snapshot.appendItems(words.reversed())
    }
  }
}
