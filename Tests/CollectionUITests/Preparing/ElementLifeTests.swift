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

@Suite("Views beside the cells live as cells do: made ahead, ready beside the screen, used again")
struct ElementLifeTests {
  /// Sections of a header of 30 points and three rows of 50, on a screen of 300.
  private func stack(
    _ count: Int = 40, hasBackgrounds: Bool = false, preparesAhead: Bool = true
  ) -> (StackStage, ElementLog) {
    let stack = SupplementaryTests.stage(count, items: 3, hasBackgrounds: hasBackgrounds)
    stack.view.isCellPrefetchingEnabled = preparesAhead
    stack.scroll(to: 1)
    stack.scroll(to: 0)
    stack.stage.runUntilIdle()
    let log = ElementLog(displayed: stack.view.visibleSupplementaryViews(ofKind: "header"))
    stack.view.delegate = log
    return (stack, log)
  }

  private func prepared(_ stack: StackStage) -> [String] {
    stack.view.preparedSupplementaryViews.compactMap { ($0 as? HeaderView)?.text }
  }

  private func demandLaws(_ stack: StackStage, _ step: String = "") {
    let counts = stack.view.supplementaryStatistics
    #expect(
      counts.created == counts.visible + counts.waiting + counts.pooled + counts.discarded, "\(step)")
    #expect(counts.waiting == stack.view.preparedSupplementaryViews.count, "\(step)")
    #expect(counts.pooled == stack.view.pooledSupplementaryCount, "\(step)")
    #expect(counts.visible >= stack.view.visibleSupplementaryViews(ofKind: "header").count, "\(step)")
  }

  @Test("Headers of coming sections are configured in slack, and come on screen without their handler")
  func ahead() throws {
    let (stack, log) = stack()
    #expect(stack.shownHeaders.map { $0.prefix(2) } == ["s0", "s1"])
    #expect(prepared(stack) == ["s2 3", "s3 3"], "a screen ahead")
    let configured = stack.headers.map(\.configured).reduce(0, +)
    let forced = stack.view.supplementaryStatistics.preparedForced
    stack.scroll(to: 100)
    #expect(stack.shownHeaders.map { $0.prefix(2) } == ["s0", "s1", "s2"])
    #expect(log.lines == ["+2"])
    #expect(stack.view.supplementaryStatistics.preparedForced == forced)
    stack.stage.runUntilIdle()
    let after = stack.headers.map(\.configured).reduce(0, +)
    #expect(after == configured && prepared(stack) == ["s3 3"], "the next is farther than a screen")
    demandLaws(stack)
  }

  @Test("A header that left waits for its section and comes back without its handler; the pairs alternate")
  func backAndForth() {
    let (stack, log) = stack()
    stack.scroll(to: 200)
    stack.stage.runUntilIdle()
    #expect(log.lines == ["-0", "+2"])
    let redisplayed = stack.view.supplementaryStatistics.redisplayedFromWaiting
    let configured = stack.headers.map(\.configured)
    stack.scroll(to: 100)
    #expect(log.lines == ["-0", "+2", "+0"])
    #expect(stack.headers.map(\.configured) == configured)
    #expect(stack.view.supplementaryStatistics.redisplayedFromWaiting == redisplayed + 1)
    demandLaws(stack)
  }

  @Test("Headers that wait survive an apply with their sections, tell of the items as they are, and go with them")
  func applies() throws {
    let (stack, log) = stack()
    let waiting = try #require(
      stack.view.preparedSupplementaryViews.first { ($0 as? HeaderView)?.text == "s3 3" } as? HeaderView)
    stack.apply { snapshot in
      snapshot.deleteSections(["s2"])
      snapshot.appendItems([77], toSection: "s3")
    }
    stack.stage.runUntilIdle()
    #expect(waiting.text == "s3 4" && stack.view.preparedSupplementaryViews.contains { $0 === waiting })
    #expect(!prepared(stack).contains("s2 3") && log.lines.isEmpty)
    stack.scroll(to: 100)
    #expect(stack.view.supplementaryView(ofKind: "header", at: [2, 0]) === waiting)
    #expect(log.lines == ["+2"])
    demandLaws(stack)
  }

  @Test("Heavy headers cost one frame at most where they are prepared ahead, and one each where they are not")
  func heavy() {
    func late(_ preparesAhead: Bool) -> Int {
      let (stack, _) = stack(preparesAhead: preparesAhead)
      stack.headerText = { section, count in
        stack.stage.clock.spend(.milliseconds(20))
        return "\(section) \(count)"
      }
      stack.view.applyScrollEvent(.steady(velocity: 600))
      let before = stack.stage.loop.history.hitchCount
      stack.stage.run(frames: 200)
      return stack.stage.loop.history.hitchCount - before
    }
    // A section comes in every 300 ms, a frame every 16.
    #expect(late(false) > 5)
    // Nothing is known of the first one's cost: its step counts in the frame before whose presenting it ran.
    #expect(late(true) <= 1)
  }

  @Test("Switched off or short of memory none waits beyond what is near, and pools are emptied")
  func pressure() {
    let (stack, log) = stack()
    stack.scroll(to: 3_600)
    stack.scroll(to: 0)
    #expect(stack.view.pooledSupplementaryCount > 0)
    stack.view.handleMemoryPressure()
    #expect(stack.view.pooledSupplementaryCount == 0)
    stack.scroll(to: 1)
    #expect(prepared(stack).count <= 1, "a quarter of a screen")
    demandLaws(stack)
    stack.view.isCellPrefetchingEnabled = false
    stack.stage.run(frames: 1)
    #expect(prepared(stack).isEmpty && log.displayed.count == stack.shownHeaders.count)
    demandLaws(stack)
  }

  @Test("However it is scrolled and edited, every view is in one place and the pairs alternate", arguments: 0..<6)
  func laws(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed) &+ 5)
    let (stack, log) = stack(60, hasBackgrounds: seed % 2 == 0)
    var next = 100
    var mostSeen = stack.view.supplementaryStatistics.visible
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
      case 5: stack.stage.resize(to: Size(width: 400, height: .random(in: 100...400, using: &generator)))
      case 6: stack.view.handleMemoryPressure()
      case 7: stack.view.isPrefetchingEnabled.toggle()
      case 8: stack.view.reconfigureSupplementaryViews()
      default: stack.source.applySnapshotUsingReloadData(stack.source.snapshot())
      }
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        stack.stage.run(frames: 1)
        demandLaws(stack, "\(step)")
        mostSeen = max(mostSeen, stack.view.supplementaryStatistics.visible)
      }
      let shown = Set(stack.view.visibleSupplementaryViews(ofKind: "header").map { ObjectIdentifier($0) })
      let waiting = Set(stack.view.preparedSupplementaryViews.map { ObjectIdentifier($0) })
      #expect(shown.isDisjoint(with: waiting) && log.displayed.isDisjoint(with: waiting))
      #expect(log.displayed.isSuperset(of: shown))
    }
    let counts = stack.view.supplementaryStatistics
    // Headers and backgrounds have pools of their own.
    let kinds = seed % 2 == 0 ? 2 : 1
    #expect(
      counts.created - counts.discarded <= kinds * (mostSeen + KeepExtent.standard.maximumCells(visible: mostSeen)))
    stack.apply { $0.deleteAllItems() }
    stack.stage.runUntilIdle()
    demandLaws(stack)
  }

  @Test("A provider that makes a view itself stops the program with a sentence")
  func misuse() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await MainActor.run {
        let stack = SupplementaryTests.stage()
        stack.source.supplementaryViewProvider = { _, _, _ in HeaderView() }
        stack.scroll(to: 400)
      }
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.contains("returned a view of kind header that it made itself"))
  }
}
