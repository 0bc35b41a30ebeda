import Testing
import VitrineDataStructures
import VitrineGeometry
import VitrineTestSupport

@testable import VitrineCollectionLayout

@Suite("Queries of justified rows")
struct JustifiedBodyQueryTests {
  @Test(
    "Items and groups found by queries equal those of a linear search, before, during and after settling",
    arguments: TestScale.seeds(0..<40))
  func findsItems(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let gallery = JustifiedGallery(
      &random, of: .random(in: 0...1_200, using: &random), extreme: random.chance(oneIn: 3))
    var body = gallery.body
    var rounds = 0
    while true {
      expectQueries(body, gallery, &random)
      guard !body.areFramesFinal else { break }
      rounds += 1
      let start = Int.random(in: 0...body.length, using: &random)
      _ = random.chance(oneIn: 2) ? body.finalizeFrames(in: start..<(start + 50)) : body.finalizeFrames(itemBudget: 200)
      #expect(rounds < 200)
    }
  }

  private func expectQueries(_ body: JustifiedBody, _ gallery: JustifiedGallery, _ random: inout SeededGenerator) {
    let frames = body.frames
    for _ in 0..<40 {
      let rect = random.rect(gallery.flow, length: body.length, breadth: body.breadth)
      #expect(body.firstItem(in: rect) == frames.firstIndex { !rect.isEmpty && $0.intersects(rect) }, "\(rect)")
      #expect(body.lastItem(in: rect) == frames.lastIndex { !rect.isEmpty && $0.intersects(rect) }, "\(rect)")
    }
    let starts = Set(frames.map { $0.start(gallery.flow) }).sorted()
    for _ in 0..<10 where !starts.isEmpty {
      let line = Int.random(in: -20...(body.length + 20), using: &random)
      let found = body.groupStarts(around: line)
      #expect(found?.atOrBefore == starts.last { $0 <= max(0, line) })
      #expect(found?.after == starts.first { $0 > max(0, line) })
    }
  }

  @Test("Empty, inverted and distant rectangles contain no items")
  func findsNothing() {
    let body = JustifiedGallery(Array(repeating: 1.5, count: 700)).finalizedBody
    let limit = 1 << 60
    for rect in [
      PixelFrame.zero, PixelFrame(minX: 10, minY: 10, maxX: 5, maxY: 50),
      PixelFrame(minX: 0, minY: 50, maxX: 90, maxY: 9),
      PixelFrame(minX: 0, minY: -50, maxX: 90, maxY: 0), PixelFrame(minX: 0, minY: body.length, maxX: 90, maxY: limit),
      PixelFrame(minX: 1_000, minY: 0, maxX: limit, maxY: limit),
      PixelFrame(minX: -limit, minY: 0, maxX: 0, maxY: limit),
    ] {
      #expect(body.firstItem(in: rect) == nil && body.lastItem(in: rect) == nil)
    }
    let everywhere = PixelFrame(minX: -limit, minY: -limit, maxX: limit, maxY: limit)
    #expect(body.firstItem(in: everywhere) == 0 && body.lastItem(in: everywhere) == 699)
  }

  @Test("Finalized items keep their relative positions while the others are finalized")
  func staysFinalized() {
    var random = SeededGenerator(seed: 9)
    var gallery = JustifiedGallery(&random, of: 4_000)
    gallery.flow = .vertical
    var body = gallery.body
    let middle = body.length / 2
    _ = body.finalizeFrames(in: middle..<(middle + 800))
    let visible = PixelFrame(minX: 0, minY: middle, maxX: body.breadth, maxY: middle + 100)
    guard let first = body.firstItem(in: visible), let last = body.lastItem(in: visible) else {
      Issue.record("There is nothing in the middle.")
      return
    }
    let before = (first...last).map { body.frame(ofItem: $0) }
    body.finalizeAllFrames()
    let after = (first...last).map { body.frame(ofItem: $0) }
    let moved = after[0].minY - before[0].minY
    #expect(after == before.map { $0.offset(x: 0, y: moved) })
  }

  @Test("Finalizing a range finalizes its items, and finalizing it again changes nothing", arguments: 0..<10)
  func settlesRanges(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let gallery = JustifiedGallery(&random, of: 3_000)
    var body = gallery.body
    #expect(!body.areFramesFinal)
    let outside = [
      body.finalizeFrames(in: -500..<0), body.finalizeFrames(in: (body.length + 100_000)..<(body.length + 200_000)),
    ]
    #expect(outside == [false, false])
    var offset = Int.random(in: 0...body.length, using: &random)
    while body.finalizeFrames(in: offset..<offset + 400) { offset = min(offset, body.length - 1) }
    let rect =
      gallery.flow == .vertical
      ? PixelFrame(minX: 0, minY: offset, maxX: body.breadth, maxY: offset + 400)
      : PixelFrame(minX: offset, minY: 0, maxX: offset + 400, maxY: body.breadth)
    for item in [body.firstItem(in: rect), body.lastItem(in: rect)].compactMap(\.self) {
      #expect(body.segments[body.segments.position(ofElement: item)].isBroken)
    }
    _ = body.finalizeFrames(in: -1_000..<(1 << 60))
    #expect(body.areFramesFinal)
    let isMoved = body.finalizeFrames(itemBudget: 1_000)
    #expect(!isMoved)
  }
}

extension SeededGenerator {
  /// Returns a rectangle inside, across or next to a body.
  ///
  /// Most are small; some are as long as the body.
  fileprivate mutating func rect(_ flow: Axis, length: Int, breadth: Int) -> PixelFrame {
    let start = Int.random(in: -30...(length + 30), using: &self)
    let crossStart = Int.random(in: -30...(breadth + 30), using: &self)
    let end = start + Int.random(in: 0...(chance(oneIn: 5) ? length + 1 : 300), using: &self)
    let crossEnd = crossStart + Int.random(in: 0...(chance(oneIn: 3) ? 3 : breadth + 30), using: &self)
    return flow == .vertical
      ? PixelFrame(minX: crossStart, minY: start, maxX: crossEnd, maxY: end)
      : PixelFrame(minX: start, minY: crossStart, maxX: end, maxY: crossEnd)
  }
}
