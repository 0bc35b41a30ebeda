import Synchronization
import Testing
import VitrineDataStructures
import VitrineGeometry
import VitrineTestSupport

@testable import VitrineCollectionLayout

@Suite("Justified rows of a million items and more")
struct JustifiedScaleTests {
  /// Pseudorandom aspect ratios that count how often they are read.
  private final class CountingRatios: Sendable {
    private let reads = Mutex(0)

    var count: Int { reads.withLock(\.self) }

    func ratio(of item: Int) -> Double {
      reads.withLock { $0 += 1 }
      return 0.5 + Double(SplitMix64.mix(UInt64(item)) >> 40) / Double(1 << 24) * 1.5
    }
  }

  private let ratios = CountingRatios()

  private var container: SectionContainer {
    SectionContainer(size: Size(width: 1_200, height: 900), flow: .vertical, scale: .one, interGroupSpacing: 4)
  }

  private var content: JustifiedContent {
    let ratios = ratios
    return JustifiedContent(targetRowHeight: 200, spacing: 4, captionHeight: 0) { ratios.ratio(of: $0) }
  }

  private func body(of count: Int) -> JustifiedBody { content.justifiedBody(of: count, in: container) }

  @Test("Solving reads no ratio, and settling a viewport reads only those of its segments")
  func readsRatiosLazily() {
    var body = body(of: 1_000_000)
    #expect(ratios.count == 0)
    let offset = body.length / 2
    _ = body.firstItem(in: PixelFrame(minX: 0, minY: offset, maxX: 1_200, maxY: offset + 900))
    _ = body.frame(ofItem: 999_999)
    #expect(ratios.count == 0)
    let isMoved = body.finalizeFrames(in: offset..<(offset + 900))
    #expect(isMoved)
    #expect((1...512).contains(ratios.count))
    let readCount = ratios.count
    let isMovedAgain = body.finalizeFrames(in: offset..<(offset + 900))
    #expect(!isMovedAgain && ratios.count == readCount)
  }

  @Test("Refining reads each ratio once")
  func readsEachRatioOnce() {
    var body = body(of: 50_000)
    var rounds = 0
    while !body.areFramesFinal {
      _ = body.finalizeFrames(itemBudget: 1_000)
      rounds += 1
    }
    #expect(ratios.count == 50_000)
    #expect((40...60).contains(rounds))
  }

  @Test("An edit reads only new ratios and costs at most one segment")
  func editCost() {
    var body = body(of: 1_000_000)
    let offset = body.length / 2
    _ = body.finalizeFrames(in: offset..<(offset + 5_000))
    guard let item = body.firstItem(in: PixelFrame(minX: 0, minY: offset, maxX: 1_200, maxY: offset + 900)) else {
      Issue.record("There is nothing in the middle.")
      return
    }
    let readCount = ratios.count
    let insertion = SectionEdits(section: 0, insertions: [item..<(item + 1)])
    #expect(body.cost(of: insertion) <= 256)
    _ = body.update(insertion, content: content, container: container)
    #expect(ratios.count == readCount + 1)
    _ = body.update(SectionEdits(section: 0, removals: [item..<(item + 1)]), content: content, container: container)
    #expect(ratios.count == readCount + 1)
    let many = SectionEdits(section: 0, insertions: [item..<(item + 500_000)])
    _ = body.update(many, content: content, container: container)
    #expect(ratios.count == readCount + 1)
    #expect(body.itemCount == 1_500_000)
    #expect(body.cost(of: many) < 3_000)
  }

  @Test("Ten million items have exact frames beyond the precision of Float")
  func isExactAtLargeOffsets() {
    var body = body(of: 10_000_000)
    let everywhere = PixelFrame(minX: 0, minY: 0, maxX: 1_200, maxY: 1 << 60)
    #expect(body.lastItem(in: everywhere) == 9_999_999)
    _ = body.finalizeFrames(in: (body.length - 2_000)..<body.length)
    #expect(body.length > 100_000_000)
    let frames = (9_999_900..<10_000_000).map { body.frame(ofItem: $0) }
    for (frame, next) in zip(frames, frames.dropFirst()) {
      let isInSameRow = next.minY == frame.minY && next.maxY == frame.maxY && next.minX == frame.maxX + 4
      let isInNextRow = next.minY == frame.maxY + 4 && next.minX == 0 && frame.maxX == 1_200
      #expect(isInSameRow || isInNextRow)
    }
    #expect(frames.last?.maxY == body.length)
  }

  @Test(
    "A finalized body stores at most five bytes per item, or nine if each item has its own row",
    arguments: [false, true])
  func memoryPerItem(isNarrow: Bool) {
    var container = container
    if isNarrow { container.size.width = 150 }
    var body = content.justifiedBody(of: 100_000, in: container)
    body.finalizeAllFrames()
    var bytes = 0
    for index in 0..<body.segments.leafCount {
      let segment = body.segments[leaf: index]
      // In addition to the leaf: its summary in the block, and the headers of three arrays.
      bytes += MemoryLayout<JustifiedSegment>.stride + 16 + 3 * 32
      bytes += 2 * segment.ratios.capacity + 2 * segment.firstItems.capacity + 4 * segment.ends.capacity
    }
    #expect(bytes <= (isNarrow ? 9 : 5) * 100_000)
  }

  @Test("Finalizing a copy does not change the original")
  func hasValueSemantics() {
    let body = body(of: 20_000)
    var copy = body
    copy.finalizeAllFrames()
    #expect(!body.areFramesFinal)
    #expect(body.length != copy.length)
  }
}
