import Testing
import VitrineDataStructures
import VitrineGeometry
import VitrineTestSupport

@testable import VitrineCollectionLayout

@Suite("Random changes of measured sections")
struct MeasuredRandomEditsTests {
  /// Performs random measurements, updates, settling, refinement and queries, and compares the body with the model.
  private func performSteps(_ model: inout MeasuredModel, random: inout SeededGenerator, steps: Int, maximumEdit: Int) {
    for step in 0..<steps {
      let finalized = model.finalizedLengths
      switch Int.random(in: 0..<8, using: &random) {
      case 0...3 where !model.sizes.isEmpty:
        let item = Int.random(in: 0..<model.sizes.count, using: &random)
        _ = model.measure(item, length: .random(in: 1...120, using: &random))
        let now = model.finalizedLengths
        for group in finalized.indices where group != item / model.body.slotCount {
          #expect(now[group] == finalized[group], "step \(step)")
        }
      case 4:
        let start = Int.random(in: -100...(model.body.length + 100), using: &random)
        let areFramesFinal = model.body.areFramesFinal
        let moved = model.body.finalizeFrames(in: start..<(start + 300))
        #expect(!moved || !areFramesFinal)
        #expect(!areFramesFinal || model.finalizedLengths.starts(with: finalized), "step \(step)")
      case 7 where random.chance(oneIn: 2):
        _ = model.body.finalizeFrames(itemBudget: .random(in: 1...400, using: &random))
      case 5, 6:
        model.update(random.edits(of: model.sizes.count, atMost: maximumEdit))
      default:
        let start = Int.random(in: -100...(model.body.length + 100), using: &random)
        let left = Int.random(in: -20...330, using: &random)
        var rect = PixelFrame(
          minX: left, minY: start, maxX: left + .random(in: 0...200, using: &random),
          maxY: start + .random(in: 0...900, using: &random))
        if model.body.flow == .horizontal {
          rect = PixelFrame(minX: rect.minY, minY: rect.minX, maxX: rect.maxY, maxY: rect.maxX)
        }
        let expected = model.items(in: rect)
        #expect(model.body.firstItem(in: rect) == expected.first, "step \(step)")
        #expect(model.body.lastItem(in: rect) == expected.last, "step \(step)")
      }
      if step % 20 == 0 { model.check("step \(step)") }
    }
    model.check("at the end")
    model.refineAll()
    model.check("all final")
  }

  @Test("Rows equal a model of plain arrays through measurements, edits and queries", arguments: 0..<3)
  func rows(seed: Int) {
    var random = SeededGenerator(seed: 1_000 + UInt64(seed))
    let container = SectionContainer.plain(
      flow: seed % 2 == 0 ? .vertical : .horizontal, spacing: seed % 3 == 0 ? 0 : 7)
    var model = MeasuredModel(items: 120 * seed, group: RowGroup.rows(container), container: container)
    performSteps(&model, random: &random, steps: 400, maximumEdit: seed > 3 ? 300 : 40)
  }

  @Test(
    "Groups of several items equal a model of plain arrays while items move between them",
    arguments: TestScale.seeds(0..<6))
  func groups(seed: Int) {
    var random = SeededGenerator(seed: 2_000 + UInt64(seed))
    let container = SectionContainer.plain(flow: seed % 2 == 0 ? .vertical : .horizontal, spacing: 5)
    let group = SlottedGroup(flow: container.flow, breadth: 320, estimate: 30, slotCount: 2 + seed, isStack: seed > 2)
    var model = MeasuredModel(items: 200 * seed, group: group, container: container)
    performSteps(&model, random: &random, steps: 250, maximumEdit: seed > 3 ? 600 : 40)
  }

  @Test("Chunks of removed and inserted rows are merged")
  func mergesSmallChunks() {
    var random = SeededGenerator(seed: 7)
    let container = SectionContainer.plain()
    var model = MeasuredModel(items: 3_000, group: RowGroup.rows(container), container: container)
    for item in 0..<3_000 { _ = model.measure(item, length: 20 + item % 50) }
    while model.sizes.count > 300 {
      let index = Int.random(in: 0..<model.sizes.count, using: &random)
      model.update(SectionEdits(section: 0, removals: [index..<(index + 1)]))
    }
    model.check()
    #expect(model.body.chunks.leafCount <= 4)
    for _ in 0..<2_000 {
      let index = Int.random(in: 0..<model.sizes.count, using: &random)
      model.update(SectionEdits(section: 0, insertions: [index..<(index + 1)]))
    }
    model.check()
    #expect(model.body.chunks.leafCount <= 2_300 / 200)
  }
}

// MARK: - Large sections

@Suite("Measured sections of any size")
struct MeasuredScaleTests {
  /// Returns the number of bytes of the values that a body stores.
  private func bytes(_ body: MeasuredBody) -> Int {
    let groups = (0..<body.chunks.leafCount).reduce(0) { sum, leaf in
      let chunk = body.chunks[leaf: leaf]
      return sum + MemoryLayout<MeasuredChunk>.stride + chunk.groups.count * MemoryLayout<MeasuredGroup>.stride
        + chunk.frames.count * MemoryLayout<PixelFrame>.stride
    }
    return (0..<body.sizes.runs.leafCount).reduce(groups) { sum, leaf in
      let run = body.sizes.runs[leaf: leaf]
      return sum + MemoryLayout<SizeRun>.stride + run.sizes.count * MemoryLayout<ItemSize>.stride
        + run.unstableItems.count * MemoryLayout<UnstableItem>.stride
    }
  }

