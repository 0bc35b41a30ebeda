import DataStructures
import TestSupport
import Testing

@testable import ImagePipeline

@Suite("What the pack holds and what has to leave it")
struct PackLedgerTests {
  private func entry(_ segment: UInt32, side: Int = 10) -> PackEntry {
    PackEntry(digest: 0, segment: segment, offset: 0, size: pixels(side, side), sourceSize: nil)
  }

  private func record(_ number: Int, _ segment: UInt32) -> PackRecord {
    PackRecord(key: PackBench.name(number), entry: entry(segment))
  }

  private func ledger(_ sizes: [Int], limit: Int = 1_000) -> PackIndex {
    var ledger = PackIndex(byteLimit: limit, segmentLimit: 100)
    for (index, size) in sizes.enumerated() { ledger.recordSegment(.init(number: UInt32(index + 1), byteCount: size)) }
    return ledger
  }

  @Test("The oldest segments leave, as few as make room")
  func dropping() {
    let ledger = ledger([100, 50, 100])
    #expect(ledger.segmentsToEvict(forBytes: 750).isEmpty)
    #expect(ledger.segmentsToEvict(forBytes: 751) == [1])
    #expect(ledger.segmentsToEvict(forBytes: 851) == [1, 2])
    #expect(ledger.segmentsToEvict(forBytes: 5_000) == [1, 2, 3])
    #expect(ledger.nextNumber == 4)
  }

  @Test("With a segment its thumbnails leave, but not those that were written again")
  func droppedThumbnails() {
    var ledger = ledger([100, 100])
    ledger.insertRecords([record(1, 1), record(2, 1), record(3, 2), record(2, 2)])
    ledger.insertRecords([record(3, 1)])
    ledger.removeSegments([1])
    #expect(ledger[PackBench.name(1)] == nil && ledger.count == 2)
    #expect(ledger[PackBench.name(2)]?.segment == 2 && ledger[PackBench.name(3)]?.segment == 2)
    #expect(ledger.segments.map(\.number) == [2])
    ledger.removeThumbnail(PackBench.name(2))
    #expect(ledger.count == 1)
  }

  @Test("Segments are in order whenever they are heard of, and grow in their place")
  func order() {
    var ledger = PackIndex(byteLimit: 1_000, segmentLimit: 100)
    for number: UInt32 in [5, 2, 9, 2, 7] { ledger.recordSegment(.init(number: number, byteCount: Int(number))) }
    ledger.recordSegment(.init(number: 5, byteCount: 50))
    #expect(ledger.segments.map(\.number) == [2, 5, 7, 9] && ledger.byteCount == 68)
  }

  @Test("Only what is read from the oldest part of a full pack is written again")
  func fading() {
    var full = ledger(Array(repeating: 100, count: 10))
    full.recordWrite(1_000)
    var rewritten: [UInt32] = []
    for number: UInt32 in 1...10 where full.claimRewrite(of: entry(number, side: 1)) { rewritten.append(number) }
    #expect(rewritten == [1, 2, 3, 4])
    var half = ledger(Array(repeating: 100, count: 5))
    half.recordWrite(1_000)
    let isRewritten = half.claimRewrite(of: entry(1, side: 1))
    #expect(!isRewritten)
  }

  @Test("No more is written again than was written new, and a segment")
  func allowance() {
    var ledger = ledger(Array(repeating: 100, count: 10))
    let old = entry(1, side: 5)
    var answers = [ledger.claimRewrite(of: old), ledger.claimRewrite(of: old)]
    ledger.recordWrite(30)
    answers.append(ledger.claimRewrite(of: old))
    ledger.recordWrite(20)
    answers.append(ledger.claimRewrite(of: old))
    #expect(answers == [true, false, false, true], "75 of 100; 75 of 25; 75 of 55; 75 of 75")
  }
}
