import CollectionUI
import Testing
import VitrineDataStructures
import VitrineTestSupport

@testable import vitrine_layouts

@Suite("Masonry")
nonisolated struct MasonryTests {
  private func prepared(
    _ count: Int, columns: Int = 2, width: Double = 102, height: @escaping @Sendable (Int) -> Double
  ) -> Masonry {
    var layout = Masonry(columnCount: columns, spacing: 2) { item, _ in height(item) }
    layout.prepare(
      itemCount: count, in: SectionLayoutEnvironment(containerSize: Size(width: width, height: 100)))
    return layout
  }

  @Test("Each item is placed in the shortest column")
  func frames() {
    let heights: [Double] = [10, 20, 10, 30, 5]
    let layout = prepared(5) { heights[$0] }
    #expect(
      (0..<5).map { layout.frame(ofItem: $0) } == [
        Rect(x: 0, y: 0, width: 50, height: 10), Rect(x: 52, y: 0, width: 50, height: 20),
        Rect(x: 0, y: 12, width: 50, height: 10), Rect(x: 52, y: 22, width: 50, height: 30),
        Rect(x: 0, y: 24, width: 50, height: 5),
      ])
    #expect(layout.contentLength == 52)
    #expect(layout.items(in: Rect(x: 0, y: 10, width: 102, height: 12)).sorted() == [1, 2])
    #expect(prepared(0) { _ in 10 }.contentLength == 0 && prepared(0) { _ in 10 }.items(in: Rect.zero).isEmpty)
  }

  @Test("A measured item moves the later items of its column only")
  func measuring() {
    var layout = prepared(6) { _ in 10 }
    let results = (0..<2).map { _ in layout.setPreferredSize(Size(width: 50, height: 25), ofItem: 2) }
    #expect(results == [true, false])
    #expect((0..<6).map { layout.frame(ofItem: $0).minY } == [0, 0, 12, 12, 39, 24])
    #expect((0..<6).map { layout.frame(ofItem: $0).minX } == [0, 52, 0, 52, 0, 52])
    #expect(layout.contentLength == 49)
  }

  @Test("Inserted items go to the shortest column, and other items keep theirs")
  func updating() {
    var layout = prepared(5) { _ in 10 }
    let edits = SectionEdits(section: 0, removals: [1..<2], insertions: [2..<3])
    let rules = Masonry(columnCount: 2, spacing: 2) { _, _ in 30 }
    let isUpdated = layout.update(edits, adopting: rules)
    #expect(isUpdated)
    // Before: 0 and 2 and 4 on the left, 1 and 3 on the right. The new item follows 0 and 2 and is on the right.
    #expect((0..<5).map { layout.frame(ofItem: $0).minX } == [0, 0, 52, 52, 0])
    #expect((0..<5).map { layout.frame(ofItem: $0).minY } == [0, 12, 0, 32, 24])
    let hasOtherRules = layout.update(edits, adopting: Masonry(columnCount: 3, spacing: 2) { _, _ in 30 })
    let hasManyEdits = layout.update(SectionEdits(section: 0, insertions: [0..<100]), adopting: rules)
    #expect(!hasOtherRules && !hasManyEdits)
  }

  @Test("A million items have literal frames, and a query in the middle visits few")
  func million() {
    let layout = prepared(1_000_000, columns: 4, width: 406) { _ in 22 }
    #expect(layout.contentLength == 250_000 * 24 - 2)
    #expect(layout.frame(ofItem: 999_998) == Rect(x: 204, y: 249_999 * 24, width: 100, height: 22))
    #expect(
      layout.items(in: Rect(x: 0, y: 3_000_000, width: 406, height: 30)).sorted() == Array(500_000..<500_008))
  }

  @Test("After random measurements and edits, frames equal those of columns that are summed item by item")
  func likeSums() {
    var random = SeededGenerator(seed: 26)
    for round in 0..<40 {
      let columns = Int.random(in: 1...4, using: &random)
      let height: @Sendable (Int) -> Double = { Double(SplitMix64.mix(UInt64($0 + round)) % 50) + 1 }
      let rules = Masonry(columnCount: columns, spacing: 3) { item, _ in height(item) }
      let environment = SectionLayoutEnvironment(containerSize: Size(width: 200, height: 100))
      var layout = rules
      var model: [(height: Double, column: Int)] = []
      var ends = [Double](repeating: 0, count: columns)
      func shortest() -> Int { ends.indices.min { ends[$0] < ends[$1] } ?? 0 }
      func sum(before count: Int) {
        ends = .init(repeating: 0, count: columns)
        for item in model[..<count] { ends[item.column] += item.height + 3 }
      }
      let count = Int.random(in: 1...600, using: &random)
      layout.prepare(itemCount: count, in: environment)
      for item in 0..<count {
        model.append((height(item), shortest()))
        ends[model[item].column] += height(item) + 3
      }
      for _ in 0..<30 {
        switch Int.random(in: 0..<3, using: &random) {
        case 0 where model.count > 1:
          let item = Int.random(in: model.indices, using: &random)
          let isUpdated = layout.update(SectionEdits(section: 0, removals: [item..<(item + 1)]), adopting: rules)
          #expect(isUpdated)
          model.remove(at: item)
        case 1:
          let item = Int.random(in: 0...model.count, using: &random)
          let isUpdated = layout.update(SectionEdits(section: 0, insertions: [item..<(item + 1)]), adopting: rules)
          #expect(isUpdated)
          sum(before: item)
          model.insert((height(item), shortest()), at: item)
        default:
          let item = Int.random(in: model.indices, using: &random)
          let height = Double(Int.random(in: 1...90, using: &random))
          _ = layout.setPreferredSize(Size(width: 9, height: height), ofItem: item)
          model[item].height = height
        }
      }
      var frames: [Rect] = []
      let width = (200 - Double(columns - 1) * 3) / Double(columns)
      ends = .init(repeating: 0, count: columns)
      for item in model {
        frames.append(
          Rect(x: Double(item.column) * (width + 3), y: ends[item.column], width: width, height: item.height))
        ends[item.column] += item.height + 3
      }
      #expect(frames.indices.allSatisfy { layout.frame(ofItem: $0) == frames[$0] })
      #expect(layout.contentLength == max(0, (ends.max() ?? 0) - 3))
      for _ in 0..<10 {
        let rect = Rect(
          x: -10, y: .random(in: -100...(layout.contentLength + 50), using: &random), width: 300,
          height: .random(in: 1...400, using: &random))
        #expect(layout.items(in: rect).sorted() == frames.indices.filter { frames[$0].intersects(rect) })
      }
    }
  }

  @Test("Only a change of the width moves items")
  func resizing() {
    var layout = prepared(5) { _ in 10 }
    let rules = Masonry(columnCount: 2, spacing: 2) { _, _ in 10 }
    let results = [102.0, 202].map { width in
      layout.resize(to: SectionLayoutEnvironment(containerSize: Size(width: width, height: 700)), adopting: rules)
    }
    #expect(results == [true, false])
  }
}

