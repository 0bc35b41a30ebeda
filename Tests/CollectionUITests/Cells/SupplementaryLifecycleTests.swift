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

@Suite("Supplementary views are prepared ahead, wait outside the screen and are reused, as cells are")
struct SupplementaryLifecycleTests {
  /// Returns sections with a header of 30 points and three rows of 50 points, in a window 300 points high.
  private func makeStack(
    _ count: Int = 40, hasBackgrounds: Bool = false, preparesAhead: Bool = true
  ) -> (NumberStack, SupplementaryDisplayLog) {
    let stack = SupplementaryViewTests.makeStack(count, items: 3, hasBackgrounds: hasBackgrounds)
    DemonstrationSwitches(stack.view).isCellPrefetchingEnabled = preparesAhead
    stack.scroll(to: 1)
    stack.scroll(to: 0)
    stack.harness.runUntilIdle()
    let log = SupplementaryDisplayLog(displayed: stack.view.visibleSupplementaryViews(ofKind: "header"))
    stack.view.delegate = log
    return (stack, log)
  }

  private func prepared(_ stack: NumberStack) -> [String] {
    stack.view.preparedSupplementaryViews.compactMap { ($0 as? HeaderView)?.text }
  }

  private func expectInvariants(_ stack: NumberStack, _ step: String = "") {
    let counts = stack.view.supplementaryStatistics
    #expect(
      counts.created == counts.visible + counts.waiting + counts.pooled + counts.discarded, "\(step)")
    #expect(counts.waiting == stack.view.preparedSupplementaryViews.count, "\(step)")
    #expect(counts.pooled == stack.view.pooledSupplementaryCount, "\(step)")
    #expect(counts.visible >= stack.view.visibleSupplementaryViews(ofKind: "header").count, "\(step)")
  }

  @Test("Headers of approaching sections are configured in slack and appear without a handler call")
  func ahead() throws {
    let (stack, log) = makeStack()
    #expect(stack.shownHeaders.map { $0.prefix(2) } == ["s0", "s1"])
    #expect(prepared(stack) == ["s2 3", "s3 3"], "one screen ahead")
    let configured = stack.headers.map(\.configured).reduce(0, +)
    let forced = stack.view.supplementaryStatistics.preparedForced
    stack.scroll(to: 100)
    #expect(stack.shownHeaders.map { $0.prefix(2) } == ["s0", "s1", "s2"])
    #expect(log.lines == ["+2"])
    #expect(stack.view.supplementaryStatistics.preparedForced == forced)
    stack.harness.runUntilIdle()
    let after = stack.headers.map(\.configured).reduce(0, +)
    #expect(after == configured && prepared(stack) == ["s3 3"], "the next section is more than a screen away")
    expectInvariants(stack)
  }

  @Test("A header that left the screen waits and reappears without a handler call, and delegate calls alternate")
  func backAndForth() {
    let (stack, log) = makeStack()
    stack.scroll(to: 200)
    stack.harness.runUntilIdle()
    #expect(log.lines == ["-0", "+2"])
    let redisplayed = stack.view.supplementaryStatistics.redisplayedFromWaiting
    let configured = stack.headers.map(\.configured)
    stack.scroll(to: 100)
    #expect(log.lines == ["-0", "+2", "+0"])
    #expect(stack.headers.map(\.configured) == configured)
    #expect(stack.view.supplementaryStatistics.redisplayedFromWaiting == redisplayed + 1)
    expectInvariants(stack)
  }

  @Test("Waiting headers survive an apply, are updated, and are removed with their sections")
  func applies() throws {
    let (stack, log) = makeStack()
    let waiting = try #require(
      stack.view.preparedSupplementaryViews.first { ($0 as? HeaderView)?.text == "s3 3" } as? HeaderView)
    stack.apply { snapshot in
      snapshot.deleteSections(["s2"])
      snapshot.appendItems([77], toSection: "s3")
    }
    stack.harness.runUntilIdle()
    #expect(waiting.text == "s3 4" && stack.view.preparedSupplementaryViews.contains { $0 === waiting })
    #expect(!prepared(stack).contains("s2 3") && log.lines.isEmpty)
    stack.scroll(to: 100)
    #expect(stack.view.supplementaryView(forElementKind: "header", at: [2, 0]) === waiting)
    #expect(log.lines == ["+2"])
    expectInvariants(stack)
  }

  @Test("Expensive headers cause at most one late frame if prepared ahead, and one each if not")
  func heavyHeaders() {
    func lateFrames(_ preparesAhead: Bool) -> Int {
      let (stack, _) = makeStack(preparesAhead: preparesAhead)
      stack.headerText = { section, count in
        stack.harness.clock.spend(.milliseconds(20))
        return "\(section) \(count)"
      }
      stack.view.applyScrollEvent(.steady(velocity: 600))
      let before = stack.harness.loop.history.hitchCount
      stack.harness.run(frames: 200)
      return stack.harness.loop.history.hitchCount - before
    }
    // A section enters every 300 ms, and a frame takes 16 ms.
    #expect(lateFrames(false) > 5)
    // The cost of the first header is unknown. Its step counts in the frame before whose presentation it ran.
    #expect(lateFrames(true) <= 1)
  }

  @Test("Without prefetching or under memory pressure, only near headers wait and pools are emptied")
  func memoryPressure() {
    let (stack, log) = makeStack()
    stack.scroll(to: 3_600)
    stack.scroll(to: 0)
    #expect(stack.view.pooledSupplementaryCount > 0)
    stack.view.handleMemoryPressure()
    #expect(stack.view.pooledSupplementaryCount == 0)
    stack.scroll(to: 1)
    #expect(prepared(stack).count <= 1, "a quarter of a screen")
    expectInvariants(stack)
    DemonstrationSwitches(stack.view).isCellPrefetchingEnabled = false
    stack.harness.run(frames: 1)
    #expect(prepared(stack).isEmpty && log.displayed.count == stack.shownHeaders.count)
    expectInvariants(stack)
  }

  @Test(
    "Every view is in one state and delegate calls alternate over random scrolls and edits",
    arguments: TestScale.seeds(0..<6))
  func invariants(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed) &+ 5)
    let (stack, log) = makeStack(60, hasBackgrounds: seed % 2 == 0)
    var next = 100
    var maximumVisible = stack.view.supplementaryStatistics.visible
    for _ in 0..<120 {
      let step = Int.random(in: 0..<10, using: &generator)
      switch step {
      case 0:
        stack.view.applyScrollEvent(
          .flick(velocity: .random(in: -9_000...9_000, using: &generator), accumulating: false))
      case 1: stack.view.applyScrollEvent(.jump(to: .random(in: 0...9_000, using: &generator)))
      case 2, 3:
        stack.apply(animated: .random(using: &generator)) { snapshot in
          let sections = snapshot.sectionIdentifiers
          guard sections.count > 20, let gone = sections.randomElement(using: &generator) else { return }
          snapshot.deleteSections([gone])
        }
      case 4:
        next += 1
        stack.apply(animated: .random(using: &generator)) { snapshot in
          guard let before = snapshot.sectionIdentifiers.prefix(12).randomElement(using: &generator) else { return }
          snapshot.insertSections(["n\(next)"], beforeSection: before)
          snapshot.appendItems([next * 1_000_000, next * 1_000_000 + 1], toSection: "n\(next)")
        }
      case 5: stack.harness.resize(to: Size(width: 400, height: .random(in: 100...400, using: &generator)))
      case 6: stack.view.handleMemoryPressure()
      case 7: stack.view.isPrefetchingEnabled.toggle()
      case 8: stack.view.reconfigureSupplementaryViews()
      default: stack.source.applySnapshotUsingReloadData(stack.source.snapshot())
      }
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        stack.harness.run(frames: 1)
        expectInvariants(stack, "\(step)")
        maximumVisible = max(maximumVisible, stack.view.supplementaryStatistics.visible)
      }
      let shown = Set(stack.view.visibleSupplementaryViews(ofKind: "header").map { ObjectIdentifier($0) })
      let waiting = Set(stack.view.preparedSupplementaryViews.map { ObjectIdentifier($0) })
      #expect(shown.isDisjoint(with: waiting) && log.displayed.isDisjoint(with: waiting))
      #expect(log.displayed.isSuperset(of: shown))
    }
    let counts = stack.view.supplementaryStatistics
    // Headers and backgrounds have separate pools.
    let kinds = seed % 2 == 0 ? 2 : 1
    #expect(
      counts.created - counts.discarded <= kinds
        * (maximumVisible + KeepExtent.standard.maximumCells(visible: maximumVisible)))
    stack.apply { $0.deleteAllItems() }
    stack.harness.runUntilIdle()
    expectInvariants(stack)
  }

  @Test("A provider that returns a view that was not dequeued stops the program")
  func misuse() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await MainActor.run {
        let stack = SupplementaryViewTests.makeStack()
        stack.source.supplementaryViewProvider = { _, _, _ in HeaderView() }
        stack.scroll(to: 400)
      }
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.contains("returned a view of kind header that it created itself"))
  }
}

