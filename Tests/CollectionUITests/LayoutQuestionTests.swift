import CollectionLayout
import CollectionUI
import DiffableData
import FramePacing
import Geometry
import Rendering
import TestSupport
import Testing
import Views

@Suite("A view asks its layout for runs of items, for final places, and tells it what changed")
struct LayoutQuestionTests {
  @Test("Items outside the screen between two that are on it have no cell")
  func runs() {
    let stack = StackStage(
      [("strip", Array(0..<30)), ("rows", Array(100..<120))], layout: StackLayout(hasStrip: true))
    #expect(stack.shown == Array(0..<5) + Array(100..<105))
    #expect(stack.view.visibleRange == 0..<35)
    #expect(stack.view.cell(at: 7) == nil)
    #expect(stack.view.cell(at: 31) != nil)
    stack.apply { $0.deleteItems([1, 102]) }
    stack.stage.runUntilIdle()
    #expect(stack.shown == [0, 2, 3, 4, 5, 100, 101, 103, 104, 105])
    stack.apply { $0.moveItem(20, beforeItem: 0) }
    stack.stage.runUntilIdle()
    #expect(stack.shown == [20, 0, 2, 3, 4, 100, 101, 103, 104, 105])
    stack.scroll(to: 80)
    #expect(stack.shown.first == 100)
  }

  @Test("Places are made final before they are seen, and what is seen does not move for it", arguments: 0..<4)
  func settling(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    let heights = (0..<400).map { _ in Double.random(in: 20...120, using: &generator).rounded() }
    let facts = StackLayout.Facts(heights: heights)
    let stack = StackStage([("a", Array(0..<400))], layout: StackLayout(facts: facts))
    let exact = stack.view.contentLength
    stack.view.collectionViewLayout = StackLayout(facts: facts, isEstimated: true)
    stack.stage.run(frames: 1)
    stack.scroll(to: Double.random(in: 2_000...12_000, using: &generator).rounded())
    for _ in 0..<40 {
      let before = stack.shown.compactMap { item in stack.top(of: item).map { (item, $0) } }
      let step = Double.random(in: -150...150, using: &generator).rounded()
      stack.view.scroll(to: stack.view.contentOffset + step, animated: false)
      stack.stage.run(frames: 1)
      let offsets = before.filter { stack.shown.contains($0.0) }.compactMap { item, top in
        stack.top(of: item).map { $0 - top }
      }
      #expect(offsets.allSatisfy { $0 == -step }, "seed \(seed): \(offsets) for \(step)")
      for item in stack.shown {
        let path = stack.source.indexPath(for: item)
        #expect(path.flatMap { stack.view.frameOfItem(at: $0) }?.height == heights[item])
      }
    }
    stack.stage.runUntilIdle()
    #expect(stack.view.contentLength == exact, "slack has made all of it final")
    let frames = stack.stage.display.presentedFrames
    stack.stage.run(milliseconds: 10_000)
    #expect(stack.stage.display.presentedFrames == frames, "and then the loop rests")
  }

  @Test("Refining in slack moves nothing on screen")
  func refining() throws {
    var generator = SeededGenerator(seed: 5)
    let heights = (0..<600).map { _ in Double.random(in: 20...120, using: &generator).rounded() }
    let stack = StackStage([("a", Array(0..<600))], layout: StackLayout(facts: StackLayout.Facts(heights: heights)))
    stack.scroll(to: 14_000)
    stack.view.collectionViewLayout = StackLayout(facts: stack.layout.facts, isEstimated: true)
    stack.stage.run(frames: 1)
    let seen = stack.shown
    let tops = seen.map { stack.top(of: $0) }
    var frames = 0
    while stack.view.needsFrames, frames < 100 {
      stack.stage.run(frames: 1)
      frames += 1
      #expect(seen.map { stack.top(of: $0) } == tops)
    }
    #expect(frames > 1 && frames < 100)
    #expect(stack.view.contentLength == heights.reduce(0, +))
  }