@Suite("Circles")
nonisolated struct CircleLayoutTests {
  private func prepared(_ count: Int, width: Double = 350) -> CircleLayout {
    var layout = CircleLayout(itemSize: 50)
    layout.prepare(itemCount: count, in: SectionLayoutEnvironment(containerSize: Size(width: width, height: 400)))
    return layout
  }

  @Test("A disk has a center and circles of 6, 12 and 18 items, which begin at the top")
  func frames() {
    let layout = prepared(1_000_000)
    // Three circles: 37 items in a disk of 350 points.
    #expect(layout.contentLength == Double((1_000_000 + 36) / 37) * 350)
    #expect(layout.frame(ofItem: 0) == Rect(x: 150, y: 150, width: 50, height: 50))
    #expect(layout.frame(ofItem: 1) == Rect(x: 150, y: 100, width: 50, height: 50))
    #expect(layout.frame(ofItem: 7) == Rect(x: 150, y: 50, width: 50, height: 50))
    #expect(layout.frame(ofItem: 19) == Rect(x: 150, y: 0, width: 50, height: 50))
    let right = layout.frame(ofItem: 10)
    #expect(abs(right.minX - 250) < 1e-9 && abs(right.minY - 150) < 1e-9)
    #expect(layout.frame(ofItem: 37 * 20_000) == Rect(x: 150, y: 7_000_150, width: 50, height: 50))
    #expect(layout.items(in: Rect(x: 0, y: 7_000_010, width: 350, height: 100)) == 740_000..<740_037)
  }

  @Test("Frames are within the section at any width, and queries contain all items of a rectangle")
  func bounds() {
    var random = SeededGenerator(seed: 27)
    for _ in 0..<60 {
      let width = Double.random(in: 1...900, using: &random)
      let count = Int.random(in: 0...2_000, using: &random)
      let layout = prepared(count, width: width)
      let frames = (0..<count).map { layout.frame(ofItem: $0) }
      for frame in frames {
        #expect(frame.minX >= -1e-6 && frame.maxX <= width + 1e-6)
        #expect(frame.minY >= -1e-6 && frame.maxY <= layout.contentLength + 1e-6)
      }
      let rect = Rect(
        x: 0, y: .random(in: -50...(layout.contentLength + 50), using: &random), width: width,
        height: .random(in: 1...600, using: &random))
      let found = layout.items(in: rect)
      #expect(frames.indices.allSatisfy { found.contains($0) || !frames[$0].intersects(rect) })
    }
  }

  @Test("An item is as large as its cell prefers, around the same center")
  func measuring() {
    var layout = prepared(10)
    let results = (0..<2).map { _ in layout.setPreferredSize(Size(width: 30, height: 80), ofItem: 1) }
    #expect(results == [true, false])
    #expect(layout.frame(ofItem: 1) == Rect(x: 160, y: 100, width: 30, height: 50))
  }
}
