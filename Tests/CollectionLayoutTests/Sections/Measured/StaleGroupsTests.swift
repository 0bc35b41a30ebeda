import Synchronization
import Testing
import VitrineDataStructures
import VitrineGeometry
import VitrineTestSupport

@testable import VitrineCollectionLayout

@Suite("Stale groups, whose items moved to other groups")
struct StaleGroupsTests {
  private static func group(_ slotCount: Int, isStack: Bool = false) -> SlottedGroup {
    SlottedGroup(flow: .vertical, breadth: 320, estimate: 30, slotCount: slotCount, isStack: isStack)
  }

  /// Returns a deterministic height for the name of an item.
  private static func height(_ name: Int) -> Int { 20 + (name &* 2_654_435_761 >> 7) & 127 }

  /// Returns a body whose items are all measured.
  private func measured(_ items: Int, _ group: some MeasurableGroup, height: (Int) -> Int = height) -> MeasuredBody {
    var body = MeasuredBody(of: items, group: group, in: .plain(spacing: 5))
    for item in 0..<items { _ = body.setPreferredSize(width: 0, height: height(item), ofItem: item) }
    return body
  }

  @Test("A finalized body equals one that is laid out from scratch", arguments: 2...6)
  func matchesNewBody(slotCount: Int) {
    for isStack in [false, true] {
      var random = SeededGenerator(seed: 300 + UInt64(slotCount))
      let group = StaleGroupsTests.group(slotCount, isStack: isStack)
      var model = MeasuredModel(items: 900, group: group, container: .plain(spacing: 5))
      for step in 0..<60 {
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
          let start = Int.random(in: 0...max(0, model.body.length), using: &random)
          _ = model.body.finalizeFrames(in: start..<(start + 400))
        case 1: _ = model.body.finalizeFrames(itemBudget: .random(in: 1...900, using: &random))
        case 2 where !model.sizes.isEmpty:
          let first = Int.random(in: 0..<model.sizes.count, using: &random)
          for item in first..<min(first + 90, model.sizes.count) {
            _ = model.measure(item, length: .random(in: 1...120, using: &random))
          }
        default: model.update(random.edits(of: model.sizes.count, atMost: 90))
        }
        if step % 10 == 0 { model.check("step \(step)") }
      }
      let surplus = model.sizes.count % slotCount
      model.update(SectionEdits(section: 0, removals: [0..<surplus]))
      for item in model.sizes.indices where model.sizes[item] == nil {
        _ = model.measure(item, length: .random(in: 1...120, using: &random))
      }
      model.refineAll()
      model.check("all final")
      let expected = measured(model.sizes.count, group) { model.sizes[$0]?.height ?? 0 }
      let agrees = model.sizes.indices.allSatisfy { model.body.frame(ofItem: $0) == expected.frame(ofItem: $0) }
      #expect(agrees)
      #expect(model.body.length == expected.length)
      #expect(model.body.sizes.count == model.sizes.count)
    }
  }

  @Test(
    "An update lays out no group, and settling a viewport only the visible ones, whatever the number of items",
    arguments: [500, 20_000])
  func updateCost(items: Int) {
    let group = CountingGroup(group: StaleGroupsTests.group(2))
    var body = measured(items, group)
    let viewport = body.frame(ofItem: 200).minY..<(body.frame(ofItem: 200).minY + 480)
    for edits in [
      SectionEdits(section: 0, insertions: [0..<1]), SectionEdits(section: 0, removals: [3..<4]),
      SectionEdits(section: 0, removals: [9..<10], insertions: [items - 5..<(items - 4)]),
    ] {
      _ = group.counter.takeCount()
      #expect(body.cost(of: edits) <= 2)
      body.splice(edits)
      // Inserted items may need another template.
      #expect(group.counter.takeCount() <= 1)
      let leaves = body.chunks.leafCount
      #expect(leaves <= items / 256 + 6)
      #expect(!body.areFramesFinal)
      let hasMoved = body.finalizeFrames(in: viewport)
      #expect(hasMoved)
      #expect((1...24).contains(group.counter.takeCount()))
      let hasMovedAgain = body.finalizeFrames(in: viewport)
      #expect(hasMovedAgain == (group.counter.takeCount() > 0))
      while !body.areFramesFinal {
        _ = body.finalizeFrames(itemBudget: 64)
        #expect(group.counter.takeCount() <= 9)
      }
    }
  }

  @Test("Moving an item makes only the groups between its positions stale")
  func movedItem() {
    var body = measured(1_000, StaleGroupsTests.group(4))
    body.splice(SectionEdits(section: 0, removals: [101..<102], insertions: [702..<703]))
    #expect(body.stale.ranges == [25..<176])
    _ = body.finalizeFrames(itemBudget: 100_000)
    #expect(body.areFramesFinal)
    // Inserting and removing whole groups moves no items between groups.
    let before = body
    body.splice(SectionEdits(section: 0, removals: [100..<108], insertions: [400..<412]))
    #expect(body.areFramesFinal)
    #expect(body.frame(ofItem: 99) == before.frame(ofItem: 99))
    #expect((108..<408).allSatisfy { body.frame(ofItem: $0 - 8).height == before.frame(ofItem: $0).height })
    #expect((408..<1_000).allSatisfy { body.frame(ofItem: $0 + 4).height == before.frame(ofItem: $0).height })
    body.splice(SectionEdits(section: 0, removals: [102..<106]))
    #expect(body.stale.ranges == [25..<26])
  }

  @Test("Millions of unmeasured items are finalized in a few steps after an edit")
  func unmeasured() {
    let group = CountingGroup(group: StaleGroupsTests.group(3))
    var body = MeasuredBody(of: 30_000_000, group: group, in: .plain())
    for item in [5, 14_000_000, 29_000_000] { _ = body.setPreferredSize(width: 0, height: 90, ofItem: item) }
    body.splice(SectionEdits(section: 0, insertions: [0..<1]))
    _ = group.counter.takeCount()
    var rounds = 0
    while !body.areFramesFinal {
      _ = body.finalizeFrames(itemBudget: 4_096)
      rounds += 1
    }
    #expect(rounds <= 6)
    #expect(group.counter.takeCount() <= 6)
    #expect([6, 14_000_001, 29_000_001].allSatisfy { body.frame(ofItem: $0).height == 90 })
    #expect(body.chunks.leafCount <= 12)
  }

  @Test("Items in groups of two take a few bytes each")
  func memory() {
    let body = measured(8_192, StaleGroupsTests.group(2))
    let bytes = (0..<body.chunks.leafCount).reduce(0) { sum, leaf in
      let chunk = body.chunks[leaf: leaf]
      return sum + MemoryLayout<MeasuredChunk>.stride + chunk.groups.count * MemoryLayout<MeasuredGroup>.stride
        + chunk.frames.count * MemoryLayout<PixelFrame>.stride
    }
    let sizes = body.sizes.runs.leafCount * MemoryLayout<SizeRun>.stride + 8_192 * MemoryLayout<ItemSize>.stride
    #expect(bytes + sizes <= 8_192 * 52)
  }

  @Test("The content length stays correct through repeated insertions at the start")
  func insertionsAtStart() {
    var random = SeededGenerator(seed: 12)
    var model = MeasuredModel(items: 1_200, group: StaleGroupsTests.group(2), container: .plain(spacing: 5))
    for item in 0..<1_200 { _ = model.measure(item, length: StaleGroupsTests.height(item)) }
    for step in 0..<120 {
      model.update(SectionEdits(section: 0, removals: step % 3 == 0 ? [1_150..<1_151] : [], insertions: [0..<1]))
      if random.chance(oneIn: 4) { _ = model.body.finalizeFrames(in: 2_000..<2_500) }
      if step % 30 == 29 { model.check("step \(step)") }
    }
    model.refineAll()
    model.check("all final")
  }

  @Test("Ranges of stale groups equal a set of numbers")
  func ranges() {
    var random = SeededGenerator(seed: 4)
    for _ in 0..<60 {
      var stale = StaleGroups()
      var expected = Set<Int>()
      var start = 0
      for _ in 0..<8 {
        start += Int.random(in: 0...6, using: &random)
        let range = start..<(start + .random(in: 0...5, using: &random))
        stale.append(range)
        expected.formUnion(range)
      }
      for _ in 0..<5 {
        let start = Int.random(in: 0...40, using: &random)
        let range = start..<(start + .random(in: 0...9, using: &random))
        #expect(stale.first(in: range)?.lowerBound == expected.filter(range.contains).min())
        var moved = StaleGroups()
        moved.append(stale, in: range, movedBy: 3)
        #expect(Set(moved.ranges.joined()) == Set(expected.filter(range.contains).map { $0 + 3 }))
        stale.remove(range)
        expected.subtract(range)
        #expect((0..<60).allSatisfy { stale.contains($0) == expected.contains($0) })
        #expect(Set(stale.ranges.joined()) == expected && stale.isEmpty == expected.isEmpty)
      }
    }
  }
}

// MARK: - Helpers

/// A group that counts how often it is laid out.
private struct CountingGroup: MeasurableGroup {
  /// A counter of layouts.
  final class Counter: Sendable {
    private let count = Mutex(0)

    func increment() { count.withLock { $0 += 1 } }

    /// Returns the count and resets it.
    func takeCount() -> Int {
      count.withLock { count in
        defer { count = 0 }
        return count
      }
    }
  }

  let group: SlottedGroup
  let counter = Counter()

  var slotCount: Int { group.slotCount }
  func measuredSides(ofSlot slot: Int) -> MeasuredSides { group.measuredSides(ofSlot: slot) }

  func solved(measured: Measured, atLeast minimum: Int) -> MeasuredSlots {
    counter.increment()
    return group.solved(measured: measured, atLeast: minimum)
  }

  func hasSameRules(as other: any MeasurableGroup) -> Bool { (other as? CountingGroup)?.group == group }
}