// MARK: - Log

/// Records which headers appear and disappear, and expects that the two calls alternate for each view.
private final class SupplementaryDisplayLog: CollectionViewDelegate {
  private(set) var displayed: Set<ObjectIdentifier> = []
  /// The recorded calls: `+section` for willDisplay and `-section` for didEndDisplaying.
  private(set) var lines: [String] = []

  /// Creates a log for a view whose headers are already displayed.
  init(displayed: [CollectionReusableView]) { self.displayed = Set(displayed.map { ObjectIdentifier($0) }) }

  func collectionView(
    _ view: CollectionView, willDisplaySupplementaryView supplementaryView: CollectionReusableView,
    forElementKind elementKind: String, at indexPath: IndexPath
  ) {
    #expect(elementKind == "header")
    #expect(displayed.insert(ObjectIdentifier(supplementaryView)).inserted, "\(indexPath) is displayed twice")
    lines.append("+\(indexPath.section)")
  }

  func collectionView(
    _ view: CollectionView, didEndDisplayingSupplementaryView supplementaryView: CollectionReusableView,
    forElementOfKind elementKind: String, at indexPath: IndexPath
  ) {
    #expect(
      displayed.remove(ObjectIdentifier(supplementaryView)) != nil,
      "\(indexPath) ends its display without having been displayed")
    lines.append("-\(indexPath.section)")
  }
}
