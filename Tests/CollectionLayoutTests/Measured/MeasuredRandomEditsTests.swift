import DataStructures
import Geometry
import TestSupport
import Testing

@testable import CollectionLayout

@Suite("Measured sections through anything that may happen to them")
struct MeasuredRandomEditsTests {
  private func run(_ model: inout MeasuredModel, random: inout SeededGenerator, steps: Int, most: Int) {
    for step in 0..<steps {
      let settled = model.settledLengths
      switch Int.random(in: 0..<8, using: &random) {
      case 0...3 where !model.sizes.isEmpty:
        let item = Int.random(in: 0..<model.sizes.count, using: &random)
        _ = model.measure(item, length: .random(in: 1...120, using: &random))
        let now = model.settledLengths
        for group in settled.indices where group != item / model.body.slotCount {
          #expect(now[group] == settled[group], "step \(step)")
        }
      case 4:
        let start = Int.random(in: -100...(model.body.length + 100), using: &random)
        let isSettled = model.body.isSettled
        let moved = model.body.settle(start..<(start + 300))
        #expect(!moved || !isSettled)
        #expect(!isSettled || model.settledLengths.starts(with: settled), "step \(step)")
      case 7 where random.chance(oneIn: 2):
        _ = model.body.refine(atMost: .random(in: 1...400, using: &random))
      case 5, 6:
        model.update(random.edits(of: model.sizes.count, atMost: most))
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

  @Test("Rows that are measured, inserted, removed and asked for agree with plain arrays", arguments: 0..<3)
  func rows(seed: Int) {
    var random = SeededGenerator(seed: 1_000 + UInt64(seed))
    let room = SectionRoom.plain(flow: seed % 2 == 0 ? .vertical : .horizontal, spacing: seed % 3 == 0 ? 0 : 7)
    var model = MeasuredModel(items: 120 * seed, group: RowGroup.rows(room), room: room)
    run(&model, random: &random, steps: 400, most: seed > 3 ? 300 : 40)
  }

  @Test("Groups of several items agree with plain arrays while items shift between them", arguments: 0..<6)
  func groups(seed: Int) {
    var random = SeededGenerator(seed: 2_000 + UInt64(seed))
    let room = SectionRoom.plain(flow: seed % 2 == 0 ? .vertical : .horizontal, spacing: 5)
    let group = SlottedGroup(flow: room.flow, breadth: 320, estimate: 30, slotCount: 2 + seed, isStack: seed > 2)
    var model = MeasuredModel(items: 200 * seed, group: group, room: room)
    run(&model, random: &random, steps: 250, most: seed > 3 ? 600 : 40)
  }

  @Test("Rows by the thousand that go and come between chunks leave no crumbs")
  func noCrumbs() {
    var random = SeededGenerator(seed: 7)
    let room = SectionRoom.plain()
    var model = MeasuredModel(items: 3_000, group: RowGroup.rows(room), room: room)
    for item in 0..<3_000 { _ = model.measure(item, length: 20 + item % 50) }
    while model.sizes.count > 300 {
      let place = Int.random(in: 0..<model.sizes.count, using: &random)
      model.update(SectionEdits(section: 0, removals: [place..<(place + 1)]))
    }
    model.check()
    #expect(model.body.chunks.leafCount <= 4)
    for _ in 0..<2_000 {
      let place = Int.random(in: 0..<model.sizes.count, using: &random)
      model.update(SectionEdits(section: 0, insertions: [place..<(place + 1)]))
    }
    model.check()
    #expect(model.body.chunks.leafCount <= 2_300 / 200)
  }
}
