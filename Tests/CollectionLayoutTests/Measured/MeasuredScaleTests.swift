import DataStructures
import Geometry
import TestSupport
import Testing

@testable import CollectionLayout

@Suite("Measured sections of any size")
struct MeasuredScaleTests {
  /// The bytes that a body's chunks hold, counted by what they store.
  private func bytes(_ body: MeasuredBody) -> Int {
    let groups = (0..<body.chunks.leafCount).reduce(0) { sum, leaf in
      let chunk = body.chunks[leaf: leaf]
      return sum + MemoryLayout<MeasuredChunk>.stride + chunk.groups.count * MemoryLayout<MeasuredGroup>.stride
        + chunk.frames.count * MemoryLayout<PixelFrame>.stride
    }
    return (0..<body.sizes.runs.leafCount).reduce(groups) { sum, leaf in
      let run = body.sizes.runs[leaf: leaf]
      return sum + MemoryLayout<SizeRun>.stride + run.sizes.count * MemoryLayout<ItemSize>.stride
        + run.restless.count * MemoryLayout<RestlessItem>.stride
    }
  }

  private func body(_ items: Int) -> MeasuredBody {
    let room = SectionRoom.plain()
    return MeasuredBody(of: items, group: RowGroup.rows(room), in: room)
  }

  @Test("Ten million rows of which none was measured are one number", arguments: [1_000, 1_000_000, 10_000_000])
  func unmeasured(items: Int) {
    let body = body(items)
    #expect(body.chunks.leafCount == 1)
    #expect(bytes(body) <= 128)
    #expect(body.length == items * 44)
    #expect(body.frame(ofItem: items - 1).minY == (items - 1) * 44)
  }

  @Test("A thousand measures among a million rows cost what a thousand measures cost, wherever they are")
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
    // A chunk, and at most one blank run before it, for each measure, and one for those that float.
    #expect(body.chunks.leafCount <= 2 * expected.count + 1)
    #expect(bytes(body) <= expected.count * 256 + 4_096)
  }

  @Test("Rows that are read in order cost a few bytes each")
  func inOrder() {
    var body = body(20_000)
    var measured = 0
    while measured < 20_000 {
      // A frame: what is seen is settled, and all of it is measured.
      let top = body.frame(ofItem: measured).minY
      _ = body.settle(top..<(top + 480))
      for item in measured..<min(20_000, measured + 12) {
        _ = body.setPreferredSize(width: 320, height: 30 + item * 7 % 90, ofItem: item)
      }
      measured += 12
    }
    #expect(bytes(body) <= 20_000 * 32)
    #expect(body.chunks.leafCount <= 20_000 / 256 + 2)
    #expect(body.length == (0..<20_000).reduce(0) { $0 + 30 + $1 * 7 % 90 })
  }

  @Test("Rows are exact beyond a billion pixels")
  func farAway() {
    var body = body(100_000_000)
    _ = body.setPreferredSize(width: 320, height: 45, ofItem: 0)
    _ = body.setPreferredSize(width: 320, height: 77, ofItem: 99_999_000)
    #expect(body.frame(ofItem: 99_999_001).minY == 45 + 99_998_999 * 44 + 77)
    #expect(body.frame(ofItem: 99_999_001).minY > 4_000_000_000)
    let line = body.frame(ofItem: 99_999_000).minY + 76
    #expect(body.firstItem(in: PixelFrame(minX: 0, minY: line, maxX: 320, maxY: line + 2)) == 99_999_000)
    #expect(body.lastItem(in: PixelFrame(minX: 0, minY: line, maxX: 320, maxY: line + 2)) == 99_999_001)
  }

  @Test("Rows come and go among more of them than 32 bits count")
  func manyRows() {
    var body = body(10_000_000_000)
    _ = body.setPreferredSize(width: 320, height: 99, ofItem: 8_000_000_000)
    body.splice(
      SectionEdits(section: 0, removals: [3_000_000_000..<3_000_000_002], insertions: [5_000_000_000..<5_000_000_007]))
    #expect(body.sizes.size(ofItem: 8_000_000_005)?.height == 99)
    #expect(body.frame(ofItem: 8_000_000_005).minY == 8_000_000_005 * 44)
    #expect(body.itemCount == 10_000_000_005)
  }

  @Test("An update among a million rows looks at its own edits only")
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
    // A measured row went; one of which nothing is known came further on.
    #expect(body.frame(ofItem: 599_999) == before[0].offset(x: 0, y: -50))
    let came = body.frame(ofItem: 700_000).height
    #expect(body.frame(ofItem: 900_000) == before[1].offset(x: 0, y: came - 50))
  }

  @Test("A rectangle beside all items is answered without looking at a million of them")
  func besideAll() {
    let room = SectionRoom.plain(1_000_000, 1_000)
    let group = SlottedGroup(flow: .vertical, breadth: 320, estimate: 30, slotCount: 2, isStack: false)
    var body = MeasuredBody(of: 2_000_000_000, group: group, in: room)
    _ = body.setPreferredSize(width: 1, height: 90, ofItem: 1_000_000)
    let rect = PixelFrame(minX: 400, minY: 0, maxX: 500, maxY: 1 << 50)
    #expect(body.firstItem(in: rect) == nil)
    #expect(body.lastItem(in: rect) == nil)
  }
}