  @Test("An apply tells the layout what changed; it is solved anew only for all at once")
  func updates() {
    let stack = StackStage([("a", Array(0..<40)), ("b", Array(100..<140))], layout: StackLayout(hasHeaders: true))
    let solved = stack.layout.facts.now.solved
    stack.apply {
      $0.deleteItems([3, 4, 5])
      $0.insertItems([900, 901], afterItem: 104)
      $0.moveItem(110, beforeItem: 0)
    }
    stack.stage.runUntilIdle()
    let update = stack.layout.facts.now.updates.last
    #expect(stack.layout.facts.now.solved == solved)
    #expect(update?.counts == ItemCounts([38, 41]))
    #expect(update?.formerSections == nil)
    #expect(
      update?.edits == [
        SectionEdits(section: 0, removals: [3..<6], insertions: [0..<1]),
        SectionEdits(section: 1, removals: [10..<11], insertions: [5..<7]),
      ])
    stack.apply {
      $0.deleteSections(["a"])
      $0.appendSections(["c"])
      $0.appendItems([1_000], toSection: "c")
    }
    stack.stage.runUntilIdle()
    #expect(stack.layout.facts.now.updates.last?.formerSections == [1, nil])
    #expect(stack.layout.facts.now.updates.last?.edits == [])
    #expect(stack.layout.facts.now.solved == solved)
    stack.source.applySnapshotUsingReloadData(stack.source.snapshot())
    stack.stage.runUntilIdle()
    #expect(stack.layout.facts.now.solved == solved + 1)
    stack.stage.resize(to: Size(width: 300, height: 200))
    stack.stage.runUntilIdle()
    #expect(stack.layout.facts.now.solved == solved + 1, "another room is no reason")
  }

  @Test("Random applies told as updates leave the places that a new solution has", arguments: 0..<8)
  func randomUpdates(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    let stack = StackStage([("a", Array(0..<20)), ("b", [])], layout: StackLayout(hasHeaders: true))
    var next = 1_000
    for _ in 0..<60 {
      stack.apply { snapshot in
        let items = snapshot.itemIdentifiers
        switch Int.random(in: 0..<5, using: &generator) {
        case 0:
          let section = snapshot.sectionIdentifiers.randomElement(using: &generator)
          snapshot.appendItems(Array(next..<(next + 4)), toSection: section)
        case 1: snapshot.deleteItems(items.filter { _ in generator.chance(oneIn: 5) })
        case 2:
          if items.count > 1 { snapshot.moveItem(items[0], afterItem: items[items.count - 1]) }
        case 3:
          snapshot.insertSections(["n\(next)"], beforeSection: snapshot.sectionIdentifiers[0])
        default:
          let sections = snapshot.sectionIdentifiers
          if sections.count > 2 { snapshot.moveSection(sections[0], afterSection: sections[sections.count - 1]) }
          if sections.count > 5 { snapshot.deleteSections([sections[2]]) }
        }
        next += 10
      }
      stack.stage.run(frames: 1)
      let update = stack.layout.facts.now.updates.last
      #expect(update == nil || update?.counts == ItemCounts(stack.source.shownSnapshot().itemCounts))
    }
    let expected = StackLayout(hasHeaders: true).solved(
      in: LayoutEnvironment(containerSize: Size(width: 400, height: 300)),
      for: ItemCounts(stack.source.shownSnapshot().itemCounts))
    #expect(stack.view.contentLength == expected.contentSize.height)
  }

  @Test("Facts that became known are told by place, in runs; what is above the screen moves nothing on it")
  func facts() {
    let stack = StackStage(
      [("a", Array(0..<40)), ("b", Array(100..<140))],
      layout: StackLayout(facts: StackLayout.Facts(heights: Array(repeating: 50, count: 80))))
    stack.scroll(to: 1_010)
    let first = stack.shown[0]
    let top = stack.top(of: first)
    stack.layout.facts.change { state in for item in [0, 1, 2, 9, 45] { state.heights[item] = 90 } }
    stack.source.invalidateLayout(ofItems: [2, 105, 0, 1, 0, 9, 4_711])
    #expect(
      stack.layout.facts.now.updates.last?.edits == [
        SectionEdits(section: 0, changes: [0..<3, 9..<10]), SectionEdits(section: 1, changes: [5..<6]),
      ])
    #expect(stack.top(of: first) == top)
    #expect(stack.view.contentLength == 80 * 50 + 5 * 40)
    let updates = stack.layout.facts.now.updates.count
    stack.source.invalidateLayout(ofItems: [4_711])
    #expect(stack.layout.facts.now.updates.count == updates)
  }

  @Test("The delegate hands facts over before the layout is asked, and hears of new places once a frame")
  func delegate() {
    final class Listener: CollectionViewDelegate {
      var prepared = 0
      var laidOut = 0
      func collectionViewWillPrepareLayout(_ view: CollectionView) { prepared += 1 }
      func collectionViewDidLayout(_ view: CollectionView) { laidOut += 1 }
    }
    let stack = StackStage([("a", Array(0..<40))], layout: StackLayout())
    let listener = Listener()
    stack.view.delegate = listener
    stack.source.invalidateLayout(ofItems: [1])
    stack.source.invalidateLayout(ofItems: [2])
    #expect(listener.prepared == 2 && listener.laidOut == 0)
    stack.stage.runUntilIdle()
    #expect(listener.laidOut == 1)
    stack.scroll(to: 50)
    #expect(listener.prepared == 2 && listener.laidOut == 1)
  }
}
