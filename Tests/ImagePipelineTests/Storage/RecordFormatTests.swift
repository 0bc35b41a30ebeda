import DataStructures
import TestSupport
import Testing

@testable import ImagePipeline

@Suite("Records in bytes")
struct RecordFormatTests {
  /// What can be read of bytes: the payloads, nothing in place of a damaged one.
  private func read(_ bytes: [UInt8], at offset: Int = 32) -> (
    payloads: [[UInt8]?], count: Int, RecordFormat.StopReason
  ) {
    var payloads: [[UInt8]?] = []
    let (count, ending) = bytes.withUnsafeBytes { bytes in
      RecordFormat.readRecords(bytes, at: offset) { payloads.append($0.map { Array($0) }) }
    }
    return (payloads, count, ending)
  }

  private func encoded(_ records: [[UInt8]], at offset: Int = 32) -> [UInt8] {
    var bytes: [UInt8] = []
    for record in records {
      record.withUnsafeBytes { RecordFormat.appendRecord($0, at: offset + bytes.count, to: &bytes) }
    }
    return bytes
  }

  @Test("What is written is read, wherever in the file it stands, and only there")
  func roundTrip() {
    let records = LogBench.records(50, seed: 1)
    let bytes = encoded(records, at: 4_096)
    let (payloads, count, ending) = read(bytes, at: 4_096)
    #expect(payloads == records && count == bytes.count && ending == .complete)
    #expect(read(bytes, at: 4_104).payloads.isEmpty)
    #expect(read([]).2 == .complete)
  }

  @Test("Any beginning of a log gives the records that are whole")
  func everyPrefix() {
    let records = LogBench.records(12, seed: 2)
    let bytes = encoded(records)
    var ends = [0]
    for record in records { ends.append(ends[ends.count - 1] + RecordFormat.recordBytes(payload: record.count)) }
    for length in 0...bytes.count {
      let (payloads, count, ending) = read(Array(bytes[..<length]))
      let whole = ends.lastIndex { $0 <= length } ?? 0
      #expect(payloads == Array(records[..<whole]) && count == ends[whole], "\(length) bytes")
      #expect(ending == (ends[whole] == length ? .complete : .cutOff), "\(length) bytes")
    }
  }

  @Test("A byte that changed loses its record, and what follows only where it was in the length")
  func everyChangedByte() {
    let records = LogBench.records(8, seed: 3)
    let bytes = encoded(records)
    var start = 0
    for (index, record) in records.enumerated() {
      let end = start + RecordFormat.recordBytes(payload: record.count)
      for place in start..<end {
        var changed = bytes
        changed[place] ^= 0x10
        let payloads = read(changed).payloads
        if place < start + 8 {
          #expect(payloads == Array(records[..<index]), "byte \(place)")
        } else if place < start + RecordFormat.frameBytes + record.count {
          #expect(payloads.count == records.count && payloads[index] == nil, "byte \(place)")
          #expect(payloads.compactMap { $0 } == records.enumerated().filter { $0.offset != index }.map(\.element))
        } else {
          #expect(payloads == records, "the zeros behind a payload mean nothing")
        }
      }
      start = end
    }
  }

  @Test("Bytes that nobody wrote as records are taken in without harm", arguments: 0..<64)
  func anyBytes(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let noise = (0..<Int.random(in: 0...2_000, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
    #expect(read(noise).payloads.isEmpty)
    var mutated = encoded(LogBench.records(20, seed: seed))
    for _ in 0..<Int.random(in: 1...40, using: &random) {
      let place = Int.random(in: mutated.indices, using: &random)
      switch Int.random(in: 0..<3, using: &random) {
      case 0: mutated[place] = UInt8.random(in: 0...255, using: &random)
      case 1: mutated.remove(at: place)
      default: mutated.insert(255, at: place)
      }
    }
    let (payloads, count, _) = read(mutated)
    #expect(count <= mutated.count)
    for payload in payloads.compactMap({ $0 }) { #expect(LogBench.records(20, seed: seed).contains(payload)) }
  }

  @Test("A header says program, format, kind and layout")
  func header() {
    let format = LogBench.format
    #expect(format.header.count == RecordFormat.headerBytes)
    #expect(format.header.withUnsafeBytes { format.matchesHeader($0) })
    #expect(!RecordFormat(kind: format.kind, layout: 4).header.withUnsafeBytes { format.matchesHeader($0) })
    #expect(!RecordFormat(kind: 1, layout: format.layout).header.withUnsafeBytes { format.matchesHeader($0) })
    for place in 0..<RecordFormat.headerBytes {
      var changed = format.header
      changed[place] ^= 1
      #expect(!changed.withUnsafeBytes { format.matchesHeader($0) })
      #expect(!format.header[..<place].withUnsafeBytes { format.matchesHeader($0) })
    }
  }
}
