import DataStructures
import Geometry
import Synchronization
import TestSupport
import Testing

@testable import CollectionLayout

@Suite("Justified rows of a million items")
struct JustifiedScaleTests {
  /// Ratios that count how often they are asked.
  private final class AskedRatios: Sendable {
    private let asked = Mutex(0)

    var count: Int { asked.withLock(\.self) }

    func ratio(of item: Int) -> Double {
      asked.withLock { $0 += 1 }
      return 0.5 + Double(SplitMix64.mix(UInt64(item)) >> 40) / Double(1 << 24) * 1.5
    }
  }

  private let ratios = AskedRatios()

  private var room: SectionRoom {
    SectionRoom(size: Size(width: 1_200, height: 900), flow: .vertical, scale: .one, interGroupSpacing: 4)
  }

  private var content: JustifiedContent {
    let ratios = ratios
    return JustifiedContent(targetRowHeight: 200, spacing: 4, captionHeight: 0) { ratios.ratio(of: $0) }
  }

  private func body(of count: Int) -> JustifiedBody { content.justifiedBody(of: count, in: room) }

  @Test("solving asks for no ratio, settling a screen for those of the segments that it touches")
  func asksLazily() {
    var body = body(of: 1_000_000)
    #expect(ratios.count == 0)
    let offset = body.length / 2
    _ = body.firstItem(in: PixelFrame(minX: 0, minY: offset, maxX: 1_200, maxY: offset + 900))
    _ = body.frame(ofItem: 999_999)
    #expect(ratios.count == 0)
    let isMoved = body.settle(offset..<(offset + 900))
    #expect(isMoved)
    #expect((1...512).contains(ratios.count))
    let once = ratios.count
    let isMovedAgain = body.settle(offset..<(offset + 900))
    #expect(!isMovedAgain && ratios.count == once)
  }

  @Test("refining asks for each ratio once")
  func asksOnce() {
    var body = body(of: 50_000)
    var rounds = 0
    while !body.isSettled {
      _ = body.refine(atMost: 1_000)
      rounds += 1
    }
    #expect(ratios.count == 50_000)
    #expect((40...60).contains(rounds))
  }

  @Test("an edit asks for what is new, and costs a segment")
  func editsLittle() {
    var body = body(of: 1_000_000)
    let offset = body.length / 2
    _ = body.settle(offset..<(offset + 5_000))
    guard let item = body.firstItem(in: PixelFrame(minX: 0, minY: offset, maxX: 1_200, maxY: offset + 900)) else {
      Issue.record("There is nothing in the middle.")
      return
    }
    let asked = ratios.count
    let insertion = SectionEdits(section: 0, insertions: [item..<(item + 1)])
    #expect(body.cost(of: insertion) <= 256)
    _ = body.update(insertion, content: content, room: room)
    #expect(ratios.count == asked + 1)
    _ = body.update(SectionEdits(section: 0, removals: [item..<(item + 1)]), content: content, room: room)
    #expect(ratios.count == asked + 1)
    let many = SectionEdits(section: 0, insertions: [item..<(item + 500_000)])
    _ = body.update(many, content: content, room: room)
    #expect(ratios.count == asked + 1)
    #expect(body.itemCount == 1_500_000)
    #expect(body.cost(of: many) < 3_000)
  }

  @Test("ten million items end where they should, far beyond what a Float can tell apart")
  func isExactFarOut() {
    var body = body(of: 10_000_000)
    let everywhere = PixelFrame(minX: 0, minY: 0, maxX: 1_200, maxY: 1 << 60)
    #expect(body.lastItem(in: everywhere) == 9_999_999)
    _ = body.settle((body.length - 2_000)..<body.length)
    #expect(body.length > 100_000_000)
    let frames = (9_999_900..<10_000_000).map { body.frame(ofItem: $0) }
    for (frame, next) in zip(frames, frames.dropFirst()) {
      let isBeside = next.minY == frame.minY && next.maxY == frame.maxY && next.minX == frame.maxX + 4
      let isBelow = next.minY == frame.maxY + 4 && next.minX == 0 && frame.maxX == 1_200
      #expect(isBeside || isBelow)
    }
    #expect(frames.last?.maxY == body.length)
  }

  @Test(
    "a settled body keeps at most five bytes an item, or nine where each has a row of its own",
    arguments: [false, true])
  func keepsLittle(isNarrow: Bool) {
    var room = room
    if isNarrow { room.size.width = 150 }
    var body = content.justifiedBody(of: 100_000, in: room)
    body.settleAll()
    var bytes = 0
    for index in 0..<body.segments.leafCount {
      let segment = body.segments[leaf: index]
      // Beside the leaf, what comes before it in its block, and the heads of three arrays.
      bytes += MemoryLayout<JustifiedSegment>.stride + 16 + 3 * 32
      bytes += 2 * segment.shares.capacity + 2 * segment.firstItems.capacity + 4 * segment.ends.capacity
    }
    #expect(bytes <= (isNarrow ? 9 : 5) * 100_000)
  }

  @Test("a copy is not settled with the other")
  func isAValue() {
    let body = body(of: 20_000)
    var copy = body
    copy.settleAll()
    #expect(!body.isSettled)
    #expect(body.length != copy.length)
  }
}
