import DataStructures
import Geometry
import TestSupport
import Testing

@testable import CollectionLayout

@Suite("Groups whose items moved")
struct StaleGroupsTests {
  private static func group(_ slotCount: Int, isStack: Bool = false) -> SlottedGroup {
    SlottedGroup(flow: .vertical, breadth: 320, estimate: 30, slotCount: slotCount, isStack: isStack)
  }

  /// A height that follows from a name alone.
  private static func height(_ name: Int) -> Int { 20 + (name &* 2_654_435_761 >> 7) & 127 }

  /// A body of items that were all measured.
  private func measured(_ items: Int, _ group: some MeasurableGroup, height: (Int) -> Int = height) -> MeasuredBody {
    var body = MeasuredBody(of: items, group: group, in: .plain(spacing: 5))
    for item in 0..<items { _ = body.setPreferredSize(width: 0, height: height(item), ofItem: item) }
    return body
  }

  @Test("Once all is final, everything stands as if it had been placed anew", arguments: 2...6)
  func asIfNew(slotCount: Int) {
    for isStack in [false, true] {
      var random = SeededGenerator(seed: 300 + UInt64(slotCount))
      let group = StaleGroupsTests.group(slotCount, isStack: isStack)
      var model = MeasuredModel(items: 900, group: group, room: .plain(spacing: 5))
      for step in 0..<60 {
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
          let start = Int.random(in: 0...max(0, model.body.length), using: &random)
          _ = model.body.settle(start..<(start + 400))
        case 1: _ = model.body.refine(atMost: .random(in: 1...900, using: &random))
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
      let anew = measured(model.sizes.count, group) { model.sizes[$0]?.height ?? 0 }
      let agrees = model.sizes.indices.allSatisfy { model.body.frame(ofItem: $0) == anew.frame(ofItem: $0) }
      #expect(agrees)
      #expect(model.body.length == anew.length)
      #expect(model.body.sizes.count == model.sizes.count)
    }
  }

  @Test(
    "An update places no group, and a screen those that it shows, however many there are", arguments: [500, 20_000])
  func bounded(items: Int) {
    let group = CountedGroup(group: StaleGroupsTests.group(2))
    var body = measured(items, group)
    let screen = body.frame(ofItem: 200).minY..<(body.frame(ofItem: 200).minY + 480)
    for edits in [
      SectionEdits(section: 0, insertions: [0..<1]), SectionEdits(section: 0, removals: [3..<4]),
      SectionEdits(section: 0, removals: [9..<10], insertions: [items - 5..<(items - 4)]),
    ] {
      _ = group.counter.take()
      #expect(body.cost(of: edits) <= 2)
      body.splice(edits)
      // What comes new may need a template of its own.
      #expect(group.counter.take() <= 1)
      let leaves = body.chunks.leafCount
      #expect(leaves <= items / 256 + 6)
      #expect(!body.isSettled)
      let hasMoved = body.settle(screen)
      #expect(hasMoved)
      #expect((1...24).contains(group.counter.take()))
      let movesMore = body.settle(screen)
      #expect(movesMore == (group.counter.take() > 0))
      while !body.isSettled {
        _ = body.refine(atMost: 64)
        #expect(group.counter.take() <= 9)
      }
    }
  }

  @Test("A row of cells that moves leaves all groups as they are but those it moves between")
  func moves() {
    var body = measured(1_000, StaleGroupsTests.group(4))
    body.splice(SectionEdits(section: 0, removals: [101..<102], insertions: [702..<703]))
    #expect(body.stale.ranges == [25..<176])
    _ = body.refine(atMost: 100_000)
    #expect(body.isSettled)
    // Whole groups that come and go move no item to another.
    let before = body
    body.splice(SectionEdits(section: 0, removals: [100..<108], insertions: [400..<412]))
    #expect(body.isSettled)
    #expect(body.frame(ofItem: 99) == before.frame(ofItem: 99))
    #expect((108..<408).allSatisfy { body.frame(ofItem: $0 - 8).height == before.frame(ofItem: $0).height })
    #expect((408..<1_000).allSatisfy { body.frame(ofItem: $0 + 4).height == before.frame(ofItem: $0).height })
    body.splice(SectionEdits(section: 0, removals: [102..<106]))
    #expect(body.stale.ranges == [25..<26])
  }

  @Test("A million cells that nobody measured are final at once behind an edit")
  func unmeasured() {
    let group = CountedGroup(group: StaleGroupsTests.group(3))
    var body = MeasuredBody(of: 30_000_000, group: group, in: .plain())
    for item in [5, 14_000_000, 29_000_000] { _ = body.setPreferredSize(width: 0, height: 90, ofItem: item) }
    body.splice(SectionEdits(section: 0, insertions: [0..<1]))
    _ = group.counter.take()
    var rounds = 0
    while !body.isSettled {
      _ = body.refine(atMost: 4_096)
      rounds += 1
    }
    #expect(rounds <= 6)
    #expect(group.counter.take() <= 6)
    #expect([6, 14_000_001, 29_000_001].allSatisfy { body.frame(ofItem: $0).height == 90 })
    #expect(body.chunks.leafCount <= 12)
  }

  @Test("Cells of which two stand side by side keep a few bytes each")
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

  @Test("The length of all is that of its parts while cells are inserted at the head without end")
  func feed() {
    var random = SeededGenerator(seed: 12)
    var model = MeasuredModel(items: 1_200, group: StaleGroupsTests.group(2), room: .plain(spacing: 5))
    for item in 0..<1_200 { _ = model.measure(item, length: StaleGroupsTests.height(item)) }
    for turn in 0..<120 {
      model.update(SectionEdits(section: 0, removals: turn % 3 == 0 ? [1_150..<1_151] : [], insertions: [0..<1]))
      if random.chance(oneIn: 4) { _ = model.body.settle(2_000..<2_500) }
      if turn % 30 == 29 { model.check("turn \(turn)") }
    }
    model.refineAll()
    model.check("all final")
  }

  @Test("Ranges of numbers agree with a set of them")
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
