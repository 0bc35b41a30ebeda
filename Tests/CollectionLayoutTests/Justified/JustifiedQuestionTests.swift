import DataStructures
import Geometry
import TestSupport
import Testing

@testable import CollectionLayout

@Suite("Questions to justified rows")
struct JustifiedQuestionTests {
  @Test("rectangles find what looking at each frame finds, before, during and after settling", arguments: 0..<40)
  func findsItems(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let gallery = JustifiedGallery(&random, of: .random(in: 0...1_200, using: &random), wild: random.chance(oneIn: 3))
    var body = gallery.body
    var rounds = 0
    while true {
      expectAnswers(body, gallery, &random)
      guard !body.isSettled else { break }
      rounds += 1
      let start = Int.random(in: 0...body.length, using: &random)
      _ = random.chance(oneIn: 2) ? body.settle(start..<(start + 50)) : body.refine(atMost: 200)
      #expect(rounds < 200)
    }
  }

  private func expectAnswers(_ body: JustifiedBody, _ gallery: JustifiedGallery, _ random: inout SeededGenerator) {
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
      #expect(found?.behind == starts.first { $0 > max(0, line) })
    }
  }

  @Test("rectangles that are empty, turned round or far away find nothing")
  func findsNothing() {
    let body = JustifiedGallery(Array(repeating: 1.5, count: 700)).settledBody
    let far = 1 << 60
    for rect in [
      PixelFrame.zero, PixelFrame(minX: 10, minY: 10, maxX: 5, maxY: 50),
      PixelFrame(minX: 0, minY: 50, maxX: 90, maxY: 9),
      PixelFrame(minX: 0, minY: -50, maxX: 90, maxY: 0), PixelFrame(minX: 0, minY: body.length, maxX: 90, maxY: far),
      PixelFrame(minX: 1_000, minY: 0, maxX: far, maxY: far), PixelFrame(minX: -far, minY: 0, maxX: 0, maxY: far),
    ] {
      #expect(body.firstItem(in: rect) == nil && body.lastItem(in: rect) == nil)
    }
    let everywhere = PixelFrame(minX: -far, minY: -far, maxX: far, maxY: far)
    #expect(body.firstItem(in: everywhere) == 0 && body.lastItem(in: everywhere) == 699)
  }

  @Test("what is settled stays where it is against its row's neighbours while the rest is refined")
  func staysSettled() {
    var random = SeededGenerator(seed: 9)
    var gallery = JustifiedGallery(&random, of: 4_000)
    gallery.flow = .vertical
    var body = gallery.body
    let middle = body.length / 2
    _ = body.settle(middle..<(middle + 800))
    let seen = PixelFrame(minX: 0, minY: middle, maxX: body.breadth, maxY: middle + 100)
    guard let first = body.firstItem(in: seen), let last = body.lastItem(in: seen) else {
      Issue.record("There is nothing in the middle.")
      return
    }
    let before = (first...last).map { body.frame(ofItem: $0) }
    body.settleAll()
    let after = (first...last).map { body.frame(ofItem: $0) }
    let moved = after[0].minY - before[0].minY
    #expect(after == before.map { $0.offset(x: 0, y: moved) })
  }

  @Test("settling a stretch makes final what is in it, and again finds nothing to do", arguments: 0..<10)
  func settlesStretches(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let gallery = JustifiedGallery(&random, of: 3_000)
    var body = gallery.body
    #expect(!body.isSettled)
    let outside = [body.settle(-500..<0), body.settle((body.length + 100_000)..<(body.length + 200_000))]
    #expect(outside == [false, false])
    var offset = Int.random(in: 0...body.length, using: &random)
    while body.settle(offset..<offset + 400) { offset = min(offset, body.length - 1) }
    let rect =
      gallery.flow == .vertical
      ? PixelFrame(minX: 0, minY: offset, maxX: body.breadth, maxY: offset + 400)
      : PixelFrame(minX: offset, minY: 0, maxX: offset + 400, maxY: body.breadth)
    for item in [body.firstItem(in: rect), body.lastItem(in: rect)].compactMap(\.self) {
      #expect(body.segments[body.segments.position(ofElement: item)].isBroken)
    }
    _ = body.settle(-1_000..<(1 << 60))
    #expect(body.isSettled)
    let isMoved = body.refine(atMost: 1_000)
    #expect(!isMoved)
  }
}

extension SeededGenerator {
  /// A rectangle in, over or beside a body; most are small, some are as long as all of it.
  fileprivate mutating func rect(_ flow: Axis, length: Int, breadth: Int) -> PixelFrame {
    let start = Int.random(in: -30...(length + 30), using: &self)
    let low = Int.random(in: -30...(breadth + 30), using: &self)
    let end = start + Int.random(in: 0...(chance(oneIn: 5) ? length + 1 : 300), using: &self)
    let high = low + Int.random(in: 0...(chance(oneIn: 3) ? 3 : breadth + 30), using: &self)
    return flow == .vertical
      ? PixelFrame(minX: low, minY: start, maxX: high, maxY: end)
      : PixelFrame(minX: start, minY: low, maxX: end, maxY: high)
  }
}