  private func body(_ items: Int) -> MeasuredBody {
    let container = SectionContainer.plain()
    return MeasuredBody(of: items, group: RowGroup.rows(container), in: container)
  }

  @Test("Unmeasured rows are stored in a single chunk of constant size", arguments: [1_000, 1_000_000, 10_000_000])
  func unmeasured(items: Int) {
    let body = body(items)
    #expect(body.chunks.leafCount == 1)
    #expect(bytes(body) <= 128)
    #expect(body.length == items * 44)
    #expect(body.frame(ofItem: items - 1).minY == (items - 1) * 44)
  }

  @Test("The memory for a thousand measured rows does not depend on the number of rows")
  func sparse() {
    var random = SeededGenerator(seed: 31)
    var body = body(1_000_000)
    var expected: [Int: Int] = [:]
    for _ in 0..<1_000 {
      let item = Int.random(in: 0..<1_000_000, using: &random)
      guard expected[item] == nil else { continue }
      expected[item] = .random(in: 20...200, using: &random)
      _ = body.setPreferredSize(width: 320, height: expected[item] ?? 0, ofItem: item)
    }
    #expect(expected.allSatisfy { body.frame(ofItem: $0.key).height == $0.value })
    // Each measured row has a chunk and at most one blank run before it, and the floating groups have another one.
    #expect(body.chunks.leafCount <= 2 * expected.count + 1)
    #expect(bytes(body) <= expected.count * 256 + 4_096)
  }

  @Test("Rows that are measured in order take a few bytes each")
  func inOrder() {
    var body = body(20_000)
    var measured = 0
    while measured < 20_000 {
      // One frame: the visible rows are finalized and measured.
      let top = body.frame(ofItem: measured).minY
      _ = body.finalizeFrames(in: top..<(top + 480))
      for item in measured..<min(20_000, measured + 12) {
        _ = body.setPreferredSize(width: 320, height: 30 + item * 7 % 90, ofItem: item)
      }
      measured += 12
    }
    #expect(bytes(body) <= 20_000 * 32)
    #expect(body.chunks.leafCount <= 20_000 / 256 + 2)
    #expect(body.length == (0..<20_000).reduce(0) { $0 + 30 + $1 * 7 % 90 })
  }

  @Test("Frames are exact beyond a billion pixels")
  func largeOffsets() {
    var body = body(100_000_000)
    _ = body.setPreferredSize(width: 320, height: 45, ofItem: 0)
    _ = body.setPreferredSize(width: 320, height: 77, ofItem: 99_999_000)
    #expect(body.frame(ofItem: 99_999_001).minY == 45 + 99_998_999 * 44 + 77)
    #expect(body.frame(ofItem: 99_999_001).minY > 4_000_000_000)
    let line = body.frame(ofItem: 99_999_000).minY + 76
    #expect(body.firstItem(in: PixelFrame(minX: 0, minY: line, maxX: 320, maxY: line + 2)) == 99_999_000)
    #expect(body.lastItem(in: PixelFrame(minX: 0, minY: line, maxX: 320, maxY: line + 2)) == 99_999_001)
  }

  @Test("More rows than 32 bits can count are inserted and removed")
  func tenBillionRows() {
    var body = body(10_000_000_000)
    _ = body.setPreferredSize(width: 320, height: 99, ofItem: 8_000_000_000)
    body.splice(
      SectionEdits(section: 0, removals: [3_000_000_000..<3_000_000_002], insertions: [5_000_000_000..<5_000_000_007]))
    #expect(body.sizes.size(ofItem: 8_000_000_005)?.height == 99)
    #expect(body.frame(ofItem: 8_000_000_005).minY == 8_000_000_005 * 44)
    #expect(body.itemCount == 10_000_000_005)
  }

  @Test("The cost of an update of a million rows depends on its edits only")
  func updateCost() {
    var body = body(1_000_000)
    for item in stride(from: 0, to: 1_000_000, by: 1_000) {
      _ = body.setPreferredSize(width: 320, height: 50, ofItem: item)
    }
    let leaves = body.chunks.leafCount
    let edits = SectionEdits(section: 0, removals: [5_000..<5_001], insertions: [700_000..<700_001])
    #expect(body.cost(of: edits) == 2)
    let before = [600_000, 900_000].map { body.frame(ofItem: $0) }
    body.splice(edits)
    #expect(body.chunks.leafCount <= leaves + 2)
    #expect(body.sizes.size(ofItem: 899_999) == nil)
    #expect(body.sizes.size(ofItem: 900_000) == MeasuredSize(width: 320, height: 50))
    // A measured row was removed, and an unmeasured one was inserted later.
    #expect(body.frame(ofItem: 599_999) == before[0].offset(x: 0, y: -50))
    let insertedHeight = body.frame(ofItem: 700_000).height
    #expect(body.frame(ofItem: 900_000) == before[1].offset(x: 0, y: insertedHeight - 50))
  }

  @Test("A rectangle outside all of two billion items is queried quickly")
  func rectOutsideAllItems() {
    let container = SectionContainer.plain(1_000_000, 1_000)
    let group = SlottedGroup(flow: .vertical, breadth: 320, estimate: 30, slotCount: 2, isStack: false)
    var body = MeasuredBody(of: 2_000_000_000, group: group, in: container)
    _ = body.setPreferredSize(width: 1, height: 90, ofItem: 1_000_000)
    let rect = PixelFrame(minX: 400, minY: 0, maxX: 500, maxY: 1 << 50)
    #expect(body.firstItem(in: rect) == nil)
    #expect(body.lastItem(in: rect) == nil)
  }
}
