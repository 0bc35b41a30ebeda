import CollectionEngine
import CollectionLayout
import CollectionUI
import DiffableData
import struct FoundationEssentials.IndexPath
import FramePacing
import Geometry
import TestSupport
import Testing
import Views

@Suite("No header that comes on screen tells of items as they were")
struct StaleHeaderTests {
  /// Sections of a header of 30 points and three rows of 50, with headers prepared ahead and kept.
  private func stack() -> (StackStage, FrameActor) {
    let stack = SupplementaryTests.stage(20, items: 3)
    let actor = FrameActor()
    stack.stage.window.addFirstParticipant(actor)
    stack.view.isCellPrefetchingEnabled = true
    stack.scroll(to: 1)
    stack.scroll(to: 0)
    stack.stage.runUntilIdle()
    return (stack, actor)
  }

  private func waiting(_ stack: StackStage) -> [String] {
    stack.view.preparedSupplementaryViews.compactMap { ($0 as? HeaderView)?.text }
  }

  @Test("One that is scrolled away in the frame of an update is configured again where it waits")
  func scrolledAway() {
    let (stack, actor) = stack()
    actor.next = [
      {
        stack.apply { $0.appendItems([77], toSection: "s0") }
        stack.view.scroll(to: 250, animated: false)
      }
    ]
    stack.stage.run(frames: 1)
    #expect(!stack.shownHeaders.contains { $0.hasPrefix("s0") })
    stack.stage.runUntilIdle()
    #expect(waiting(stack).contains("s0 4"))
    stack.scroll(to: 0)
    #expect(stack.shownHeaders.first == "s0 4 at 0")
  }

  @Test("So is one that is seen to leave while the items change once more")
  func leaving() {
    let (stack, actor) = stack()
    actor.next = [
      { stack.apply(animated: true) { $0.insertItems([60, 61, 62], beforeItem: 1) } },
      { stack.apply(animated: true) { $0.appendItems([78], toSection: "s1") } },
    ]
    stack.stage.run(frames: 2)
    #expect(stack.view.isAnimatingUpdates)
    stack.stage.runUntilIdle()
    stack.scroll(to: 150)
    stack.stage.runUntilIdle()
    #expect(stack.shownHeaders.map { $0.prefix(4) } == ["s0 6", "s1 4"], "\(stack.shownHeaders)")
  }

  @Test("Where all items are exchanged at once every header is configured for the new ones")
  func exchanged() {
    let (stack, _) = stack()
    let headers = stack.view.visibleSupplementaryViews(ofKind: "header").compactMap { $0 as? HeaderView }
    let reuses = headers.map(\.reuses)
    var snapshot = StackStage.Source.Snapshot()
    for (section, items) in SupplementaryTests.sections(20, items: 2) {
      snapshot.appendSections([section])
      snapshot.appendItems(items, toSection: section)
    }
    stack.source.applySnapshotUsingReloadData(snapshot)
    stack.stage.runUntilIdle()
    #expect(stack.shownHeaders == ["s0 2 at 0", "s1 2 at 130", "s2 2 at 260"])
    #expect(waiting(stack).allSatisfy { $0.hasSuffix(" 2") } && !waiting(stack).isEmpty)
    #expect(zip(headers, reuses).allSatisfy { $0.reuses == $1 + 1 }, "each went by way of the pool")
  }
}
